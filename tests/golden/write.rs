//! Writes the rows of the files again, as Java wrote them.
//!
//! The files of columns alone (`raw_…`) have no rows that serde could write; they are only read.

use crate::blocks::{behind, block};
use crate::data::{self, Golden};
use crate::serialize::{Row, Style};
use crate::{columns, rows};
use trevni::formats::{Trevni, TrevniInfo, Version};
use trevni::{Checksum, Codec, Reader, Writer};

/// A file of the rows, with the codec, checksum and version that Java's has.
fn written(golden: &Golden, style: Style, batch_rows: usize) -> Vec<u8> {
    let java = golden.bytes();
    let java = Reader::from_slice(&java).unwrap();
    let codec = Codec::ALL.into_iter().find(|codec| codec.name() == golden.codec).unwrap_or(Codec::Null);
    let checksum = if golden.checksum == "crc32" { Checksum::Crc32 } else { Checksum::Null };
    let mut builder = Writer::builder()
        .codec(codec)
        .checksum(checksum)
        .format(Trevni::new().version(java.info::<TrevniInfo>().unwrap().version))
        .batch_rows(batch_rows)
        .without_zone_maps()
        .schema(golden.schema_text());
    // A key that says `null` stands in the file only where it is asked for.
    if java.metadata().iter().any(|(_, value)| value == b"null") {
        for (key, value) in java.metadata().iter().filter(|(key, _)| key.starts_with("trevni.")) {
            builder = builder.metadata(key, value);
        }
    }
    let schema = golden.schema();
    let mut writer = builder.build(Vec::new()).unwrap();
    for (number, line) in golden.lines().iter().enumerate() {
        let row = Row { schema: &schema, value: line, style };
        writer.write(&row).unwrap_or_else(|error| panic!("{}, row {number}: {error}", golden.name));
    }
    writer.finish().unwrap()
}

/// The ways in which every file is written: the outcome is the same.
const WAYS: [(Style, usize); 3] = [(Style::Derived, 4096), (Style::Dynamic, 4096), (Style::Derived, 7)];

#[test]
fn without_codec_and_checksum_every_byte_is_java_s() {
    let mut count = 0;
    for golden in data::with_schema() {
        if !["", "null"].contains(&&*golden.codec) || golden.checksum == "crc32" {
            continue;
        }
        let java = golden.bytes();
        for (style, batch_rows) in WAYS {
            let ours = written(&golden, style, batch_rows);
            let differs = ours.iter().zip(&java).position(|(one, two)| one != two);
            let name = format!("{} {style:?} {batch_rows}", golden.name);
            assert_eq!((differs, ours.len()), (None, java.len()), "{name}: first byte that differs");
        }
        count += 1;
    }
    assert_eq!(count, 29);
}

#[test]
fn version_1_has_no_runs() {
    let golden = data::named("old_v1_174");
    let ours = written(&golden, Style::Derived, 4096);
    assert_eq!(Reader::from_slice(&ours).unwrap().info::<TrevniInfo>().unwrap().version, Version::V1);
    assert_eq!(ours, golden.bytes());
    // The same rows in version 2 are what Java writes today.
    let today = data::named("orders");
    assert!(today.bytes().len() < ours.len());
}

#[test]
fn with_codec_or_checksum_blocks_end_at_the_same_rows_and_hold_the_same_bytes() {
    let mut count = 0;
    for golden in data::with_schema() {
        if ["", "null"].contains(&&*golden.codec) && golden.checksum != "crc32" {
            continue;
        }
        for (style, batch_rows) in WAYS {
            compare(&golden, &written(&golden, style, batch_rows));
        }
        count += 1;
    }
    assert_eq!(count, 10);
}

fn compare(golden: &Golden, ours_file: &[u8]) {
    let (name, java) = (&golden.name, golden.bytes());
    let (our, their) = (Reader::from_slice(ours_file).unwrap(), Reader::from_slice(&java).unwrap());
    assert_eq!(our.metadata(), their.metadata(), "{name}");
    assert_eq!(columns::of_file(&our), columns::of_file(&their), "{name}");
    assert_eq!(our.row_count(), their.row_count(), "{name}");
    rows::compare_all(name, &our, &golden.lines());
    for (number, column) in our.columns().iter().enumerate() {
        assert_eq!(column.metadata(), their.columns()[number].metadata(), "{name}, column {number}");
        let (one, two) = (our.blocks(number).unwrap(), their.blocks(number).unwrap());
        assert_eq!(one.len(), two.len(), "{name}, column {number}");
        for (one, two) in one.iter().zip(&two) {
            assert_eq!((one.first_row, one.rows, one.size), (two.first_row, two.rows, two.size), "{name}");
            let (ours, theirs) = (block(ours_file, &golden.codec, one), block(&java, &golden.codec, two));
            assert_eq!(ours, theirs, "{name}, column {number}");
            if golden.checksum == "crc32" {
                let sum = crc32fast::hash(&ours).to_be_bytes();
                assert_eq!(behind(ours_file, one), sum, "{name}, column {number}");
                // Java's is zero under the null codec.
                let zero = golden.codec == "null";
                assert_eq!(behind(&java, two), if zero { [0; 4] } else { sum }, "{name}, column {number}");
            }
        }
    }
}
