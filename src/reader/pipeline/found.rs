//! Which rows a reader reads.

use crate::error::Result;
use crate::reader::Reader;
use crate::selection::RowSelection;

/// Which rows a reader reads, and what it took to know.
pub(in crate::reader) struct Found {
    /// Rows that are selected and not excluded.
    pub(in crate::reader) candidates: RowSelection,
    /// Rows for which parts of the predicate had to be evaluated, and the columns of each.
    pub(in crate::reader) evaluated: Vec<(Vec<usize>, RowSelection)>,
    /// Rows for which it is true.
    pub(in crate::reader) matching: RowSelection,
}

/// Finds the rows that a reader reads.
pub(in crate::reader) fn found(reader: &Reader<'_>) -> Result<Found> {
    let selected = reader.selected()?;
    match &reader.filter {
        Some(filtered) => filtered.found(reader, &selected),
        None => {
            let matching = RowSelection::clone(&selected);
            Ok(Found { candidates: matching.clone(), evaluated: Vec::new(), matching })
        }
    }
}
