//! Sorts rows by a column: with bounded memory, and temporary files beyond it.

use super::{Outcome, STEP_ROWS};
use crate::failure::Failure;
use crate::order::{Order, Sorted};
use crate::sorter::{self, Sorter};
use crate::table::{Table, projected};
use std::cell::RefCell;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;
use trevni::RowSelection;
use trevni_query::{Binder, Expression, Scope, SortKey};

/// How long a step waits for the rows in order.
const WAIT: Duration = Duration::from_millis(10);

/// Rows by a column.
pub(crate) struct Sort {
    table: Rc<Table>,
    column: usize,
    descends: bool,
    /// The rows, in the order of the files.
    order: Rc<Order>,
    rows: RowSelection,
    total: u64,
    /// The number of the next row, and of rows that are read.
    next: u64,
    done: u64,
    state: State,
}

enum State {
    Reading(Sorter),
    /// Another thread writes the numbers of the rows, and counts them.
    Writing(JoinHandle<Result<File, Failure>>, Arc<AtomicU64>),
    Ended,
}

impl Sort {
    pub(crate) fn new(table: &Rc<Table>, order: Rc<Order>, column: usize, descends: bool) -> Self {
        let (table, rows, total) = (Rc::clone(table), order.selection(), order.rows());
        let state = State::Reading(Sorter::new(sorter::MEMORY, usize::MAX));
        Self { table, column, descends, order, rows, total, next: 0, done: 0, state }
    }

    pub(super) fn progress(&self) -> (&'static str, u64, u64) {
        match &self.state {
            State::Writing(_, written) => ("sorting", written.load(Ordering::Relaxed), self.total),
            _ => ("reading", self.done, self.total),
        }
    }

    pub(super) fn step(&mut self) -> Result<Option<Outcome>, Failure> {
        match std::mem::replace(&mut self.state, State::Ended) {
            State::Reading(mut sorter) if self.next < self.table.rows() => {
                self.read(&mut sorter)?;
                self.state = State::Reading(sorter);
                Ok(None)
            }
            State::Reading(sorter) => {
                let written = Arc::new(AtomicU64::new(0));
                let count = Arc::clone(&written);
                self.state = State::Writing(thread::spawn(move || numbers(sorter, &count)), written);
                Ok(None)
            }
            State::Writing(thread, written) if !thread.is_finished() => {
                self.state = State::Writing(thread, written);
                thread::sleep(WAIT);
                Ok(None)
            }
            State::Writing(thread, _) => {
                let ended = thread.join().unwrap_or_else(|_| Err(Failure::new("sorting ended early")));
                Ok(Some(self.sorted(ended?)))
            }
            State::Ended => Err(Failure::new("sorting ended early")),
        }
    }

    fn sorted(&self, numbers: File) -> Outcome {
        let before = Rc::clone(&self.order);
        let sorted = Sorted { numbers: RefCell::new(numbers), rows: self.total, before };
        Outcome::Sorted { column: self.column, descends: self.descends, order: Order::Sorted(sorted) }
    }

    /// Gives the sorter some more rows.
    fn read(&mut self, sorter: &mut Sorter) -> Result<(), Failure> {
        let end = (self.next + STEP_ROWS).min(self.table.rows());
        let rows = self.rows.intersection(&RowSelection::from(self.next..end));
        for part in 0..self.table.parts() {
            let own = self.table.own(&rows, part);
            if !own.is_empty() {
                self.of_part(part, own, sorter)?;
            }
        }
        self.done += rows.row_count();
        self.next = end;
        Ok(())
    }

    fn of_part(&self, part: usize, rows: RowSelection, sorter: &mut Sorter) -> Result<(), Failure> {
        let Some(path) = self.table.path(self.column) else { return Ok(()) };
        let input = self.table.input(part)?;
        let failed = |error: trevni::Error| Failure::of(Path::new(&input.name), &error);
        let reader = projected(&input.reader, std::iter::once(path)).map_err(failed)?;
        let key = Expression::of_path(path);
        let bound = key.bind(&Binder { lenient: true, ..Binder::new(reader.shape()) })?;
        if !bound.kind.has_order() {
            return Err(Failure::usage(format!("{} is {}, which has no order", path, bound.kind.name())));
        }
        let by = SortKey::new(self.descends, [bound.kind]);
        let (mut bytes, start) = (Vec::new(), self.table.rows_of(part).start);
        for batch in reader.select(rows).and_then(|reader| reader.batches()).map_err(failed)? {
            let batch = batch.map_err(failed)?;
            let values = bound.evaluate(&Scope::of(&batch))?;
            for (index, number) in batch.selection().ranges().iter().cloned().flatten().enumerate() {
                bytes.clear();
                by.append(values.get(index), &mut bytes);
                sorter.push(&bytes, &(start + number).to_le_bytes())?;
            }
        }
        Ok(())
    }
}

/// Writes the numbers of the rows in order to a file without a name.
fn numbers(sorter: Sorter, count: &AtomicU64) -> Result<File, Failure> {
    let failed = |error: std::io::Error| Failure::io("a temporary file", &error);
    let mut out = BufWriter::new(tempfile::tempfile().map_err(failed)?);
    sorter.finish(|number| {
        out.write_all(number).map_err(failed)?;
        count.fetch_add(1, Ordering::Relaxed);
        Ok(true)
    })?;
    out.into_inner().map_err(|error| failed(error.into_error()))
}
