//! Reads back what was written, and compares it with the source, value by value.

use super::cells::CellRows;
use super::write::Done;
use super::{Import, Known};
use crate::failure::Failure;
use crate::human::{count, thousands};
use crate::input;
use crate::progress::{self, Progress};
use crate::rows::Shown;
use crate::text::each;
use serde_json::value::RawValue;
use std::path::Path;
use trevni::ValueRef;
use trevni::reader::Batches;
use trevni_infer::plan::compare::{self, Difference};
use trevni_infer::text::Chunk;

/// Compares all rows of the source with the rows of the file.
pub(super) fn check(import: &Import<'_>, known: &Known, done: &Done, output: &Path) -> Result<(), Failure> {
    let reader = input::open(output)?.reader;
    let batches = reader.batches().map_err(|error| Failure::of(output, &error))?;
    let progress = Progress::rows("checking", done.rows);
    let written = Written { path: output, batches, batch: None, at: 0 };
    let mut checking = Checking { import, known, done, written, rows: 0, read: 0 };
    each(&import.text, |chunk| {
        match import.is_cells() {
            true => checking.cells(chunk)?,
            false => checking.json(chunk)?,
        }
        progress.set(checking.rows);
        Ok(checking.rows < done.rows)
    })?;
    drop(progress);
    if checking.rows != reader.row_count() {
        let (found, expected) = (count(reader.row_count(), "row"), thousands(checking.rows));
        return Err(Failure::new(format!("{} has {found}, not {expected}", output.display())));
    }
    progress::note(format_args!("checked {}: equal", count(checking.rows, "row")));
    Ok(())
}

/// The rows of the file, one by one.
struct Written<'a> {
    path: &'a Path,
    batches: Batches<'static>,
    batch: Option<Shown<'static>>,
    /// The row of the batch that comes next.
    at: usize,
}

impl Written<'_> {
    fn next(&mut self) -> Result<ValueRef<'_>, Failure> {
        if self.batch.as_ref().is_none_or(|batch| self.at >= batch.len()) {
            self.at = 0;
            let batch = self.batches.next().transpose().map_err(|error| Failure::of(self.path, &error))?;
            let batch = batch.filter(|batch| !batch.is_empty()).map(Shown::owned).transpose();
            self.batch = batch.map_err(|error| Failure::new(error.to_string()))?;
        }
        self.at += 1;
        let row = self.batch.as_ref().and_then(|batch| batch.row(self.at - 1));
        row.ok_or_else(|| Failure::new(format!("{} has fewer rows than the source", self.path.display())))
    }
}

struct Checking<'a> {
    import: &'a Import<'a>,
    known: &'a Known,
    done: &'a Done,
    written: Written<'a>,
    rows: u64,
    /// Rows of the source, skipped ones included.
    read: u64,
}

impl Checking<'_> {
    fn json(&mut self, chunk: &Chunk) -> Result<(), Failure> {
        let import = self.import;
        for row in chunk.rows() {
            if self.rows >= self.done.rows {
                break;
            }
            self.read += 1;
            if self.done.skipped.binary_search(&(self.read - 1)).is_ok() {
                continue;
            }
            let text = import.utf8(&row)?;
            let raw: &RawValue = serde_json::from_str(text).map_err(|error| import.no_json(&row, &error))?;
            let compared = compare::json(&self.known.plan, raw, self.written.next()?);
            compared.map_err(|difference| differs(import, row.line, &difference))?;
            self.rows += 1;
        }
        Ok(())
    }

    fn cells(&mut self, chunk: &Chunk) -> Result<(), Failure> {
        let import = self.import;
        let Some(record) = self.known.plan.record() else {
            return Ok(());
        };
        let (places, spelling) = (import.places(record)?, &import.spelling);
        let mut cells = CellRows::of(import, chunk);
        while self.rows < self.done.rows
            && let Some(row) = cells.next()?
        {
            let ValueRef::Record(written) = self.written.next()? else {
                return Err(Failure::new("rows of cells that are no records"));
            };
            let kept = record.fields.iter().zip(&places).filter(|(field, _)| field.kept);
            for (number, (field, place)) in kept.enumerate() {
                let text = place.and_then(|place| row.cell(place)).and_then(|cell| cell.text(&field.plan));
                let compared = compare::cell(&field.plan, text, spelling, written.field(number));
                compared.map_err(|difference| differs(import, row.line, &difference.below(field.name)))?;
            }
            self.rows += 1;
        }
        Ok(())
    }
}

#[cold]
fn differs(import: &Import<'_>, line: u64, difference: &Difference) -> Failure {
    let (name, path) = (import.name(), difference.path());
    let (source, written) = (&difference.source, &difference.written);
    Failure::new(format!("{name} line {line}: {path} is {source}, but {written} was written"))
}
