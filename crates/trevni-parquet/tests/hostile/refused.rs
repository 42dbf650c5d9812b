//! Files that pyarrow or DuckDB refuse, and which would be other rows.

use super::made::{DATA, PLAIN, changed, column, file, page};
use super::memory::alone;
use super::rows;
use super::thrift::{Value, long};
use trevni::{Limits, Reader};
use trevni_parquet::{ParquetFile, ParquetOptions, ParquetReader};

/// Eight rows of two columns and a list.
fn sample() -> Vec<u8> {
    let rows = (0..8).map(|row| (row, format!("text {row}"), vec![row, row]));
    let file = trevni::to_vec(rows).unwrap();
    trevni_parquet::to_parquet(&Reader::from_slice(&file).unwrap(), ParquetOptions::new(), Vec::new())
        .unwrap()
}

/// The error of a file that has other metadata of a column.
fn error(column: i16, change: impl FnOnce(&mut Value)) -> String {
    let bytes = changed(&sample(), |footer| change(footer.path(&[4, 0, 1, column])));
    rows(&bytes, Limits::default()).unwrap_err().to_string()
}

fn values(count: i64) -> impl FnOnce(&mut Value) {
    move |chunk| chunk.at(3).set(5, long(count))
}

#[test]
fn columns_have_as_many_values_as_there_are_rows() {
    let _alone = alone();
    assert_eq!(rows(&sample(), Limits::default()).unwrap(), 8);
    for count in [0, 7, 9, -1, i64::MAX] {
        let message =
            format!("Parquet: column _0, row group 0: it has {count} values, the row group has 8 rows");
        assert_eq!(error(0, values(count)), message);
    }
    assert!(error(2, values(7)).ends_with("row group 0: it has 7 values, the row group has 8 rows"));
    for count in [0, 5, 9, -8] {
        let bytes = changed(&sample(), |footer| footer.path(&[4, 0]).set(3, long(count)));
        assert!(rows(&bytes, Limits::default()).is_err(), "{count}");
    }
}

#[test]
fn the_number_of_rows_of_the_footer_is_not_needed() {
    let _alone = alone();
    for count in [0, 5, 9] {
        let bytes = changed(&sample(), |footer| footer.set(3, long(count)));
        assert_eq!(rows(&bytes, Limits::default()).unwrap(), 8);
    }
}

#[test]
fn columns_that_are_encrypted_are_not_read_as_if_they_were_not() {
    let _alone = alone();
    let bytes = changed(&sample(), |footer| {
        let key = Value::Struct(vec![(1, Value::Struct(Vec::new()))]);
        footer.path(&[4, 0, 1, 1]).set(8, key);
    });
    let error = rows(&bytes, Limits::default()).unwrap_err().to_string();
    assert_eq!(error, "Parquet: column _1, row group 0: it is encrypted");
    // The others can be read.
    let file = ParquetFile::of_source(bytes).unwrap();
    let batches = ParquetReader::builder().project(["_0"]).read(&file).unwrap();
    assert_eq!(batches.map(|batch| batch.unwrap().num_rows()).sum::<usize>(), 8);
}

#[test]
fn columns_are_within_the_file_and_apart() {
    let _alone = alone();
    let beyond = "Parquet: column _1, row group 0: its bytes are beyond the end of the file";
    for size in [1 << 20, i64::MAX, -1] {
        assert_eq!(error(1, |chunk| chunk.at(3).set(7, long(size))), beyond);
    }
    for start in [-1, i64::MAX, 1 << 40] {
        assert_eq!(error(1, |chunk| chunk.at(3).set(11, long(start))), beyond);
    }
    let none = error(1, |chunk| chunk.at(3).set(7, long(0)));
    assert_eq!(none, "Parquet: column _1, row group 0: it has 8 values, but no bytes");
    let shared = error(1, |chunk| chunk.at(3).set(11, long(10)));
    assert!(shared.contains("row group 0: its bytes overlap column "), "{shared}");
}

#[test]
fn rows_do_not_end_before_they_are_said_to() {
    let _alone = alone();
    let values = [1i32, 2, 3].map(i32::to_le_bytes).concat();
    let bytes = file(column(1, 0), PLAIN, 5, 5, &[page(DATA, 3, 0, values.len(), &values)]);
    let error = rows(&bytes, Limits::default()).unwrap_err().to_string();
    assert_eq!(error, "Parquet: the columns end after 3 rows, and 2 more are said");
}

#[test]
fn files_of_a_review_are_refused_with_the_column() {
    let _alone = alone();
    let files: [(&[u8], &str); 2] = [
        (
            include_bytes!("../data/hostile/columns_have_as_many_values_as_rows.parquet"),
            "Parquet: column x, row group 0: it has 0 values, the row group has 8 rows",
        ),
        (
            include_bytes!("../data/hostile/encrypted_columns_of_a_plain_footer.parquet"),
            "Parquet: column i, row group 0: it is encrypted",
        ),
    ];
    for (bytes, message) in files {
        assert_eq!(rows(bytes, Limits::default()).unwrap_err().to_string(), message);
    }
}
