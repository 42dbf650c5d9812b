//! The columns of a shape: Avro's depth-first mapping.

use super::branch_name;
use super::names::{self, full_name, numbered, valid_unique};
use crate::shape::Shape;
use crate::value_type::ValueType;

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

/// The columns of a shape whose names are resolved, in the order of the file, and the way to them.
pub(crate) fn columns(shape: &Shape) -> (Layout, Vec<ColumnSpec>) {
    let mut walk = Walk { columns: Vec::new(), somes: 0, room: usize::MAX };
    let layout = walk.shape(shape, "", None);
    (layout, walk.columns)
}

/// As [`columns`]; none where their names take more than about this many bytes: a path is repeated in
/// the name of each column below it, so they may take much more than the schema.
pub(crate) fn columns_within(shape: &Shape, bytes: usize) -> Option<(Layout, Vec<ColumnSpec>)> {
    let mut walk = Walk { columns: Vec::new(), somes: 0, room: bytes };
    let layout = walk.shape(shape, "", None);
    (walk.room > 0).then_some((layout, walk.columns))
}

/// A path and what is below it: far quicker than formatting, and there may be many.
fn joined(path: &str, between: &str, name: &str) -> String {
    let mut joined = String::with_capacity(path.len() + between.len() + name.len());
    [path, between, name].into_iter().for_each(|part| joined.push_str(part));
    joined
}

struct Walk {
    columns: Vec<ColumnSpec>,
    somes: usize,
    /// Bytes that names may still take; 0 where they have taken too many.
    room: usize,
}

impl Walk {
    fn push(&mut self, name: String, value_type: ValueType, array: bool, parent: Option<usize>) -> usize {
        self.room = self.room.saturating_sub(name.len() + 1);
        self.columns.push(ColumnSpec { name, value_type, array, parent });
        self.columns.len() - 1
    }

    fn shape(&mut self, shape: &Shape, path: &str, parent: Option<usize>) -> Layout {
        match shape {
            _ if self.room == 0 => Layout::None,
            Shape::Unknown => Layout::None,
            Shape::Record(record) => {
                let names = valid_unique(record.fields.iter().map(|field| &*field.name));
                let fields = record.fields.iter().zip(names);
                Layout::Record(
                    fields
                        .map(|(field, name)| {
                            if path.is_empty() {
                                return self.shape(&field.shape, &name, parent);
                            }
                            self.shape(&field.shape, &joined(path, "#", &name), parent)
                        })
                        .collect(),
                )
            }
            Shape::List(item) => self.array(item, joined(path, "[]", ""), parent),
            Shape::Map(map) if map.key == Shape::String => {
                let name = joined(path, ">", "");
                let column = self.push(name.clone(), ValueType::Null, true, parent);
                let key = self.push(joined(&name, "key", ""), ValueType::String, false, Some(column));
                let value = self.shape(&map.value, &joined(&name, "value", ""), Some(column));
                Layout::Map { column, key: Box::new(Layout::Leaf(key)), value: Box::new(value) }
            }
            Shape::Map(map) => {
                let name = joined(path, "[]", "");
                let column = self.push(name.clone(), ValueType::Null, true, parent);
                let key = self.shape(&map.key, &joined(&name, "#", "key"), Some(column));
                let value = self.shape(&map.value, &joined(&name, "#", "value"), Some(column));
                Layout::Map { column, key: Box::new(key), value: Box::new(value) }
            }
            Shape::Optional(optional) => match &optional.item {
                Shape::Unknown => Layout::None,
                Shape::Union(variants) => self.union(variants, path, parent),
                item => self.branch(item, matches!(item, Shape::Optional(_)), path, parent),
            },
            Shape::Union(variants) => self.union(variants, path, parent),
            simple => {
                let value_type = value_type(simple).unwrap_or(ValueType::Null);
                let name = match (path, simple) {
                    ("", Shape::Null) => "null".to_owned(),
                    ("", simple) => full_name(simple),
                    (path, _) => path.to_owned(),
                };
                Layout::Leaf(self.push(name, value_type, false, parent))
            }
        }
    }

    fn union(&mut self, variants: &[Shape], path: &str, parent: Option<usize>) -> Layout {
        let branches = variants.iter().map(|variant| self.branch(variant, is_wrapped(variant), path, parent));
        Layout::Union(branches.collect())
    }

    /// A branch of a union, like an array of it; wrapped, it is in a record of one field.
    fn branch(&mut self, item: &Shape, wrapped: bool, path: &str, parent: Option<usize>) -> Layout {
        let branch = match item {
            _ if wrapped => {
                self.somes += 1;
                format!("{}.{}", names::RESERVED, numbered(names::SOME, self.somes))
            }
            Shape::Record(_) => full_name(item),
            item => branch_name(item).full().into_owned(),
        };
        let name = if path.is_empty() { branch } else { joined(path, "/", &branch) };
        match item {
            item if wrapped => {
                let column = self.push(name.clone(), ValueType::Null, true, parent);
                let item = self.shape(item, &joined(&name, "#", "value"), Some(column));
                Layout::Array { column, item: Some(Box::new(item)) }
            }
            item => self.array(item, name, parent),
        }
    }

    fn array(&mut self, item: &Shape, name: String, parent: Option<usize>) -> Layout {
        if let Some(value_type) = value_type(item) {
            return Layout::Array { column: self.push(name, value_type, true, parent), item: None };
        }
        let column = self.push(name.clone(), ValueType::Null, true, parent);
        let item = match item {
            Shape::Unknown => None,
            item => Some(Box::new(self.shape(item, &name, Some(column)))),
        };
        Layout::Array { column, item }
    }
}
