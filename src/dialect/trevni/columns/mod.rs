//! The columns of a shape: Avro's depth-first mapping.

mod resolve;
pub(crate) mod untyped;

use crate::dialect::schema::Slots;
use crate::error::Result;
use crate::schema::avro::{self, Named, PathName};
use crate::schema::names::{self, full_name, is_valid, numbered, valid_unique};
use crate::shape::Shape;
use crate::shape::branch::{branch_name, is_wrapped};
use crate::storage::value_type::ValueType;
use crate::tree::{FIRST_NODES, Leaf};
use std::borrow::Cow;
use std::slice::Iter;

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
    Leaf::from_shape(shape).map(Leaf::value_type)
}

/// The columns of a shape whose names are resolved, in the order of the file, and the way to them. Fields of
/// a record have different names.
pub(crate) fn columns(shape: &Shape) -> (Slots, Vec<ColumnSpec>) {
    let mut columns = Vec::new();
    let slots = walk(shape, None, &mut |column| {
        columns.push(column.owned());
        true
    });
    (slots.unwrap_or_default(), columns)
}

/// The columns of a schema by the names of its text, in the order of the file, and the way to them: not all of these where
/// there are more than `most`, or where their names take more than about `room` bytes. A path is repeated in the name of each column
/// below it, so names may take much more than the schema.
pub(super) fn named_columns(schema: &Named<'_>, most: usize, room: usize) -> NamedColumns {
    let (mut columns, mut bytes) = (Vec::new(), 0usize);
    let slots = walk(&schema.shape, Some(schema.names()), &mut |column| {
        bytes = bytes.saturating_add(column.name.len());
        columns.push(column.owned());
        columns.len() <= most && bytes <= room
    });
    NamedColumns { slots, columns, bytes }
}

/// Columns with the names of a schema's text.
pub(super) struct NamedColumns {
    /// `None` if these are not all columns.
    pub(super) slots: Option<Slots>,
    pub(super) columns: Vec<ColumnSpec>,
    /// Bytes of their names.
    pub(super) bytes: usize,
}

/// As [`columns`], where the columns of a file have just these names; nothing is made of them.
fn slots_of<'a>(shape: &Shape, mut rest: impl Iterator<Item = &'a str>) -> Option<Slots> {
    let slots = walk(shape, None, &mut |column| rest.next() == Some(column.name))?;
    rest.next().is_none().then_some(slots)
}

/// Calls with each column until that returns false; which of them hold each node, if it never does. Their names are
/// made of those of the schema's text, or else of the shape.
///
/// A shape does not know the names of the records that this crate puts around branches. They are numbered from one to
/// the next then, also in types that come again, as names of columns were before they came from the text.
fn walk(
    shape: &Shape,
    names: Option<&[PathName<'_>]>,
    call: &mut dyn FnMut(ColumnSpec<&str>) -> bool,
) -> Option<Slots> {
    let slots = Slots::with_room(FIRST_NODES);
    let (root, names) = match names {
        Some(names) => (names.first(), names.get(1..)),
        None => (None, None),
    };
    let names = names.map(<[_]>::iter);
    let mut walk = Walk { path: String::new(), columns: 0, somes: 0, slots, names, call };
    match root.filter(|_| shape.is_simple()) {
        Some(root) => {
            walk.path.extend(root.parts());
            let column = walk.push(value_type(shape).unwrap_or(ValueType::Null), false, None)?;
            walk.slots.push(Some(column), None);
        }
        None => walk.shape(shape, None, None)?,
    }
    Some(walk.slots)
}

struct Walk<'a> {
    /// Where the walk is: the name of a column there.
    path: String,
    /// Number of columns so far.
    columns: usize,
    somes: usize,
    /// The columns of the nodes so far.
    slots: Slots,
    /// The names of fields and branches that are still to come, where they are not those of the shape.
    names: Option<Iter<'a, PathName<'a>>>,
    call: &'a mut dyn FnMut(ColumnSpec<&str>) -> bool,
}

