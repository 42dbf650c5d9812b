//! Changes a shape and its vector together: a first value, wider values, an optional or a union around what is there.

use super::incoming::Incoming;
use crate::convert::Conversion;
use crate::error::{Error, Result};
use crate::shape::{Null, OptionalShape, Shape};
use crate::vector::{ListVector, Offsets, UnionVector, Vector};

/// Gives an unknown cell the shape of its first value.
pub(super) fn adopt(shape: &mut Shape, vector: &mut Vector, incoming: &Incoming<'_>) {
    *shape = incoming.shape();
    *vector = Vector::of(shape);
}

/// Makes a cell one of a wider shape, with its values.
///
/// # Errors
///
/// A value that has no place there.
pub(super) fn become_shape(shape: &mut Shape, vector: &mut Vector, wider: Shape) -> Result<()> {
    let conversion = Conversion::between(shape, &wider);
    let conversion =
        conversion.ok_or_else(|| Error::internal("a shape grows into one that lacks its values"))?;
    *vector = conversion.apply(vector.clone())?;
    *shape = wider;
    Ok(())
}

/// Puts what is there below an optional, all of it present.
pub(super) fn wrap_optional(shape: &mut Shape, vector: &mut Vector, null: Null) {
    let item = std::mem::replace(shape, Shape::Null);
    let values = std::mem::replace(vector, Vector::Null(0));
    *vector = Vector::Optional(Box::new(ListVector::new(Offsets::ones(values.len()), values)));
    *shape = Shape::Optional(Box::new(OptionalShape { null, item }));
}

/// Makes what is there the items of lists, of which there are none yet.
pub(super) fn wrap_list(shape: &mut Shape, vector: &mut Vector) {
    *shape = Shape::List(Box::new(std::mem::replace(shape, Shape::Null)));
    *vector = Vector::of(shape);
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
    shape: Shape,
    vector: Vector,
) -> Result<usize> {
    if variants.len() >= usize::from(u16::MAX) {
        let limit = u64::from(u16::MAX);
        return Err(Error::too_large("the number of variants of a union", limit + 1, limit));
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
