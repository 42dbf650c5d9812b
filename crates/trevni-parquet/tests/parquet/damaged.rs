//! Damaged files: an error, or rows; never a panic.

use super::{data, files, stem};
use std::io::Write;
use tempfile::NamedTempFile;
use trevni::{Codec, Reader};
use trevni_parquet::{ParquetOptions, ParquetReader};

/// Reads all rows.
fn read(bytes: &[u8]) -> Result<usize, String> {
    let mut file = NamedTempFile::new().unwrap();
    file.write_all(bytes).unwrap();
    let reader = ParquetReader::open(file.path()).map_err(|error| error.to_string())?;
    let mut rows = 0;
    for batch in reader {
        rows += batch.map_err(|error| error.to_string())?.num_rows();
    }
    Ok(rows)
}

#[test]
fn files_with_known_faults_are_errors() {
    for path in files("bad") {
        let result = read(&std::fs::read(&path).unwrap());
        // This one is damaged in a page's size, which readers do not need.
        match stem(&path) {
            "ARROW-GH-43605" => assert_eq!(result, Ok(21_186)),
            name => assert!(result.is_err(), "{name}: {result:?}"),
        }
    }
}

#[test]
fn a_codec_that_the_library_lacks_is_an_error() {
    let rows: Vec<(i64, String)> = (0..50).map(|at| (at, format!("row {at}"))).collect();
    let file = trevni::to_vec(&rows).unwrap();
    let options = ParquetOptions::new().codec(Codec::Snappy).unwrap();
    let mut bytes =
        trevni_parquet::to_parquet(&Reader::from_slice(&file).unwrap(), options, Vec::new()).unwrap();
    assert_eq!(read(&bytes), Ok(50));
    // The codec is the field after the path of a column, snappy's number is 1 and that of LZO 3, zig-zag.
    let mut columns = 0;
    for at in 0..bytes.len() - 5 {
        if bytes[at..].starts_with(b"_0\x15\x02\x16") || bytes[at..].starts_with(b"_1\x15\x02\x16") {
            bytes[at + 3] = 6;
            columns += 1;
        }
    }
    assert_eq!(columns, 2);
    let error = read(&bytes).unwrap_err();
    assert!(error.to_lowercase().contains("lzo"), "{error}");
}

#[test]
fn beginnings_of_files_are_errors() {
    for name in ["alltypes_plain", "nested_lists.snappy", "int32_decimal"] {
        let bytes = std::fs::read(data("parquet-testing").join(format!("{name}.parquet"))).unwrap();
        for end in (0..bytes.len()).step_by(7) {
            assert!(read(&bytes[..end]).is_err(), "{name}: {end}");
        }
    }
}

#[test]
fn flipped_bits_are_errors_or_rows() {
    for name in ["alltypes_plain", "nested_maps.snappy", "delta_encoding_optional_column", "nullable.impala"]
    {
        let bytes = std::fs::read(data("parquet-testing").join(format!("{name}.parquet"))).unwrap();
        for bit in (0..bytes.len() * 8).step_by(61) {
            let mut flipped = bytes.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            let _ = read(&flipped);
        }
    }
}
