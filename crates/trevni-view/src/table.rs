//! The rows of all files as one table, of which cells are read when they are wanted.

use crate::Write;
use crate::failure::Failure;
use crate::format::Format;
use crate::input::{DataFile, Input, Several, Wanted};
use crate::output::refuse_existing;
use crate::rows::{Field, Heading, Shown, fields_of_all, located, names};
use crate::shown::shown;
use std::cell::RefCell;
use std::ops::Range;
use std::path::Path;
use trevni::{Reader, RowSelection, Shape, ValueRef};
use trevni_query::paths::{Choice, FieldPath, Pattern};

/// A cell as it is drawn: a text that steers no terminal; `None` where it is null.
pub(super) type Cell = Option<String>;

/// Bytes of a value that are made text for a cell.
const CELL_BYTES: usize = 512;

/// The rows of all files. Rows are numbered from 0 through all of them.
pub(super) struct Table {
    files: Several,
    /// The number of the first row of each file, and of all rows.
    starts: Vec<u64>,
    fields: Vec<Field>,
    headings: Vec<Heading>,
    /// The file that was used last: opening one again may cost much.
    last: RefCell<Option<(usize, Input)>>,
}

impl Table {
    /// Opens files; no rows are read.
    pub(super) fn open(files: &[DataFile]) -> Result<Self, Failure> {
        let files = Several::open(files, &Wanted { columns: &[], condition: None, rows: u64::MAX })?;
        Ok(Self::of(files))
    }

    pub(super) fn of(files: Several) -> Self {
        let mut starts = vec![0];
        for rows in files.rows() {
            let before = starts.last().copied().unwrap_or(0);
            starts.push(u64::saturating_add(before, rows));
        }
        let fields = fields_of_all(files.shapes(), None);
        let paths: Vec<FieldPath> = fields.iter().map(|field| field.path.clone()).collect();
        let headings = names(&paths).into_iter().zip(&fields).map(|(name, field)| field.heading(name).safe());
        let headings = headings.collect();
        Self { files, starts, fields, headings, last: RefCell::new(None) }
    }

    /// Number of rows.
    pub(super) fn rows(&self) -> u64 {
        self.starts.last().copied().unwrap_or(0)
    }

    /// Number of files, or of parts of them that are read as files.
    pub(super) fn parts(&self) -> usize {
        self.files.count()
    }

    /// The numbers of the rows of a file.
    pub(super) fn rows_of(&self, part: usize) -> Range<u64> {
        let at = |number: usize| self.starts.get(number).copied().unwrap_or(0);
        at(part)..at(part + 1)
    }

    pub(super) fn shapes(&self) -> impl Iterator<Item = &Shape> {
        self.files.shapes()
    }

    /// The columns: names and types that steer no terminal.
    pub(super) fn headings(&self) -> &[Heading] {
        &self.headings
    }

    pub(super) fn path(&self, column: usize) -> Option<&FieldPath> {
        self.fields.get(column).map(|field| &field.path)
    }

    /// The columns that patterns name, in their order; `None` where there are no patterns.
    pub(super) fn chosen(&self, patterns: &[String]) -> Result<Option<Vec<usize>>, Failure> {
        let choice = Choice::of(self.files.shapes(), &Pattern::all(patterns)?)?;
        let Some(choice) = choice else { return Ok(None) };
        let fields = fields_of_all(self.files.shapes(), Some(&choice.all));
        let number = |field: &Field| self.fields.iter().position(|own| own.path == field.path);
        Ok(Some(fields.iter().filter_map(number).collect()))
    }

    /// A file by its number.
    pub(super) fn input(&self, part: usize) -> Result<Input, Failure> {
        let mut last = self.last.borrow_mut();
        if let Some((number, input)) = &*last
            && *number == part
        {
            return Ok(input.clone());
        }
        let input = self.files.input(part)?;
        *last = Some((part, input.clone()));
        Ok(input)
    }

