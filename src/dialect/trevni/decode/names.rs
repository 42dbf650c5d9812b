//! The names of columns while a header is read: finds the last one of a name.

use std::collections::HashMap;
use std::ops::Range;

/// How many columns are compared with a name before it is looked up: parents stand near their children.
const NEAR: usize = 64;

/// The names of the columns so far.
#[derive(Default)]
pub(super) struct Names<'a> {
    text: String,
    names: Vec<&'a str>,
    /// The number of the last column of each name; made only where comparing would take too long.
    numbers: HashMap<&'a str, usize>,
    /// How many columns stand in there.
    covered: usize,
}

impl<'a> Names<'a> {
    /// Adds the name of the next column; returns where it stands in the text of all names.
    pub(super) fn add(&mut self, name: &'a str) -> Range<usize> {
        let start = self.text.len();
        self.text.push_str(name);
        self.names.push(name);
        start..self.text.len()
    }

    /// The number of the last column that has a name.
    pub(super) fn last(&mut self, name: &str) -> Option<usize> {
        let far = self.names.len().saturating_sub(NEAR);
        let near = self.names.get(far..).unwrap_or_default();
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

    /// All names, one behind the other.
    pub(super) fn into_text(self) -> String {
        self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_of_a_name_is_found_near_and_far() {
        let others: Vec<String> = (0..300).map(|number| format!("column {number}")).collect();
        let mut names = Names::default();
        assert_eq!(names.add("one"), 0..3);
        assert_eq!(names.add("two"), 3..6);
        assert_eq!(names.add("one"), 6..9);
        for (number, other) in others.iter().enumerate() {
            assert_eq!((names.last("one"), names.last("two")), (Some(2), Some(1)));
            assert_eq!((names.last(other), names.last("column 0")), (None, (number > 0).then_some(3)));
            names.add(other);
        }
        names.add("two");
        assert_eq!(names.last("two"), Some(303));
    }
}
