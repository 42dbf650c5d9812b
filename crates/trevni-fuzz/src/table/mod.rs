//! Tables of random columns, and whether a file has their rows.

pub(crate) mod column;
pub(crate) mod forms;

use crate::cell::Cell;
use crate::choices::Choices;
use crate::metadata::Metadata;
use column::{CHILDREN, Column};
use std::ops::Range;
use trevni::verify::Verify;
use trevni::{Category, Error, Limits, Reader, col};

/// Names of columns.
pub(crate) const NAMES: [&str; 6] = ["a", "b", "c", "d", "e", "f"];

/// Rows by their columns, each of values or of arrays.
pub(crate) struct Table {
    pub(crate) rows: usize,
    pub(crate) columns: Vec<Column>,
    /// Whether lengths may be in runs: not in version 1.
    pub(crate) has_runs: bool,
    selected: Vec<Range<u64>>,
    /// The memory that a reader has once.
    memory: u64,
}

/// A column of a file.
pub(crate) struct Named<'t> {
    pub(crate) name: String,
    pub(crate) parent: Option<String>,
    pub(crate) column: &'t Column,
}

impl Named<'_> {
    /// Its metadata, with some more.
    pub(crate) fn metadata(&self, more: &[(&str, &[u8])]) -> Metadata {
        let mut own = metadata(&self.column.entries(&self.name, self.parent.as_deref()));
        own.0.extend(metadata(more).0);
        own
    }
}

/// Reads a file of a table, and compares the rows if no number in it is wrong.
///
/// # Panics
///
/// Where a file without a wrong number has other rows or is damaged, and as [`read`](crate::read).
pub(crate) fn read((table, file, is_right): (Table, Vec<u8>, bool)) {
    if is_right {
        table.check(&file);
    }
    crate::read(&file);
}

impl Table {
    pub(crate) fn any(choices: &mut Choices<'_>, rows: usize, columns: usize) -> Self {
        let has_runs = !choices.one_in(8);
        let columns = (0..columns).map(|_| Column::any(choices, rows, has_runs)).collect();
        let selected = choices.some(3, |choices| {
            let start = choices.below(rows + 1) as u64;
            start..(start + choices.below(rows.min(40) + 1) as u64).min(rows as u64)
        });
        let memory = choices.pick(&[1000, 4000, 20_000, 100_000]);
        Self { rows, columns, has_runs, selected, memory }
    }

    pub(crate) fn magic(&self) -> [u8; 4] {
        if self.has_runs { *b"Trv\x02" } else { *b"Trv\x01" }
    }

    /// The columns with their names.
    pub(crate) fn named(&self) -> impl Iterator<Item = (&'static str, &Column)> {
        NAMES.into_iter().zip(&self.columns)
    }

    /// All columns as files have them, with the names that a schema gives them or plain ones.
    pub(crate) fn in_order(&self, has_schema: bool) -> Vec<Named<'_>> {
        let mut all = Vec::new();
        for (name, column) in self.named() {
            let own = if has_schema && column.is_array() { format!("{name}[]") } else { name.to_owned() };
            all.push(Named { name: own.clone(), parent: None, column });
            for (field, child) in CHILDREN.iter().zip(&column.children) {
                // Without a schema, too, what is before the separator is no part of the field's name.
                all.push(Named { name: format!("{own}#{field}"), parent: Some(own.clone()), column: child });
            }
        }
        all
    }

    fn row(&self, number: usize) -> Cell {
        Cell::Record(self.named().map(|(name, column)| (Cell::text(name), column.cell(number))).collect())
    }

    /// Checks that a file has these rows, in all ways of reading.
    pub(crate) fn check(&self, bytes: &[u8]) {
        let report = Verify::new().source(bytes).expect("a source in memory does not fail");
        let findings = report.findings.iter().map(|finding| finding.error().to_string());
        assert!(report.is_ok(), "{:?}", findings.collect::<Vec<_>>());
        let reader = Reader::builder().source(bytes).expect("the file is opened");
        let threads = Reader::builder().threads(2).source(bytes).expect("the file is opened");
        let salvaged = Reader::builder().salvage().source(bytes).expect("the file is opened");
        assert!(salvaged.lost().is_ok_and(|lost| lost.is_empty()), "something of a whole file is lost");
        for reader in [&reader, &threads, &salvaged] {
            self.compare(reader, 0..self.rows);
        }
        self.compare_in_little(bytes);
        if let Some(last) = self.rows.checked_sub(1) {
            for number in [last, last / 2] {
                assert_eq!(reader.row::<Cell>(number as u64).expect("a row is read"), self.row(number));
            }
        }
        for range in &self.selected {
            let selected = reader.select([range.clone()]).expect("rows are selected");
            self.compare(&selected, range.start as usize..range.end as usize);
        }
        for (name, column) in self.named() {
            let Some(integers) = column.integers() else { continue };
            let Some(border) = integers.get(integers.len() / 2) else { continue };
            let matching = reader.filter(col(name).ge(*border)).and_then(|reader| reader.matching());
            let rows = integers.iter().zip(0..).filter(|(integer, _)| *integer >= border).map(|(_, row)| row);
            assert_eq!(matching.expect("rows are compared"), rows.collect::<trevni::RowSelection>());
        }
    }

    /// Where there is little memory, rows are the same, or a limit is met.
    fn compare_in_little(&self, bytes: &[u8]) {
        let limits = Limits::DEFAULT.memory(self.memory);
        let is_limit = |error: Error| assert_eq!(error.category(), Category::Limit, "{error}");
        let read = Reader::builder().limits(limits).source(bytes).and_then(|reader| reader.rows::<Cell>());
        let read = match read {
            Ok(read) => read,
            Err(error) => return is_limit(error),
        };
        for (number, row) in read.enumerate() {
            match row {
                Ok(row) => assert!(row == self.row(number), "row {number} is {row:?} in little memory"),
                Err(error) => return is_limit(error),
            }
        }
    }

    fn compare(&self, reader: &Reader<'_>, rows: Range<usize>) {
        let mut found = reader.rows::<Cell>().expect("rows are read");
        for number in rows {
            let row = found.next().expect("there are as many rows").expect("a row is read");
            assert!(row == self.row(number), "row {number} is {row:?}, not {:?}", self.row(number));
        }
        assert!(found.next().is_none(), "there are more rows");
    }
}

/// Keys and values.
pub(crate) fn metadata(entries: &[(&str, &[u8])]) -> Metadata {
    Metadata(entries.iter().map(|(key, value)| (key.as_bytes().to_vec(), value.to_vec())).collect())
}
