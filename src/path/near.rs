//! What to say of a path that names nothing.

use super::find::{Found, NotFound, Root};
use crate::error::{Error, ErrorKind};
use std::collections::VecDeque;

/// Names that a message lists at most.
const SHOWN: usize = 12;
/// Places that are looked at for a name that is elsewhere, at most.
const PLACES: usize = 10_000;

/// The error of a path that names nothing.
#[cold]
pub(crate) fn no_such(path: &str, from: Root<'_>, lost: &NotFound<'_>) -> Error {
    ErrorKind::NoSuchPath { path: path.to_owned(), hint: hint(from, lost) }.into()
}

fn hint(from: Root<'_>, lost: &NotFound<'_>) -> String {
    let there = lost.there();
    let near = there.iter().filter_map(|found| {
        let distance = distance(found.steps.last()?.short_name(), &lost.name);
        (distance <= lost.name.chars().count().div_ceil(3)).then_some((distance, found))
    });
    let near = near.min_by_key(|(distance, _)| *distance).map(|(_, found)| found.path());
    match near.or_else(|| elsewhere(from, &lost.name)) {
        Some(near) => format!("did you mean {near:?}?"),
        None if there.is_empty() && lost.before.steps.is_empty() => "there are no fields here".to_owned(),
        None if there.is_empty() => format!("there are no fields in {:?}", lost.before.path()),
        None => {
            let shown = there.iter().take(SHOWN).map(Found::path).collect::<Vec<_>>().join(", ");
            let (verb, more) = (if there.len() == 1 { "is" } else { "are" }, there.len() > SHOWN);
            format!("there {verb} {shown}{}", if more { ", …" } else { "" })
        }
    }
}

/// The path, somewhere below a value, that ends with a name; the one with the fewest names.
fn elsewhere(from: Root<'_>, name: &str) -> Option<String> {
    let mut open = VecDeque::from([Found { steps: Vec::new(), root: from }]);
    let mut left = PLACES;
    while let Some(next) = open.pop_front() {
        for named in next.root.named().take(left) {
            let found = next.below(named);
            if named.short_name() == name {
                return Some(found.path());
            }
            open.push_back(found);
            left -= 1;
        }
    }
    None
}

/// Edits that turn one name into the other.
fn distance(one: &str, two: &str) -> usize {
    let two: Vec<char> = two.chars().collect();
    let mut row: Vec<usize> = (0..=two.len()).collect();
    for (i, a) in one.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, b) in two.iter().enumerate() {
            let replaced = diagonal + usize::from(a != *b);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row.last().copied().unwrap_or_default()
}
