//! Small files that ask for much: they end in rows or an error, within bounds of memory.

use super::memory::{MIB, alone, within};
use super::raw::{RawBlock, RawColumn, RawFile, int, ints};
use serde_json::Value;
use trevni::verify::Verify;
use trevni::{Category, Codec, Error, ErrorKind, Limits, Reader, ReaderBuilder, Result, WriterBuilder, col};

/// What reading may take by default.
const MOST: usize = 512 * MIB;

/// Reads in every way; gives what failed.
fn read(bytes: &[u8], limits: Limits, most: usize) -> Vec<Error> {
    let open = || ReaderBuilder::new().limits(limits).source(bytes);
    let batches = |reader: Reader<'_>| reader.batches()?.try_for_each(|batch| batch.map(drop));
    let ways: [(&str, &dyn Fn() -> Result<()>); 7] = [
        ("rows", &|| open()?.rows::<Value>()?.try_for_each(|row| row.map(drop))),
        ("batches", &|| batches(open()?)),
        ("columns", &|| {
            let reader = open()?;
            (0..reader.columns().len()).try_for_each(|column| reader.raw_column(column).map(drop))
        }),
        ("blocks", &|| {
            let reader = open()?;
            (0..reader.columns().len()).try_for_each(|column| reader.blocks(column).map(drop))
        }),
        ("row", &|| open()?.row::<Value>(0).map(drop)),
        ("filter", &|| batches(open()?.filter(col("p").is_null().or(col("p").is_not_null()))?)),
        ("matching", &|| open()?.filter(col("p").is_null().or(col("p").is_not_null()))?.matching().map(drop)),
    ];
    let mut failed = Vec::new();
    for (name, way) in ways {
        if let Err(error) = within(most, way) {
            assert!(
                matches!(error.category(), Category::Corrupt | Category::Limit | Category::Misuse),
                "{name}: {error}"
            );
            failed.push(error);
        }
    }
    failed
}

/// Limits of which files meet some soon.
fn small() -> Limits {
    let mut small = Limits::DEFAULT;
    (small.block_bytes, small.memory, small.rows_without_bytes) = (1 << 20, 4 << 20, 1 << 14);
    small
}

/// Reads in every way, and expects that some end at a limit, whose option the error names.
#[track_caller]
fn is_limited(file: &RawFile, limits: Limits, option: &str) {
    let bytes = file.bytes();
    let most = if limits == Limits::DEFAULT { MOST } else { 16 * MIB + 16 * bytes.len() };
    let failed = read(&bytes, limits, most);
    let named =
        |error: &Error| matches!(error.kind(), ErrorKind::Limit { option: found, .. } if *found == option);
    assert!(failed.iter().any(named), "{failed:?}");
    let message = format!("(see Limits::{option})");
    assert!(failed.iter().any(|error| error.to_string().contains(&message)), "{failed:?}");
    let verify = Verify::new().reader(ReaderBuilder::new().limits(limits));
    let report = within(most, || verify.source(&*bytes)).unwrap();
    assert!(!report.is_damaged() && !report.is_ok(), "{report:?}");
    let found = report.unchecked.iter().map(trevni::verify::Finding::error);
    assert!(
        found.clone().all(|error| error.category() == Category::Limit) && found.clone().any(named),
        "{report:?}"
    );
}

fn nulls(name: &str, rows: u32) -> RawColumn {
    RawColumn::new(name, "null", [RawBlock::plain(rows, [])])
}

/// One row with a list of so many items.
fn list(items: i64) -> RawColumn {
    RawColumn::new("p", "null", [RawBlock::plain(1, int(items))]).array()
}

#[test]
fn rows_without_end_are_limited() {
    let _alone = alone();
    is_limited(&RawFile::new(1 << 60, []), Limits::DEFAULT, "rows_without_bytes");
    let blocks = vec![RawBlock::plain(i32::MAX as u32, []); 400];
    let rows = blocks.len() as u64 * i32::MAX as u64;
    let column = RawColumn::new("p", "null", blocks);
    is_limited(&RawFile::new(rows, [column]), Limits::DEFAULT, "rows_without_bytes");
}

#[test]
fn rows_and_values_of_all_columns_have_a_limit() {
    let _alone = alone();
    let rows = 1 << 24;
    is_limited(&RawFile::new(rows, [nulls("p", rows as u32)]), small(), "rows_without_bytes");
    is_limited(&RawFile::new(rows, []), small(), "rows_without_bytes");
    // Those of several columns count together.
    let rows = 1 << 18;
    let columns: Vec<RawColumn> = (0..20).map(|i| nulls(&format!("n{i}"), rows as u32)).collect();
    let mut limits = Limits::DEFAULT;
    limits.rows_without_bytes = 1 << 20;
    is_limited(&RawFile::new(rows, columns), limits, "rows_without_bytes");
    assert!(read(&RawFile::new(1 << 18, [nulls("p", 1 << 18)]).bytes(), Limits::DEFAULT, MOST).is_empty());
}

