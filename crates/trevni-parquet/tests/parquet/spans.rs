//! Spans of time: months, days and milliseconds.

use arrow_array::RecordBatch;
use arrow_array::cast::AsArray;
use arrow_array::types::{IntervalMonthDayNano, IntervalMonthDayNanoType};
use parquet::data_type::{FixedLenByteArray, FixedLenByteArrayType};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use std::sync::Arc;
use tempfile::NamedTempFile;
use trevni::{Reader, Writer};
use trevni_parquet::{ParquetOptions, ParquetReader};

/// A file of optional spans.
fn file(spans: &[Option<[u32; 3]>]) -> NamedTempFile {
    let text = "message Row { optional fixed_len_byte_array(12) f (INTERVAL); }";
    let schema = Arc::new(parse_message_type(text).unwrap());
    let file = NamedTempFile::new().unwrap();
    let mut writer = SerializedFileWriter::new(file.reopen().unwrap(), schema, Default::default()).unwrap();
    let mut group = writer.next_row_group().unwrap();
    let mut column = group.next_column().unwrap().unwrap();
    let bytes = |span: &[u32; 3]| FixedLenByteArray::from(span.map(u32::to_le_bytes).concat());
    let values: Vec<FixedLenByteArray> = spans.iter().flatten().map(bytes).collect();
    let levels: Vec<i16> = spans.iter().map(|span| span.is_some().into()).collect();
    column.typed::<FixedLenByteArrayType>().write_batch(&values, Some(&levels), None).unwrap();
    column.close().unwrap();
    group.close().unwrap();
    writer.close().unwrap();
    file
}

fn spans(batch: &RecordBatch) -> Vec<Option<IntervalMonthDayNano>> {
    batch.column(0).as_primitive::<IntervalMonthDayNanoType>().iter().collect()
}

#[test]
fn months_days_and_milliseconds_are_all_there() {
    let file = file(&[Some([12, 2, 3000]), None, Some([0, i32::MAX as u32, u32::MAX])]);
    let most = IntervalMonthDayNano::new(0, i32::MAX, i64::from(u32::MAX) * 1_000_000);
    let expected = [Some(IntervalMonthDayNano::new(12, 2, 3_000_000_000)), None, Some(most)];
    let batch = ParquetReader::open(file.path()).unwrap().next().unwrap().unwrap();
    assert_eq!(spans(&batch), expected);
    let batch = ParquetReader::builder().project(["f"]).open(file.path()).unwrap().next().unwrap().unwrap();
    assert_eq!(spans(&batch), expected);

    // They come back from a column file; Parquet's library does not write them.
    let columns = NamedTempFile::new().unwrap();
    trevni_parquet::to_trevni(ParquetReader::open(file.path()).unwrap(), Writer::builder(), columns.path())
        .unwrap();
    let reader = Reader::open(columns.path()).unwrap();
    let batch = trevni_arrow::ArrowReader::new(&reader).unwrap().next().unwrap().unwrap();
    assert_eq!(spans(&batch), expected);
    let error = trevni_parquet::to_parquet(&reader, ParquetOptions::new(), Vec::new()).unwrap_err();
    assert_eq!(error.to_string(), "f: Interval(MonthDayNano) cannot be stored in Parquet");
}

#[test]
fn spans_that_are_too_long_are_an_error_of_their_row() {
    let file = file(&[None, Some([1, 2, 3]), Some([1 << 31, 0, 0])]);
    let error = ParquetReader::open(file.path()).unwrap().next().unwrap().unwrap_err();
    assert!(
        error.to_string().contains("row 2, field f: a span of more months or days than 31 bits count"),
        "{error}"
    );
}
