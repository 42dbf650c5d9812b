//! Values that are not there, and the changes of a shape and its vector that they ask for: an optional or a union around it.

use super::Slow;
use super::cell::Incoming;
use super::cell::does_not_fit;
use crate::convert::Conversion;
use crate::error::{Error, Result};
use crate::shape::{Null, OptionalShape, Shape};
use crate::vector::{ListVector, Offsets, UnionVector, Vector};

/// The three ways in which there can be no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Entry {
    None,
    Unit,
    Absent,
}

/// Writes that there is no value.
#[cold]
pub(super) fn null(cell: Slow<'_>, entry: Entry) -> Result<()> {
    let Slow { shape, vector, mode } = show_somes(cell)?;
    match (&mut *shape, &mut *vector, entry) {
        (Shape::Null, Vector::Null(len), Entry::Unit | Entry::None) => {
            *len += 1;
            return Ok(());
        }
        (Shape::Unknown, Vector::Null(len), Entry::Unit) if mode.grow() => {
            *len += 1;
            *shape = Shape::Null;
            return Ok(());
        }
        (Shape::Optional(optional), Vector::Optional(list), entry) => {
            let is_absent = entry == Entry::Absent;
            let nullable = is_nullable(&optional.item);
            if !is_absent && optional.null == Null::Absent && (mode.grow() || nullable) {
                list.offsets.push_one();
                let mode = mode.wrapped()?.in_branch()?;
                return null(Slow { shape: &mut optional.item, vector: &mut list.item, mode }, entry);
            }
            let wanted = if is_absent { Null::Absent } else { Null::None };
            let open = optional.null == Null::Unseen && !(is_absent && nullable);
            if optional.null == wanted || open || !mode.grow() {
                if mode.grow() {
                    optional.null = wanted;
                }
                list.offsets.push_empty();
                return Ok(());
            }
        }
        _ => {}
    }
    if !mode.grow() {
        let found = if entry == Entry::Absent { "a missing field" } else { "null" };
        return Err(does_not_fit(shape.kind(), found));
    }
    mode.wrapped()?.check_room(shape)?;
    wrap_optional(shape, vector, if entry == Entry::Absent { Null::Absent } else { Null::None });
    if let Vector::Optional(list) = vector {
        list.offsets.push_empty();
    }
    Ok(())
}

/// The cell within an optional for each `Some` around a null. Around other values, `Some` need not be seen.
fn show_somes(cell: Slow<'_>) -> Result<Slow<'_>> {
    let Slow { shape, vector, mode } = cell;
    let somes = mode.somes();
    if somes == 0 || !mode.grow() && !matches!(shape, Shape::Optional(_)) {
        return Ok(Slow { shape, vector, mode: mode.without_somes() });
    }
    match shape {
        Shape::Optional(_) => {}
        Shape::Null => optional_of_nulls(shape, vector),
        _ => {
            mode.wrapped()?.check_room(shape)?;
            wrap_optional(shape, vector, Null::Unseen);
        }
    }
    match (shape, vector) {
        (Shape::Optional(optional), Vector::Optional(list)) => {
            list.offsets.push_one();
            let shown = u32::from(optional.null != Null::Absent);
            let mut mode = mode.wrapped()?.in_branch()?.without_somes();
            for _ in shown..somes {
                mode = mode.with_some()?;
            }
            show_somes(Slow { shape: &mut optional.item, vector: &mut list.item, mode })
        }
        (shape, vector) => Ok(Slow { shape, vector, mode: mode.without_somes() }),
    }
}

/// Whether a shape has a null of its own, so that a `Some` around it needs an optional.
fn is_nullable(shape: &Shape) -> bool {
    matches!(shape, Shape::Optional(_) | Shape::Null)
}

/// Turns a cell without values into an optional one, as the first `Some` does; others take the value as
/// it is.
#[inline]
pub(super) fn make_optional(cell: &mut Slow<'_>) {
    match cell.shape {
        Shape::Unknown if cell.mode.grow() => wrap_optional(cell.shape, cell.vector, Null::Unseen),
        Shape::Null if cell.mode.grow() => optional_of_nulls(cell.shape, cell.vector),
        _ => {}
    }
}

/// Gives an unknown cell the shape of its first value.
pub(super) fn adopt(shape: &mut Shape, vector: &mut Vector, incoming: &Incoming<'_>) {
    *shape = incoming.shape();
    *vector = Vector::new(shape);
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

/// Makes the present values the items of lists, before the first list.
pub(super) fn wrap_list(shape: &mut Shape, vector: &mut Vector) {
    *shape = Shape::List(Box::new(std::mem::replace(shape, Shape::Null)));
    *vector = Vector::new(shape);
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
