//! The names of columns while a header is read: finds the last one of a name.

use crate::error::{Error, Result};
use std::collections::HashMap;
use std::ops::Range;

/// How many columns are compared with a name before it is looked up: parents are near their children.
const NEAR: usize = 64;

/// About the bytes of a name.
const LENGTH: usize = 24;

/// The names of the columns so far.
pub(super) struct Names<'a> {
    text: Vec<u8>,
    names: Vec<&'a [u8]>,
    /// The name that was found last, and its number: siblings have one parent.
    found: Option<(&'a [u8], usize)>,
    /// The number of the last column of each name; made only where comparing would take too long.
    numbers: HashMap<&'a [u8], usize>,
    /// How many columns are in there.
    covered: usize,
}

impl<'a> Names<'a> {
    /// Room for the names of so many columns.
    pub(super) fn with_capacity(count: usize) -> Self {
        Self {
            text: Vec::with_capacity(count * LENGTH),
            names: Vec::with_capacity(count),
            found: None,
            numbers: HashMap::new(),
            covered: 0,
        }
    }

    /// Adds the name of the next column, which is UTF-8; returns where it is in the text of all names.
    pub(super) fn add(&mut self, name: &'a [u8]) -> Range<usize> {
        let start = self.text.len();
        self.text.extend_from_slice(name);
        if self.found.is_some_and(|(found, _)| found == name) {
            self.found = None;
        }
        self.names.push(name);
        start..self.text.len()
    }

    /// The number of the last column that has a name.
    pub(super) fn last(&mut self, name: &'a [u8]) -> Option<usize> {
        if let Some((_, number)) = self.found.filter(|(found, _)| *found == name) {
            return Some(number);
        }
        let number = self.search(name)?;
        self.found = Some((name, number));
        Some(number)
    }

    fn search(&mut self, name: &[u8]) -> Option<usize> {
        let far = self.names.len().saturating_sub(NEAR);
        let near = &self.names[far..];
        if let Some(found) = near.iter().rposition(|other| *other == name) {
            return Some(far + found);
        }
        if far > 0 {
            let rest = self.names.iter().copied().zip(0..).skip(self.covered);
            self.numbers.extend(rest);
            self.covered = self.names.len();
        }
        self.numbers.get(name).copied()
    }

    /// All names, one after the other.
    ///
    /// # Errors
    ///
    /// None: each of them is UTF-8, and so is the whole.
    pub(super) fn into_text(self) -> Result<String> {
        String::from_utf8(self.text).map_err(|_| Error::internal("the names of the columns are not UTF-8"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_of_a_name_is_found_near_and_far() {
        let others: Vec<String> = (0..300).map(|number| format!("column {number}")).collect();
        let mut names = Names::with_capacity(8);
        assert_eq!(names.add(b"one"), 0..3);
        assert_eq!(names.add(b"two"), 3..6);
        assert_eq!(names.add(b"one"), 6..9);
        for (number, other) in others.iter().enumerate() {
            assert_eq!((names.last(b"one"), names.last(b"two")), (Some(2), Some(1)));
            assert_eq!(
                (names.last(other.as_bytes()), names.last(b"column 0")),
                (None, (number > 0).then_some(3))
            );
            names.add(other.as_bytes());
        }
        names.add(b"two");
        assert_eq!(names.last(b"two"), Some(303));
    }
}
