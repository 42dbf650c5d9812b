//! Whether the contestants give the same rows.

use crate::contestants::{Named, Outcome};
use crate::table::Table;
use arrow_array::{RecordBatch, UInt64Array};
use arrow_schema::SchemaRef;
use arrow_select::concat::concat_batches;
use arrow_select::take::take_record_batch;

/// Compares what each contestant gives with the table: all rows, and each of these selections.
///
/// # Errors
///
/// A contestant that fails, or gives other rows.
pub fn check(table: &Table, contestants: &[Named], selections: &[Vec<u64>]) -> Outcome<()> {
    let whole = table.whole()?;
    for (name, contestant) in contestants {
        if one(&table.schema, &contestant.read()?)? != whole {
            return Err(format!("{name}: a full read gives other rows").into());
        }
        for rows in selections {
            let expected = take_record_batch(&whole, &UInt64Array::from(rows.clone()))?;
            if one(&table.schema, &contestant.take(rows)?)? != expected {
                return Err(format!("{name}: other rows than {rows:?}").into());
            }
        }
    }
    Ok(())
}

/// All rows as one batch. Its columns have to have the types of the schema.
fn one(schema: &SchemaRef, batches: &[RecordBatch]) -> Outcome<RecordBatch> {
    let batches = batches.iter().map(|batch| RecordBatch::try_new(schema.clone(), batch.columns().to_vec()));
    Ok(concat_batches(schema, &batches.collect::<Result<Vec<_>, _>>()?)?)
}