    /// Calls `each` with a row's number, a place in `columns` and the value, for all of these, in the order of the
    /// files. Reads the blocks of these columns that have the rows, and nothing else.
    pub(super) fn visit(
        &self,
        rows: &RowSelection,
        columns: &[usize],
        mut each: impl FnMut(u64, usize, Option<ValueRef<'_>>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let wanted: Vec<&Field> = columns.iter().filter_map(|column| self.fields.get(*column)).collect();
        self.read(rows, &wanted, |row, fields, value| {
            for (at, field) in fields.iter().enumerate() {
                each(row, at, field.of(value))?;
            }
            Ok(())
        })
    }

    /// Calls `each` with a row's value, which has at least these fields, and where they are.
    fn read(
        &self,
        rows: &RowSelection,
        wanted: &[&Field],
        mut each: impl FnMut(u64, &[Field], ValueRef<'_>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        for part in 0..self.parts() {
            let own = self.own(rows, part);
            if own.is_empty() {
                continue;
            }
            let input = self.input(part)?;
            let failed = |error: trevni::Error| Failure::of(Path::new(&input.name), &error);
            let reader = projected(&input.reader, wanted.iter().map(|field| &field.path)).map_err(failed)?;
            let wanted: Vec<Field> = wanted.iter().map(|field| (*field).clone()).collect();
            let fields = located(reader.shape(), &wanted);
            let start = self.rows_of(part).start;
            for batch in reader.select(own).and_then(|reader| reader.batches()).map_err(failed)? {
                let batch = batch.map_err(failed)?;
                let selection = batch.selection().clone();
                let shown = Shown::owned(batch).map_err(|error| Failure::io(&input.name, &error))?;
                for (index, number) in selection.ranges().iter().cloned().flatten().enumerate() {
                    if let Some(row) = shown.row(index) {
                        each(start + number, &fields, row)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Calls `then` with the whole value of a row, or with that of one column.
    pub(super) fn with_row<T>(
        &self,
        row: u64,
        column: Option<usize>,
        mut then: impl FnMut(ValueRef<'_>) -> T,
    ) -> Result<Option<T>, Failure> {
        let mut found = None;
        let row = RowSelection::from(row..row.saturating_add(1));
        match column {
            Some(column) => self.visit(&row, &[column], |_, _, value| {
                found = value.map(&mut then);
                Ok(())
            }),
            None => {
                let all: Vec<&Field> = self.fields.iter().collect();
                self.read(&row, &all, |_, _, value| {
                    found = Some(then(value));
                    Ok(())
                })
            }
        }?;
        Ok(found)
    }

    /// The cells of each column in rows of any order.
    pub(super) fn cells(&self, rows: &[u64], columns: &[usize]) -> Result<Vec<Vec<Cell>>, Failure> {
        let mut out = vec![vec![None; rows.len()]; columns.len()];
        let mut places: Vec<(u64, usize)> = rows.iter().copied().zip(0..).collect();
        places.sort_unstable();
        let wanted: RowSelection = rows.iter().copied().collect();
        self.visit(&wanted, columns, |row, column, value| {
            let text = value.map(|value| cell(&value));
            let from = places.partition_point(|(number, _)| *number < row);
            for (_, place) in places.iter().skip(from).take_while(|(number, _)| *number == row) {
                if let Some(cell) = out.get_mut(column).and_then(|cells| cells.get_mut(*place)) {
                    cell.clone_from(&text);
                }
            }
            Ok(())
        })?;
        Ok(out)
    }

    /// Writes rows of a selection, with these columns, in the format that the name says. Returns their number.
    pub(super) fn write(
        &self,
        rows: &RowSelection,
        columns: &[usize],
        output: &Path,
        write: Write,
    ) -> Result<u64, Failure> {
        if Format::of_name(output).is_none() {
            let name = output.display();
            return Err(Failure::usage(format!("{name}: no format has this ending, such as .csv")));
        }
        refuse_existing(output, false)?;
        let mut readers = Vec::new();
        for part in 0..self.parts() {
            let own = self.own(rows, part);
            // One of them shows what there is.
            if own.is_empty() && (!readers.is_empty() || part + 1 < self.parts()) {
                continue;
            }
            let input = self.input(part)?;
            let failed = |error: trevni::Error| Failure::of(Path::new(&input.name), &error);
            let paths = columns.iter().filter_map(|column| self.path(*column));
            let reader = projected(&input.reader, paths).and_then(|reader| reader.select(own));
            readers.push((reader.map_err(failed)?, input.name));
        }
        write(&readers, output)
    }

    /// The rows of a selection that a file has, by their numbers in it.
    pub(super) fn own(&self, rows: &RowSelection, part: usize) -> RowSelection {
        let all = self.rows_of(part);
        let within = rows.intersection(&RowSelection::from(all.clone()));
        within.ranges().iter().map(|range| range.start - all.start..range.end - all.start).collect()
    }
}

/// A reader of the fields that a file has.
pub(super) fn projected<'s, 'p>(
    reader: &Reader<'s>,
    paths: impl Iterator<Item = &'p FieldPath>,
) -> trevni::Result<Reader<'s>> {
    let own = fields_of_all([reader.shape()], None);
    let paths: Vec<&FieldPath> = paths.filter(|path| own.iter().any(|field| field.path == **path)).collect();
    match paths.iter().any(|path| path.is_row()) {
        true => Ok(reader.clone()),
        false => reader.project_paths(paths),
    }
}

/// A value as the text of a cell; what is long is cut.
pub(super) fn cell(value: &ValueRef<'_>) -> String {
    let (start, is_cut) = beginning(value, CELL_BYTES);
    let mut text = shown(&start).into_owned();
    if is_cut {
        text.push_str(crate::drawing::ellipsis());
    }
    text
}

/// A value as text, all of it.
pub(super) fn whole(value: &ValueRef<'_>) -> String {
    beginning(value, usize::MAX).0
}

/// The first bytes of a value as text, and whether there are more.
fn beginning(value: &ValueRef<'_>, most: usize) -> (String, bool) {
    if let Some(text) = value.as_str() {
        let end = (0..=most.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
        let start = text.get(..end).unwrap_or_default().to_owned();
        return (start, end < text.len());
    }
    let mut bounded = Bounded { bytes: Vec::new(), most };
    let is_cut = serde_json::to_writer(&mut bounded, &crate::rows::Json(value)).is_err();
    let valid = bounded.bytes.utf8_chunks().next().map(|chunk| chunk.valid().trim_matches('"').to_owned());
    (valid.unwrap_or_default(), is_cut)
}

/// Takes a number of bytes.
struct Bounded {
    bytes: Vec<u8>,
    most: usize,
}

impl std::io::Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let room = self.most - self.bytes.len().min(self.most);
        if room == 0 {
            return Err(std::io::Error::other("enough"));
        }
        let taken = bytes.get(..room.min(bytes.len())).unwrap_or_default();
        self.bytes.extend_from_slice(taken);
        Ok(taken.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
