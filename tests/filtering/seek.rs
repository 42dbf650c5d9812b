//! Values sought in columns that ascend: what Java's `seek(value)` gets wrong.

use super::sources::Counting;
use serde::{Deserialize, Serialize};
use std::fmt::Debug;
use trevni::predicate::Literal;
use trevni::reader::FromColumn;
use trevni::{Codec, Reader, WriterBuilder, col};

/// How a file tells what is in its blocks.
#[derive(Clone, Copy, Debug)]
enum Known {
    ZoneMaps,
    FirstValues,
    Nothing,
}

/// A file of values that ascend, some in each block.
fn file<T: Serialize>(values: &[T], known: Known, block_size: usize) -> Vec<u8> {
    let builder = WriterBuilder::new().codec(Codec::Null).block_size(block_size);
    let builder = match known {
        Known::ZoneMaps => builder,
        Known::FirstValues => builder.without_zone_maps().first_values([""]),
        Known::Nothing => builder.without_zone_maps(),
    };
    let mut writer = builder.build(Vec::new()).unwrap();
    writer.write_all(values).unwrap();
    writer.finish().unwrap()
}

/// Seeks each of some values, first row not below and first row above, and compares with the rows.
fn seek<T>(values: &[T], sought: &[T], block_size: usize)
where
    T: Serialize + PartialOrd + Clone + Debug + Into<Literal>,
{
    seek_in(&[Known::ZoneMaps, Known::FirstValues, Known::Nothing], values, sought, block_size);
}

/// As [`seek`], in files that tell what is in their blocks in these ways.
fn seek_in<T>(ways: &[Known], values: &[T], sought: &[T], block_size: usize)
where
    T: Serialize + PartialOrd + Clone + Debug + Into<Literal>,
{
    assert!(values.windows(2).all(|pair| pair[0] <= pair[1]));
    for &known in ways {
        let bytes = file(values, known, block_size);
        let builder = Reader::builder();
        let builder = if let Known::FirstValues = known { builder.sorted([""]) } else { builder };
        let reader = builder.source(&bytes[..]).unwrap();
        assert!(reader.blocks(0).unwrap().len() > 2, "{known:?}");
        for value in sought {
            let from = reader.filter(col("").ge(value.clone())).unwrap();
            let expected = values.iter().position(|other| other >= value).map(|row| row as u64);
            assert_eq!(from.first_matching().unwrap(), expected, "{known:?}, from {value:?}");
            let above = reader.filter(col("").gt(value.clone())).unwrap();
            let expected = values.iter().position(|other| other > value).map(|row| row as u64);
            assert_eq!(above.first_matching().unwrap(), expected, "{known:?}, above {value:?}");
            let equal = reader.filter(col("").eq(value.clone())).unwrap().matching().unwrap();
            let count = values.iter().filter(|other| *other == value).count();
            assert_eq!(equal.row_count(), count as u64, "{known:?}, {value:?}");
        }
    }
}

#[test]
fn below_the_first_between_blocks_and_behind_the_last() {
    let values: Vec<i64> = (0..500).map(|n| 100 + n * 10).collect();
    // Values that are there, and those just beside: some are between two blocks.
    let sought: Vec<i64> = (0..520).flat_map(|n| [90 + n * 10, 95 + n * 10]).collect();
    seek(&values, &sought, 40);
}

#[test]
fn duplicates_over_blocks() {
    let values: Vec<i32> = [(3, 40), (5, 1), (7, 200), (8, 3), (9, 100)]
        .into_iter()
        .flat_map(|(value, count)| vec![value; count])
        .collect();
    seek(&values, &(0..12).collect::<Vec<_>>(), 20);
}

#[test]
fn booleans() {
    for first_true in [0, 1, 100, 511, 512, 1500, 2000] {
        let values: Vec<bool> = (0..2000).map(|row| row >= first_true).collect();
        // First values of booleans are not written.
        seek_in(&[Known::ZoneMaps, Known::Nothing], &values, &[false, true], 64);
    }
}

