//! Spans of time: months, days and milliseconds.

use arrow_array::cast::AsArray;
use arrow_array::types::{IntervalMonthDayNano, IntervalMonthDayNanoType};
use arrow_array::{Array, ArrayRef, IntervalMonthDayNanoArray, ListArray, RecordBatch};
use arrow_buffer::OffsetBuffer;
use arrow_schema::Field;
use parquet::data_type::{FixedLenByteArray, FixedLenByteArrayType};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use std::sync::Arc;
use tempfile::NamedTempFile;
use trevni::{Reader, Writer};
use trevni_arrow::ArrowWriter;
use trevni_parquet::{ParquetFile, ParquetOptions, ParquetReader};

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

    // They come back from a column file, and from Parquet that is made of it.
    let columns = NamedTempFile::new().unwrap();
    trevni_parquet::to_trevni(ParquetReader::open(file.path()).unwrap(), Writer::builder(), &columns)
        .unwrap();
    let reader = Reader::open(columns.path()).unwrap();
    let batch = trevni_arrow::ArrowReader::new(&reader).unwrap().next().unwrap().unwrap();
    assert_eq!(spans(&batch), expected);
    let parquet = trevni_parquet::to_parquet(&reader, ParquetOptions::new(), Vec::new()).unwrap();
    let file = NamedTempFile::new().unwrap();
    std::fs::write(file.path(), parquet).unwrap();
    let text = ParquetFile::open(file.path()).unwrap().message();
    assert!(text.contains("optional fixed_len_byte_array(12) f (INTERVAL);"), "{text}");
    let batch = ParquetReader::open(file.path()).unwrap().next().unwrap().unwrap();
    assert_eq!(spans(&batch), expected);
}

/// A column file of a batch with a list of spans.
fn listed(spans: Vec<Option<IntervalMonthDayNano>>) -> Vec<u8> {
    let len = spans.len();
    let spans: ArrayRef = Arc::new(IntervalMonthDayNanoArray::from(spans));
    let item = Arc::new(Field::new("item", spans.data_type().clone(), true));
    let offsets = OffsetBuffer::from_lengths(std::iter::repeat_n(1, len));
    let lists: ArrayRef = Arc::new(ListArray::new(item, offsets, spans, None));
    let batch = RecordBatch::try_from_iter([("f", lists)]).unwrap();
    let mut writer = ArrowWriter::new(Vec::new(), batch.schema()).unwrap();
    writer.write(&batch).unwrap();
    writer.finish().unwrap()
}

#[test]
fn spans_in_lists_are_written() {
    let expected = vec![Some(IntervalMonthDayNano::new(1, 2, 3_000_000)), None];
    let columns = listed(expected.clone());
    let reader = Reader::from_slice(&columns).unwrap();
    let parquet = trevni_parquet::to_parquet(&reader, ParquetOptions::new(), Vec::new()).unwrap();
    let file = NamedTempFile::new().unwrap();
    std::fs::write(file.path(), parquet).unwrap();
    let batch = ParquetReader::open(file.path()).unwrap().next().unwrap().unwrap();
    let spans = batch.column(0).as_list::<i32>().values().as_primitive::<IntervalMonthDayNanoType>().clone();
    assert_eq!(spans.iter().collect::<Vec<_>>(), expected);
}

#[test]
fn spans_that_parquet_has_no_place_for_are_an_error_of_their_row() {
    let whole = IntervalMonthDayNano::new(1, 2, 3_000_000);
    for (months, days, nanos) in
        [(-1, 0, 0), (0, -1, 0), (0, 0, -1_000_000), (0, 0, 1), (0, 0, 5_000_000_000_000_000)]
    {
        let columns = listed(vec![Some(whole), None, Some(IntervalMonthDayNano::new(months, days, nanos))]);
        let reader = Reader::from_slice(&columns).unwrap();
        let error = trevni_parquet::to_parquet(&reader, ParquetOptions::new(), Vec::new()).unwrap_err();
        let expected = "row 2, field f: a span that is negative or too long, or has parts of milliseconds";
        assert_eq!(error.to_string(), expected);
    }
}

#[test]
fn spans_that_are_too_long_are_an_error_of_their_row() {
    let file = file(&[None, Some([1, 2, 3]), Some([1 << 31, 0, 0])]);
    let error = ParquetReader::open(file.path()).unwrap().next().unwrap().unwrap_err();
    assert!(error.to_string().contains("row 2, field f: a span that is negative or too long"), "{error}");
}

#[test]
fn durations_of_avro_come_back() {
    const AVRO: &str = r#"{"type": "record", "name": "Row", "fields": [{"name": "f", "type":
        {"type": "fixed", "name": "Duration", "size": 12, "logicalType": "duration"}}]}"#;
    let mut writer = Writer::builder().schema(AVRO).build(Vec::new()).unwrap();
    let rows = ["P1M2DT3S", "PT0S", "P3YT0.004S"].map(|text| serde_json::json!({"f": text}));
    writer.write_all(&rows).unwrap();
    let columns = writer.finish().unwrap();
    let reader = Reader::from_slice(&columns).unwrap();
    let parquet = trevni_parquet::to_parquet(&reader, ParquetOptions::new(), Vec::new()).unwrap();
    let file = NamedTempFile::new().unwrap();
    std::fs::write(file.path(), parquet).unwrap();
    let again = NamedTempFile::new().unwrap();
    for options in [ParquetReader::builder(), ParquetReader::builder().read_schema(AVRO)] {
        let rows_of_file = options.open(file.path()).unwrap();
        trevni_parquet::to_trevni(rows_of_file, Writer::builder(), again.reopen().unwrap()).unwrap();
        let reader = Reader::builder().logical_text().open(again.path()).unwrap();
        assert_eq!(reader.metadata().get_str("avro.schema"), Some(AVRO));
        let read: Vec<serde_json::Value> = reader.rows().unwrap().map(Result::unwrap).collect();
        assert_eq!(read, rows);
    }
}
