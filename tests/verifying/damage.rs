//! One damage for each tier, and several at once.

use crate::raw::{RawBlock, RawColumn, RawFile, int, ints};
use crate::sums::mended;
use serde_json::json;
use trevni::verify::{Tier, Verify, VerifyReport};
use trevni::{Checksum, Codec, Reader, Writer, WriterBuilder};

fn check(bytes: &[u8]) -> VerifyReport {
    Verify::new().source(bytes).unwrap()
}

/// Tier and text of everything that is found.
fn found(bytes: &[u8]) -> Vec<(Tier, String)> {
    check(bytes).findings.iter().map(|finding| (finding.tier(), finding.error().to_string())).collect()
}

#[track_caller]
fn finds(bytes: &[u8], expected: &[(Tier, &str)]) {
    let found = found(bytes);
    assert_eq!(found.len(), expected.len(), "{found:?}");
    for ((tier, text), (expected, part)) in found.iter().zip(expected) {
        assert!(tier == expected && text.contains(part), "{tier}: {text}; expected {expected}: {part}");
    }
}

fn options() -> WriterBuilder {
    Writer::builder().codec(Codec::Null).block_size(16)
}

fn written(builder: WriterBuilder) -> Vec<u8> {
    let mut writer = builder.build(Vec::new()).unwrap();
    writer.write_all((0..20).map(|n| json!({"a": n * 7, "s": format!("text {}", n % 3)}))).unwrap();
    writer.finish().unwrap()
}

/// Where a block of a column begins.
fn block(bytes: &[u8], column: usize, number: usize) -> usize {
    Reader::from_slice(bytes).unwrap().blocks(column).unwrap()[number].offset as usize
}

fn one_column(column: RawColumn, rows: u64) -> Vec<u8> {
    RawFile::new(rows, [column]).bytes()
}

#[test]
fn structure() {
    let column = |name: &str| RawColumn::new(name, "int", [RawBlock::plain(2, ints([1, 2]))]);
    // Rows that are missing; the other column is looked at.
    let file =
        RawFile::new(3, [column("a"), RawColumn::new("b", "int", [RawBlock::plain(3, ints([1, 2, 3]))])]);
    finds(&file.bytes(), &[(Tier::Structure, "column \"a\": the blocks hold 2 rows, the file says 3")]);
    // Two columns of the same bytes.
    let mut file = RawFile::new(2, [column("a"), column("b")]);
    file.columns[1].start = Some(Reader::from_slice(&file.bytes()).unwrap().columns()[0].start());
    let shared = found(&file.bytes());
    assert!(
        shared.iter().any(|(tier, text)| *tier == Tier::Structure && text.contains("something else too")),
        "{shared:?}"
    );
    // No file at all.
    finds(b"PAR1 and more", &[(Tier::Structure, "not a Trevni file")]);
}

#[test]
fn checksums() {
    let bytes = written(options());
    assert!(check(&bytes).is_ok());
    // Two blocks, and bytes at the end: everything is found.
    let mut damaged = bytes.clone();
    damaged[block(&bytes, 0, 1)] ^= 1;
    damaged[block(&bytes, 1, 2)] ^= 0x40;
    damaged.extend([1, 2, 3]);
    finds(
        &damaged,
        &[
            (Tier::Checksums, "column \"a\", block 1"),
            (Tier::Checksums, "column \"s\", block 2"),
            (Tier::Unowned, "3 bytes belong to no part of the file"),
        ],
    );
    let report = check(&damaged);
    let blocks = Reader::from_slice(&bytes).unwrap().blocks(0).unwrap();
    let rows = blocks[1].first_row..blocks[1].first_row + u64::from(blocks[1].rows);
    assert_eq!(report.findings[0].rows(), Some(rows));
    assert_eq!(report.findings[0].error().location().offset, Some(blocks[1].offset));
    // The header, and a block after it.
    let mut damaged = bytes.clone();
    let name = bytes.windows(12).position(|part| part == b"\"name\":\"Row\"").unwrap() + 10;
    damaged[name] ^= 1;
    damaged[block(&bytes, 1, 0)] ^= 1;
    finds(&damaged, &[(Tier::Checksums, "the header"), (Tier::Checksums, "column \"s\", block 0")]);
    // A block table.
    let mut damaged = bytes.clone();
    damaged[Reader::from_slice(&bytes).unwrap().columns()[0].start() as usize + 4 + 4] ^= 1;
    let tables = found(&damaged);
    assert!(
        tables[0].0 == Tier::Checksums
            && tables[0].1.contains("column \"a\"")
            && tables[0].1.contains("the block table"),
        "{tables:?}"
    );
    // Blocks that are exchanged: each of them is whole.
    let mut writer = options().build(Vec::new()).unwrap();
    writer.write_all((0..20).map(f64::from)).unwrap();
    let bytes = writer.finish().unwrap();
    let (one, two) = (block(&bytes, 0, 0), block(&bytes, 0, 1));
    let len = two - one;
    let mut damaged = bytes.clone();
    damaged[one..two].copy_from_slice(&bytes[two..two + len]);
    damaged[two..two + len].copy_from_slice(&bytes[one..two]);
    let exchanged = found(&damaged);
    assert_eq!(exchanged[0].0, Tier::Checksums, "{exchanged:?}");
    assert!(exchanged[0].1.contains("column \"double\"") && exchanged[0].1.contains("another order"));
    // Their zones are exchanged as well.
    assert!(exchanged[1..].iter().all(|(tier, _)| *tier == Tier::Statistics), "{exchanged:?}");
}