/// What is not a row by itself is in memory when it is read.
#[test]
fn items_without_bytes_are_limited() {
    let _alone = alone();
    let mut small = Limits::DEFAULT;
    small.memory = 4 << 20;
    is_limited(&RawFile::new(1, [list(1 << 24)]), Limits::DEFAULT, "memory");
    // Row after row a million.
    let lengths = ints(vec![1 << 20; 200]);
    let column = RawColumn::new("p", "null", [RawBlock::plain(200, lengths)]).array();
    is_limited(&RawFile::new(200, [column]), small, "memory");
    // Lists in a list: one run says that all are of one item, or of none.
    for run in [3 - 2 * (1 << 24), 2 - 2 * (1 << 24)] {
        for children in [1, 4] {
            let child = |i| RawColumn::new(&format!("c{i}"), "null", [RawBlock::plain(1, int(run))]);
            let mut columns = vec![list(1 << 24)];
            columns.extend((0..children).map(|i| child(i).array().child_of("p")));
            let file = RawFile::new(1, columns);
            is_limited(&file, Limits::DEFAULT, "memory");
            is_limited(&file, small, "memory");
        }
    }
}

/// All rows at once may take more memory than a batch, but not without end.
#[test]
fn all_rows_at_once_are_limited() {
    let _alone = alone();
    let is_memory = |error: Error| {
        assert!(matches!(error.kind(), ErrorKind::Limit { option: "memory", .. }), "{error}");
    };
    let rows = 1 << 24;
    let bytes = RawFile::new(rows, [nulls("p", rows as u32)]).bytes();
    is_memory(within(3 * MOST, || trevni::from_slice::<Vec<Value>>(&bytes)).unwrap_err());
    // The same as values of a column.
    let schema = r#"{"type":"record","name":"R","fields":[{"name":"p","type":["null","long"]}]}"#;
    let lengths = RawBlock::plain(rows as u32, int(3 - 2 * rows as i64));
    let column = RawColumn::new("p/long", "long", [lengths]).array();
    let bytes = RawFile::new(rows, [column]).with("avro.schema", schema).bytes();
    let mut limits = Limits::DEFAULT;
    limits.memory = 4 << 20;
    let reader = ReaderBuilder::new().limits(limits).source(&*bytes).unwrap();
    is_memory(within(64 * MIB, || reader.column::<Option<i64>>("p")).unwrap_err());
    is_memory(within(64 * MIB, || reader.raw_column(0)).unwrap_err());
}

/// Where a file has the bytes for so many lengths, the memory that they take is limited.
#[test]
fn lengths_of_many_columns_are_limited() {
    let _alone = alone();
    let run = int(3 - 2 * 1000);
    let (runs, items) = (16_500, 16_500_000);
    let block = RawBlock::plain(1, run.repeat(runs));
    let child = |i: usize| RawColumn::new(&format!("c{i}"), "null", [block.clone()]).array().child_of("p");
    let file = |children: usize| {
        RawFile::new(1, std::iter::once(list(items)).chain((0..children).map(child)).collect::<Vec<_>>())
    };
    for children in [1, 40] {
        let failed = read(&file(children).bytes(), Limits::DEFAULT, MOST);
        assert!(failed.iter().any(|error| matches!(error.kind(), ErrorKind::Limit { .. })), "{failed:?}");
    }
    // All in the bytes of one.
    let mut shared = file(1);
    let start = shared.bytes().len() - block.stored.len() - 16;
    for i in 1..400 {
        shared.columns.push(RawColumn { blocks: Vec::new(), ..child(i) });
    }
    let start = (start + shared.bytes().len() - file(1).bytes().len() - 4 * 399) as u64;
    shared.columns.iter_mut().skip(1).for_each(|column| column.start = Some(start));
    let mut limits = Limits::DEFAULT;
    (limits.block_bytes, limits.rows_without_bytes) = (1 << 20, 1 << 16);
    for limits in [Limits::DEFAULT, limits] {
        assert!(!read(&shared.bytes(), limits, MOST).is_empty());
    }
}

