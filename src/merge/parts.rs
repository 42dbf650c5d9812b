//! The inputs of a merge, block by block: columns of files that are as the result has them, and columns that are encoded again.

use super::inputs::{Inputs, Joined};
use super::made::Made;
use crate::convert::Conversion;
use crate::dialect::merge::{self as dialects, Merged, Options, Outline, Part, Source};
use crate::error::{Error, Result};
use crate::reader::Reader;
use crate::shape::Shape;
use crate::tree::{Matches, Tree};
use std::io::Write;
use std::path::Path;

/// Writes the rows of Trevni files into one, block by block where columns are as those of the result, whose rows have a
/// shape.
///
/// # Errors
///
/// Projected readers, what cannot be decoded where it must be, a sink that fails.
pub(super) fn merge(
    inputs: &Inputs<'_, '_>,
    joined: &Joined,
    options: &Options,
    sink: &mut dyn Write,
    beside: &Path,
) -> Result<Merged> {
    let first = inputs.first()?;
    let has_schema = |reader: &Reader<'_>| reader.metadata().contains(crate::metadata::SCHEMA);
    let shape = &joined.shape;
    let is_first = joined.is_first && (has_schema(first) || !inputs.readers.iter().any(has_schema));
    let outline = match is_first {
        true => dialects::outline_of_first(first.file(), first.schema())?,
        false => dialects::outline_of_shape(&joined.known, inputs.are_derived(shape))?,
    };
    let plans = inputs.readers.iter().enumerate().map(|(number, reader)| {
        plan(reader, shape, &outline, beside).map_err(|error| inputs.here(number, error))
    });
    let plans = plans.collect::<Result<Vec<_>>>()?;
    let mut parts = Vec::with_capacity(plans.len());
    for (number, (reader, plan)) in inputs.readers.iter().zip(&plans).enumerate() {
        let (file, rows) = reader.whole_rows().map_err(|error| inputs.here(number, error))?;
        let path = inputs.names.get(number).map(std::path::PathBuf::as_path);
        let made = plan.made.as_ref().map(|made| made.file());
        parts.push(Part { file, rows, path, made, sources: plan.sources.clone() });
    }
    dialects::merge(&parts, &outline, options, sink)
}

/// Where the columns of the result are in a file.
struct Plan {
    sources: Vec<Source>,
    made: Option<Made>,
}

fn plan(reader: &Reader<'_>, shape: &Shape, outline: &Outline, beside: &Path) -> Result<Plan> {
    reader.whole_rows()?;
    let conversion = Conversion::from_rows(reader.row_count(), &reader.known_shape(), shape)?;
    let matches = Matches::new(&conversion, &Tree::new(reader.shape()), &Tree::new(shape));
    let mut sources = dialects::sources(outline, reader.file(), reader.schema(), &matches)?;
    let mut made = None;
    if sources.contains(&None) {
        let nodes = outline.nodes_of(|column| sources.get(column).is_some_and(Option::is_none));
        let file = Made::new(reader, shape, outline.tree(), &matches, &nodes, beside)?;
        let found = dialects::made(outline, file.schema(), |whole| file.node(whole));
        for (source, found) in sources.iter_mut().zip(found) {
            *source = source.or(found);
        }
        made = Some(file);
    }
    let sources = sources.into_iter().collect::<Option<Vec<_>>>();
    let sources = sources.ok_or_else(|| Error::internal("a column of the result has not been made"))?;
    Ok(Plan { sources, made })
}
