//! Files that need much memory, and are read where it is allowed.

use super::memory::{MIB, alone, within};
use serde::Serialize;
use serde_json::Value;
use trevni::{Codec, Dialect, ErrorKind, Limits, Reader, ReaderBuilder, WriterBuilder, col};

#[derive(Serialize)]
struct Row {
    id: u32,
    items: Vec<f64>,
    text: String,
    maybe: Vec<Option<i64>>,
}

/// Rows of some 100 KB, and small ones between them.
fn rows(count: u32) -> Vec<Row> {
    let row = |id: u32| {
        let large = if id.is_multiple_of(5) { 1 } else { 100 };
        Row {
            id,
            items: (0..8_000 / large).map(|n| f64::from(n * id)).collect(),
            text: "text ".repeat(4_000 / large as usize),
            maybe: (0..2_000 / large).map(|n| (n % 3 == 0).then_some(i64::from(n + id))).collect(),
        }
    };
    (0..count).map(row).collect()
}

fn file(dialect: Dialect, codec: Codec, rows: &[Row]) -> Vec<u8> {
    let builder =
        WriterBuilder::new().dialect(dialect).codec(codec).block_size(64 << 10).memory_limit(200 << 10);
    let mut writer = builder.build(Vec::new()).unwrap();
    writer.write_all(rows).unwrap();
    writer.finish().unwrap()
}

/// The codecs of these tests that a format has.
fn codecs(dialect: Dialect) -> Vec<Codec> {
    let typed = [Codec::Typed, Codec::TypedZstandard, Codec::Archive].into_iter();
    let typed = typed.filter(|codec| codec.is_available() && dialect == Dialect::Trevni);
    [Codec::Null, Codec::Deflate].into_iter().chain(typed).collect()
}

fn limited(memory: u64) -> ReaderBuilder {
    let mut limits = Limits::DEFAULT;
    limits.memory = memory;
    Reader::builder().limits(limits)
}

fn all_rows(reader: &Reader<'_>) -> Vec<Value> {
    let rows = reader.rows().unwrap();
    rows.collect::<Result<_, _>>().unwrap_or_else(|error| panic!("{:?}: {error}", reader.dialect()))
}

const DIALECTS: [Dialect; 3] = [Dialect::Trevni, Dialect::Levels, Dialect::RedElm];

#[test]
fn batches_have_fewer_rows_where_more_do_not_fit() {
    let _alone = alone();
    let rows = rows(90);
    let whole: Vec<Value> = rows.iter().map(|row| serde_json::to_value(row).unwrap()).collect();
    for dialect in DIALECTS {
        for codec in codecs(dialect) {
            let bytes = file(dialect, codec, &rows);
            let memory = MIB + MIB / 4;
            let reader = limited(memory as u64).source(&*bytes).unwrap();
            let (mut batches, mut found) = (0, 0);
            within(2 * memory, || {
                for batch in reader.batches().unwrap() {
                    let batch = batch.unwrap_or_else(|error| panic!("{dialect:?} {codec:?}: {error}"));
                    found += batch.len();
                    batches += 1;
                }
            });
            assert_eq!(found, 90, "{dialect:?} {codec:?}");
            // Typed blocks need no memory for the bytes between.
            let least = if matches!(codec, Codec::Null | Codec::Deflate) { 5 } else { 2 };
            assert!(batches > least, "{dialect:?} {codec:?}: {batches}");
            let all = all_rows(&reader);
            assert!(all == whole, "{dialect:?} {codec:?}");
            let some = reader.filter(col("id").ge(40).and(col("text").ne("x"))).unwrap();
            assert_eq!(some.matching().unwrap().row_count(), 50);
            let some = all_rows(&some);
            assert!(some == whole[40..], "{dialect:?} {codec:?}");
            assert_eq!(reader.row::<Value>(75).unwrap(), whole[75]);
            // By several threads too.
            let threads = limited(memory as u64).threads(3).shared(bytes.clone()).unwrap();
            let all = all_rows(&threads);
            assert!(all == whole, "{dialect:?} {codec:?} by threads");
        }
    }
}

