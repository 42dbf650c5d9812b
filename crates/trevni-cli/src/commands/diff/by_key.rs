//! Rows that have the same key, wherever they are.
//!
//! Of the first file, keys stay in memory, with the number of the row and a hash of all its cells of 128 bits, by a key of
//! its own for each run, so that nobody can make rows that differ and have one hash.

use super::changes::{Change, Changes, changed, texts};
use super::encode::{Comparing, encode};
use super::side::{Rows, Side, Sides};
use crate::failure::Failure;
use crate::progress::Progress;
use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};

/// A row of the first file.
struct Entry {
    row: u64,
    hash: u128,
    /// The next one with the same key.
    next: u32,
}

/// No entry.
const NONE: u32 = u32::MAX;

/// Which rows have a key, from the first to the last.
#[derive(Clone, Copy)]
struct Chain {
    first: u32,
    last: u32,
}

/// Makes hashes and keys of rows.
struct Hashing<'k> {
    keys: &'k [usize],
    states: [RandomState; 2],
    key: Vec<u8>,
    all: Vec<u8>,
}

impl Hashing<'_> {
    /// The key of a row, in `self.key`, and the hash of all its cells.
    fn row(&mut self, side: &Side, rows: &Rows, at: usize) -> u128 {
        self.key.clear();
        self.all.clear();
        for (number, cell) in side.cells(rows, at).enumerate() {
            if self.keys.contains(&number) {
                encode(cell, &mut self.key);
            }
            encode(cell, &mut self.all);
        }
        let [low, high] = self.states.each_ref().map(|state| u128::from(state.hash_one(self.all.as_slice())));
        high << 64 | low
    }
}

/// What has become of the rows; a number of them is shown.
pub(super) fn changes(sides: &Sides, most: u64) -> Result<Changes, Failure> {
    let states = [RandomState::new(), RandomState::new()];
    let mut hashing = Hashing { keys: &sides.keys, states, key: Vec::new(), all: Vec::new() };
    let (mut entries, mut chains) = (Vec::<Entry>::new(), HashMap::<Box<[u8]>, Chain>::new());
    let progress = Progress::rows("comparing", sides.before.row_count()? + sides.after.row_count()?);
    for rows in sides.before.rows()? {
        let rows = rows?;
        for (at, row) in rows.numbers.iter().enumerate() {
            let hash = hashing.row(&sides.before, &rows, at);
            let new = u32::try_from(entries.len()).ok().filter(|new| *new < NONE);
            let new = new.ok_or_else(|| Failure::new("--key compares at most 4,294,967,294 rows"))?;
            entries.push(Entry { row: *row, hash, next: NONE });
            match chains.get_mut(hashing.key.as_slice()) {
                Some(chain) => {
                    if let Some(last) = entries.get_mut(chain.last as usize) {
                        last.next = new;
                    }
                    chain.last = new;
                }
                None => {
                    chains.insert(hashing.key.as_slice().into(), Chain { first: new, last: new });
                }
            }
        }
        progress.add(rows.numbers.len() as u64);
    }
    let (mut changes, mut pairs, mut added) = (Changes::default(), Vec::new(), Vec::new());
    let mut is_seen = vec![false; entries.len()];
    for rows in sides.after.rows()? {
        let rows = rows?;
        for (at, row) in rows.numbers.iter().enumerate() {
            let hash = hashing.row(&sides.after, &rows, at);
            let chain = chains.get_mut(hashing.key.as_slice()).filter(|chain| chain.first != NONE);
            let found = chain.and_then(|chain| {
                let entry = entries.get(chain.first as usize)?;
                if let Some(seen) = is_seen.get_mut(chain.first as usize) {
                    *seen = true;
                }
                chain.first = entry.next;
                Some(entry)
            });
            let few = (pairs.len() + added.len()) < usize::try_from(most).unwrap_or(usize::MAX);
            match found {
                Some(entry) if entry.hash == hash => changes.equal += 1,
                Some(entry) => {
                    changes.changed += 1;
                    pairs.extend(few.then_some((entry.row, *row)));
                }
                None => {
                    changes.added += 1;
                    added.extend(few.then_some(*row));
                }
            }
        }
        progress.add(rows.numbers.len() as u64);
    }
    drop(progress);
    let gone = entries.iter().zip(&is_seen).filter(|(_, seen)| !**seen).map(|(entry, _)| entry.row);
    let mut removed = Vec::new();
    for row in gone {
        changes.removed += 1;
        let few = (pairs.len() + added.len() + removed.len()) < usize::try_from(most).unwrap_or(usize::MAX);
        removed.extend(few.then_some(row));
    }
    show(sides, &mut changes, &pairs, &removed, &added)?;
    Ok(changes)
}

/// Reads the rows that are shown.
fn show(
    sides: &Sides,
    changes: &mut Changes,
    pairs: &[(u64, u64)],
    removed: &[u64],
    added: &[u64],
) -> Result<(), Failure> {
    let failed = |error: serde_json::Error| Failure::new(error.to_string());
    let mut comparing = Comparing::default();
    let before = Found::of(&sides.before, pairs.iter().map(|(row, _)| *row).chain(removed.iter().copied()))?;
    let after = Found::of(&sides.after, pairs.iter().map(|(_, row)| *row).chain(added.iter().copied()))?;
    for (one, other) in pairs {
        if let (Some(one), Some(other)) = (before.row(*one), after.row(*other)) {
            changes.shown.push(Change::Changed(changed(sides, one, other, &mut comparing).map_err(failed)?));
        }
    }
    for row in removed {
        if let Some((rows, at)) = before.row(*row) {
            changes.shown.push(Change::Removed(*row, texts(&sides.before, rows, at).map_err(failed)?));
        }
    }
    for row in added {
        if let Some((rows, at)) = after.row(*row) {
            changes.shown.push(Change::Added(*row, texts(&sides.after, rows, at).map_err(failed)?));
        }
    }
    Ok(())
}

/// Some rows of a file, by their numbers.
struct Found {
    rows: Vec<Rows>,
    places: HashMap<u64, (usize, usize)>,
}

impl Found {
    fn of(side: &Side, numbers: impl Iterator<Item = u64>) -> Result<Self, Failure> {
        let mut numbers: Vec<u64> = numbers.collect();
        numbers.sort_unstable();
        let rows = if numbers.is_empty() { Vec::new() } else { side.at(&numbers)? };
        let mut places = HashMap::new();
        for (batch, rows) in rows.iter().enumerate() {
            places.extend(rows.numbers.iter().enumerate().map(|(at, number)| (*number, (batch, at))));
        }
        Ok(Self { rows, places })
    }

    fn row(&self, number: u64) -> Option<(&Rows, usize)> {
        let (batch, at) = self.places.get(&number)?;
        Some((self.rows.get(*batch)?, *at))
    }
}
