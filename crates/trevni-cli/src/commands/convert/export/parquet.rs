//! Columns to Parquet.

use super::super::args::Convert;
use super::chosen_rows;
use crate::failure::Failure;
use crate::human::count;
use crate::input::Input;
use crate::output::{self, Output, refuse_packed};
use std::path::Path;

/// Writes the rows of a file as Parquet, and says so.
pub(in crate::commands::convert) fn run(args: &Convert, input: Input, output: &Path) -> Result<(), Failure> {
    let (name, bytes) = (input.name.clone(), input.bytes);
    let rows = quietly(args, input, output)?;
    output::made(&name, output, count(rows, "row"), bytes);
    Ok(())
}

/// As [`run`], without a summary. Rows are read row group by row group. Returns the number of rows.
pub(in crate::commands::convert) fn quietly(
    args: &Convert,
    input: Input,
    output: &Path,
) -> Result<u64, Failure> {
    let Input { name, reader, .. } = input;
    if !args.meta.is_empty() {
        let failure =
            Failure::usage("--meta cannot be used where columns become Parquet: their metadata is kept");
        return Err(failure.hint("To add some first: trevni recode --meta"));
    }
    let options = args.written.encoding.parquet(&args.written.parquet)?;
    let (rows, _, total) = chosen_rows(args, &name, &reader)?;
    refuse_packed(output)?;
    let out = Output::new(Some(output), args.force)?;
    let done = trevni_parquet::to_parquet(&rows, options, out);
    done.map_err(|error| Failure::of_parquet(&name, error))?.finish()?;
    Ok(total)
}
