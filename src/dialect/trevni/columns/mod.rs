//! The columns of a shape: Avro's depth-first mapping.

mod resolve;
pub(crate) mod untyped;

use crate::dialect::schema::Slots;
use crate::error::Result;
use crate::schema::names::{self, full_name, is_valid, numbered, valid_unique};
use crate::shape::Shape;
use crate::shape::branch::{branch_name, is_wrapped};
use crate::storage::value_type::ValueType;
use crate::tree::{FIRST_NODES, Leaf};
use std::borrow::Cow;

/// A column as the header describes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ColumnSpec<Name = String> {
    pub(crate) name: Name,
    pub(crate) value_type: ValueType,
    /// Whether the column stores lengths.
    pub(crate) array: bool,
    /// Number of the column whose lengths say how many values belong together.
    pub(crate) parent: Option<usize>,
}

impl ColumnSpec<&str> {
    /// The same with a name of its own.
    pub(crate) fn owned(self) -> ColumnSpec {
        let Self { name, value_type, array, parent } = self;
        ColumnSpec { name: name.to_owned(), value_type, array, parent }
    }
}

/// The type of the column that holds the values of a simple shape.
pub(crate) fn value_type(shape: &Shape) -> Option<ValueType> {
    Leaf::of(shape).map(Leaf::value_type)
}

/// The columns of a shape whose names are resolved, in the order of the file, and the way to them. Fields of
/// a record have different names.
pub(crate) fn columns(shape: &Shape) -> (Slots, Vec<ColumnSpec>) {
    let mut columns = Vec::new();
    let slots = walk(shape, |name, value_type, array, parent| {
        columns.push(ColumnSpec { name: name.to_owned(), value_type, array, parent });
        true
    });
    (slots.unwrap_or_default(), columns)
}

/// As [`columns`]; none where their names take more than about this many bytes: a path is repeated in
/// the name of each column below it, so they may take much more than the schema.
fn columns_within(shape: &Shape, bytes: usize) -> Option<(Slots, Vec<ColumnSpec>)> {
    let (mut columns, mut room) = (Vec::new(), bytes);
    let slots = walk(shape, |name, value_type, array, parent| {
        columns.push(ColumnSpec { name: name.to_owned(), value_type, array, parent });
        room = room.saturating_sub(name.len() + 1);
        room > 0
    });
    Some((slots?, columns))
}

/// The first columns of a shape, at most so many, whose names take at most this many bytes or, with one column more, just
/// more than these; and the bytes that their names take.
pub(super) fn first_columns(shape: &Shape, most: usize, room: usize) -> (Vec<ColumnSpec>, usize) {
    let (mut columns, mut bytes) = (Vec::new(), 0usize);
    let _ = walk(shape, |name, value_type, array, parent| {
        columns.push(ColumnSpec { name: name.to_owned(), value_type, array, parent });
        bytes = bytes.saturating_add(name.len());
        columns.len() < most && bytes <= room
    });
    (columns, bytes)
}

/// As [`columns`], where the columns of a file have just these names; nothing is made of them.
fn slots_of<'a>(shape: &Shape, mut rest: impl Iterator<Item = &'a str>) -> Option<Slots> {
    let slots = walk(shape, |name, _, _, _| rest.next() == Some(name))?;
    rest.next().is_none().then_some(slots)
}

/// Calls with each column until that returns false; which of them hold each node, if it never does.
fn walk(shape: &Shape, call: impl FnMut(&str, ValueType, bool, Option<usize>) -> bool) -> Option<Slots> {
    let slots = Slots::with_room(FIRST_NODES);
    let mut walk = Walk { path: String::new(), columns: 0, somes: 0, slots, call };
    walk.shape(shape, None, None)?;
    Some(walk.slots)
}

struct Walk<F> {
    /// Where the walk is: the name of a column there.
    path: String,
    /// Number of columns so far.
    columns: usize,
    somes: usize,
    /// The columns of the nodes so far.
    slots: Slots,
    call: F,
}

impl<F: FnMut(&str, ValueType, bool, Option<usize>) -> bool> Walk<F> {
    /// A column of the name that the path is.
    fn push(&mut self, value_type: ValueType, array: bool, parent: Option<usize>) -> Option<usize> {
        self.columns += 1;
        (self.call)(&self.path, value_type, array, parent).then(|| self.columns - 1)
    }

    /// What is further down the path.
    fn below<T>(&mut self, parts: [&str; 2], walk: impl FnOnce(&mut Self) -> T) -> T {
        let length = self.path.len();
        parts.into_iter().for_each(|part| self.path.push_str(part));
        let result = walk(self);
        self.path.truncate(length);
        result
    }

