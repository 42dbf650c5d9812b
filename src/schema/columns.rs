//! The columns of a shape: Avro's depth-first mapping.

use super::branch_name;
use super::names::{self, full_name, is_valid, numbered, valid_unique};
use crate::shape::Shape;
use crate::storage::value_type::ValueType;
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

/// Which columns hold a shape: a tree of the same form, with the numbers of columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Layout {
    /// No columns: an unknown shape.
    None,
    /// Values without lengths.
    Leaf(usize),
    /// The values of the array column just above (a parent that holds values itself).
    Own,
    /// Each field on its own.
    Record(Vec<Layout>),
    /// A list or an optional: lengths, with the values in the same column, or below it.
    Array { column: usize, item: Option<Box<Layout>> },
    /// Lengths, keys and values.
    Map { column: usize, key: Box<Layout>, value: Box<Layout> },
    /// An array of none or one for each variant.
    Union(Vec<Layout>),
}

impl Layout {
    /// Calls with the number of each column.
    pub(crate) fn columns(&self, call: &mut impl FnMut(usize)) {
        match self {
            Self::None | Self::Own => {}
            Self::Leaf(column) => call(*column),
            Self::Record(layouts) | Self::Union(layouts) => {
                layouts.iter().for_each(|layout| layout.columns(call));
            }
            Self::Array { column, item } => {
                call(*column);
                item.iter().for_each(|item| item.columns(call));
            }
            Self::Map { column, key, value } => {
                call(*column);
                key.columns(call);
                value.columns(call);
            }
        }
    }
}

/// The type of the column that holds the values of a simple shape.
pub(crate) fn value_type(shape: &Shape) -> Option<ValueType> {
    Some(match shape {
        Shape::Null => ValueType::Null,
        Shape::Boolean => ValueType::Boolean,
        Shape::Int | Shape::Enum(_) => ValueType::Int,
        Shape::Long | Shape::U64 => ValueType::Long,
        Shape::Float => ValueType::Float,
        Shape::Double => ValueType::Double,
        Shape::String => ValueType::String,
        Shape::Bytes | Shape::Fixed(_) | Shape::I128 | Shape::U128 => ValueType::Bytes,
        _ => return None,
    })
}

/// Whether a variant of a union stands in a record of its own: a map whose keys are not text is an
/// array to Avro, and a union has only one of these.
pub(crate) fn is_wrapped(variant: &Shape) -> bool {
    matches!(variant, Shape::Map(map) if map.key != Shape::String)
}

/// The columns of a shape whose names are resolved, in the order of the file, and the way to them. Fields of
/// a record have different names.
pub(crate) fn columns(shape: &Shape) -> (Layout, Vec<ColumnSpec>) {
    let mut columns = Vec::new();
    let layout = walk(shape, |name, value_type, array, parent| {
        columns.push(ColumnSpec { name: name.to_owned(), value_type, array, parent });
        true
    });
    (layout.unwrap_or(Layout::None), columns)
}

/// As [`columns`]; none where their names take more than about this many bytes: a path is repeated in
/// the name of each column below it, so they may take much more than the schema.
pub(crate) fn columns_within(shape: &Shape, bytes: usize) -> Option<(Layout, Vec<ColumnSpec>)> {
    let (mut columns, mut room) = (Vec::new(), bytes);
    let layout = walk(shape, |name, value_type, array, parent| {
        columns.push(ColumnSpec { name: name.to_owned(), value_type, array, parent });
        room = room.saturating_sub(name.len() + 1);
        room > 0
    });
    Some((layout?, columns))
}

/// As [`columns`], where the columns of a file have just these names; nothing is made of them.
pub(crate) fn layout_of<'a>(shape: &Shape, mut rest: impl Iterator<Item = &'a str>) -> Option<Layout> {
    let layout = walk(shape, |name, _, _, _| rest.next() == Some(name))?;
    rest.next().is_none().then_some(layout)
}

/// Calls with each column until that returns false; the way to them, if it never does.
fn walk(shape: &Shape, call: impl FnMut(&str, ValueType, bool, Option<usize>) -> bool) -> Option<Layout> {
    Walk { path: String::new(), columns: 0, somes: 0, call }.shape(shape, None)
}

