//! Changes a shape and its vector together: a first value, wider values, an optional or a union around what is there.

use super::cell::Width;
use super::incoming::Incoming;
use crate::error::{Error, ErrorKind, Result};
use crate::shape::{EnumShape, Form, MapShape, Name, Null, OptionalShape, RecordShape, Shape};
use crate::vector::{ListVector, MapVector, Offsets, UnionVector, Vector};

/// Gives an unknown cell the shape of its first value.
pub(super) fn adopt(shape: &mut Shape, vector: &mut Vector, incoming: &Incoming<'_>) {
    *shape = match incoming {
        Incoming::Boolean => Shape::Boolean,
        Incoming::Marked { texts, .. } => texts.shape().unwrap_or(Shape::Long),
        Incoming::Integer { width: Width::Int, .. } => Shape::Int,
        Incoming::Integer { width: Width::Long, value } if i64::try_from(*value).is_ok() => Shape::Long,
        Incoming::Integer { width: Width::Long, .. } => Shape::U64,
        Incoming::Integer { width: Width::I128, .. } => Shape::I128,
        Incoming::Integer { width: Width::U128, .. } | Incoming::LargeU128 => Shape::U128,
        Incoming::Float => Shape::Float,
        Incoming::Double => Shape::Double,
        Incoming::String(_) => Shape::String,
        Incoming::Bytes(_) => Shape::Bytes,
        Incoming::Symbol { name, .. } => Shape::Enum(EnumShape {
            namespace: Name::Borrowed(""),
            name: Name::Borrowed(name),
            symbols: Vec::new(),
        }),
        Incoming::Record { namespace, name, form } => record(namespace, name, *form),
        Incoming::List => Shape::List(Box::new(Shape::Unknown)),
        Incoming::Map { record: true } => record("", "", Form::Struct),
        Incoming::Map { record: false } => {
            Shape::Map(Box::new(MapShape { key: Shape::Unknown, value: Shape::Unknown }))
        }
    };
    *vector = Vector::of(shape);
}

fn record(namespace: &'static str, name: &'static str, form: Form) -> Shape {
    Shape::Record(RecordShape {
        namespace: Name::Borrowed(namespace),
        name: Name::Borrowed(name),
        form,
        fields: Vec::new(),
    })
}

/// Widens int to long, float to double, long to u64, and records without fields to maps.
pub(super) fn widen(shape: &mut Shape, vector: &mut Vector, incoming: &Incoming<'_>) {
    match (&*shape, &*vector, incoming) {
        (Shape::Int, Vector::Int(values), _) => {
            *vector = Vector::Long(values.iter().map(|value| i64::from(*value)).collect());
            *shape = Shape::Long;
        }
        (Shape::Float, Vector::Float(values), _) => {
            *vector = Vector::Double(values.iter().map(|value| f64::from(*value)).collect());
            *shape = Shape::Double;
        }
        (Shape::Long, _, Incoming::Integer { .. }) => *shape = Shape::U64,
        (Shape::Record(_), _, Incoming::Map { .. }) => {
            let offsets = Offsets::zeros(vector.len());
            *vector =
                Vector::Map(Box::new(MapVector { offsets, key: Vector::Null(0), value: Vector::Null(0) }));
            *shape = Shape::Map(Box::new(MapShape { key: Shape::Unknown, value: Shape::Unknown }));
        }
        _ => {}
    }
}

/// Puts what is there below an optional, all of it present.
pub(super) fn wrap_optional(shape: &mut Shape, vector: &mut Vector, null: Null) {
    let item = std::mem::replace(shape, Shape::Null);
    let values = std::mem::replace(vector, Vector::Null(0));
    *vector = Vector::Optional(Box::new(ListVector::new(Offsets::ones(values.len()), values)));
    *shape = Shape::Optional(Box::new(OptionalShape { null, item }));
}

/// Turns units into the nulls of an optional whose values are still unknown.
pub(super) fn optional_of_nulls(shape: &mut Shape, vector: &mut Vector) {
    let list = ListVector::new(Offsets::zeros(vector.len()), Vector::Null(0));
    *vector = Vector::Optional(Box::new(list));
    *shape = Shape::optional(Shape::Unknown);
}

/// Makes what is there the first variant of a union.
pub(super) fn wrap_union(shape: &mut Shape, vector: &mut Vector) {
    let first = std::mem::replace(shape, Shape::Null);
    let values = std::mem::replace(vector, Vector::Null(0));
    let len = values.len();
    *vector = Vector::Union(UnionVector {
        tags: vec![0; len],
        positions: (0..len as u32).collect(),
        variants: vec![values],
    });
    *shape = Shape::Union(vec![first]);
}

/// Adds a variant to a union; returns its tag.
pub(super) fn add_variant(
    variants: &mut Vec<Shape>,
    union: &mut UnionVector,
    mut shape: Shape,
    mut vector: Vector,
) -> Result<usize> {
    // Avro has one long: beside another integer of 64 bits, the other becomes 128 bits wide.
    if matches!(shape, Shape::Long | Shape::U64)
        && variants.iter().any(|other| matches!(other, Shape::Long | Shape::U64))
    {
        shape = Shape::I128;
        vector = Vector::of(&shape);
    }
    if variants.len() >= usize::from(u16::MAX) {
        return Err(ErrorKind::TooManyFields { limit: usize::from(u16::MAX) }.into());
    }
    variants.push(shape);
    union.variants.push(vector);
    Ok(variants.len() - 1)
}

/// Starts an entry of a variant.
pub(super) fn enter<'a>(
    variants: &'a mut [Shape],
    union: &'a mut UnionVector,
    tag: usize,
) -> Result<(&'a mut Shape, &'a mut Vector)> {
    match (variants.get_mut(tag), union.variants.get_mut(tag)) {
        (Some(shape), Some(vector)) => {
            union.tags.push(tag as u16);
            union.positions.push(vector.len() as u32);
            Ok((shape, vector))
        }
        _ => Err(Error::internal(format!("a union has no variant {tag}"))),
    }
}
