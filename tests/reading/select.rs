//! Some rows, by their numbers.

use crate::nested::{Row, rows, written};
use crate::sources::Counting;
use proptest::prelude::*;
use serde::Deserialize;
use std::sync::LazyLock;
use trevni::formats::{Trevni, Version};
use trevni::reader::Nested;
use trevni::{Category, Codec, Dialect, ErrorKind, Reader, RowSelection, WriterBuilder};

static ROWS: LazyLock<Vec<Row>> = LazyLock::new(|| rows(3000));

/// Files whose blocks are of some bytes, of some hundred, and larger than the columns.
static FILES: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let builder = |codec, size| WriterBuilder::new().codec(codec).block_size(size);
    vec![
        written(&ROWS, builder(Codec::Null, 60)),
        written(&ROWS, builder(Codec::Snappy, 900).format(Trevni::new().version(Version::V1))),
        written(&ROWS, builder(Codec::Deflate, 20_000)),
    ]
});

#[derive(Debug, Deserialize, PartialEq)]
struct Part {
    counts: std::collections::BTreeMap<String, i32>,
    name: Option<String>,
}

fn expected(selection: &RowSelection) -> Vec<&'static Row> {
    selection.ranges().iter().cloned().flatten().map(|row| &ROWS[row as usize]).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn a_selection_reads_as_these_rows_of_a_full_read(
        parts in prop::collection::vec((0u64..3000, prop_oneof![1u64..6, 1u64..900]), 0..12),
        file in 0usize..3,
    ) {
        let selection: RowSelection = parts.iter().map(|(start, len)| *start..(start + len).min(3000)).collect();
        let reader = Reader::from_slice(&FILES[file]).unwrap().select(selection.clone()).unwrap();
        let expected = expected(&selection);
        let read: Vec<Row> = reader.rows().unwrap().collect::<Result<_, _>>().unwrap();
        prop_assert_eq!(read.iter().collect::<Vec<_>>(), expected.clone());
        let part: Vec<Part> = reader.rows().unwrap().collect::<Result<_, _>>().unwrap();
        let wanted = |row: &&Row| Part { counts: row.counts.clone(), name: row.name.clone() };
        prop_assert_eq!(part, expected.iter().map(wanted).collect::<Vec<_>>());
        let names = reader.column::<Option<String>>("name").unwrap();
        prop_assert_eq!(names, expected.iter().map(|row| row.name.clone()).collect::<Vec<_>>());
        let flags = reader.column::<Nested<bool>>("groups.flag").unwrap();
        let all = expected.iter().flat_map(|row| row.groups.iter().flatten().map(|entry| entry.flag));
        prop_assert_eq!(flags.values, all.collect::<Vec<_>>());
        let numbers: Vec<u64> = reader.batches().unwrap()
            .flat_map(|batch| batch.unwrap().selection().ranges().to_vec()).flatten().collect();
        prop_assert_eq!(numbers, expected.iter().map(|row| row.id).collect::<Vec<_>>());
    }
}

#[test]
fn selections_of_selections_have_the_numbers_of_the_file() {
    let reader = Reader::from_slice(&FILES[0]).unwrap().select(100..200).unwrap();
    let reader = reader.select([0..101, 150..152, 199..300]).unwrap();
    assert_eq!(reader.column::<u64>("id").unwrap(), [100, 150, 151, 199]);
    assert_eq!(reader.row::<Row>(5).unwrap().id, 5);
    assert_eq!(reader.row_count(), 3000);
    let none = reader.select(102..150).unwrap();
    assert_eq!(none.rows::<Row>().unwrap().count(), 0);
}

#[test]
fn a_range_past_the_end_is_misuse() {
    let reader = Reader::from_slice(&FILES[0]).unwrap();
    for range in [3000..3001, 0..3001, 5000..u64::MAX] {
        let error = reader.select(range.clone()).unwrap_err();
        assert_eq!(error.category(), Category::Misuse);
        assert!(matches!(error.kind(), ErrorKind::NoSuchRow { row, rows: 3000 } if *row == range.end - 1));
    }
    assert_eq!(reader.select(3000..3000).unwrap().rows::<Row>().unwrap().count(), 0);
}

#[test]
fn errors_say_which_row_of_the_file() {
    #[derive(Debug, Deserialize)]
    struct Wrong {
        #[allow(dead_code, reason = "never read")]
        name: Option<u8>,
    }
    let reader = Reader::from_slice(&FILES[1]).unwrap().select([7..8, 2001..2003]).unwrap();
    let errors = reader.rows::<Wrong>().unwrap().filter_map(Result::err);
    let numbers: Vec<u64> = errors.filter_map(|error| error.location().row).collect();
    let expected = [7u64, 2001, 2002].into_iter().filter(|row| ROWS[*row as usize].name.is_some());
    assert_eq!(numbers, expected.collect::<Vec<_>>());
}