#[test]
fn a_row_above_the_limit_says_which() {
    let _alone = alone();
    let rows = rows(8);
    for dialect in DIALECTS {
        for codec in codecs(dialect) {
            let bytes = file(dialect, codec, &rows);
            let reader = limited(40 << 10).source(&*bytes).unwrap();
            let mut batches = reader.batches().unwrap();
            let error = within(2 * MIB, || batches.find_map(Result::err));
            let error = error.unwrap_or_else(|| panic!("{dialect:?} {codec:?}: no error"));
            let ErrorKind::Limit { option, limit, .. } = error.kind() else {
                panic!("{dialect:?} {codec:?}: {error}");
            };
            assert_eq!((*option, *limit), ("memory", 40 << 10), "{error}");
            assert!(error.to_string().contains("40960 (see Limits::memory)"), "{error}");
        }
    }
}

/// A batch gives back what it has taken, and so does each reader.
#[test]
fn memory_is_given_back() {
    let _alone = alone();
    let rows = rows(20);
    let bytes = file(Dialect::Trevni, Codec::Snappy, &rows);
    let reader = limited(1 << 20).source(&*bytes).unwrap();
    for _ in 0..10 {
        let all: Vec<_> = reader.batches().unwrap().collect::<Result<_, _>>().unwrap();
        assert_eq!(all.iter().map(trevni::Batch::len).sum::<usize>(), 20);
        assert_eq!(reader.rows::<Value>().unwrap().count(), 20);
        for number in (0..20).rev() {
            assert_eq!(reader.row::<Value>(number).unwrap()["id"], number);
        }
    }
}

/// All values of a column are the caller's: the limit is for what the reader holds.
#[test]
fn columns_may_be_larger_than_the_limit() {
    let _alone = alone();
    let values: Vec<i64> = (0..400_000).map(|n| n * 7_919 % 100_003).collect();
    let bytes = trevni::to_vec(&values).unwrap();
    let reader = limited(1 << 20).source(&*bytes).unwrap();
    assert_eq!(reader.column::<i64>("").unwrap(), values);
    assert_eq!(reader.raw_column(0).unwrap().len(), values.len());
    assert_eq!(reader.rows::<i64>().unwrap().collect::<Result<Vec<_>, _>>().unwrap(), values);
}

/// Blocks that do not fit beside each other are fetched once more.
#[test]
fn blocks_of_many_columns_need_not_fit_together() {
    let _alone = alone();
    let rows: Vec<Vec<u64>> =
        (0..8_000u64).map(|n| (0..60).map(|c| ((n * c) << 40) | (n % 9)).collect()).collect();
    let row = |row: &Vec<u64>| -> std::collections::BTreeMap<String, u64> {
        row.iter().enumerate().map(|(c, value)| (format!("c{c}"), *value)).collect()
    };
    let mut writer = WriterBuilder::new().codec(Codec::Deflate).build(Vec::new()).unwrap();
    rows.iter().for_each(|values| writer.write(&row(values)).unwrap());
    let bytes = writer.finish().unwrap();
    let reader = limited(2 << 20).source(&*bytes).unwrap();
    let sizes: u64 = (0..60).map(|column| u64::from(reader.blocks(column).unwrap()[0].size)).sum();
    assert!(sizes > 3 << 20, "{sizes}");
    let mut found = 0;
    within(4 * MIB, || {
        for (number, found_row) in
            reader.rows::<std::collections::BTreeMap<String, u64>>().unwrap().enumerate()
        {
            assert!(found_row.unwrap() == row(&rows[number]), "row {number}");
            found += 1;
        }
    });
    assert_eq!(found, 8_000);
    let threads = limited(2 << 20).threads(2).shared(bytes.clone()).unwrap();
    assert_eq!(threads.batches().unwrap().map(|batch| batch.unwrap().len()).sum::<usize>(), 8_000);
}
