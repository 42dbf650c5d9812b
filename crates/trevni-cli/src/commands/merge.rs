//! Several files in one, and one file in several; blocks are copied where that is possible.

use crate::args::{Merge, Split};
use crate::expression;
use crate::failure::Failure;
use crate::human::thousands;
use crate::input;
use crate::output::refuse_existing;
use std::path::Path;
use trevni::Reader;

pub(crate) fn merge(args: &Merge) -> Result<u8, Failure> {
    refuse_existing(&args.output, args.force)?;
    let filter = args.filter.as_deref().map(expression::parse).transpose()?;
    let mut readers: Vec<Reader<'static>> = Vec::new();
    for path in &args.files {
        let input = input::open(path)?;
        let reader = match &filter {
            Some(filter) => input.reader.filter(filter.clone()),
            None => Ok(input.reader),
        };
        readers.push(reader.map_err(|error| Failure::of(Path::new(&input.name), &error))?);
    }
    let merged = trevni::Merge::new().create(&readers, &args.output);
    let merged = merged.map_err(|error| Failure::of(&args.output, &error))?;
    anstream::eprintln!(
        "{}: {} rows of {} files, {} blocks copied, {} written anew",
        args.output.display(),
        thousands(merged.rows),
        args.files.len(),
        thousands(merged.blocks_copied),
        thousands(merged.blocks_recoded + merged.blocks_rewritten)
    );
    Ok(0)
}

pub(crate) fn split(args: &Split) -> Result<u8, Failure> {
    let input = input::open(&args.file)?;
    let parts = trevni::split(&input.reader, args.rows, &args.output);
    let parts = parts.map_err(|error| Failure::of(&args.output, &error))?;
    let rows = thousands(input.reader.row_count());
    anstream::eprintln!("{}: {rows} rows in {} parts", args.output.display(), parts.len());
    Ok(0)
}