impl Walk<'_> {
    /// A column of the name that the path is.
    fn push(&mut self, value_type: ValueType, array: bool, parent: Option<usize>) -> Option<usize> {
        self.columns += 1;
        (self.call)(ColumnSpec { name: &self.path, value_type, array, parent }).then(|| self.columns - 1)
    }

    /// What is further down the path.
    fn below<T>(&mut self, part: &str, walk: impl FnOnce(&mut Self) -> T) -> T {
        let length = self.path.len();
        self.path.push_str(part);
        let result = walk(self);
        self.path.truncate(length);
        result
    }

    /// What is below a field or a branch, of this name by the shape.
    fn below_name(
        &mut self,
        between: &str,
        name: &str,
        walk: impl FnOnce(&mut Self) -> Option<()>,
    ) -> Option<()> {
        let parts = match &mut self.names {
            Some(names) => names.next()?.parts(),
            None => [name, "", ""],
        };
        let length = self.path.len();
        self.path.push_str(between);
        self.path.extend(parts);
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
                    self.below_name(between, &name, |walk| walk.shape(&field.shape, parent, None))?;
                }
            }
            Shape::List(item) => self.below("[]", |walk| {
                let column = walk.array_column(item, parent)?;
                walk.slots.push(Some(column), presence);
                walk.item(item, column, None)
            })?,
            Shape::Map(map) if map.key == Shape::String => self.below(">", |walk| {
                let column = walk.push(ValueType::Null, true, parent)?;
                walk.slots.push(Some(column), presence);
                let key = walk.below("key", |walk| walk.push(ValueType::String, false, Some(column)))?;
                walk.slots.push(Some(key), None);
                walk.below("value", |walk| walk.shape(&map.value, Some(column), None))
            })?,
            Shape::Map(map) => self.below("[]", |walk| {
                let column = walk.push(ValueType::Null, true, parent)?;
                walk.slots.push(Some(column), presence);
                walk.below_name("#", "key", |walk| walk.shape(&map.key, Some(column), None))?;
                walk.below_name("#", "value", |walk| walk.shape(&map.value, Some(column), None))
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
                let column = self.below(&name, |walk| walk.push(value_type, false, parent))?;
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
        self.below_name(between, &branch, |walk| {
            if !wrapped {
                let column = walk.array_column(item, parent)?;
                let presence = array(walk, column);
                return walk.item(item, column, presence);
            }
            let column = walk.push(ValueType::Null, true, parent)?;
            let presence = array(walk, column);
            walk.below_name("#", "value", |walk| walk.shape(item, Some(column), presence))
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

/// The schema of a file, and which columns of the file hold each of its nodes. Columns are those that the file
/// names; `may_rename` says whether they may have other names than those of the schema.
///
/// # Errors
///
/// A schema that cannot be read, or has a column that the file does not have.
pub(crate) fn resolve<'a>(
    text: &str,
    names: impl Iterator<Item = &'a str> + Clone,
    specs: impl FnOnce() -> Vec<ColumnSpec<&'a str>>,
    may_rename: impl FnOnce() -> bool,
) -> Result<(avro::Parsed, Slots)> {
    let nodes = avro::most_nodes(text, names.clone());
    let parsed = avro::parse_within(text, nodes)?;
    if let Some(slots) = slots_of(&parsed.shape, names) {
        return Ok((parsed, slots));
    }
    let slots = avro::parse_names(text, nodes, |schema| resolve::slots(schema, &specs(), may_rename))?;
    Ok((parsed, slots))
}

/// The columns of a file that have other names than its schema gives them, with these names: foreign files may go by
/// position.
///
/// # Errors
///
/// As [`resolve`].
pub(crate) fn renamed(text: &str, specs: &[ColumnSpec<&str>]) -> Result<Vec<(usize, String)>> {
    let nodes = avro::most_nodes(text, specs.iter().map(|spec| spec.name));
    avro::parse_names(text, nodes, |schema| resolve::renamed(schema, specs))
}
