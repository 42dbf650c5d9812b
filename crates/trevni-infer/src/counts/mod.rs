//! What the rows of a text hold: a tree of counts, with a node for each path.
//!
//! Rows may be looked at in any number of parts: the trees of parts that follow each other, merged, are
//! the tree of all.

pub mod dates;
mod exact;
mod fields;
mod integers;
mod json;
mod logical;
pub mod report;
mod settle;
#[cfg(test)]
mod tests;
pub mod wanted;
pub mod wishes;

pub use fields::{Fields, Members};
pub(crate) use integers::Integers;
pub use json::{RowCounter, is_bounded};
pub use settle::{Mixed, Rules, settle, wish};

use crate::numbers::{Cell, Numbers, Spelling};
use dates::{DateFormats, Dates};
use logical::Finder;
use std::sync::Arc;
use wishes::Wish;

/// Characters of a text that are kept as an example.
const EXAMPLE: usize = 40;

/// What is known of the values at one path.
#[derive(Clone, Debug, Default)]
pub struct Counts {
    /// Nulls.
    pub nulls: u64,
    /// Cells of two quotes: empty strings among strings, else nulls.
    pub(crate) blanks: u64,
    pub(crate) booleans: u64,
    pub(crate) integers: Integers,
    pub(crate) floats: u64,
    /// NaN and infinities: floats if the other cells are numbers, else strings.
    pub(crate) named: u64,
    pub(crate) strings: u64,
    /// Of these, cells that are numbers where a comma is the point.
    pub(crate) commas: u64,
    pub(crate) lists: u64,
    /// Objects, and rows of cells.
    pub objects: u64,
    /// The first text.
    pub(crate) example: Option<Box<str>>,
    /// What the lists hold.
    pub(crate) item: Option<Box<Counts>>,
    /// What the objects hold.
    pub members: Members,
    /// What the user wants here.
    pub(crate) wish: Option<Arc<Wish>>,
    /// Finds the logical type of the strings, where that is wanted.
    finder: Option<Box<Finder>>,
    /// Finds dates among cells, as long as all may be some.
    dates: Option<Box<Dates>>,
}

impl Counts {
    /// Of no values, of which something may be wanted.
    pub fn new(wish: Option<Arc<Wish>>) -> Self {
        let finds = wish.as_ref().is_some_and(|wish| wish.auto && wish.kind.is_none());
        Self { wish, finder: finds.then(Box::default), ..Self::default() }
    }

    /// Begins with the fields of rows of cells.
    pub fn columns(&mut self, names: &[String], dates: &DateFormats) {
        let mut fields = Fields::default();
        for name in names {
            let mut node = Counts::new(self.wish.as_ref().and_then(|wish| wish.of_field(name)));
            if !node.is_given() && node.finder.is_none() {
                node.dates = Dates::new(dates).map(Box::new);
            }
            fields.add(name, node, None);
        }
        self.members = Members::Fields(Box::new(fields));
    }

    /// Number of values, nulls included.
    pub(crate) fn seen(&self) -> u64 {
        self.nulls
            + self.blanks
            + self.booleans
            + self.integers.count
            + self.floats
            + self.named
            + self.strings
            + self.lists
            + self.objects
    }

    /// Number of floats and of strings. NaN and infinities are floats if all other cells are numbers.
    pub(crate) fn floats_and_texts(&self) -> (u64, u64) {
        let are_numbers = self.integers.count + self.floats > 0 && self.strings + self.booleans == 0;
        match are_numbers {
            true => (self.floats + self.named, 0),
            false => (self.floats, self.strings + self.named),
        }
    }

    /// Whether the type is given, so that the values below are of no interest.
    pub fn is_given(&self) -> bool {
        self.wish.as_ref().is_some_and(|wish| wish.kind.is_some())
    }

    /// Counts a cell.
    #[inline]
    pub fn cell(&mut self, text: &str, spelling: &Spelling) {
        // Where the logical type is wanted, all cells come back as they were.
        let spelling = if self.finder.is_some() { Spelling::EXACT } else { spelling };
        let cell = Cell::of(text, spelling);
        if let Some(finder) = &mut self.finder {
            finder.cell(text, cell);
        }
        if self.dates.as_mut().is_some_and(|dates| !dates.push(text, cell)) {
            self.dates = None;
        }
        match cell {
            Cell::Boolean(_) => self.booleans += 1,
            Cell::Integer(value) => self.integers.add(value),
            Cell::Large(value) => self.integers.add_unsigned(value),
            Cell::Wide(value) => self.integers.add_wide(value),
            Cell::Float(_) => self.floats += 1,
            Cell::Named(..) => self.named += 1,
            Cell::Text(text) => {
                self.commas += u64::from(spelling.numbers == Numbers::Value && Cell::has_comma(text));
                self.count_text(text);
            }
        }
    }

    /// Counts a cell of two quotes.
    pub fn blank(&mut self) {
        self.blanks += 1;
        if let Some(finder) = &mut self.finder {
            finder.refuse();
        }
    }

    /// Counts a text.
    pub fn text(&mut self, text: &str) {
        if let Some(finder) = &mut self.finder {
            finder.text(text);
        }
        self.count_text(text);
    }

    #[inline]
    fn count_text(&mut self, text: &str) {
        self.strings += 1;
        if self.example.is_none() {
            self.example = Some(text.chars().take(EXAMPLE).collect());
        }
    }

    /// Counts a JSON value of which only the kind is of interest.
    fn given(&mut self, text: &str) {
        match text.as_bytes().first() {
            Some(b'n') => self.nulls += 1,
            Some(b't' | b'f') => self.booleans += 1,
            Some(b'"') => self.strings += 1,
            Some(b'[') => self.lists += 1,
            Some(b'{') => self.objects += 1,
            _ if text.contains(['.', 'e', 'E']) => self.floats += 1,
            _ => self.integers.add(0),
        }
    }

    /// The node of the items of lists.
    pub(crate) fn item(&mut self) -> &mut Counts {
        let wish = &self.wish;
        self.item.get_or_insert_with(|| Box::new(Counts::new(wish.as_ref().map(Wish::of_items))))
    }

    /// Adds what later rows hold.
    pub fn merge(&mut self, later: Counts, map_keys: usize) {
        match (&mut self.finder, &later.finder) {
            (Some(finder), Some(later)) => finder.merge(later),
            (Some(finder), None) if later.seen() > later.nulls => finder.refuse(),
            _ => {}
        }
        self.dates = match (self.dates.take(), later.dates) {
            (Some(dates), Some(later)) => dates.merge(&later).map(Box::new),
            _ => None,
        };
        self.nulls += later.nulls;
        self.blanks += later.blanks;
        self.booleans += later.booleans;
        self.integers.merge(&later.integers);
        self.floats += later.floats;
        self.named += later.named;
        self.strings += later.strings;
        self.commas += later.commas;
        self.lists += later.lists;
        self.objects += later.objects;
        self.example = self.example.take().or(later.example);
        if self.wish.is_none() {
            self.wish = later.wish;
        }
        match (&mut self.item, later.item) {
            (Some(item), Some(later)) => item.merge(*later, map_keys),
            (item @ None, later) => *item = later,
            _ => {}
        }
        self.members.merge(later.members, self.wish.as_deref(), map_keys);
    }

    /// Number of nodes, this one included.
    pub(crate) fn size(&self) -> usize {
        1 + self.item.as_ref().map_or(0, |item| item.size()) + self.members.size()
    }
}
