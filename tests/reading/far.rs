//! Rows that are far from each other are read together, and are the rows that they are one by one.

use proptest::prelude::*;
use serde::{Deserialize, Serialize};
use trevni::{Codec, Limits, Reader, RowSelection, Writer, col};

/// Nothing in lists or optionals that has a column of its own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Flat {
    number: u32,
    text: Option<String>,
    list: Vec<i64>,
    within: Within,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Within {
    half: f32,
    word: Option<String>,
}

fn flat(number: u32) -> Flat {
    Flat {
        number,
        text: (!number.is_multiple_of(3)).then(|| format!("text {number}")),
        list: (0..number % 4).map(i64::from).collect(),
        within: Within {
            half: number as f32 / 2.0,
            word: (!number.is_multiple_of(7)).then(|| "ab".repeat(number as usize % 5)),
        },
    }
}

fn file<T: Serialize>(rows: impl Iterator<Item = T>, codec: Codec, block_size: usize) -> Vec<u8> {
    let mut writer = Writer::builder().codec(codec).block_size(block_size).build(Vec::new()).unwrap();
    writer.write_all(rows).unwrap();
    writer.finish().unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn rows_are_those_of_any_ranges(
        ranges in prop::collection::vec((0u32..20_000, 1u32..60), 0..40),
        codec in prop::sample::select(vec![Codec::Null, Codec::Snappy, Codec::Typed, Codec::TypedZstandard]),
        block_size in prop::sample::select(vec![700usize, 1 << 16]),
        batch_rows in prop::sample::select(vec![1usize, 5, 4096]),
        filtered in any::<bool>(),
    ) {
        let bytes = file((0..20_000).map(flat), codec, block_size);
        let selected: RowSelection =
            ranges.iter().map(|(start, len)| u64::from(*start)..u64::from((start + len).min(20_000))).collect();
        let mut reader = Reader::from_slice(&bytes).unwrap().select(selected.clone()).unwrap();
        if filtered {
            reader = reader.filter(col("number").ge(9_000)).unwrap();
        }
        let numbers = selected.ranges().iter().cloned().flatten().filter(|number| !filtered || *number >= 9_000);
        let expected: Vec<Flat> = numbers.map(|number| flat(number as u32)).collect();
        let rows: Vec<Flat> = reader.rows().unwrap().collect::<Result<_, _>>().unwrap();
        prop_assert_eq!(&rows, &expected);
        let mut found = Vec::new();
        for batch in reader.batches().unwrap().batch_rows(batch_rows) {
            let batch = batch.unwrap();
            prop_assert!(batch.len() <= batch_rows);
            found.extend(batch.rows::<Flat>().map(Result::unwrap));
        }
        prop_assert_eq!(&found, &expected);
    }
}

fn batches<T: for<'de> Deserialize<'de>>(reader: &Reader<'_>) -> (usize, Vec<T>) {
    let (mut count, mut rows) = (0, Vec::new());
    for batch in reader.batches().unwrap().batch_rows(4096) {
        let batch = batch.unwrap();
        rows.extend(batch.rows::<T>().map(Result::unwrap));
        count += 1;
    }
    (count, rows)
}

/// A row of each 400.
fn every(bytes: &[u8]) -> Reader<'_> {
    let rows: Vec<_> = (0..100).map(|at| at * 400..at * 400 + 1).collect();
    Reader::from_slice(bytes).unwrap().select(rows).unwrap()
}

#[test]
fn few_rows_are_one_batch() {
    let bytes = file((0..40_000).map(flat), Codec::Typed, 1 << 12);
    let reader = every(&bytes);
    let (count, rows) = batches::<Flat>(&reader);
    assert!(count == 1 && rows.into_iter().eq((0..100).map(|at| flat(at * 400))));
    // A list of records has columns that count its items: these are counted between windows.
    let nested = |number: u32| (number, vec![(number, 1); number as usize % 3]);
    let bytes = file((0..40_000).map(nested), Codec::Typed, 1 << 12);
    let (count, rows) = batches::<(u32, Vec<(u32, u32)>)>(&every(&bytes));
    assert!(count > 1 && rows.into_iter().eq((0..100).map(|at| nested(at * 400))));
    // Without the lists, there is nothing to count.
    assert_eq!(batches::<(u32,)>(&every(&bytes).project(["_0"]).unwrap()).0, 1);
}

#[test]
fn large_rows_that_are_far_from_each_other_come_in_any_memory() {
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    struct Long {
        number: u32,
        text: Option<String>,
    }
    let row = |number: u32| Long {
        number,
        text: number.is_multiple_of(500).then(|| format!("{number}").repeat(20_000)),
    };
    for codec in [Codec::Null, Codec::Snappy, Codec::Typed] {
        let bytes = file((0..20_000).map(row), codec, 1 << 16);
        for memory in [1 << 20, 1 << 21, 1 << 24] {
            for threads in [1, 2] {
                let limits = Limits::default().memory(memory);
                let whole = Reader::builder().limits(limits).threads(threads).source(&*bytes).unwrap();
                let reader =
                    whole.select((0..40).map(|at| at * 500..at * 500 + 1).collect::<Vec<_>>()).unwrap();
                let rows = reader.rows::<Long>().unwrap().map(Result::unwrap);
                assert!(
                    rows.eq((0..40).map(|at| row(at * 500))),
                    "{codec}, {memory} bytes, {threads} threads"
                );
                let (count, rows) = batches::<Long>(&reader);
                assert!(rows.into_iter().eq((0..40).map(|at| row(at * 500))), "{codec}, {memory} bytes");
                assert!(count > 1 || memory > 1 << 21, "{codec}: {count} batches in {memory} bytes");
            }
        }
    }
}

/// Windows that skip far do not reach over blocks that are lost.
#[test]
fn what_is_lost_is_no_row_of_a_batch() {
    for codec in [Codec::Snappy, Codec::Typed] {
        let bytes = file((0..40_000).map(flat), codec, 1 << 12);
        for at in (bytes.len() / 3..bytes.len()).step_by(bytes.len() / 29) {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x10;
            let reader = Reader::builder().salvage().source(&*damaged).unwrap();
            let whole: Vec<Flat> = reader.rows().unwrap().collect::<Result<_, _>>().unwrap();
            assert!(whole.len() < 40_000 && whole.iter().all(|row| *row == flat(row.number)), "{codec} {at}");
            let some = reader.select((0..2000).map(|at| at * 20..at * 20 + 1).collect::<Vec<_>>()).unwrap();
            let (_, rows) = batches::<Flat>(&some);
            let expected = whole.into_iter().filter(|row| row.number.is_multiple_of(20));
            assert!(rows.into_iter().eq(expected), "{codec} {at}");
        }
    }
}