#[test]
fn texts() {
    let values: Vec<String> = (0..600).map(|n| format!("key {:04}", n / 2 * 2)).collect();
    let sought: Vec<String> =
        (0..610).map(|n| format!("key {n:04}")).chain(["".into(), "z".into(), "key".into()]).collect();
    seek(&values, &sought, 100);
    // UTF-16 puts U+FF21 behind U+1F600, UTF-8 before it.
    let mut values: Vec<String> = ["a", "b", "\u{e9}", "\u{ff21}", "\u{1f600}"]
        .into_iter()
        .flat_map(|text| (0..30).map(move |n| format!("{text}{n:02}")))
        .collect();
    values.sort();
    seek(&values, &values.clone(), 60);
}

#[test]
fn floats() {
    let values: Vec<f64> = (-300..300).map(|n| f64::from(n) / 4.0).collect();
    let sought = [-1000.0, -75.0, -0.1, -0.0, 0.0, 0.125, 74.75, 75.0, f64::INFINITY, f64::NEG_INFINITY];
    seek(&values, &sought, 80);
}

#[test]
fn one_block_is_read() {
    let values: Vec<i64> = (0..20_000).collect();
    for known in [Known::ZoneMaps, Known::FirstValues] {
        let source = Counting::new(file(&values, known, 500));
        let reader = Reader::builder().sorted([""]);
        let reader = reader.source(&source).unwrap();
        let largest = reader.blocks(0).unwrap().iter().map(|block| block.compressed_size).max().unwrap();
        for value in [0i64, 1, 9_999, 19_999] {
            let from = reader.filter(col("").ge(value)).unwrap();
            source.take();
            assert_eq!(from.first_matching().unwrap(), Some(value as u64));
            let bytes = source.take();
            assert!(
                bytes <= u64::from(largest) + 4,
                "{known:?} {value}: {bytes} bytes of blocks of {largest}"
            );
        }
    }
}

#[derive(Debug, Deserialize, PartialEq)]
struct Keyed<K> {
    k: K,
    row: i32,
}

/// Seeks the values of a file that Java wrote with first values.
fn golden<K>(name: &str, beside: impl Fn(&K) -> Vec<K>)
where
    K: FromColumn<Column = Vec<K>> + Clone + PartialOrd + Debug + Into<Literal> + for<'de> Deserialize<'de>,
{
    let bytes = std::fs::read(format!("{}/data/trevni/{name}.trv", env!("CARGO_MANIFEST_DIR"))).unwrap();
    let reader = Reader::builder().sorted(["k"]).source(&bytes[..]).unwrap();
    let keys = reader.column::<K>("k").unwrap();
    let blocks = reader.blocks(0).unwrap();
    assert!(blocks.len() > 1);
    // Around each border, and at both ends.
    let mut rows: Vec<usize> = blocks.iter().map(|block| block.first_row as usize).collect();
    rows.extend(rows.clone().iter().filter_map(|row| row.checked_sub(1)));
    rows.extend([1, 777, keys.len() - 1]);
    for key in rows.into_iter().flat_map(|row| beside(&keys[row])) {
        let expected = keys.iter().position(|other| *other >= key).map(|row| row as u64);
        let from = reader.filter(col("k").ge(key.clone())).unwrap();
        assert_eq!(from.first_matching().unwrap(), expected, "{key:?}");
        let equal = reader.filter(col("k").eq(key.clone())).unwrap();
        let rows: Vec<Keyed<K>> = equal.rows().unwrap().map(Result::unwrap).collect();
        let expected: Vec<i32> = reader
            .column::<i32>("row")
            .unwrap()
            .into_iter()
            .zip(&keys)
            .filter(|(_, other)| **other == key)
            .map(|(row, _)| row)
            .collect();
        assert_eq!(rows.iter().map(|row| row.row).collect::<Vec<_>>(), expected);
        assert!(equal.explain().unwrap().columns[0].blocks_read <= 2);
    }
}

#[test]
fn files_of_java() {
    golden::<i32>("raw_index_int", |key| vec![key - 1, *key, key + 1]);
    golden::<String>("raw_index_string", |key| vec![String::new(), key.clone(), format!("{key}!")]);
}
