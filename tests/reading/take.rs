//! Rows by their numbers, in any order, from blocks that are kept and blocks that are not.

use proptest::prelude::*;
use serde::{Deserialize, Serialize};
use trevni::{Checksum, Codec, Dialect, Limits, Reader, Writer};

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Row {
    id: u32,
    /// Few values, so that typed blocks have many rows.
    kind: u8,
    none: Option<i64>,
    text: String,
    lists: Vec<Vec<Option<u16>>>,
    pair: Option<(bool, f64)>,
    choice: Choice,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
enum Choice {
    No,
    Text(String),
    Numbers { list: Vec<i32> },
}

/// The part of a row that is in the middle of others.
#[derive(Deserialize, Debug, PartialEq)]
struct Some {
    lists: Vec<Vec<Option<u16>>>,
    text: String,
}

fn row(id: u32) -> Row {
    let mix = |salt: u32| (id.wrapping_mul(2_654_435_761) ^ salt.wrapping_mul(40_503)) >> 9;
    let list = |at: u32| (0..mix(at) % 3).map(|n| (mix(n) % 4 > 0).then_some(mix(at + n) as u16)).collect();
    Row {
        id,
        kind: (id / 700) as u8,
        none: (mix(1) % 3 > 0).then_some(i64::from(mix(2)) << (mix(3) % 20)),
        text: "ab".repeat(mix(4) as usize % 9),
        lists: (0..mix(5) % 4).map(list).collect(),
        pair: (mix(6) % 2 == 0).then_some((mix(7) % 2 == 0, f64::from(mix(8)) / 8.0)),
        choice: match mix(9) % 4 {
            0 => Choice::No,
            1 => Choice::Text(format!("t{}", mix(10) % 20)),
            _ => Choice::Numbers { list: (0..mix(11) % 3).map(|n| n as i32 - 1).collect() },
        },
    }
}

const ROWS: u32 = 6000;

fn file(codec: Codec, dialect: Dialect, block_size: usize) -> Vec<u8> {
    let builder = Writer::builder().codec(codec).dialect(dialect).block_size(block_size);
    let builder = if dialect == Dialect::Trevni { builder } else { builder.checksum(Checksum::Null) };
    let mut writer = builder.build(Vec::new()).unwrap();
    writer.write_all((0..ROWS).map(row)).unwrap();
    writer.finish().unwrap()
}

/// Files of all kinds: codec, format, size of blocks.
fn files() -> Vec<Vec<u8>> {
    let codecs = [Codec::Null, Codec::Snappy, Codec::Typed, Codec::TypedZstandard, Codec::Archive];
    let codecs = codecs.into_iter().filter(|codec| codec.is_available());
    let trevni = codecs.flat_map(|codec| [500, 1 << 16].map(|size| (codec, Dialect::Trevni, size)));
    let others = [(Codec::Null, Dialect::Levels, 500), (Codec::Null, Dialect::RedElm, 1 << 16)];
    trevni.chain(others).map(|(codec, dialect, size)| file(codec, dialect, size)).collect()
}

/// Bytes that are not lent, as those of a file.
struct Remote(Vec<u8>);

impl trevni::Source for Remote {
    fn size(&self) -> std::io::Result<u64> {
        Ok(self.0.len() as u64)
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> std::io::Result<()> {
        trevni::Source::read_at(&self.0, offset, buffer)
    }
}

#[test]
fn rows_in_any_order_are_those_of_the_file() {
    let near = (0..ROWS, 0u32..40).prop_map(|(row, more)| (row..row + more).map(|row| row % ROWS).collect());
    let apart = proptest::collection::vec(0..ROWS, 0..25);
    let numbers = proptest::collection::vec(prop_oneof![near.boxed(), apart.boxed()], 1..5);
    let files = files();
    let config = ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() };
    let caches = prop_oneof![Just(0u64), Just(20_000), Just(1 << 26)];
    proptest!(config, |(which in 0..files.len(), numbers in numbers, cache in caches, lends: bool)| {
        let builder = Reader::builder().cache(cache);
        let reader = match lends {
            true => builder.source(&files[which][..]).unwrap(),
            false => builder.source(Remote(files[which].clone())).unwrap(),
        };
        // A clone has the same blocks.
        let clone = reader.clone();
        for numbers in numbers {
            let rows: Vec<u64> = numbers.iter().map(|row| u64::from(*row)).collect();
            let expected: Vec<Row> = numbers.iter().map(|id| row(*id)).collect();
            prop_assert!(reader.take::<Row>(&rows).unwrap() == expected);
            for (number, expected) in rows.iter().zip(&expected) {
                prop_assert_eq!(&clone.row::<Row>(*number).unwrap(), expected);
                let some: Some = reader.row(*number).unwrap();
                prop_assert_eq!((&some.lists, &some.text), (&expected.lists, &expected.text));
            }
        }
    });
}

#[test]
fn many_threads_read_rows_of_one_reader() {
    for file in files() {
        let reader = Reader::new(file).unwrap();
        std::thread::scope(|scope| {
            for thread in 0..8u32 {
                let reader = &reader;
                scope.spawn(move || {
                    for number in (0..150).map(|n: u32| (n * 1237 + thread * 511) % ROWS) {
                        assert_eq!(reader.row::<Row>(u64::from(number)).unwrap(), row(number));
                    }
                });
            }
        });
    }
}

#[test]
fn the_cache_counts_as_memory() {
    // The smallest limit with which rows can be read one after the other is enough with a cache.
    for codec in [Codec::Snappy, Codec::Typed, Codec::Null] {
        cache_counts(&file(codec, Dialect::Trevni, 1 << 16));
    }
}

fn cache_counts(file: &[u8]) {
    let read = |memory: u64, cache: u64| -> trevni::Result<()> {
        let mut limits = Limits::default();
        limits.memory = memory;
        let reader = Reader::builder().limits(limits).cache(cache).source(Remote(file.to_vec()))?;
        let mut numbers = (0..250u32).map(|n| n * 2477 % ROWS);
        numbers.try_for_each(|number| {
            reader.row::<Row>(u64::from(number)).map(|read| assert_eq!(read, row(number)))
        })
    };
    let mut memory = 1 << 14;
    while read(memory, 0).is_err() {
        memory += memory / 8;
    }
    // Where there is more, blocks are kept, or some of them, and given back.
    for memory in (0..8).map(|more| memory + more * memory / 3) {
        read(memory, 1 << 40).unwrap();
    }
}

#[test]
fn a_row_that_is_not_there_is_an_error() {
    let file = trevni::to_vec(0..10).unwrap();
    let reader = Reader::from_slice(&file).unwrap();
    assert!(reader.take::<u32>(&[3, 10]).unwrap_err().to_string().contains("row 10"));
    assert_eq!(reader.take::<u32>(&[]).unwrap(), [0; 0]);
}
