//! What `docs/arrow.md` says of types, nulls, schemas and errors.

mod arrays;
mod dictionaries;
mod errors;
mod joining;
mod reading;
mod simple;
mod stored;
mod table;

use arrow_array::{ArrayRef, RecordBatch, RecordBatchOptions};
use arrow_schema::{DataType, Field, Schema};
use std::sync::Arc;
use trevni::Reader;
use trevni_arrow::{ArrowReader, ArrowWriter};

/// A batch of one column.
fn batch_of(field: Field, array: ArrayRef) -> RecordBatch {
    let options = RecordBatchOptions::new().with_row_count(Some(array.len()));
    RecordBatch::try_new_with_options(Arc::new(Schema::new(vec![field])), vec![array], &options).unwrap()
}

fn column_of(name: &str, array: ArrayRef) -> RecordBatch {
    batch_of(Field::new(name, array.data_type().clone(), true), array)
}

fn file_of(batch: &RecordBatch) -> Vec<u8> {
    let mut writer = ArrowWriter::new(Vec::new(), batch.schema()).unwrap();
    writer.write(batch).unwrap();
    assert_eq!(writer.row_count(), batch.num_rows() as u64);
    writer.finish().unwrap()
}

fn read(file: &[u8]) -> Vec<RecordBatch> {
    let reader = Reader::from_slice(file).unwrap();
    ArrowReader::new(&reader).unwrap().collect::<Result<_, _>>().unwrap()
}

/// The rows as JSON, as the core reads them.
fn rows(file: &[u8]) -> Vec<String> {
    let reader = Reader::from_slice(file).unwrap();
    let batches = reader.batches().unwrap().map(Result::unwrap);
    batches
        .flat_map(|batch| batch.values().map(|row| serde_json::to_string(&row).unwrap()).collect::<Vec<_>>())
        .collect()
}

fn list_of(field: Field) -> DataType {
    DataType::List(Arc::new(field))
}
