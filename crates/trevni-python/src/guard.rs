//! Batches at the border: no panic may pass it, and a text of an error must have no null byte.

use crate::error::Failure;
use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What a function returns, or an error where it panics.
pub(crate) fn caught<T>(call: impl FnOnce() -> Result<T, ArrowError>) -> Result<T, ArrowError> {
    catch_unwind(AssertUnwindSafe(call)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no reason given");
        Err(ArrowError::CDataInterface(format!("a panic: {text}")))
    })
}

/// Batches that return an error in place of a panic. After an error there are no more.
pub(crate) struct Guarded<B> {
    batches: B,
    is_done: bool,
    is_exported: bool,
}

impl<B: RecordBatchReader> Guarded<B> {
    pub(crate) fn new(batches: B) -> Self {
        Self { batches, is_done: false, is_exported: false }
    }

    /// Batches whose errors pass the C interface: as a kind and a text that a null byte would end.
    pub(crate) fn exported(batches: B) -> Self {
        Self { is_exported: true, ..Self::new(batches) }
    }
}

impl<B: RecordBatchReader> Iterator for Guarded<B> {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_done {
            return None;
        }
        let next = caught(|| self.batches.next().transpose()).transpose();
        self.is_done = !matches!(next, Some(Ok(_)));
        next.map(|batch| batch.map_err(|error| if self.is_exported { exported(error) } else { error }))
    }
}

impl<B: RecordBatchReader> RecordBatchReader for Guarded<B> {
    fn schema(&self) -> SchemaRef {
        self.batches.schema()
    }
}

fn exported(error: ArrowError) -> ArrowError {
    let failure = Failure::from(error);
    let text = failure.to_string().replace('\0', "\\0");
    match failure.is_io() {
        true => ArrowError::IoError(text.clone(), std::io::Error::other(text)),
        false => ArrowError::CDataInterface(text),
    }
}
