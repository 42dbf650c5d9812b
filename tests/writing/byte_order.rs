//! The order of bytes is that of the formats, not that of the machine: each number is where it must be, byte by byte.

use serde::Serialize;
use trevni::column::ValueType;
use trevni::formats::{Layout, Levels};
use trevni::{Checksum, Codec, Dialect, Writer, WriterBuilder};

#[derive(Serialize)]
struct Row {
    float: f32,
    double: f64,
    int: i32,
    long: i64,
    text: &'static str,
}

const ROW: Row = Row { float: 1.5, double: -2.25, int: 0x1112_1314, long: 0x0102_0304_0506_0708, text: "ab" };

fn written(builder: WriterBuilder) -> Vec<u8> {
    let mut writer = builder.codec(Codec::Null).build(Vec::new()).unwrap();
    writer.write(&ROW).unwrap();
    writer.finish().unwrap()
}

/// Whether bytes are somewhere in a file, once.
fn has_once(file: &[u8], bytes: &[u8]) -> bool {
    file.windows(bytes.len()).filter(|window| *window == bytes).count() == 1
}

const FLOAT: [u8; 4] = [0, 0, 0xc0, 0x3f];
const DOUBLE: [u8; 8] = [0, 0, 0, 0, 0, 0, 0x02, 0xc0];

#[test]
fn numbers_of_trevni_have_the_least_byte_first() {
    let plain = || Writer::builder().without_zone_maps().checksum(Checksum::Null);
    for layout in [Layout::LevelsFirst, Layout::ValuesFirst] {
        let format = Levels::new().layout(layout);
        let format = format.value_type("int", ValueType::Fixed32).value_type("long", ValueType::Fixed64);
        let file = written(plain().format(format));
        assert!(has_once(&file, &FLOAT) && has_once(&file, &DOUBLE));
        assert!(has_once(&file, &[0x14, 0x13, 0x12, 0x11]));
        assert!(has_once(&file, &[8, 7, 6, 5, 4, 3, 2, 1]));
    }
    let file = written(plain());
    assert!(has_once(&file, &FLOAT) && has_once(&file, &DOUBLE));
    // Zigzag, seven bits a byte, the least first.
    assert!(has_once(&file, &[0xa8, 0xcc, 0x90, 0x91, 0x02]));
    assert!(has_once(&file, &[0x90, 0x9c, 0xb0, 0xd0, 0x80, 0xc1, 0x81, 0x82, 0x02]));
    assert!(has_once(&file, b"\x04ab"));
    // One row, five columns: a fixed64 and a fixed32 after the magic.
    assert_eq!(file.get(4..16), Some(&[1, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0][..]));
}

#[test]
fn checksums_have_the_greatest_byte_first_as_in_java() {
    let file = written(Writer::builder().without_zone_maps().checksum(Checksum::Crc32));
    let sum = |bytes: &[u8]| crc32fast::hash(bytes).to_be_bytes();
    for bytes in [&FLOAT[..], &DOUBLE, b"\x04ab"] {
        assert!(has_once(&file, &[bytes, &sum(bytes)].concat()), "{bytes:?}");
    }
}

#[test]
fn numbers_of_redelm_have_the_greatest_byte_first() {
    let file = written(Writer::builder().dialect(Dialect::RedElm).without_zone_maps());
    assert!(has_once(&file, &1.5f32.to_bits().to_be_bytes()));
    assert!(has_once(&file, &(-2.25f64).to_bits().to_be_bytes()));
    assert!(has_once(&file, &[1, 2, 3, 4, 5, 6, 7, 8]));
}
