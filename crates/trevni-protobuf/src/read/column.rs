//! Vectors under construction.

use crate::error::Misfit;
use trevni::vector::{ListVector, MapVector, Offsets, RecordVector, UnionVector};
use trevni::{Binaries, Shape, Strings, Vector};

/// The values of one node so far.
#[derive(Debug)]
pub(super) enum Column {
    Null(usize),
    Boolean(Vec<bool>),
    Int(Vec<i32>),
    Long(Vec<i64>),
    Float(Vec<f32>),
    Double(Vec<f64>),
    String(Strings),
    Bytes(Binaries),
    Enum(Vec<i32>),
    Record(usize, Vec<Column>),
    List(Vec<u32>, Box<Column>),
    Map(Vec<u32>, Box<(Column, Column)>),
    Optional(Vec<u32>, Box<Column>),
    Union(Vec<u16>, Vec<Column>),
}

impl Column {
    /// No values of a shape.
    pub(super) fn of(shape: &Shape) -> Self {
        match shape {
            Shape::Boolean => Self::Boolean(Vec::new()),
            Shape::Int => Self::Int(Vec::new()),
            Shape::Long | Shape::U64 => Self::Long(Vec::new()),
            Shape::Float => Self::Float(Vec::new()),
            Shape::Double => Self::Double(Vec::new()),
            Shape::String => Self::String(Strings::default()),
            Shape::Bytes => Self::Bytes(Binaries::default()),
            Shape::Enum(_) => Self::Enum(Vec::new()),
            Shape::Record(record) => {
                Self::Record(0, record.fields.iter().map(|field| Self::of(&field.shape)).collect())
            }
            Shape::List(item) => Self::List(Vec::new(), Box::new(Self::of(item))),
            Shape::Map(map) => Self::Map(Vec::new(), Box::new((Self::of(&map.key), Self::of(&map.value)))),
            Shape::Optional(optional) => Self::Optional(Vec::new(), Box::new(Self::of(&optional.item))),
            Shape::Union(variants) => Self::Union(Vec::new(), variants.iter().map(Self::of).collect()),
            // A mapping has no other shapes.
            _ => Self::Null(0),
        }
    }

    /// The vector of the values.
    pub(super) fn finish(self) -> trevni::Result<Vector> {
        let all =
            |columns: Vec<Self>| columns.into_iter().map(Self::finish).collect::<trevni::Result<Vec<_>>>();
        Ok(match self {
            Self::Null(count) => Vector::Null(count),
            Self::Boolean(values) => values.into(),
            Self::Int(values) => values.into(),
            Self::Long(values) => values.into(),
            Self::Float(values) => values.into(),
            Self::Double(values) => values.into(),
            Self::String(values) => values.into(),
            Self::Bytes(values) => values.into(),
            Self::Enum(values) => Vector::Enum(values),
            Self::Record(count, fields) => RecordVector::new(count, all(fields)?).into(),
            Self::List(lengths, item) => Vector::list(Offsets::from_lengths(lengths)?, item.finish()?),
            Self::Map(lengths, pair) => {
                let (key, value) = *pair;
                MapVector::new(Offsets::from_lengths(lengths)?, key.finish()?, value.finish()?).into()
            }
            Self::Optional(lengths, item) => {
                let list = ListVector::new(Offsets::from_lengths(lengths)?, item.finish()?);
                Vector::Optional(Box::new(list))
            }
            Self::Union(tags, variants) => UnionVector::new(tags, all(variants)?).into(),
        })
    }

    /// The item of an optional that is there, or is not.
    pub(super) fn optional(&mut self, is_there: bool) -> Result<&mut Self, Misfit> {
        match self {
            Self::Optional(lengths, item) => {
                lengths.push(is_there.into());
                Ok(item)
            }
            _ => Err(Misfit::form()),
        }
    }
}
