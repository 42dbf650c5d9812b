//! Small files that claim much take little memory.

use serde_json::Value;
use trevni::{ErrorKind, Limits, Reader, Result};

/// A header of one column, and its only block.
fn file(rows: u64, metadata: &[(&str, &str)], entries: u32, block: &[u8]) -> Vec<u8> {
    let mut bytes = b"Trv\x01".to_vec();
    bytes.extend(rows.to_le_bytes());
    bytes.extend(1u32.to_le_bytes());
    let text = |text: &str, bytes: &mut Vec<u8>| {
        bytes.push((text.len() as u8) << 1);
        bytes.extend(text.as_bytes());
    };
    bytes.push(2);
    text("trevni.layout", &mut bytes);
    text("levels-first", &mut bytes);
    bytes.push((metadata.len() as u8) << 1);
    for (key, value) in metadata {
        text(key, &mut bytes);
        text(value, &mut bytes);
    }
    bytes.extend((bytes.len() as u64 + 8).to_le_bytes());
    bytes.extend(1u32.to_le_bytes());
    for number in [entries, block.len() as u32, block.len() as u32] {
        bytes.extend(number.to_le_bytes());
    }
    bytes.extend(block);
    bytes
}

fn read(bytes: &[u8]) -> Result<u64> {
    let mut limits = Limits::DEFAULT;
    limits.rows_without_bytes = 1 << 16;
    let reader = Reader::builder().limits(limits).source(bytes)?;
    for column in 0..reader.columns().len() {
        reader.raw_column(column)?;
    }
    let mut rows = 0;
    reader.rows::<Value>()?.try_for_each(|row| row.map(|_| rows += 1))?;
    Ok(rows)
}

const NAME: (&str, &str) = ("trevni.name", "a");

#[test]
fn rows_of_nothing_are_bounded() {
    let empty = [NAME, ("trevni.type", "null")];
    assert_eq!(read(&file(1000, &empty, 1000, &[])).unwrap(), 1000);
    let error = read(&file(1 << 30, &empty, 1 << 30, &[])).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Limit { .. }), "{error}");
}

#[test]
fn counts_are_compared_with_the_bytes() {
    for value_type in
        ["boolean", "int", "long", "fixed8", "fixed16", "fixed64", "timestamp", "string", "bytes"]
    {
        let plain = [NAME, ("trevni.type", value_type)];
        assert!(read(&file(1 << 16, &plain, 1 << 16, &[0; 7])).is_err(), "{value_type}");
        let wide = [NAME, ("trevni.type", value_type), ("trevni.arraywidth", "2000000000")];
        assert!(read(&file(1, &wide, 1, &[0; 7])).is_err(), "{value_type}");
        let optional = [NAME, ("trevni.type", value_type), ("trevni.definition", "1")];
        assert!(read(&file(1 << 30, &optional, 1 << 30, &[0xff; 7])).is_err(), "{value_type}");
    }
}

#[test]
fn nesting_is_bounded() {
    for (definition, repetition) in [("251", "1"), ("99999999999999999999999", "1"), ("3", "4"), ("-1", "0")]
    {
        let metadata = [
            NAME,
            ("trevni.type", "int"),
            ("trevni.definition", definition),
            ("trevni.repetition", repetition),
        ];
        assert!(read(&file(1, &metadata, 1, &[0; 7])).is_err(), "{definition}, {repetition}");
    }
}

#[test]
fn lists_that_go_on_without_beginning_are_refused() {
    // Definition levels 1, then repetition levels: the first entry continues a list.
    let list = [NAME, ("trevni.type", "int"), ("trevni.definition", "1"), ("trevni.repetition", "1")];
    assert_eq!(read(&file(1, &list, 2, &[0b11, 0b10, 2, 4])).unwrap(), 1);
    assert!(read(&file(1, &list, 2, &[0b11, 0b01, 2, 4])).is_err());
    assert!(read(&file(1, &list, 2, &[0b10, 0b10, 2])).is_err());
}