/// A text of so many zeros as a block.
fn zeros(codec: Codec, length: usize) -> RawBlock {
    let mut writer = WriterBuilder::new().codec(codec).build(Vec::new()).unwrap();
    writer.write("\0".repeat(length).as_str()).unwrap();
    let file = writer.finish().unwrap();
    let block = Reader::from_slice(&file).unwrap().blocks(0).unwrap().remove(0);
    let start = block.offset as usize;
    let stored = file[start..start + block.compressed_size as usize].to_vec();
    RawBlock { rows: 1, size: block.size, compressed: None, stored }
}

#[test]
fn blocks_of_all_columns_are_limited_together() {
    let _alone = alone();
    let length = 3 << 20;
    let mut limits = Limits::DEFAULT;
    limits.memory = 16 << 20;
    for codec in Codec::ALL.into_iter().filter(|codec| *codec != Codec::Null && codec.is_available()) {
        let block = zeros(codec, length);
        let column = |i: usize| RawColumn::new(&format!("p{i}"), "string", [block.clone()]);
        let file = |count: usize| {
            let columns: Vec<RawColumn> = (0..count).map(column).collect();
            RawFile::new(1, columns).with("trevni.codec", codec.name()).bytes()
        };
        let few = file(2);
        let few: Vec<Error> = read(&few, limits, MOST)
            .into_iter()
            .filter(|error| error.category() != Category::Misuse)
            .collect();
        assert!(few.is_empty(), "{codec:?}: {few:?}");
        let many = file(16);
        let failed = read(&many, limits, 40 * MIB);
        let is_memory = |error: &&Error| matches!(error.kind(), ErrorKind::Limit { option: "memory", .. });
        // Columns by themselves are read, the last ways to fail do not know the path.
        assert_eq!(failed.iter().filter(is_memory).count(), 3, "{codec:?}: {failed:?}");
    }
}

#[test]
fn tables_of_all_columns_are_limited_together() {
    let _alone = alone();
    let empty = RawBlock::plain(0, []);
    let mut file = RawFile::new(0, [RawColumn::new("p", "int", vec![empty; 100_000])]);
    let mut limits = Limits::DEFAULT;
    limits.memory = 2 << 20;
    let bytes = file.bytes();
    let failed = read(&bytes, limits, 16 * MIB);
    assert!(failed.iter().any(|error| matches!(error.kind(), ErrorKind::Limit { option: "memory", .. })));
    assert!(read(&bytes, Limits::DEFAULT, 64 * MIB).len() <= 1);
    // Many columns with one table.
    let others = 2000;
    for i in 0..others {
        file.columns.push(RawColumn::new(&i.to_string(), "int", []));
    }
    let start = (file.bytes().len() - 4 * others - 4 - 12 * 100_000) as u64;
    file.columns.iter_mut().for_each(|column| column.start = Some(start));
    let bytes = file.bytes();
    let failed = read(&bytes, Limits::DEFAULT, 64 * MIB);
    assert!(failed.iter().any(|error| error.to_string().contains("the columns overlap")), "{failed:?}");
}

#[test]
fn columns_of_a_header_are_limited() {
    let _alone = alone();
    let columns = 300_000;
    let file = RawFile::new(
        1,
        (0..columns).map(|i: u32| RawColumn::new(&i.to_string(), "null", [])).collect::<Vec<_>>(),
    );
    let bytes = file.bytes();
    let error = within(MIB, || Reader::from_slice(&bytes).map(drop)).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Limit { option: "memory", .. }), "{error}");
}

#[test]
fn values_of_a_schema_are_limited() {
    let _alone = alone();
    let schema = format!(
        r#"{{"type":"record","name":"R","doc":[{}1],"fields":[{{"name":"a","type":"int"}}]}}"#,
        "1,".repeat(5 << 20)
    );
    let file =
        RawFile::new(1, [RawColumn::new("a", "int", [RawBlock::plain(1, [2])])]).with("avro.schema", &schema);
    let bytes = file.bytes();
    let error = within(MOST, || Reader::from_slice(&bytes).map(drop)).unwrap_err();
    assert!(error.to_string().contains("more than 4194304 keys and values"), "{error}");
}

/// A long text that the typed codec stores once, beside its places: what a check takes is charged.
#[test]
fn texts_that_are_stored_once_are_limited() {
    let _alone = alone();
    let file = std::fs::read("hostile/files/long_text_of_one_column.trv").unwrap();
    // A buffer of the limit that grows counts twice, and its new half is never touched.
    let report = within(2 * MOST, || Verify::new().source(&*file)).unwrap();
    assert!(!report.is_damaged() && !report.is_ok(), "{report:?}");
    assert!(report.unchecked.iter().all(|finding| finding.error().category() == Category::Limit));
}
