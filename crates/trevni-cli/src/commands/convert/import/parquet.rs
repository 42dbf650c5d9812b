//! Parquet to columns: the types are known, and an Avro schema stays as it is.

use super::super::args::Convert;
use super::whole;
use crate::failure::Failure;
use crate::human::count;
use crate::input::{ParquetInput, Part};
use crate::output::{self, Columns, Target};
use std::path::Path;

/// Writes the rows of a Parquet file to a file of columns.
pub(in crate::commands::convert) fn run(
    args: &Convert,
    input: &ParquetInput,
    output: &Path,
) -> Result<(), Failure> {
    let rows =
        whole::convert(args, &input.name, output, |target, output| write(args, input, target, output))?;
    output::made(&input.name, output, count(rows, "row"), input.bytes);
    Ok(())
}

/// Writes the first rows, with all fields.
fn write(args: &Convert, input: &ParquetInput, target: Target, output: &Path) -> Result<u64, Failure> {
    let failed = |error| Failure::of_parquet(&input.name, error);
    let fields = input.chosen(&args.columns)?;
    let rows = input.rows(Part { fields, rows: args.number, ..Part::default() })?;
    let target = target.try_with(|builder| rows.options(builder)).map_err(failed)?;
    let target = target
        .with(|builder| args.meta.iter().fold(builder, |builder, (key, value)| builder.metadata(key, value)));
    let mut columns = Columns::new(target, output, args.force)?;
    for batch in rows {
        let written = columns.write_batch(&batch.map_err(failed)?);
        written.map_err(|error| Failure::of(output, &error))?;
    }
    let count = columns.row_count();
    columns.finish()?;
    Ok(count)
}
