//! Damaged files: an error or the same rows, never a panic, and with checksums never other rows.

use crate::data;
use serde_json::{Value, json};
use trevni::{Checksum, Codec, Dialect, Layout, Reader, Result, Writer};

fn rows() -> Vec<Value> {
    let row = |number: i64| {
        json!({
            "id": number,
            "name": if number % 3 == 0 { Value::Null } else { json!(format!("name {number}")) },
            "tags": (0..number % 4).collect::<Vec<_>>(),
            "deep": (0..number % 3).map(|n| json!({"x": vec![n; n as usize], "y": {"z": n % 2 == 0}})).collect::<Vec<_>>(),
        })
    };
    (0..9).map(row).collect()
}

fn write(layout: Layout, codec: Codec) -> Vec<u8> {
    let options = Writer::builder().dialect(Dialect::Levels).layout(layout).codec(codec);
    let mut writer = options.checksum(Checksum::Crc32).block_size(64).build(Vec::new()).unwrap();
    writer.write_all(rows()).unwrap();
    writer.finish().unwrap()
}

fn files() -> Vec<Vec<u8>> {
    let mut files = Vec::new();
    for layout in [Layout::LevelsFirst, Layout::ValuesFirst] {
        files.extend([Codec::Null, Codec::Deflate].map(|codec| write(layout, codec)));
    }
    files
}

/// Reads all that there is.
fn read(bytes: &[u8]) -> Result<Vec<Value>> {
    let reader = Reader::from_slice(bytes)?;
    for column in 0..reader.columns().len() {
        reader.blocks(column)?;
        reader.raw_column(column)?;
    }
    reader.rows::<Value>()?.collect()
}

#[test]
fn no_prefix_is_a_file() {
    for file in files() {
        assert_eq!(read(&file).unwrap(), rows());
        for end in 0..file.len() {
            assert!(read(&file[..end]).is_err(), "{end} of {}", file.len());
        }
    }
}

#[test]
fn a_flipped_bit_gives_an_error_or_the_same_rows() {
    for file in files() {
        // What is before the first column has no checksum: its bits may say other names.
        let start = Reader::from_slice(&file).unwrap().columns()[0].start() as usize;
        for bit in 0..8 * file.len() {
            let mut damaged = file.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            match read(&damaged) {
                Ok(found) if bit / 8 >= start => assert_eq!(found, rows(), "bit {bit}"),
                _ => {}
            }
        }
    }
}

#[test]
fn golden_files_may_be_damaged() {
    for golden in data::all().into_iter().filter(|golden| golden.bytes().len() < 600) {
        let file = golden.bytes();
        for end in 0..file.len() {
            let _ = read(&file[..end]);
        }
        for byte in 0..file.len() {
            for value in [0, 0xff, file[byte] ^ 1] {
                let mut damaged = file.clone();
                damaged[byte] = value;
                let _ = read(&damaged);
            }
        }
    }
}
