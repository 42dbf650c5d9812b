//! Files at the edge of the format: what Java wrote and cannot read, old versions, unknown names.

use crate::data;
use crate::raw;
use serde_json::Value;
use trevni::formats::{TrevniInfo, Version};
use trevni::{Category, ErrorKind, Reader};

/// The bytes of a file with a text replaced by one as long, at its first place behind `after`.
fn patched(name: &str, after: &str, old: &str, new: &str) -> Vec<u8> {
    assert_eq!(old.len(), new.len());
    let mut bytes = data::named(name).bytes();
    let find = |text: &str, from: usize| {
        let found = bytes[from..].windows(text.len()).position(|window| window == text.as_bytes());
        from + found.unwrap_or_else(|| panic!("no {text:?} in {name}"))
    };
    let at = find(old, find(after, 0) + after.len());
    bytes[at..at + new.len()].copy_from_slice(new.as_bytes());
    bytes
}

fn rows(name: &str) -> Vec<Value> {
    trevni::from_slice(&data::named(name).bytes()).unwrap()
}

#[test]
fn zeros_for_checksums_under_the_null_codec_are_read() {
    assert_eq!(rows("quirk_nullcodec_crc32").len(), 30);
    assert_eq!(rows("raw_nullcodec_crc32").len(), 10);
    let bytes = data::named("quirk_nullcodec_crc32").bytes();
    let reader = Reader::from_slice(&bytes).unwrap();
    let block = &reader.blocks(0).unwrap()[0];
    let end = block.offset as usize + block.compressed_size as usize;
    assert_eq!(bytes[end..end + 4], [0; 4]);
    // Any other number that is not the checksum is an error.
    let mut bytes = bytes.clone();
    bytes[end] = 1;
    let error = trevni::from_slice::<Vec<Value>>(&bytes).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Checksum { stored: 0x0100_0000, .. }), "{error}");
    assert_eq!((error.location().column.as_deref(), error.location().block), (Some("ts"), Some(0)));
}

#[test]
fn zeros_for_checksums_under_another_codec_are_refused() {
    let mut bytes = data::named("codec_snappy_crc").bytes();
    let block = Reader::from_slice(&bytes).unwrap().blocks(1).unwrap()[0].clone();
    let end = block.offset as usize + block.compressed_size as usize;
    bytes[end..end + 4].fill(0);
    let error = trevni::from_slice::<Vec<Value>>(&bytes).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Checksum { stored: 0, .. }), "{error}");
    assert_eq!(error.location().column.as_deref(), Some("host"));
}

#[test]
fn checksums_as_the_specification_has_them_are_read() {
    let golden = data::named("codec_snappy_crc");
    let mut bytes = golden.bytes();
    let reader = Reader::from_slice(&golden.bytes()).unwrap().columns().len();
    for number in 0..reader {
        for block in Reader::from_slice(&golden.bytes()).unwrap().blocks(number).unwrap() {
            let end = block.offset as usize + block.compressed_size as usize;
            bytes[end..end + 4].reverse();
        }
    }
    assert_ne!(bytes, golden.bytes());
    assert_eq!(trevni::from_slice::<Vec<Value>>(&bytes).unwrap(), rows("codec_snappy_crc"));
}

#[test]
fn old_versions_are_read() {
    for (name, count) in [("raw_magic1", 8), ("old_v1_174", 40)] {
        let bytes = data::named(name).bytes();
        let reader = Reader::from_slice(&bytes).unwrap();
        assert_eq!(
            (reader.info::<TrevniInfo>().unwrap().version, reader.rows::<Value>().unwrap().count()),
            (Version::V1, count)
        );
    }
    // Version 0 differs from 1 in what it lacks.
    let (plain, mut bytes) = (rows("raw_alltypes"), data::named("raw_alltypes").bytes());
    bytes[3] = 0;
    assert_eq!(Reader::from_slice(&bytes).unwrap().info::<TrevniInfo>().unwrap().version, Version::V0);
    assert_eq!(trevni::from_slice::<Vec<Value>>(&bytes).unwrap(), plain);
    bytes[3] = 3;
    let error = Reader::from_slice(&bytes).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Version { version: 3 }), "{error}");
}

#[test]
fn padded_bzip2_blocks_are_cut() {
    use std::io::Read;
    let bytes = data::named("old_bzip2_192").bytes();
    let reader = Reader::from_slice(&bytes).unwrap();
    let block = &reader.blocks(0).unwrap()[0];
    let stored = &bytes[block.offset as usize..][..block.compressed_size as usize];
    let mut whole = Vec::new();
    bzip2::read::BzDecoder::new(stored).read_to_end(&mut whole).unwrap();
    assert!(whole.len() > block.size as usize);
    assert_eq!(rows("old_bzip2_192").len(), 60);
}

#[test]
fn an_unknown_codec_of_a_column_leaves_the_others_alone() {
    let golden = data::named("raw_codec_mix");
    let bytes = patched("raw_codec_mix", "trevni.codec\u{c}", "snappy", "lizard");
    let reader = Reader::from_slice(&bytes).unwrap();
    assert_eq!(reader.columns()[1].codec_name(), "lizard");
    for number in 0..reader.columns().len() {
        if number == 1 {
            data::assert_names_codec(&reader.raw_column(number).unwrap_err(), "lizard", "s");
            data::assert_names_codec(&reader.blocks(number).unwrap_err(), "lizard", "s");
        } else {
            raw::compare(&golden, &reader, number);
        }
    }
    // Rows of other fields come, and rows with this one do not.
    #[derive(serde::Deserialize)]
    struct Row {
        n: String,
        d: String,
    }
    let found: Vec<Row> = trevni::from_slice(&bytes).unwrap();
    assert_eq!((found.len(), &*found[0].n, &*found[0].d), (50, "aqlxjpaqlxjp", "aqlxjpaqlxjpd"));
    let mut rows = reader.project(["n", "s"]).unwrap().rows::<Value>().unwrap();
    data::assert_names_codec(&rows.next().unwrap().unwrap_err(), "lizard", "s");
}

#[test]
fn an_unknown_codec_of_a_file_is_that_of_its_columns() {
    let bytes = patched("codec_null", "trevni.codec", "null", "zip9");
    let reader = Reader::from_slice(&bytes).unwrap();
    assert_eq!((reader.row_count(), reader.columns()[3].codec_name()), (120, "zip9"));
    for (number, column) in reader.columns().iter().enumerate() {
        data::assert_names_codec(&reader.raw_column(number).unwrap_err(), "zip9", column.name());
    }
    let error = trevni::from_slice::<Vec<Value>>(&bytes).unwrap_err();
    data::assert_names_codec(&error, "zip9", "ts");
    // Names are compared with their case.
    let bytes = patched("codec_deflate", "trevni.codec", "deflate", "Deflate");
    data::assert_names_codec(
        &Reader::from_slice(&bytes).unwrap().raw_column(0).unwrap_err(),
        "Deflate",
        "ts",
    );
}

#[test]
fn an_unknown_checksum_is_an_error_that_names_it_and_the_column() {
    let bytes = patched("raw_checksum_column", "trevni.checksum", "crc32", "md5so");
    let reader = Reader::from_slice(&bytes).unwrap();
    assert!(reader.raw_column(0).is_ok());
    let error = reader.raw_column(1).unwrap_err();
    assert_eq!(error.category(), Category::Unsupported);
    assert!(matches!(error.kind(), ErrorKind::ChecksumName { checksum } if checksum == "md5so"), "{error}");
    assert_eq!(error.location().column.as_deref(), Some("sum"), "{error}");
}
