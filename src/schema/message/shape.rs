//! Messages and shapes.

use super::{Field, Kind, Message, Primitive, Repetition, is_separator};
use crate::shape::branch::branch_name;
use crate::shape::{FieldShape, RecordShape, Shape};
use std::collections::HashSet;

/// Name of a message whose rows have no name.
const ROW: &str = "row";
/// Name of the field of rows that are no records.
const VALUE: &str = "value";
/// Names of what is in a group that is around one thing: an item, or a map.
const ITEM: &str = "item";
const MAP: &str = "map";

impl Message {
    /// Rows as the text alone describes them.
    pub(crate) fn into_shape(self) -> Shape {
        record(self.name, self.fields)
    }

    /// The message for rows of a shape.
    ///
    /// Each leaf of the message is a leaf of the shape, in the same order and of the same levels; but a leaf
    /// without values, such as a null, is an optional boolean that is never there, of one definition level more.
    ///
    /// Names that cannot be in the text are written in another way.
    pub(crate) fn from_shape(shape: &Shape) -> Self {
        match shape {
            Shape::Record(row) if !row.fields.is_empty() => {
                let name = if row.name.is_empty() { ROW.to_owned() } else { escaped(&row.name) };
                Self { name, fields: fields(row) }
            }
            other => {
                let value = field(VALUE.to_owned(), Repetition::Required, other);
                Self { name: ROW.to_owned(), fields: vec![value] }
            }
        }
    }
}

fn record(name: String, fields: Vec<Field>) -> Shape {
    let shape = |field: Field| {
        let item = match field.kind {
            Kind::Leaf(leaf) => leaf.shape(),
            Kind::Group(fields) => record(field.name.clone(), fields),
        };
        let shape = match field.repetition {
            Repetition::Required => item,
            Repetition::Optional => Shape::optional(item),
            Repetition::Repeated => Shape::list(item),
        };
        FieldShape::new(field.name, shape)
    };
    Shape::Record(RecordShape::new(name, fields.into_iter().map(shape).collect()))
}

impl Primitive {
    /// The shape of its values.
    pub(crate) fn shape(self) -> Shape {
        match self {
            Self::String => Shape::String,
            Self::Int64 => Shape::Long,
            Self::Int32 => Shape::Int,
            Self::Boolean => Shape::Boolean,
            Self::Binary => Shape::Bytes,
            Self::Float => Shape::Float,
            Self::Double => Shape::Double,
        }
    }

    /// The type of the values of a shape; `None` for what has nodes below it, or no values.
    fn from_shape(shape: &Shape) -> Option<Self> {
        Some(match shape.storage() {
            Shape::Boolean => Self::Boolean,
            Shape::Int | Shape::Enum(_) => Self::Int32,
            Shape::Long | Shape::U64 => Self::Int64,
            Shape::Float => Self::Float,
            Shape::Double => Self::Double,
            Shape::String => Self::String,
            Shape::Bytes | Shape::Fixed(_) | Shape::I128 | Shape::U128 => Self::Binary,
            _ => return None,
        })
    }
}

fn fields(record: &RecordShape) -> Vec<Field> {
    let mut names = Names::default();
    let fields = record.fields.iter();
    fields.map(|shape| field(names.next(&shape.name), Repetition::Required, &shape.shape)).collect()
}

/// A field of a shape. One that repeats, or may be missing, and holds what does so itself, is a group around it.
fn field(name: String, repetition: Repetition, shape: &Shape) -> Field {
    if let Some(leaf) = Primitive::from_shape(shape) {
        return Field { name, repetition, kind: Kind::Leaf(leaf) };
    }
    match shape {
        Shape::Record(record) if !record.fields.is_empty() => {
            Field { name, repetition, kind: Kind::Group(fields(record)) }
        }
        Shape::Union(variants) if !variants.is_empty() => {
            let mut names = Names::default();
            let variants = variants
                .iter()
                .map(|shape| field(names.next(&branch_name(shape).full()), Repetition::Optional, shape));
            Field { name, repetition, kind: Kind::Group(variants.collect()) }
        }
        Shape::Optional(_) | Shape::List(_) | Shape::Map(_) if repetition != Repetition::Required => {
            let inner = if matches!(shape, Shape::Map(_)) { MAP } else { ITEM };
            let inner = field(inner.to_owned(), Repetition::Required, shape);
            Field { name, repetition, kind: Kind::Group(vec![inner]) }
        }
        Shape::Optional(optional) => field(name, Repetition::Optional, &optional.item),
        Shape::List(item) => field(name, Repetition::Repeated, item),
        Shape::Map(map) => {
            let key = field("key".to_owned(), Repetition::Required, &map.key);
            let value = field("value".to_owned(), Repetition::Required, &map.value);
            Field { name, repetition: Repetition::Repeated, kind: Kind::Group(vec![key, value]) }
        }
        // Nothing has values: it is never there.
        _ if repetition == Repetition::Required => {
            Field { name, repetition: Repetition::Optional, kind: Kind::Leaf(Primitive::Boolean) }
        }
        _ => {
            let inner = field(ITEM.to_owned(), Repetition::Required, shape);
            Field { name, repetition, kind: Kind::Group(vec![inner]) }
        }
    }
}

/// Names that can be in the text, each once in its group: what cannot be in a name is written as `%20` and so on.
#[derive(Default)]
struct Names(HashSet<String>);

impl Names {
    fn next(&mut self, name: &str) -> String {
        let mut escaped = escaped(name);
        while !self.0.insert(escaped.clone()) {
            escaped.push('_');
        }
        escaped
    }
}

fn escaped(name: &str) -> String {
    if name.is_empty() {
        return "_".to_owned();
    }
    let letter = |letter| match is_separator(letter) {
        true => format!("%{:02x}", u32::from(letter)),
        false => letter.to_string(),
    };
    name.chars().map(letter).collect()
}