struct Walk<F> {
    /// Where the walk is: the name of a column there.
    path: String,
    /// Number of columns so far.
    columns: usize,
    somes: usize,
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

    fn shape(&mut self, shape: &Shape, parent: Option<usize>) -> Option<Layout> {
        Some(match shape {
            Shape::Unknown => Layout::None,
            Shape::Record(record) => {
                let between = if self.path.is_empty() { "" } else { "#" };
                let names = record.fields.iter().map(|field| &*field.name);
                let mut changed = if names.clone().all(is_valid) { Vec::new() } else { valid_unique(names) };
                let mut changed = changed.drain(..);
                let mut fields = Vec::with_capacity(record.fields.len());
                for field in &record.fields {
                    let name = changed.next().unwrap_or(Cow::Borrowed(&field.name));
                    fields.push(self.below([between, &name], |walk| walk.shape(&field.shape, parent))?);
                }
                Layout::Record(fields)
            }
            Shape::List(item) => return self.below(["[]", ""], |walk| walk.array(item, parent)),
            Shape::Map(map) if map.key == Shape::String => self.below([">", ""], |walk| {
                let column = walk.push(ValueType::Null, true, parent)?;
                let key = walk.below(["key", ""], |walk| walk.push(ValueType::String, false, Some(column)));
                let key = Box::new(Layout::Leaf(key?));
                let value = walk.below(["value", ""], |walk| walk.shape(&map.value, Some(column)));
                Some(Layout::Map { column, key, value: Box::new(value?) })
            })?,
            Shape::Map(map) => self.below(["[]", ""], |walk| {
                let column = walk.push(ValueType::Null, true, parent)?;
                let key = walk.below(["#", "key"], |walk| walk.shape(&map.key, Some(column)));
                let key = Box::new(key?);
                let value = walk.below(["#", "value"], |walk| walk.shape(&map.value, Some(column)));
                Some(Layout::Map { column, key, value: Box::new(value?) })
            })?,
            Shape::Optional(optional) => match &optional.item {
                Shape::Unknown => Layout::None,
                Shape::Union(variants) => self.union(variants, parent)?,
                item => self.branch(item, matches!(item, Shape::Optional(_)), parent)?,
            },
            Shape::Union(variants) => self.union(variants, parent)?,
            simple => {
                let value_type = value_type(simple).unwrap_or(ValueType::Null);
                let name = match simple {
                    _ if !self.path.is_empty() => Cow::Borrowed(""),
                    Shape::Null => Cow::Borrowed("null"),
                    simple => Cow::Owned(full_name(simple)),
                };
                Layout::Leaf(self.below([&name, ""], |walk| walk.push(value_type, false, parent))?)
            }
        })
    }

    fn union(&mut self, variants: &[Shape], parent: Option<usize>) -> Option<Layout> {
        let branches = variants.iter().map(|variant| self.branch(variant, is_wrapped(variant), parent));
        branches.collect::<Option<_>>().map(Layout::Union)
    }

    /// A branch of a union, like an array of it; wrapped, it is in a record of one field.
    fn branch(&mut self, item: &Shape, wrapped: bool, parent: Option<usize>) -> Option<Layout> {
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
                return walk.array(item, parent);
            }
            let column = walk.push(ValueType::Null, true, parent)?;
            let item = walk.below(["#", "value"], |walk| walk.shape(item, Some(column)))?;
            Some(Layout::Array { column, item: Some(Box::new(item)) })
        })
    }

    fn array(&mut self, item: &Shape, parent: Option<usize>) -> Option<Layout> {
        if let Some(value_type) = value_type(item) {
            return Some(Layout::Array { column: self.push(value_type, true, parent)?, item: None });
        }
        let column = self.push(ValueType::Null, true, parent)?;
        let item = match item {
            Shape::Unknown => None,
            item => Some(Box::new(self.shape(item, Some(column))?)),
        };
        Some(Layout::Array { column, item })
    }
}
