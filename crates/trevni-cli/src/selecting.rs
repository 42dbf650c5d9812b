//! Which rows of a file are asked for: by a condition (`-w`), and some of those from the start or the end.

use crate::commands::sample::random;
use crate::expression::{Binder, Condition, Rest, Scope};
use crate::failure::Failure;
use crate::input::{Input, Several};
use std::ops::Range;
use std::path::Path;
use trevni::{Reader, RowSelection};

/// Some of the rows, in their order.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Which {
    /// So many behind those that are left out at the start.
    First { skip: u64, count: u64 },
    /// So many before those that are left out at the end.
    Last { skip: u64, count: u64 },
    /// So many of those behind the first, which a number chooses by chance.
    Random { skip: u64, count: u64, seed: u64 },
}

/// Reads the condition of `-w`.
pub(crate) fn condition(text: Option<&str>) -> Result<Option<Condition>, Failure> {
    text.map(Condition::parse).transpose()
}

/// A reader of the rows for which a condition is true. The reader must have all its fields.
pub(crate) fn filtered<'s>(
    reader: &Reader<'s>,
    name: &str,
    condition: Option<&Condition>,
) -> Result<Reader<'s>, Failure> {
    let part = Part::of(reader, name, condition, false)?;
    match part.rest {
        Some(_) => part.select(part.rows(u64::MAX)?),
        None => Ok(part.filtered),
    }
}

/// Which rows of a file are asked for.
pub(crate) enum Picked {
    /// Those that a condition leaves which the file decides itself.
    Filtered,
    Rows(RowSelection),
}

/// Which rows of several files are asked for, as if they were one. A condition must fit one of them at least;
/// to others, fields that they do not have are null.
pub(crate) fn picked(
    files: &Several,
    condition: Option<&Condition>,
    which: Which,
) -> Result<Vec<Picked>, Failure> {
    if let Some(condition) = condition {
        let check = |shape| condition.check(&Binder { shape, lenient: false, exploded: None });
        in_one(files.shapes().map(check))?;
    }
    let rows = |number: usize, most: u64| {
        let input = files.input(number)?;
        Part::of(&input.reader, &input.name, condition, files.len() > 1)?.rows(most)
    };
    match which {
        Which::First { skip, count } => first(files, condition, skip, count, &rows),
        Which::Last { skip, count } => last(files, skip, count, &rows),
        Which::Random { .. } => {
            let all = (0..files.len()).map(|number| rows(number, u64::MAX));
            let all = all.collect::<Result<Vec<_>, _>>()?;
            let numbers: Vec<u64> = files.rows().collect();
            let picked = apart(&part(&joined(&all, &numbers), which), &numbers);
            Ok(picked.into_iter().map(Picked::Rows).collect())
        }
    }
}

impl Picked {
    /// A reader of these rows.
    pub(crate) fn reader(
        self,
        input: &Input,
        condition: Option<&Condition>,
        lenient: bool,
    ) -> Result<Reader<'static>, Failure> {
        let part = Part::of(&input.reader, &input.name, condition, lenient)?;
        match self {
            Self::Filtered => Ok(part.filtered),
            Self::Rows(rows) => part.select(rows),
        }
    }
}

/// The first of several results that is none, where all are.
pub(crate) fn in_one<T>(results: impl IntoIterator<Item = Result<T, Failure>>) -> Result<(), Failure> {
    let mut results = results.into_iter();
    let first = results.next().map_or(Ok(()), |result| result.map(drop));
    if first.is_err() && results.any(|result| result.is_ok()) { Ok(()) } else { first }
}

/// A file, and what a condition leaves of it.
struct Part<'r, 's> {
    reader: &'r Reader<'s>,
    name: &'r str,
    filtered: Reader<'s>,
    /// What is to be computed.
    rest: Option<Rest>,
    lenient: bool,
}

impl<'r, 's> Part<'r, 's> {
    fn of(
        reader: &'r Reader<'s>,
        name: &'r str,
        condition: Option<&Condition>,
        lenient: bool,
    ) -> Result<Self, Failure> {
        let binder = Binder { shape: reader.shape(), lenient, exploded: None };
        let (filtered, rest) = match condition {
            Some(condition) => condition.part(reader, &binder)?,
            None => (reader.clone(), None),
        };
        Ok(Self { reader, name, filtered, rest, lenient })
    }

