//! Rows that are at the same place in both files.

use super::changes::{Change, Changes, changed, texts};
use super::encode::Comparing;
use super::side::{Rows, Side, Sides};
use crate::failure::Failure;
use crate::progress::Progress;

/// Rows of a file, one after the other.
struct Walk<'s> {
    side: &'s Side,
    rows: Box<dyn Iterator<Item = Result<Rows, Failure>> + 's>,
    current: Option<Rows>,
    at: usize,
}

impl<'s> Walk<'s> {
    fn new(side: &'s Side) -> Result<Self, Failure> {
        Ok(Self { side, rows: Box::new(side.rows()?), current: None, at: 0 })
    }

    /// How many rows are at hand; none after the last.
    fn ready(&mut self) -> Result<usize, Failure> {
        loop {
            let left = self.current.as_ref().map_or(0, |rows| rows.numbers.len()).saturating_sub(self.at);
            if left > 0 {
                return Ok(left);
            }
            match self.rows.next() {
                Some(rows) => (self.current, self.at) = (Some(rows?), 0),
                None => return Ok(0),
            }
        }
    }

    fn here(&self) -> Option<(&Rows, usize)> {
        Some((self.current.as_ref()?, self.at))
    }
}

/// What has become of the rows; a number of them is shown.
pub(super) fn changes(sides: &Sides, most: u64) -> Result<Changes, Failure> {
    let (mut changes, mut comparing) = (Changes::default(), Comparing::default());
    let (mut one, mut other) = (Walk::new(&sides.before)?, Walk::new(&sides.after)?);
    let progress = Progress::rows("comparing", sides.before.row_count()?.max(sides.after.row_count()?));
    let failed = |error: serde_json::Error| Failure::new(error.to_string());
    loop {
        let both = one.ready()?.min(other.ready()?);
        for _ in 0..both {
            let (Some(before), Some(after)) = (one.here(), other.here()) else {
                break;
            };
            let cells = sides.before.cells(before.0, before.1).zip(sides.after.cells(after.0, after.1));
            match cells.into_iter().all(|(one, other)| comparing.is_same(one, other)) {
                true => changes.equal += 1,
                false => {
                    changes.changed += 1;
                    if !changes.is_full(most) {
                        let changed = changed(sides, before, after, &mut comparing).map_err(failed)?;
                        changes.shown.push(Change::Changed(changed));
                    }
                }
            }
            (one.at, other.at) = (one.at + 1, other.at + 1);
        }
        progress.add(both as u64);
        if both == 0 {
            break;
        }
    }
    changes.removed = rest(&mut one, &mut changes, most, Change::Removed)?;
    changes.added = rest(&mut other, &mut changes, most, Change::Added)?;
    Ok(changes)
}

/// Counts the rows that the other file does not have.
fn rest(
    walk: &mut Walk<'_>,
    changes: &mut Changes,
    most: u64,
    make: fn(u64, Vec<super::changes::Text>) -> Change,
) -> Result<u64, Failure> {
    let mut count = 0;
    loop {
        let ready = walk.ready()?;
        if ready == 0 {
            return Ok(count);
        }
        let Some((rows, at)) = walk.here() else {
            return Ok(count);
        };
        for at in at..at + ready {
            if changes.is_full(most) {
                break;
            }
            let cells = texts(walk.side, rows, at).map_err(|error| Failure::new(error.to_string()))?;
            changes.shown.push(make(rows.numbers.get(at).copied().unwrap_or_default(), cells));
        }
        count += ready as u64;
        walk.at += ready;
    }
}
