//! The two files, and the cells that both have.

use super::Diff;
use crate::failure::Failure;
use crate::input::{self, Input};
use crate::rows::{Field, Shown, fields, fields_at, names};
use crate::selecting::filtered;
use std::path::Path;
use trevni::{Batch, Reader, RowSelection, ValueRef};
use trevni_query::Condition;
use trevni_query::paths::{Choice, FieldPath, Pattern};

/// Both files.
pub(super) struct Sides {
    pub(super) before: Side,
    pub(super) after: Side,
    /// The names of the cells.
    pub(super) names: Vec<String>,
    /// Which of the cells are the key.
    pub(super) keys: Vec<usize>,
}

/// One of the files.
pub(super) struct Side {
    pub(super) name: String,
    /// The rows that are asked for, with all their fields that are.
    pub(super) whole: Reader<'static>,
    /// The same with the fields that both files have.
    reader: Reader<'static>,
    /// Where the cells are that both have.
    cells: Vec<Field>,
}

/// Some rows of a file, and their numbers.
pub(super) struct Rows {
    shown: Shown<'static>,
    pub(super) numbers: Vec<u64>,
}

impl Sides {
    pub(super) fn open(args: &Diff, condition: Option<&Condition>) -> Result<Self, Failure> {
        let inputs = [input::open(&args.before)?, input::open(&args.after)?];
        let choice =
            Choice::of(inputs.iter().map(|input| input.reader.shape()), &Pattern::all(&args.columns)?)?;
        let chosen = |number: usize| choice.as_ref().and_then(|choice| choice.fields.get(number));
        let whole = |number: usize, input: &Input| {
            let rows = filtered(&input.reader, &input.name, condition)?;
            match chosen(number) {
                Some(paths) => {
                    rows.project_paths(paths).map_err(|error| Failure::of(Path::new(&input.name), &error))
                }
                None => Ok(rows),
            }
        };
        let [one, other] = &inputs;
        let (one_rows, other_rows) = (whole(0, one)?, whole(1, other)?);
        let order = choice.as_ref().map(|choice| choice.all.as_slice());
        let cells = |rows: &Reader<'_>| match order {
            Some(order) => fields_at(rows.shape(), order),
            None => fields(rows.shape()),
        };
        let (own, others) = (cells(&one_rows), cells(&other_rows));
        let there = |path: &FieldPath| others.iter().any(|field| field.path == *path);
        let common: Vec<FieldPath> =
            own.iter().map(|field| field.path.clone()).filter(|path| there(path)).collect();
        let names = names(&common);
        let keys = keys(args, one_rows.shape(), &common)?;
        Ok(Self {
            before: Side::new(one, one_rows, &common)?,
            after: Side::new(other, other_rows, &common)?,
            names,
            keys,
        })
    }
}

/// Which of the cells that both files have are the key.
fn keys(args: &Diff, shape: &trevni::Shape, common: &[FieldPath]) -> Result<Vec<usize>, Failure> {
    let patterns = Pattern::all(&args.key)?;
    let Some(wanted) = Choice::of([shape], &patterns)?.map(|choice| choice.all) else {
        return Ok(Vec::new());
    };
    let mut keys = Vec::new();
    for path in wanted {
        let before = keys.len();
        keys.extend((0..common.len()).filter(|at| common.get(*at).is_some_and(|own| own.is_within(&path))));
        if keys.len() == before {
            let failure = Failure::usage(format!("{path} is not a field that is compared in both files"));
            return Err(failure.hint("The fields of the key are among those of -c"));
        }
    }
    Ok(keys)
}

impl Side {
    fn new(input: &Input, whole: Reader<'static>, common: &[FieldPath]) -> Result<Self, Failure> {
        let name = input.name.clone();
        let reader = match common {
            // A row that is no record.
            [path] if path.is_row() => whole.clone(),
            _ => whole.project_paths(common).map_err(|error| Failure::of(Path::new(&name), &error))?,
        };
        let all = fields(reader.shape());
        let cells = common.iter().filter_map(|path| all.iter().find(|field| field.path == *path).cloned());
        Ok(Self { cells: cells.collect(), name, whole, reader })
    }

    /// Number of rows.
    pub(super) fn row_count(&self) -> Result<u64, Failure> {
        let rows = self.reader.matching().map_err(|error| self.failed(&error))?;
        Ok(rows.row_count())
    }

    pub(super) fn failed(&self, error: &trevni::Error) -> Failure {
        Failure::of(Path::new(&self.name), error)
    }

    /// All rows, some at a time.
    pub(super) fn rows(&self) -> Result<impl Iterator<Item = Result<Rows, Failure>> + '_, Failure> {
        let batches = self.reader.batches().map_err(|error| self.failed(&error))?;
        Ok(batches.map(|batch| self.shown(batch.map_err(|error| self.failed(&error))?)))
    }

    /// The rows of these numbers, which ascend.
    pub(super) fn at(&self, numbers: &[u64]) -> Result<Vec<Rows>, Failure> {
        let selection: RowSelection = numbers.iter().map(|number| *number..number + 1).collect();
        let selected = self.reader.select(selection).map_err(|error| self.failed(&error))?;
        let batches = selected.batches().map_err(|error| self.failed(&error))?;
        batches.map(|batch| self.shown(batch.map_err(|error| self.failed(&error))?)).collect()
    }

    fn shown(&self, batch: Batch) -> Result<Rows, Failure> {
        let numbers = batch.selection().ranges().iter().cloned().flatten().collect();
        let shown = Shown::owned(batch).map_err(|error| Failure::io(&self.name, &error))?;
        Ok(Rows { shown, numbers })
    }

    /// The cells of a row.
    pub(super) fn cells<'r>(
        &'r self,
        rows: &'r Rows,
        at: usize,
    ) -> impl Iterator<Item = Option<ValueRef<'r>>> {
        let row = rows.shown.row(at);
        self.cells.iter().map(move |cell| row.and_then(|row| cell.of(row)))
    }
}
