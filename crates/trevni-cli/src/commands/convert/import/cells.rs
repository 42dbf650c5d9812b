//! Rows of cells that have as many as there are columns.

use super::Import;
use crate::failure::Failure;
use crate::infer::cell::Cell;
use crate::infer::{Members, Node};
use crate::plan::cells::is_null;
use crate::text::{Chunk, Layout, Records};
use csv::StringRecord;

/// The rows of a chunk.
pub(super) struct Cells<'a> {
    import: &'a Import<'a>,
    records: Option<Records<'a>>,
    record: StringRecord,
    /// Rows that were left out.
    pub(super) skipped: u64,
    /// Why the first of them was.
    pub(super) why: Option<String>,
}

/// A row of cells.
pub(super) struct Row<'r> {
    pub(super) cells: &'r StringRecord,
    pub(super) line: u64,
}

impl<'a> Cells<'a> {
    pub(super) fn of(import: &'a Import<'a>, chunk: &'a Chunk) -> Self {
        let records = match import.text.layout {
            Layout::Cells(dialect) => Some(Records::of(chunk, dialect)),
            _ => None,
        };
        Self { import, records, record: StringRecord::new(), skipped: 0, why: None }
    }

    /// The next row, without those that are left out.
    pub(super) fn next(&mut self) -> Result<Option<Row<'_>>, Failure> {
        let Some(records) = &mut self.records else {
            return Ok(None);
        };
        let line = loop {
            let failure = match records.next(&mut self.record) {
                Ok(None) => return Ok(None),
                Ok(Some(line)) if self.record.len() == self.import.header.names.len() => break line,
                Ok(Some(line)) => self.import.wrong_count(line, self.record.len()),
                Err(message) => Failure::new(format!("{} {message}", self.import.name())),
            };
            if !self.import.skips() {
                return Err(failure);
            }
            self.skipped += 1;
            self.why.get_or_insert_with(|| failure.message().to_owned());
        };
        Ok(Some(Row { cells: &self.record, line }))
    }
}

/// Adds a row to the tree.
pub(super) fn add(node: &mut Node, cells: &StringRecord, nulls: &[String]) {
    node.objects += 1;
    if let Members::Fields(fields) = &mut node.members {
        for (field, text) in fields.fields.iter_mut().zip(cells) {
            match is_null(text, nulls) {
                true => field.node.nulls += 1,
                false if field.node.is_given() => field.node.text(text),
                false => Cell::of(text).add_to(&mut field.node),
            }
        }
    }
}