#[test]
fn decoding() {
    let texts = |bytes: &[u8]| RawColumn::new("s", "string", [RawBlock::plain(1, bytes)]);
    finds(&one_column(texts(&[4, 0xff, 0xff]), 1), &[(Tier::Decoding, "column \"s\", block 0")]);
    finds(&one_column(texts(&[2, b'a', b'b']), 1), &[(Tier::Decoding, "left over")]);
    let long = RawColumn::new(
        "i",
        "int",
        [RawBlock::plain(1, [0xff; 6]), RawBlock::plain(1, int(5)), RawBlock::plain(1, [0x80])],
    );
    finds(&one_column(long, 3), &[(Tier::Decoding, "block 0"), (Tier::Decoding, "block 2")]);
}

#[test]
fn lengths() {
    let file = |values: usize| {
        let parent = RawColumn::new("p", "null", [RawBlock::plain(2, ints([2, 3]))]).array();
        let child = RawColumn::new("c", "int", [RawBlock::plain(2, ints(vec![7; values]))]).child_of("p");
        RawFile::new(2, [parent, child]).bytes()
    };
    finds(&file(5), &[]);
    finds(&file(4), &[(Tier::Lengths, "column \"c\", block 0")]);
    finds(&file(6), &[(Tier::Lengths, "column \"c\", block 0")]);
}

#[test]
fn schema() {
    let file = |schema: &str, kind: &str| {
        let column = RawColumn::new("a", kind, [RawBlock::plain(2, ints([1, 2]))]);
        RawFile::new(2, [column]).with("avro.schema", schema).bytes()
    };
    let record =
        |kind: &str| format!(r#"{{"type":"record","name":"R","fields":[{{"name":"a","type":{kind}}}]}}"#);
    finds(&file(&record("\"int\""), "int"), &[]);
    finds(&file(&record("\"string\""), "int"), &[(Tier::Schema, "column \"a\": the column is of type int")]);
    finds(&file("{", "int"), &[(Tier::Schema, "Avro schema")]);
    let symbols = r#"{"type":"enum","name":"E","symbols":["x","y"]}"#;
    let report = found(&file(&record(symbols), "int"));
    assert!(report.len() == 1 && report[0].0 == Tier::Schema, "{report:?}");
    // A column that the schema does not know.
    let column = |name: &str| RawColumn::new(name, "int", [RawBlock::plain(2, ints([1, 2]))]);
    let more = RawFile::new(2, [column("a"), column("more")]).with("avro.schema", &record("\"int\""));
    finds(&more.bytes(), &[(Tier::Schema, "column \"more\": the schema does not have the column")]);
}

#[test]
fn statistics() {
    // The zone map of other values in blocks of the same sizes.
    let file = |first: i32| {
        let mut writer = options().build(Vec::new()).unwrap();
        writer.write_all((0..40).map(|n| first + n)).unwrap();
        writer.finish().unwrap()
    };
    let map = |bytes: &[u8]| {
        Reader::from_slice(bytes).unwrap().columns()[0].metadata().get("zone_map").unwrap().to_vec()
    };
    let (bytes, other) = (file(0), file(10));
    let (own, others) = (map(&bytes), map(&other));
    let at = bytes.windows(own.len()).position(|part| part == own).unwrap();
    let mut damaged = bytes.clone();
    damaged[at..at + own.len()].copy_from_slice(&others);
    let report = found(&mended(&damaged));
    assert!(
        !report.is_empty()
            && report.iter().all(|(tier, text)| *tier == Tier::Statistics
                && text.starts_with("column \"int\"")
                && text.contains("bounds")),
        "{report:?}"
    );
    // One that is damaged.
    damaged[at + own.len() - 1] ^= 1;
    finds(
        &mended(&damaged),
        &[(Tier::Statistics, "column \"int\": the zone map is not one of these blocks")],
    );
    // A first value.
    let mut bytes = written(options().checksum(Checksum::Null).without_zone_maps().first_values(["a"]));
    let table = Reader::from_slice(&bytes).unwrap().columns()[0].start() as usize;
    bytes[table + 4 + 12] ^= 2;
    finds(&bytes, &[(Tier::Statistics, "column \"a\", block 0")]);
    // A size that only readers of other codecs rely on.
    let mut column = RawColumn::new("a", "int", [RawBlock::plain(2, ints([1, 2]))]);
    column.blocks[0].size = 9;
    column.blocks[0].compressed = Some(2);
    finds(&one_column(column, 2), &[(Tier::Statistics, "the block has 2 bytes, and the table says 9")]);
}

#[test]
fn bytes_of_no_column() {
    let column = |name: &str| RawColumn::new(name, "int", [RawBlock::plain(2, ints([1, 2]))]);
    let mut file = RawFile::new(2, [column("a")]);
    let start = Reader::from_slice(&file.bytes()).unwrap().columns()[0].start();
    let mut bytes = file.bytes();
    bytes.splice(start as usize..start as usize, [7; 10]);
    file.columns[0].start = Some(start + 10);
    let moved = file.bytes();
    bytes[..start as usize].copy_from_slice(&moved[..start as usize]);
    finds(&bytes, &[(Tier::Unowned, "10 bytes belong to no part of the file")]);
    assert_eq!(check(&bytes).findings[0].error().location().offset, Some(start));
}
