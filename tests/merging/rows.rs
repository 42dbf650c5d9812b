//! Nested rows in files of any kind come back in their order.

use crate::merged;
use crate::nested::{Row, rows, written};
use crate::read;
use crate::zones::check_merged;
use proptest::prelude::*;
use std::ops::Range;
use std::sync::LazyLock;
use trevni::formats::{Trevni, TrevniInfo, Version};
use trevni::merge::{Merge, Split};
use trevni::reader::Nested;
use trevni::{Checksum, Codec, Reader, RowSelection, WriterBuilder, col};

static ROWS: LazyLock<Vec<Row>> = LazyLock::new(|| rows(700));

/// The schema of the rows, which parts of them may not show.
static SCHEMA: LazyLock<String> = LazyLock::new(|| {
    let bytes = written(&ROWS, WriterBuilder::new());
    Reader::from_slice(&bytes).unwrap().metadata().get_str("avro.schema").unwrap().to_owned()
});

fn codec() -> impl Strategy<Value = Codec> {
    prop_oneof![Just(Codec::Null), Just(Codec::Deflate), Just(Codec::Snappy)]
}

fn checksum() -> impl Strategy<Value = Checksum> {
    prop_oneof![Just(Checksum::Null), Just(Checksum::Crc32)]
}

/// A way to write a file.
fn builder() -> impl Strategy<Value = WriterBuilder> {
    let version = prop_oneof![Just(Version::V1), Just(Version::V2)];
    let size = prop_oneof![Just(20usize), Just(150), Just(2000), Just(65536)];
    let zones = prop::bool::weighted(0.8);
    (codec(), checksum(), version, size, any::<bool>(), zones).prop_map(
        |(codec, checksum, version, size, mixed, zones)| {
            let builder = WriterBuilder::new()
                .codec(codec)
                .checksum(checksum)
                .format(Trevni::new().version(version))
                .block_size(size);
            let builder = if mixed { builder.column_codec("groups", Codec::Deflate) } else { builder };
            let builder = if zones { builder } else { builder.without_zone_maps() };
            builder.first_values(["id"]).schema(SCHEMA.clone())
        },
    )
}

fn merge() -> impl Strategy<Value = Merge> {
    let codec = prop::option::of(prop_oneof![codec(), Just(Codec::Auto)]);
    (codec, prop::option::of(checksum()), any::<bool>()).prop_map(|(codec, checksum, verify)| {
        let merge = codec.map_or(Merge::new(), |codec| Merge::new().codec(codec));
        let merge = checksum.map_or(merge, |checksum| merge.checksum(checksum));
        if verify { merge.verify() } else { merge }
    })
}

/// Which rows of [`ROWS`] are in a file, and which of them are read.
type File = (Range<usize>, WriterBuilder, Option<Vec<Range<u64>>>);

fn file() -> impl Strategy<Value = File> {
    let selection = prop::option::of(prop::collection::vec((0u64..300, 0u64..200), 0..4));
    (0usize..400, 0usize..300, builder(), selection).prop_map(|(start, len, builder, selection)| {
        let clip = |(start, more): (u64, u64)| start.min(len as u64)..(start + more).min(len as u64);
        (start..start + len, builder, selection.map(|parts| parts.into_iter().map(clip).collect()))
    })
}

/// Checks a file against the rows that it should have.
fn check(bytes: &[u8], expected: &[&Row]) {
    let reader = Reader::from_slice(bytes).unwrap();
    assert_eq!(reader.row_count(), expected.len() as u64);
    assert_eq!(read::<Row>(&reader).iter().collect::<Vec<_>>(), expected);
    for number in (0..expected.len()).step_by(expected.len() / 9 + 1) {
        assert_eq!(reader.row::<Row>(number as u64).unwrap(), *expected[number]);
    }
    let ids: Vec<u64> = expected.iter().map(|row| row.id).collect();
    assert_eq!(reader.column::<u64>("id").unwrap(), ids);
    let flags = reader.column::<Nested<bool>>("groups.flag").unwrap();
    let all = expected.iter().flat_map(|row| row.groups.iter().flatten().map(|entry| entry.flag));
    assert_eq!(flags.values, all.collect::<Vec<_>>());
    for (number, column) in reader.columns().iter().enumerate() {
        let blocks = reader.blocks(number).unwrap();
        assert_eq!(blocks.iter().map(|block| u64::from(block.rows)).sum::<u64>(), expected.len() as u64);
        assert!(blocks.iter().all(|block| block.rows > 0));
        if column.has_first_values() {
            for block in blocks {
                let first = expected[block.first_row as usize].id;
                assert_eq!(block.first_value, Some(trevni::column::FirstValue::Long(first as i64)));
            }
        }
        let last =
            reader.columns().get(number + 1).map_or(bytes.len() as u64, trevni::column::ColumnInfo::start);
        let end = reader.blocks(number).unwrap().last().map_or(column.start() + 4, |block| {
            let checksum = if column.checksum_name() == "null" { 0 } else { 4 };
            block.offset + u64::from(block.compressed_size) + checksum
        });
        assert_eq!(end, last, "columns follow each other");
    }
}

