//! Paths in expressions, as they are written.

use crate::paths::{PathPart, Root};
use crate::scalar::Scalar;
use std::fmt;
use trevni::path::{NamePattern, PathName};

/// The word for an item of a list, or for a row that is no record.
const ITEM: &str = "item";

/// A path as it is written.
#[derive(Clone, Debug)]
pub struct Reference {
    names: Vec<PathPart>,
    /// Whether the first of the names is the word for an item, which is not quoted.
    item: bool,
}

/// A step of a place after the path that it begins with.
#[derive(Clone, Debug)]
pub(crate) enum Segment {
    /// The item of a list, counted from 0, or from the end; or the value of this key of a map.
    Item(Scalar),
    /// Names within it.
    Names(Vec<PathPart>),
}

impl Reference {
    pub(crate) fn new(names: Vec<PathName>) -> Self {
        let item = names.first().is_some_and(|name| name.text() == ITEM && !name.is_exact());
        Self { names: names.into_iter().map(PathPart::Name).collect(), item }
    }

    /// The item itself.
    pub(crate) fn of_item() -> Self {
        Self::new(vec![PathName::plain(ITEM)])
    }

    /// The path from a row, or from an item of a list. A row that has a field `item` means this field by it.
    pub(crate) fn from(&self, root: Root<'_>, is_row: bool) -> &[PathPart] {
        match self.item && !(is_row && root.named().any(|named| named.path_name() == ITEM)) {
            true => self.names.get(1..).unwrap_or_default(),
            false => &self.names,
        }
    }

    /// The last of its names.
    pub(crate) fn last(&self) -> String {
        self.names.last().map(PathPart::shown).unwrap_or_default()
    }

    /// Whether it is no more than the word for an item.
    pub fn is_item(&self) -> bool {
        self.item && self.names.len() == 1
    }
}

impl fmt::Display for Reference {
    /// The names joined by dots.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<String> = self.names.iter().map(PathPart::shown).collect();
        f.write_str(&names.join("."))
    }
}
