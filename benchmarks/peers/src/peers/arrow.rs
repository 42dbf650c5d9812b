//! What parquet and arrow-ipc have in common: rows become record batches through serde_arrow.

use super::Outcome;
use arrow_array::RecordBatch;
use arrow_schema::{FieldRef, Schema};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_arrow::schema::{SchemaLike, TracingOptions};
use std::sync::Arc;

/// Rows in a record batch.
pub(super) const BATCH_ROWS: usize = 64 * 1024;

/// The fields of the rows, found from their type before anything is timed.
pub(super) struct Fields(Vec<FieldRef>);

impl Fields {
    pub(super) fn of<T: DeserializeOwned>() -> Self {
        let options = TracingOptions::default().enums_without_data_as_strings(true);
        Self(Vec::from_type::<T>(options).expect("the type can be traced"))
    }

    pub(super) fn schema(&self) -> Arc<Schema> {
        Arc::new(Schema::new(self.0.clone()))
    }

    /// The rows as batches.
    pub(super) fn batches<T: Serialize>(&self, rows: &[T]) -> impl Iterator<Item = Outcome<RecordBatch>> {
        rows.chunks(BATCH_ROWS).map(|rows| Ok(serde_arrow::to_record_batch(&self.0, &rows)?))
    }
}

/// The rows of batches.
pub(super) fn rows<T, E>(batches: impl Iterator<Item = Result<RecordBatch, E>>) -> Outcome<Vec<T>>
where
    T: DeserializeOwned,
    E: std::error::Error + 'static,
{
    let mut rows = Vec::new();
    for batch in batches {
        rows.append(&mut serde_arrow::from_record_batch::<Vec<T>>(&batch?)?);
    }
    Ok(rows)
}