fn version_of(reader: &Reader<'_>) -> Version {
    reader.info::<TrevniInfo>().unwrap().version
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(80))]

    #[test]
    fn a_merged_file_reads_as_its_parts(files in prop::collection::vec(file(), 1..5), merge in merge()) {
        let bytes: Vec<Vec<u8>> =
            files.iter().map(|(rows, builder, _)| written(&ROWS[rows.clone()], builder.clone())).collect();
        let mut expected = Vec::new();
        let mut readers = Vec::new();
        for ((rows, _, selection), bytes) in files.iter().zip(&bytes) {
            let reader = Reader::from_slice(bytes).unwrap();
            let rows = &ROWS[rows.clone()];
            match selection {
                Some(ranges) => {
                    let selection = RowSelection::from(&**ranges);
                    expected.extend(selection.ranges().iter().cloned().flatten().map(|row| &rows[row as usize]));
                    readers.push(reader.select(selection).unwrap());
                }
                None => {
                    expected.extend(rows);
                    readers.push(reader);
                }
            }
        }
        let (file, report) = merged(merge, &readers);
        prop_assert_eq!(report.rows, expected.len() as u64);
        check(&file, &expected);
        // Each file that has rows in the result has zone maps.
        let known = readers.iter().all(|reader| {
            let rows = reader.matching().unwrap().row_count();
            rows == 0 || reader.columns().iter().any(|column| column.metadata().contains("zone_map"))
        });
        check_merged(&file, known);
        let reader = Reader::from_slice(&file).unwrap();
        let blocks: usize = (0..reader.columns().len()).map(|number| reader.blocks(number).unwrap().len()).sum();
        prop_assert_eq!(
            report.blocks_copied + report.blocks_recoded + report.blocks_rewritten,
            blocks as u64
        );
        prop_assert_eq!(version_of(&reader), readers.iter().map(version_of).max().unwrap());
        // Once more: all is as it should be already.
        let (again, report) = merged(Merge::new(), std::slice::from_ref(&reader));
        prop_assert!(again == file);
        prop_assert_eq!((report.blocks_recoded, report.blocks_rewritten), (0, 0));
    }

    #[test]
    fn parts_merge_to_the_rows_that_were_split(
        builder in builder(),
        count in 0usize..700,
        mut cuts in prop::collection::vec(0u64..700, 0..6),
        merge in merge(),
    ) {
        let bytes = written(&ROWS[..count], builder);
        let reader = Reader::from_slice(&bytes).unwrap();
        cuts.iter_mut().for_each(|cut| *cut = (*cut).min(count as u64));
        cuts.sort_unstable();
        let parts = Split::at(cuts.clone()).readers(&reader).unwrap();
        let files: Vec<Vec<u8>> = parts.iter().map(|part| merged(merge, std::slice::from_ref(part)).0).collect();
        let readers: Vec<_> = files.iter().map(|file| Reader::from_slice(file).unwrap()).collect();
        prop_assert_eq!(readers.iter().map(Reader::row_count).sum::<u64>(), count as u64);
        let (file, _) = merged(Merge::new(), &readers);
        check(&file, &ROWS[..count].iter().collect::<Vec<_>>());
        let known = reader.columns().iter().any(|column| column.metadata().contains("zone_map"));
        files.iter().chain([&file]).for_each(|file| { check_merged(file, known); });
    }
}

#[test]
fn every_other_row_is_cut_out() {
    let bytes = written(&ROWS, WriterBuilder::new().block_size(300));
    let selection: RowSelection = (0..700u64).step_by(2).collect();
    let reader = Reader::from_slice(&bytes).unwrap().select(selection).unwrap();
    let (file, report) = merged(Merge::new(), &[reader]);
    assert_eq!((report.blocks_copied, report.blocks_recoded), (0, 0));
    check(&file, &ROWS.iter().step_by(2).collect::<Vec<_>>());
}

#[test]
fn filtered_rows_are_merged_and_split() {
    let files = [&ROWS[..400], &ROWS[400..]]
        .map(|rows| written(rows, WriterBuilder::new().block_size(300).schema(&**SCHEMA)));
    let [one, two] = files.each_ref().map(|file| Reader::from_slice(file).unwrap());
    let named = |row: &&Row| row.name.as_ref().is_some_and(|name| name.ends_with('7'));
    let predicate = || col("name").is_in((0..700).map(|n| format!("row {}", 10 * n + 7)));
    let parts = [
        one.select(100..400).unwrap().filter(predicate()).unwrap(),
        two.filter(predicate() & col("id").ge(550)).unwrap(),
        two.filter(col("id").lt(0)).unwrap(),
        two.filter(predicate()).unwrap().select([0..20, 30..50]).unwrap(),
    ];
    let expected: Vec<&Row> = ROWS[100..400]
        .iter()
        .chain(&ROWS[550..])
        .chain(&ROWS[400..420])
        .chain(&ROWS[430..450])
        .filter(named)
        .collect();
    let (file, report) = merged(Merge::new(), &parts);
    assert!(report.rows == expected.len() as u64 && expected.len() > 30, "{report:?}");
    check(&file, &expected);
    check_merged(&file, true);

    // Rows are counted as they are read.
    let parts = Split::every(10).readers(&parts[0]).unwrap();
    let count = ROWS[100..400].iter().filter(named).count();
    assert_eq!(parts.len(), count.div_ceil(10));
    for (number, part) in parts.iter().enumerate() {
        let expected: Vec<&Row> = ROWS[100..400].iter().filter(named).skip(10 * number).take(10).collect();
        assert_eq!(read::<Row>(part).iter().collect::<Vec<_>>(), expected);
        check(&merged(Merge::new(), std::slice::from_ref(part)).0, &expected);
    }
}