#[test]
fn only_blocks_that_hold_the_rows_are_read() {
    let bytes = &FILES[0];
    let source = Counting::new(bytes.clone());
    let reader = Reader::new(&source).unwrap();
    // The tables of all columns.
    let columns = reader.columns().len();
    let blocks: Vec<_> = (0..columns).map(|column| reader.blocks(column).unwrap()).collect();
    source.take();
    for range in [0..1u64, 1500..1501, 2999..3000, 700..720] {
        let read: Vec<Row> =
            reader.select(range.clone()).unwrap().rows().unwrap().map(Result::unwrap).collect();
        assert_eq!(read.len() as u64, range.end - range.start);
        // A parent is walked from the first row of its child's block, so a block before may be needed.
        let holding = |block: &&trevni::BlockInfo| {
            block.first_row < range.end && block.first_row + u64::from(block.rows) + 150 > range.start
        };
        let most: u64 =
            blocks.iter().flatten().filter(holding).map(|b| u64::from(b.compressed_size) + 4).sum();
        let read = source.take();
        // Neighbours are one read, with the few bytes that are between them.
        assert!(read <= most * 3 + 2 * 4096, "{read} bytes read, {most} in the blocks of {range:?}");
        assert!(read < bytes.len() as u64 / 10, "{read} bytes read of {}", bytes.len());
    }
}

#[test]
fn batches_have_as_many_rows_as_asked_for() {
    let file = trevni::to_vec((0..20_000).map(|number| (number, number.to_string()))).unwrap();
    for threads in [1, 3] {
        let reader = Reader::builder().threads(threads).source(&*file).unwrap();
        let lengths = |reader: &Reader<'_>, rows: usize| -> Vec<usize> {
            let batches = reader.batches().unwrap().batch_rows(rows);
            batches.map(|batch| batch.unwrap().len()).collect()
        };
        assert_eq!(lengths(&reader, 9_000), [9_000, 9_000, 2_000]);
        assert_eq!(lengths(&reader, usize::MAX), [20_000]);
        assert_eq!(lengths(&reader.select(5..8).unwrap(), 0), [1, 1, 1]);
        let odd = reader.filter(trevni::col("_1").ge("5")).unwrap();
        let lengths = lengths(&odd, 6_000);
        assert!(lengths.iter().all(|length| *length <= 6_000), "{lengths:?}");
        assert_eq!(lengths.iter().sum::<usize>() as u64, odd.matching().unwrap().row_count());
    }
}

#[test]
fn batches_that_memory_does_not_hold_are_smaller_than_asked_for() {
    let file = trevni::to_vec((0..20_000).map(|number| format!("{number:0100}"))).unwrap();
    let mut limits = trevni::Limits::DEFAULT;
    limits.memory = 1 << 20;
    let reader = Reader::builder().limits(limits).source(&*file).unwrap();
    let batches = reader.batches().unwrap().batch_rows(usize::MAX);
    let lengths: Vec<usize> = batches.map(|batch| batch.unwrap().len()).collect();
    assert!(lengths.len() > 2);
    assert_eq!(lengths.iter().sum::<usize>(), 20_000);
}

#[test]
fn the_parts_of_a_reader_have_its_rows_in_order() {
    let selections =
        [None, Some(RowSelection::from(0..0)), Some(RowSelection::from([3..9, 500..1700, 2999..3000]))];
    for (file, selection) in FILES.iter().flat_map(|file| selections.iter().map(move |rows| (file, rows))) {
        let mut reader = Reader::from_slice(file).unwrap();
        if let Some(rows) = selection {
            reader = reader.select(rows.clone()).unwrap();
        }
        for filtered in [false, true] {
            if filtered {
                reader = reader.filter(trevni::col("name").is_not_null()).unwrap();
            }
            let rows: Vec<Row> = reader.rows().unwrap().map(Result::unwrap).collect();
            for parts in [0, 1, 2, 7, 97u64] {
                let readers = reader.split(parts as usize).unwrap();
                let count = selection.as_ref().map_or(3000, RowSelection::row_count);
                assert_eq!(readers.len() as u64, parts.max(1).min(count));
                let split = readers.iter().flat_map(|part| part.rows::<Row>().unwrap().map(Result::unwrap));
                assert!(split.collect::<Vec<_>>() == rows, "{parts} parts");
            }
        }
    }
    let few = Reader::from_slice(&FILES[0]).unwrap().select(5..9).unwrap();
    assert_eq!(few.split(usize::MAX).unwrap().len(), 4);
}

#[test]
fn files_of_every_format_can_be_parted() {
    let rows: Vec<(u32, Option<String>)> =
        (0..5000).map(|at| (at, (at % 3 > 0).then(|| "text".repeat(at as usize % 5)))).collect();
    for dialect in [Dialect::Trevni, Dialect::Levels, Dialect::RedElm] {
        for compact in [false, dialect == Dialect::Trevni] {
            let builder = WriterBuilder::new().dialect(dialect).block_size(500);
            let builder = if compact { builder.format(Trevni::new().compact()) } else { builder };
            let mut writer = builder.build(Vec::new()).unwrap();
            writer.write_all(&rows).unwrap();
            let file = writer.finish().unwrap();
            let parts = Reader::from_slice(&file).unwrap().split(7).unwrap();
            let split = parts.iter().flat_map(|part| part.rows::<(u32, Option<String>)>().unwrap());
            assert_eq!(split.collect::<Result<Vec<_>, _>>().unwrap(), rows, "{dialect:?}");
        }
        let none =
            WriterBuilder::new().dialect(dialect).shape(&trevni::Shape::Int).build(Vec::new()).unwrap();
        assert!(Reader::from_slice(&none.finish().unwrap()).unwrap().split(3).unwrap().is_empty());
    }
}
