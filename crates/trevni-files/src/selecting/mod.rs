//! Which rows of a file are asked for: by a condition (`-w`), and some of those from the start or the end.

mod picked;
mod random;

pub use picked::{Picked, picked};

use crate::failure::Failure;
use crate::input::Wanted;
use crate::parallel;
use random::random;
use std::ops::Range;
use std::path::Path;
use trevni::{Reader, RowSelection};
use trevni_query::{Binder, Condition, Residual};

/// Some of the rows, in their order.
#[derive(Clone, Copy, Debug)]
pub enum Which {
    /// A number of rows after the ones skipped at the start.
    First { skip: u64, count: u64 },
    /// A number of rows before the ones skipped at the end.
    Last { skip: u64, count: u64 },
    /// A number of the rows after the first, chosen at random by a seed.
    Random { skip: u64, count: u64, seed: u64 },
}

impl Which {
    /// What is wanted of files for these rows.
    pub fn wanted<'a>(self, columns: &'a [String], condition: Option<&'a Condition>) -> Wanted<'a> {
        let rows = match self {
            Self::First { skip, count } if condition.is_none() => skip.saturating_add(count),
            _ => u64::MAX,
        };
        Wanted { columns, condition, rows }
    }
}

/// Reads the condition of `-w`.
pub fn condition(text: Option<&str>) -> Result<Option<Condition>, Failure> {
    Ok(text.map(Condition::parse).transpose()?)
}

/// A reader of the rows for which a condition is true. The reader must have all its fields.
pub fn filtered<'s>(
    reader: &Reader<'s>,
    name: &str,
    condition: Option<&Condition>,
) -> Result<Reader<'s>, Failure> {
    let part = FilteredFile::of(reader, name, condition, false)?;
    match part.rest {
        Some(_) => part.select(part.rows(u64::MAX)?),
        None => Ok(part.filtered),
    }
}

/// The first `None` of several results.
pub fn in_one<T>(results: impl IntoIterator<Item = Result<T, Failure>>) -> Result<(), Failure> {
    let mut results = results.into_iter();
    let first = results.next().map_or(Ok(()), |result| result.map(drop));
    if first.is_err() && results.any(|result| result.is_ok()) { Ok(()) } else { first }
}

/// A file, and what a condition leaves of it.
struct FilteredFile<'r, 's> {
    reader: &'r Reader<'s>,
    name: &'r str,
    filtered: Reader<'s>,
    /// What is to be computed.
    rest: Option<Residual>,
    lenient: bool,
}

impl<'r, 's> FilteredFile<'r, 's> {
    fn of(
        reader: &'r Reader<'s>,
        name: &'r str,
        condition: Option<&Condition>,
        lenient: bool,
    ) -> Result<Self, Failure> {
        let binder = Binder { lenient, ..Binder::new(reader.shape()) };
        let (filtered, rest) = match condition {
            Some(condition) => condition.push_down(reader, &binder)?,
            None => (reader.clone(), None),
        };
        Ok(Self { reader, name, filtered, rest, lenient })
    }

    /// The rows that match the condition; of computed rows only the first ones.
    fn rows(&self, most: u64) -> Result<RowSelection, Failure> {
        match &self.rest {
            Some(rest) => rest
                .matching(&self.filtered, self.lenient, most)
                .map_err(|error| Failure::of_query(Path::new(self.name), error)),
            None => self.filtered.matching().map_err(|error| self.failed(&error)),
        }
    }

    fn select(&self, rows: RowSelection) -> Result<Reader<'s>, Failure> {
        self.reader.select(rows).map_err(|error| self.failed(&error))
    }

    fn failed(&self, error: &trevni::Error) -> Failure {
        Failure::of(Path::new(self.name), error)
    }
}

/// The number of matching rows, which several threads count.
///
/// # Errors
///
/// As [`Reader::rows`].
pub fn matching_count(found: &Reader<'_>) -> trevni::Result<u64> {
    // A block with rows of two parts is decoded for both, so only many rows are worth a thread.
    let parts = (found.row_count() >> 16).clamp(1, parallel::threads() as u64);
    let parts = found.split(parts as usize)?;
    std::thread::scope(|scope| {
        let counts: Vec<_> = parts.iter().map(|part| scope.spawn(|| part.matching_count())).collect();
        counts
            .into_iter()
            .map(|count| count.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .sum()
    })
}

/// A reader whose explanation has all that it takes to know for which rows a condition is true.
pub fn deciding<'s>(reader: &Reader<'s>, name: &str, condition: &Condition) -> Result<Reader<'s>, Failure> {
    let (filtered, rest) = condition.push_down(reader, &Binder::new(reader.shape()))?;
    let fields = rest.map(|rest| rest.fields(&filtered)).unwrap_or_default();
    filtered.project_paths(fields).map_err(|error| Failure::of(Path::new(name), &error))
}

/// The first rows of those that a reader selects.
pub fn first_rows(reader: &Reader<'_>, count: u64) -> trevni::Result<RowSelection> {
    Ok(part(&reader.matching()?, Which::First { skip: 0, count }))
}

/// The part of a selection that is asked for.
fn part(rows: &RowSelection, which: Which) -> RowSelection {
    let all = rows.row_count();
    let (start, end) = match which {
        Which::First { skip, count } => (skip, skip.saturating_add(count)),
        Which::Last { skip, count } => {
            let end = all.saturating_sub(skip);
            (end.saturating_sub(count), end)
        }
        Which::Random { skip, count, seed } => {
            return random(&part(rows, Which::First { skip, count: all }), count, seed);
        }
    };
    let mut before = 0;
    let part = |range: &Range<u64>| {
        let within =
            |position: u64| range.start + position.saturating_sub(before).min(range.end - range.start);
        let part = within(start)..within(end);
        before += range.end - range.start;
        part
    };
    rows.ranges().iter().map(part).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_of_what_is_selected() {
        let rows = RowSelection::from([2..5, 10..12]);
        let numbers = |which| part(&rows, which).ranges().iter().cloned().flatten().collect::<Vec<_>>();
        assert_eq!(numbers(Which::First { skip: 2, count: 2 }), [4, 10]);
        assert_eq!(numbers(Which::First { skip: 9, count: 2 }), [0u64; 0]);
        assert_eq!(numbers(Which::Last { skip: 1, count: 2 }), [4, 10]);
        assert_eq!(numbers(Which::Last { skip: 0, count: u64::MAX }), [2, 3, 4, 10, 11]);
    }
}