    /// The rows that the condition leaves; of those that are computed only the first ones.
    fn rows(&self, most: u64) -> Result<RowSelection, Failure> {
        match &self.rest {
            Some(rest) => matching(&self.filtered, self.name, rest, self.lenient, most),
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

type Rows<'f> = dyn Fn(usize, u64) -> Result<RowSelection, Failure> + 'f;

/// Some rows behind the first. Files that decide a condition themselves are read until there are enough.
fn first(
    files: &Several,
    condition: Option<&Condition>,
    mut skip: u64,
    mut count: u64,
    rows: &Rows<'_>,
) -> Result<Vec<Picked>, Failure> {
    let mut picked = Vec::with_capacity(files.len());
    for number in 0..files.len() {
        if count == 0 {
            picked.push(Picked::Rows(RowSelection::default()));
            continue;
        }
        let input = files.input(number)?;
        let part = Part::of(&input.reader, &input.name, condition, files.len() > 1)?;
        if skip == 0 && part.rest.is_none() && (condition.is_some() || count == u64::MAX) {
            picked.push(Picked::Filtered);
            continue;
        }
        let all = rows(number, skip.saturating_add(count))?;
        let own = self::part(&all, Which::First { skip, count });
        skip = skip.saturating_sub(all.row_count());
        count = if count == u64::MAX { count } else { count - own.row_count() };
        picked.push(Picked::Rows(own));
    }
    Ok(picked)
}

/// Some rows before the last.
fn last(files: &Several, mut skip: u64, mut count: u64, rows: &Rows<'_>) -> Result<Vec<Picked>, Failure> {
    let mut picked = Vec::with_capacity(files.len());
    for number in (0..files.len()).rev() {
        let own = match count {
            0 => RowSelection::default(),
            _ => {
                let all = rows(number, u64::MAX)?;
                let own = part(&all, Which::Last { skip, count });
                skip = skip.saturating_sub(all.row_count());
                count -= own.row_count();
                own
            }
        };
        picked.push(Picked::Rows(own));
    }
    picked.reverse();
    Ok(picked)
}

/// Rows of files that follow each other, as if they were one; each has so many rows.
fn joined(rows: &[RowSelection], numbers: &[u64]) -> RowSelection {
    let (mut before, mut all) = (0, Vec::new());
    for (rows, number) in rows.iter().zip(numbers) {
        all.extend(rows.ranges().iter().map(|range| range.start + before..range.end + before));
        before += number;
    }
    all.into_iter().collect()
}

/// The rows of each file.
fn apart(rows: &RowSelection, numbers: &[u64]) -> Vec<RowSelection> {
    let mut before = 0;
    let own = |number: &u64| {
        let (start, end) = (before, before + number);
        before = end;
        let within =
            |range: &Range<u64>| range.start.clamp(start, end) - start..range.end.clamp(start, end) - start;
        rows.ranges().iter().map(within).filter(|range| !range.is_empty()).collect()
    };
    numbers.iter().map(own).collect()
}

/// A reader whose explanation has all that it takes to know for which rows a condition is true.
pub(crate) fn deciding<'s>(
    reader: &Reader<'s>,
    name: &str,
    condition: &Condition,
) -> Result<Reader<'s>, Failure> {
    let binder = Binder { shape: reader.shape(), lenient: false, exploded: None };
    let (filtered, rest) = condition.part(reader, &binder)?;
    let fields = rest.map(|rest| rest.fields(&filtered)).unwrap_or_default();
    filtered.project_paths(fields).map_err(|error| Failure::of(Path::new(name), &error))
}

/// The first rows of a reader for which the rest of a condition is true.
fn matching(
    reader: &Reader<'_>,
    name: &str,
    rest: &Rest,
    lenient: bool,
    most: u64,
) -> Result<RowSelection, Failure> {
    let failed = |error: trevni::Error| Failure::of(Path::new(name), &error);
    let reader = reader.project_paths(rest.fields(reader)).map_err(failed)?;
    let bound = rest.bind(&Binder { shape: reader.shape(), lenient, exploded: None })?;
    let (mut ranges, mut count): (Vec<Range<u64>>, _) = (Vec::new(), 0);
    for batch in reader.batches().map_err(failed)? {
        let batch = batch.map_err(failed)?;
        let rows = Rest::rows(&bound, &Scope::of(&batch))?;
        let mut numbers = batch.selection().ranges().iter().cloned().flatten();
        let mut next = 0;
        for row in rows {
            // The numbers ascend as the rows do.
            let Some(number) = numbers.nth((row - next) as usize) else {
                break;
            };
            next = row + 1;
            match ranges.last_mut() {
                Some(last) if last.end == number => last.end += 1,
                _ => ranges.push(number..number + 1),
            }
            count += 1;
        }
        if count >= most {
            break;
        }
    }
    Ok(ranges.into_iter().collect())
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

    #[test]
    fn files_that_follow_each_other_are_as_one() {
        let rows =
            [RowSelection::from([2..5, 7..9]), RowSelection::default(), RowSelection::from([0..2, 3..4])];
        let numbers = [10, 3, 4];
        let all = joined(&rows, &numbers);
        assert_eq!(all.ranges(), [2..5, 7..9, 13..15, 16..17]);
        assert_eq!(apart(&all, &numbers), rows);
        assert_eq!(apart(&RowSelection::from(9..14), &numbers)[1..], [(0..3).into(), (0..1).into()]);
    }
}
