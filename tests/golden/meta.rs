//! Headers and block tables against Java's dumps of them.

use crate::data;
use crate::raw::quoted;
use std::fmt::Write;
use trevni::column::FirstValue;
use trevni::formats::TrevniInfo;
use trevni::{Metadata, Reader};

/// What is known of a file without decoding it, in the form of the dumps.
fn dump(reader: &Reader<'_>, length: usize) -> String {
    let mut out = String::new();
    writeln!(out, "magic 547276{:02x}", reader.info::<TrevniInfo>().unwrap().version.number()).unwrap();
    writeln!(out, "length {length}\nrows {}", reader.row_count()).unwrap();
    writeln!(out, "columns {}", reader.columns().len()).unwrap();
    entries(&mut out, "file-metadata", reader.metadata());
    for number in 0..reader.columns().len() {
        out.push_str(&column(reader, number));
    }
    out
}

fn column(reader: &Reader<'_>, number: usize) -> String {
    let column = &reader.columns()[number];
    let mut out = String::new();
    entries(&mut out, &format!("column {number} metadata"), column.metadata());
    let blocks = reader.blocks(number).unwrap();
    // The number of blocks is before the first, if there is one.
    let data = blocks.first().map_or(column.start() + 4, |block| block.offset);
    writeln!(out, "  start {} data-start {data} blocks {}", column.start(), blocks.len()).unwrap();
    for (number, block) in blocks.iter().enumerate() {
        write!(out, "  block {number} rows {} uncompressed {}", block.rows, block.size).unwrap();
        write!(out, " compressed {} at {}", block.compressed_size, block.offset).unwrap();
        write!(out, " first-row {}", block.first_row).unwrap();
        if let Some(value) = &block.first_value {
            write!(out, " first-value {}", first_value(value)).unwrap();
        }
        out.push('\n');
    }
    out
}

fn first_value(value: &FirstValue) -> String {
    match value {
        FirstValue::Int(value) => value.to_string(),
        FirstValue::String(text) => quoted(text),
        other => panic!("no file has {other:?}"),
    }
}

fn entries(out: &mut String, title: &str, metadata: &Metadata) {
    writeln!(out, "{title} {}", metadata.len()).unwrap();
    for (key, value) in metadata.iter() {
        let value = match std::str::from_utf8(value) {
            Ok(text) => quoted(text),
            Err(_) => "hex:"
                .chars()
                .chain(value.iter().flat_map(|b| format!("{b:02x}").into_bytes()).map(char::from))
                .collect(),
        };
        writeln!(out, "  {} = {value}", quoted(key)).unwrap();
    }
}

#[test]
fn metadata_columns_and_blocks_are_as_java_reads_them() {
    for golden in data::all() {
        let bytes = golden.bytes();
        let reader = Reader::from_slice(&bytes).unwrap();
        data::assert_same_text(&golden.name, &dump(&reader, bytes.len()), &golden.meta_dump());
    }
}

#[test]
fn codec_and_checksum_of_the_file_are_those_of_columns_without() {
    let bytes = data::named("raw_codec_mix").bytes();
    let reader = Reader::from_slice(&bytes).unwrap();
    let found: Vec<[&str; 3]> = reader
        .columns()
        .iter()
        .map(|column| [column.name(), column.codec_name(), column.checksum_name()])
        .collect();
    assert_eq!(
        found,
        [
            ["n", "null", "null"],
            ["s", "snappy", "crc32"],
            ["z", "bzip2", "crc32"],
            ["d", "deflate", "crc32"],
            ["k", "deflate", "null"],
            ["nn", "null", "null"],
        ]
    );
}

#[test]
fn keys_of_users_are_kept_in_order() {
    let bytes = data::named("raw_metadata").bytes();
    let reader = Reader::from_slice(&bytes).unwrap();
    let keys: Vec<&str> = reader.metadata().iter().map(|(key, _)| key).collect();
    assert_eq!(keys, ["zeta", "alpha", "binary", "empty", "ключ", "trevni.codec"]);
    assert_eq!(reader.metadata().get("binary"), Some(&[0, 0xff, 1, 0xfe][..]));
    assert_eq!(reader.metadata().get_str("ключ"), Some("значение"));
    assert_eq!(reader.columns()[1].name(), "ÿ日");
    assert_eq!(reader.columns()[0].metadata().get_str("unit"), Some("metres"));
}