    /// A node, with the column that tells which entries of the union above it are there, if it is a variant.
    fn shape(&mut self, shape: &Shape, parent: Option<usize>, presence: Option<usize>) -> Option<()> {
        match shape {
            Shape::Unknown => self.slots.push(None, presence),
            Shape::Record(record) => {
                self.slots.push(None, presence);
                let between = if self.path.is_empty() { "" } else { "#" };
                let names = record.fields.iter().map(|field| &*field.name);
                let mut changed = if names.clone().all(is_valid) { Vec::new() } else { valid_unique(names) };
                let mut changed = changed.drain(..);
                for field in &record.fields {
                    let name = changed.next().unwrap_or(Cow::Borrowed(&field.name));
                    self.below([between, &name], |walk| walk.shape(&field.shape, parent, None))?;
                }
            }
            Shape::List(item) => self.below(["[]", ""], |walk| {
                let column = walk.array_column(item, parent)?;
                walk.slots.push(Some(column), presence);
                walk.item(item, column, None)
            })?,
            Shape::Map(map) if map.key == Shape::String => self.below([">", ""], |walk| {
                let column = walk.push(ValueType::Null, true, parent)?;
                walk.slots.push(Some(column), presence);
                let key =
                    walk.below(["key", ""], |walk| walk.push(ValueType::String, false, Some(column)))?;
                walk.slots.push(Some(key), None);
                walk.below(["value", ""], |walk| walk.shape(&map.value, Some(column), None))
            })?,
            Shape::Map(map) => self.below(["[]", ""], |walk| {
                let column = walk.push(ValueType::Null, true, parent)?;
                walk.slots.push(Some(column), presence);
                walk.below(["#", "key"], |walk| walk.shape(&map.key, Some(column), None))?;
                walk.below(["#", "value"], |walk| walk.shape(&map.value, Some(column), None))
            })?,
            Shape::Optional(optional) => match &optional.item {
                Shape::Unknown => {
                    self.slots.push(None, presence);
                    self.slots.push(None, None);
                }
                item @ Shape::Union(_) => {
                    self.slots.push(None, presence);
                    self.shape(item, parent, None)?;
                }
                item => self.branch(item, matches!(item, Shape::Optional(_)), parent, |walk, column| {
                    walk.slots.push(Some(column), presence);
                    None
                })?,
            },
            Shape::Union(variants) => {
                self.slots.push(None, presence);
                for variant in variants {
                    self.branch(variant, is_wrapped(variant), parent, |_, column| Some(column))?;
                }
            }
            simple => {
                let value_type = value_type(simple).unwrap_or(ValueType::Null);
                let name = match simple {
                    _ if !self.path.is_empty() => Cow::Borrowed(""),
                    Shape::Null => Cow::Borrowed("null"),
                    simple => Cow::Owned(full_name(simple)),
                };
                let column = self.below([&name, ""], |walk| walk.push(value_type, false, parent))?;
                self.slots.push(Some(column), presence);
            }
        }
        Some(())
    }

    /// A branch of a union, like an array of it; wrapped, it is in a record of one field. `array` takes its
    /// column and says what the item is a variant by.
    fn branch(
        &mut self,
        item: &Shape,
        wrapped: bool,
        parent: Option<usize>,
        array: impl FnOnce(&mut Self, usize) -> Option<usize>,
    ) -> Option<()> {
        let branch = match item {
            _ if wrapped => {
                self.somes += 1;
                Cow::Owned(format!("{}.{}", names::RESERVED, numbered(names::SOME, self.somes)))
            }
            Shape::Record(_) => Cow::Owned(full_name(item)),
            item => branch_name(item).full(),
        };
        let between = if self.path.is_empty() { "" } else { "/" };
        self.below([between, &branch], |walk| {
            if !wrapped {
                let column = walk.array_column(item, parent)?;
                let presence = array(walk, column);
                return walk.item(item, column, presence);
            }
            let column = walk.push(ValueType::Null, true, parent)?;
            let presence = array(walk, column);
            walk.below(["#", "value"], |walk| walk.shape(item, Some(column), presence))
        })
    }

    /// The column of an array's lengths, with the values of a simple item.
    fn array_column(&mut self, item: &Shape, parent: Option<usize>) -> Option<usize> {
        self.push(value_type(item).unwrap_or(ValueType::Null), true, parent)
    }

    /// The item of an array with a column.
    fn item(&mut self, item: &Shape, column: usize, presence: Option<usize>) -> Option<()> {
        if item.is_simple() {
            self.slots.push(Some(column), presence);
            return Some(());
        }
        self.shape(item, Some(column), presence)
    }
}

/// Which columns of a file hold each node of the shape of its schema; `may_rename` says whether columns may have other
/// names than those of the schema.
///
/// # Errors
///
/// A column that the file does not have.
pub(crate) fn slots<'a>(
    shape: &Shape,
    names: impl Iterator<Item = &'a str>,
    specs: impl FnOnce() -> Vec<ColumnSpec<&'a str>>,
    may_rename: impl FnOnce() -> bool,
) -> Result<Slots> {
    match slots_of(shape, names) {
        Some(slots) => Ok(slots),
        None => resolve::slots(shape, &specs(), may_rename),
    }
}
