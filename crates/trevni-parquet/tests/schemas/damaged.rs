//! Damaged files read by schemas: an error, or rows; never a panic.

use super::File;
use arrow_array::RecordBatchReader;
use std::path::Path;
use trevni_parquet::{ParquetReader, ParquetReaderBuilder};

fn golden(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/parquet-testing");
    std::fs::read(folder.join(format!("{name}.parquet"))).unwrap()
}

/// The rows that are read, of a file that may be damaged.
fn rows(bytes: &[u8], options: &ParquetReaderBuilder) -> Result<usize, String> {
    let file = File::of(bytes);
    let reader = options.open(file.path()).map_err(|error| error.to_string())?;
    let mut rows = 0;
    for batch in reader {
        rows += batch.map_err(|error| error.to_string())?.num_rows();
    }
    Ok(rows)
}

/// The schema of a file, in which numbers are wider, nulls are told apart from nothing, and there is one field more.
fn wider(bytes: &[u8]) -> String {
    let file = File::of(bytes);
    let schema = ParquetReader::open(file.path()).unwrap().schema();
    let avro = trevni_arrow::avro_of_schema(&schema).unwrap();
    let fields = r#""fields":[{"name":"new","type":{"type":"array","items":"int"},"default":[1,2]},"#;
    avro.replace("\"int\"", "[\"null\",\"double\"]")
        .replace("[\"null\",[\"null\",\"double\"]]", "[\"null\",\"double\"]")
        .replacen("\"fields\":[", fields, 1)
}

#[test]
fn flipped_bits_are_errors_or_rows() {
    let (mut whole, mut refused) = (0, 0);
    for name in ["alltypes_plain", "nested_lists.snappy", "nullable.impala", "list_columns"] {
        let bytes = golden(name);
        let wider = wider(&bytes);
        let reading = ParquetReader::builder().read_schema(&wider);
        let all = rows(&bytes, &reading).unwrap();
        for bit in (0..bytes.len() * 8).step_by(97) {
            let mut flipped = bytes.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            match rows(&flipped, &reading) {
                Ok(rows) if rows == all => whole += 1,
                _ => refused += 1,
            }
        }
    }
    assert!(whole > 100 && refused > 100, "{whole} {refused}");
}

#[test]
fn schemas_of_all_kinds_are_errors_or_rows() {
    let (mut read, mut refused) = (0, 0);
    for name in ["alltypes_plain", "nested_maps.snappy", "nullable.impala", "list_columns"] {
        let bytes = golden(name);
        let schema = wider(&bytes);
        let words = [
            "int", "long", "string", "null", "double", "map", "array", "record", "items", "values", "fields",
        ];
        for (at, word) in schema.match_indices(|letter: char| letter.is_ascii_lowercase()).step_by(3) {
            let mut changed = schema.clone();
            let other = words[(at + word.len()) % words.len()];
            changed.replace_range(at..at + 1, other);
            for builder in [ParquetReader::builder(), ParquetReader::builder().projection_schema(&changed)] {
                match rows(&bytes, &builder.read_schema(&changed)) {
                    Ok(_) => read += 1,
                    Err(_) => refused += 1,
                }
            }
        }
    }
    // Names of types may change where the file has none; fields of other names are not there.
    assert!(read > 10 && refused > 100, "{read} {refused}");
}
