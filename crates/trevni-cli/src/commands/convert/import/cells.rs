//! Rows of cells that have as many as there are columns.

use super::Import;
use crate::failure::Failure;
use csv::StringRecord;
use trevni_infer::counts::{Counts, Members};
use trevni_infer::numbers::Spelling;
use trevni_infer::plan::cells::{CellText, Texts};
use trevni_infer::text::{Chunk, Layout, Records, refused};

/// The rows of a chunk.
pub(super) struct CellRows<'a> {
    import: &'a Import<'a>,
    records: Option<Records<'a>>,
    record: StringRecord,
    /// Rows that were skipped.
    pub(super) skipped: u64,
    /// Why the first of them was.
    pub(super) why: Option<String>,
}

/// A row of cells.
pub(super) struct Row<'r> {
    cells: &'r StringRecord,
    quoted: &'r [bool],
    nulls: &'r [String],
    pub(super) line: u64,
}

impl<'r> Row<'r> {
    pub(super) fn cell(&self, number: usize) -> Option<CellText<'r>> {
        let is_quoted = self.quoted.get(number).copied().unwrap_or(false);
        Some(CellText::of(self.cells.get(number)?, is_quoted, self.nulls))
    }

    fn cells(&self) -> impl Iterator<Item = CellText<'r>> {
        (0..self.cells.len()).filter_map(|number| self.cell(number))
    }
}

impl<'a> CellRows<'a> {
    pub(super) fn of(import: &'a Import<'a>, chunk: &'a Chunk) -> Self {
        let records = match import.text.layout {
            Layout::Cells(dialect) => Some(Records::of(chunk, dialect, import.header.names.len())),
            _ => None,
        };
        Self { import, records, record: StringRecord::new(), skipped: 0, why: None }
    }

    /// The next row that is not skipped.
    pub(super) fn next(&mut self) -> Result<Option<Row<'_>>, Failure> {
        let Some(records) = &mut self.records else {
            return Ok(None);
        };
        let line = loop {
            let failure = match records.next(&mut self.record) {
                Ok(None) => return Ok(None),
                Ok(Some(line)) if self.record.len() == self.import.header.names.len() => break line,
                Ok(Some(line)) if self.import.pads(&mut self.record) => break line,
                Ok(Some(line)) => self.import.wrong_count(line, self.record.len()),
                Err(message) => refused(self.import.name(), &message).into(),
            };
            if !self.import.skips() {
                return Err(failure);
            }
            self.skipped += 1;
            self.why.get_or_insert_with(|| failure.message().to_owned());
        };
        let quoted = self.records.as_ref().map_or(&[][..], Records::quoted);
        Ok(Some(Row { cells: &self.record, quoted, nulls: &self.import.nulls, line }))
    }
}

/// The first rows of a chunk, one after the other, so that one thread can read them and another write them.
#[derive(Debug, Default)]
pub(super) struct Table {
    text: String,
    /// Where in the text each cell ends.
    ends: Vec<u32>,
    /// The numbers of cells that are empty and in quotes, which ascend.
    quoted: Vec<u32>,
    /// The line of each row.
    lines: Vec<u64>,
    /// Bytes of the chunk.
    pub(super) bytes: u64,
    /// Rows that were skipped.
    pub(super) skipped: u64,
    /// Why the first of them was.
    pub(super) why: Option<String>,
}

impl Table {
    pub(super) fn of(import: &Import<'_>, chunk: &Chunk, most: usize) -> Result<Self, Failure> {
        let bytes = chunk.text.len();
        // Cells are no longer than what they are read from; rows of one empty cell are not rare.
        let mut table = Self { text: String::with_capacity(bytes), bytes: bytes as u64, ..Self::default() };
        let mut rows = CellRows::of(import, chunk);
        while table.lines.len() < most
            && let Some(row) = rows.next()?
        {
            for (number, cell) in row.cells.iter().enumerate() {
                if cell.is_empty() && row.quoted.get(number) == Some(&true) {
                    let place = u32::try_from(table.ends.len());
                    table.quoted.extend(place);
                }
                table.text.push_str(cell);
                let end = u32::try_from(table.text.len());
                table.ends.push(end.map_err(|_| Failure::new("rows of more than 4 GiB"))?);
            }
            table.lines.push(row.line);
        }
        (table.skipped, table.why) = (rows.skipped, rows.why);
        Ok(table)
    }

    /// The rows, each with its line.
    pub(super) fn rows(&self) -> impl Iterator<Item = (Texts<'_>, u64)> {
        let width = self.ends.len().checked_div(self.lines.len()).unwrap_or(0);
        let row = move |(number, line): (usize, &u64)| {
            let first = number * width;
            let start = first.checked_sub(1).and_then(|last| self.ends.get(last)).copied().unwrap_or(0);
            let ends = self.ends.get(first..first + width).unwrap_or_default();
            let first = u32::try_from(first).unwrap_or(u32::MAX);
            (Texts { text: &self.text, start, ends, first, quoted: &self.quoted }, *line)
        };
        self.lines.iter().enumerate().map(row)
    }
}

/// Adds a row to the tree.
pub(super) fn add(node: &mut Counts, row: &Row<'_>, spelling: &Spelling) {
    node.objects += 1;
    if let Members::Fields(fields) = &mut node.members {
        for (field, cell) in fields.fields.iter_mut().zip(row.cells()) {
            match cell {
                CellText::Null => field.node.nulls += 1,
                CellText::Blank => field.node.blank(),
                CellText::Text(text) if field.node.is_given() => field.node.text(text),
                CellText::Text(text) => field.node.cell(text, spelling),
            }
        }
    }
}
