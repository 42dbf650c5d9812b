//! Dictionaries and runs, as plain arrays.

use super::super::select;
use crate::error::{Error, Result};
use arrow_array::cast::AsArray;
use arrow_array::types::{Int16Type, Int32Type, Int64Type, RunEndIndexType};
use arrow_array::{Array, ArrayRef, RunArray, new_null_array};
use arrow_buffer::ArrowNativeType;
use arrow_schema::DataType;

/// The values of a dictionary or of runs, one for each entry; none of a plain array.
pub(super) fn plain(array: &ArrayRef) -> Result<Option<ArrayRef>> {
    Ok(Some(match array.data_type() {
        DataType::Dictionary(..) => {
            let dictionary = array.as_any_dictionary();
            if dictionary.values().is_empty() || dictionary.values().data_type().is_null() {
                return Ok(Some(new_null_array(dictionary.values().data_type(), array.len())));
            }
            let keys = dictionary.normalized_keys().into_iter().map(|key| key as u64).collect();
            // Runs have no nulls of their own.
            let values = plain(dictionary.values())?;
            select::at_keys(
                values.as_ref().unwrap_or(dictionary.values()),
                keys,
                dictionary.keys().nulls().cloned(),
            )?
        }
        DataType::RunEndEncoded(ends, _) => match ends.data_type() {
            DataType::Int16 => runs(array.as_run::<Int16Type>())?,
            DataType::Int32 => runs(array.as_run::<Int32Type>())?,
            DataType::Int64 => runs(array.as_run::<Int64Type>())?,
            _ => return Err(Error::internal("run ends of another type")),
        },
        _ => return Ok(None),
    }))
}

fn runs<R: RunEndIndexType>(array: &RunArray<R>) -> Result<ArrayRef> {
    let first = array.get_start_physical_index() as u64;
    let mut indices: Vec<u64> = Vec::with_capacity(array.len());
    // Ends within the slice; the last one may be after its end.
    for (run, end) in (first..).zip(array.run_ends().sliced_values()) {
        indices.resize(end.as_usize().min(array.len()), run);
    }
    select::at(array.values(), indices)
}
