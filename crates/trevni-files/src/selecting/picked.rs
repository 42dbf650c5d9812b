//! Which rows of several files are asked for, as if they were one.

use super::{FilteredFile, Which, in_one, part};
use crate::failure::Failure;
use crate::input::{Input, Several};
use std::ops::Range;
use trevni::{Reader, RowSelection};
use trevni_query::{Binder, Condition};

/// Which rows of a file are asked for.
pub enum Picked {
    /// Those that a condition leaves which the file decides itself.
    Filtered,
    Rows(RowSelection),
}

/// Which rows of several files are asked for, as if they were one. A condition must fit one of them at least;
/// to others, fields that they do not have are null.
pub fn picked(files: &Several, condition: Option<&Condition>, which: Which) -> Result<Vec<Picked>, Failure> {
    if let Some(condition) = condition {
        let check = |shape| Ok(condition.check(&Binder::new(shape))?);
        in_one(files.shapes().map(check))?;
    }
    let counts: Vec<u64> = files.rows().collect();
    let rows = |number: usize, most: u64| {
        if condition.is_none() {
            return Ok((0..counts.get(number).copied().unwrap_or(0)).into());
        }
        let input = files.input(number)?;
        FilteredFile::of(&input.reader, &input.name, condition, files.count() > 1)?.rows(most)
    };
    match which {
        Which::First { skip, count } => first(files, condition, skip, count, &rows),
        Which::Last { skip, count } => last(files, skip, count, &rows),
        Which::Random { .. } => {
            let all = (0..files.count()).map(|number| rows(number, u64::MAX));
            let all = all.collect::<Result<Vec<_>, _>>()?;
            let picked = apart(&part(&joined(&all, &counts), which), &counts);
            Ok(picked.into_iter().map(Picked::Rows).collect())
        }
    }
}

impl Picked {
    /// Whether it is certainly empty.
    pub fn is_empty(&self) -> bool {
        matches!(self, Self::Rows(rows) if rows.row_count() == 0)
    }

    /// A reader of these rows.
    pub fn reader(
        self,
        input: &Input,
        condition: Option<&Condition>,
        lenient: bool,
    ) -> Result<Reader<'static>, Failure> {
        let part = FilteredFile::of(&input.reader, &input.name, condition, lenient)?;
        match self {
            Self::Filtered => Ok(part.filtered),
            Self::Rows(rows) => part.select(rows),
        }
    }
}

type Rows<'f> = dyn Fn(usize, u64) -> Result<RowSelection, Failure> + 'f;

/// Some rows after the first. Files that decide a condition themselves are read until there are enough.
fn first(
    files: &Several,
    condition: Option<&Condition>,
    mut skip: u64,
    mut count: u64,
    rows: &Rows<'_>,
) -> Result<Vec<Picked>, Failure> {
    let mut picked = Vec::with_capacity(files.count());
    for number in 0..files.count() {
        if count == 0 {
            picked.push(Picked::Rows(RowSelection::default()));
            continue;
        }
        let decides = match condition {
            None => count == u64::MAX,
            Some(_) => {
                let input = files.input(number)?;
                FilteredFile::of(&input.reader, &input.name, condition, files.count() > 1)?.rest.is_none()
            }
        };
        if skip == 0 && decides {
            picked.push(Picked::Filtered);
            continue;
        }
        let all = rows(number, skip.saturating_add(count))?;
        let own = part(&all, Which::First { skip, count });
        skip = skip.saturating_sub(all.row_count());
        count = if count == u64::MAX { count } else { count - own.row_count() };
        picked.push(Picked::Rows(own));
    }
    Ok(picked)
}

/// Some rows before the last.
fn last(files: &Several, mut skip: u64, mut count: u64, rows: &Rows<'_>) -> Result<Vec<Picked>, Failure> {
    let mut picked = Vec::with_capacity(files.count());
    for number in (0..files.count()).rev() {
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

/// Rows of files that follow each other, as if they were one; with the rows of each.
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

#[cfg(test)]
mod tests {
    use super::*;

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
