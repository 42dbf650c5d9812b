//! Files of all kinds, through Arrow: their rows stay what they are.

mod golden;
mod types;

use arrow_array::RecordBatch;
use std::sync::Arc;
use trevni::{Batch, Reader, Vector};
use trevni_arrow::{ArrowReader, ArrowWriter};

/// The rows of batches, as JSON.
fn json(batches: &[Batch]) -> Vec<String> {
    let rows = batches.iter().flat_map(Batch::values);
    rows.map(|row| serde_json::to_string(&row).unwrap()).collect()
}

fn batches(reader: &Reader<'_>) -> Vec<Batch> {
    reader.batches().unwrap().collect::<trevni::Result<_>>().unwrap()
}

/// Reads a file as record batches, makes batches of these, and a file; compares all three.
#[track_caller]
fn assert_carried(reader: &Reader<'_>) {
    let own = batches(reader);
    let rows = json(&own);

    let arrow = ArrowReader::builder(reader).batch_size(7).build().unwrap();
    let schema = arrow_array::RecordBatchReader::schema(&arrow);
    let arrow: Vec<RecordBatch> = arrow.collect::<Result<_, _>>().unwrap();
    for batch in &arrow {
        assert_eq!(batch.schema(), schema);
        // Arrow's own look at all that the arrays promise.
        batch.columns().iter().for_each(|column| column.to_data().validate_full().unwrap());
    }
    let again: Vec<Batch> =
        arrow.iter().map(|batch| trevni_arrow::batch_of_record_batch(batch).unwrap()).collect();
    assert_eq!(json(&again), rows);
    for batch in &again {
        assert_eq!(batch.shape(), &trevni::Shape::from_avro(&reader.shape().to_avro()).unwrap());
    }

    let mut writer = ArrowWriter::new(Vec::new(), Arc::clone(&schema)).unwrap();
    writer.write_all(arrow.into_iter().map(Ok)).unwrap();
    let file = writer.finish().unwrap();
    let written = Reader::from_slice(&file).unwrap();
    assert_eq!(written.row_count(), reader.row_count());
    let written_rows = batches(&written);
    assert_eq!(json(&written_rows), rows);
    assert_eq!(trevni_arrow::schema_of_reader(&written).unwrap().fields(), schema.fields());

    // One by one, so that each array is small.
    let single = own.iter().flat_map(|batch| (0..batch.len()).map(move |row| (batch, row))).take(50);
    for ((batch, row), expected) in single.zip(&rows) {
        let one = Batch::gather(std::slice::from_ref(&copy(batch)), &[(0, row)]).unwrap();
        let there = trevni_arrow::record_batch_of_batch(one).unwrap();
        let back = trevni_arrow::batch_of_record_batch(&there).unwrap();
        assert_eq!(json(&[back]), std::slice::from_ref(expected));
    }
}

fn copy(batch: &Batch) -> Batch {
    Batch::try_new(batch.shape().clone(), Vector::clone(batch.vector())).unwrap()
}
