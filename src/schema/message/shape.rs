//! Messages and shapes.

use super::{Field, Kind, Message, Primitive, Repetition, is_separator};
use crate::error::{Error, Result};
use crate::shape::branch::branch_name;
use crate::shape::{FieldShape, RecordShape, Shape};

/// Name of a message whose rows have none.
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
    /// # Errors
    ///
    /// A name that cannot be in the text.
    pub(crate) fn of_shape(shape: &Shape) -> Result<Self> {
        match shape {
            Shape::Record(row) if !row.fields.is_empty() => {
                let name = if row.name.is_empty() { ROW } else { checked(&row.name)? };
                Ok(Self { name: name.to_owned(), fields: fields(row)? })
            }
            other => {
                Ok(Self { name: ROW.to_owned(), fields: vec![field(VALUE, Repetition::Required, other)?] })
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
    fn shape(self) -> Shape {
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

    /// The type of the values of a shape; none for what has nodes below it, or no values.
    fn of_shape(shape: &Shape) -> Option<Self> {
        Some(match shape {
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

fn fields(record: &RecordShape) -> Result<Vec<Field>> {
    let field = |shape: &FieldShape| {
        let field = checked(&shape.name).and_then(|name| field(name, Repetition::Required, &shape.shape));
        field.map_err(|error| error.in_field(&shape.name))
    };
    record.fields.iter().map(field).collect()
}

/// A field of a shape. One that repeats, or may be missing, and holds what does so itself, is a group around it.
fn field(name: &str, repetition: Repetition, shape: &Shape) -> Result<Field> {
    let of = |kind| Ok(Field { name: name.to_owned(), repetition, kind });
    if let Some(leaf) = Primitive::of_shape(shape) {
        return of(Kind::Leaf(leaf));
    }
    match shape {
        Shape::Record(record) if !record.fields.is_empty() => of(Kind::Group(fields(record)?)),
        Shape::Union(variants) if !variants.is_empty() => {
            let variant = |shape: &Shape| {
                let name = branch_name(shape).full();
                checked(&name).and_then(|name| field(name, Repetition::Optional, shape))
            };
            of(Kind::Group(variants.iter().map(variant).collect::<Result<_>>()?))
        }
        _ if repetition != Repetition::Required => {
            let inner = if matches!(shape, Shape::Map(_)) { MAP } else { ITEM };
            of(Kind::Group(vec![field(inner, Repetition::Required, shape)?]))
        }
        Shape::Optional(optional) => field(name, Repetition::Optional, &optional.item),
        Shape::List(item) => field(name, Repetition::Repeated, item),
        Shape::Map(map) => {
            let key = field("key", Repetition::Required, &map.key)?;
            let value = field("value", Repetition::Required, &map.value)?;
            let (name, repetition) = (name.to_owned(), Repetition::Repeated);
            Ok(Field { name, repetition, kind: Kind::Group(vec![key, value]) })
        }
        // Nothing has values: it is never there.
        _ => {
            let (name, repetition) = (name.to_owned(), Repetition::Optional);
            Ok(Field { name, repetition, kind: Kind::Leaf(Primitive::Boolean) })
        }
    }
}

/// A name that can be in the text.
fn checked(name: &str) -> Result<&str> {
    match name.is_empty() || name.contains(is_separator) {
        true => Err(Error::option(format!(
            "a field of a message cannot be named {name:?}: no spaces, tabs, line breaks, braces or semicolons"
        ))),
        false => Ok(name),
    }
}
