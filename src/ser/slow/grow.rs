//! How a shape grows when a value does not fit it.

use super::cell::{Incoming, refused};
use super::fit::{Fit, Found, find, fit, given};
use super::null::{add_variant, adopt, become_shape, enter, optional_of_nulls, wrap_list, wrap_union};
use super::{Mode, Slow};
use crate::error::Result;
use crate::logical::Texts;
use crate::shape::Shape;
use crate::vector::{UnionVector, Vector};

/// The cell that takes the value: the one given, or one below it. Grows the shape if it must.
#[cold]
pub(super) fn place<'a>(cell: Slow<'a>, incoming: &Incoming<'_>) -> Result<Slow<'a>> {
    let Slow { shape, vector, mode } = cell;
    match &*shape {
        Shape::Optional(_) | Shape::Union(_) => {}
        Shape::Logical(_) if mode.texts() => return place_wanted(Slow { shape, vector, mode }, incoming),
        Shape::Unknown if mode.grow() => {
            adopt(shape, vector, incoming);
            return Ok(Slow { shape, vector, mode });
        }
        Shape::Null if mode.grow() => optional_of_nulls(shape, vector),
        Shape::Record(_) | Shape::Map(_) if is_begun(vector, incoming, mode) => {
            wrap_list(shape, vector);
            return Ok(Slow { shape, vector, mode });
        }
        _ => match fit(shape, vector, incoming, mode) {
            Fit::As | Fit::Given => return Ok(Slow { shape, vector, mode }),
            Fit::Stored => return Ok(Slow { shape: shape.storage_mut(), vector, mode }),
            Fit::Widened(wider) => {
                become_shape(shape, vector, wider)?;
                return Ok(Slow { shape, vector, mode });
            }
            Fit::Strings if matches!(shape, Shape::Logical(_)) => {
                become_shape(shape, vector, Shape::String)?;
                return place(Slow { shape, vector, mode }, incoming);
            }
            // It is the number that comes which becomes a string.
            Fit::Strings | Fit::No if mode.grow() => {
                mode.wrapped()?.check_room(shape)?;
                wrap_union(shape, vector);
            }
            Fit::Strings | Fit::No => return Err(refused(shape.kind(), incoming)),
        },
    }
    match (shape, vector) {
        (Shape::Optional(shape), Vector::Optional(list)) => {
            list.offsets.push_one();
            let mode = mode.wrapped()?.in_branch()?.without_somes();
            place(Slow { shape: &mut shape.item, vector: &mut list.item, mode }, incoming)
        }
        (Shape::Union(variants), Vector::Union(union)) => {
            let tag = variant_for(variants, union, incoming, mode)?;
            let (shape, vector) = enter(variants, union, tag)?;
            place(Slow { shape, vector, mode: mode.in_branch()? }, incoming)
        }
        (shape, _) => Err(refused(shape.kind(), incoming)),
    }
}

/// Whether a list comes where there is nothing yet but objects that are wanted, or have such below: they are in it.
fn is_begun(vector: &Vector, incoming: &Incoming<'_>, mode: Mode<'_>) -> bool {
    mode.absorbs() && mode.fresh() && matches!(incoming, Incoming::List) && vector.is_empty()
}

/// The variant of a union that takes the value; grows the union if it must.
fn variant_for(
    variants: &mut Vec<Shape>,
    union: &mut UnionVector,
    incoming: &Incoming<'_>,
    mode: Mode<'_>,
) -> Result<usize> {
    loop {
        let (at, wider) = match find(variants, union, incoming, mode) {
            Found::Variant(at) => return Ok(at),
            Found::Widened(at, wider) => (at, wider),
            Found::Strings(at) if matches!(variants.get(at), Some(Shape::Logical(_))) => (at, Shape::String),
            // It is the number that comes which becomes a string.
            Found::Strings(_) => {
                let text = incoming.text().ok_or_else(|| refused("string", incoming))?;
                return variant_for(variants, union, &Incoming::String(&text), mode);
            }
            Found::None if mode.grow() => {
                let (mut shape, mut vector) = (Shape::Unknown, Vector::Null(0));
                adopt(&mut shape, &mut vector, incoming);
                return add_variant(variants, union, shape, vector);
            }
            Found::None => return Err(refused("union", incoming)),
        };
        if let (Some(shape), Some(vector)) = (variants.get_mut(at), union.variants.get_mut(at)) {
            become_shape(shape, vector, wider)?;
        }
    }
}

/// As [`place`], for a logical type that takes strings and numbers of its values: of a shape that was given, or that is
/// wanted. It takes itself what is not stored as it comes.
fn place_wanted<'a>(cell: Slow<'a>, incoming: &Incoming<'_>) -> Result<Slow<'a>> {
    let Slow { shape, vector, mode } = cell;
    // Bytes are taken as they are stored.
    if matches!(incoming, Incoming::Bytes(_)) && given(shape, incoming) == Fit::As {
        return Ok(Slow { shape: shape.storage_mut(), vector, mode });
    }
    let is_taken = matches!(fit(shape, vector, incoming, mode), Fit::As | Fit::Given);
    let is_converted = matches!(&*shape, Shape::Logical(logical) if Texts::from_shape(logical).is_some());
    match incoming {
        Incoming::String(_) | Incoming::Integer { .. } | Incoming::Marked { .. }
            if is_taken && is_converted =>
        {
            return Ok(Slow { shape, vector, mode });
        }
        _ if !is_taken && is_converted => return Err(refused(&logical_name(shape), incoming)),
        _ if !is_taken && mode.grow() => *shape = std::mem::replace(shape.storage_mut(), Shape::Null),
        _ => {}
    }
    place(Slow { shape: shape.storage_mut(), vector, mode }, incoming)
}

fn logical_name(shape: &Shape) -> String {
    match shape {
        Shape::Logical(logical) => logical.logical.to_string(),
        other => other.kind().to_owned(),
    }
}
