//! How a shape grows when a value does not fit it.

use super::Slow;
use super::fit::{Fit, find, fit};
use super::incoming::{Incoming, refused};
use super::wrap::{add_variant, adopt, enter, optional_of_nulls, widen, wrap_union};
use crate::error::Result;
use crate::logical::Texts;
use crate::shape::Shape;
use crate::vector::Vector;

/// The cell that takes the value: the one given, or one below it. Grows the shape if it must.
#[cold]
pub(super) fn place<'a>(cell: Slow<'a>, incoming: &Incoming<'_>) -> Result<Slow<'a>> {
    let Slow { shape, vector, mode } = cell;
    if matches!(shape, Shape::Logical(_)) {
        return place_logical(Slow { shape, vector, mode }, incoming);
    }
    match (&*shape, &*vector) {
        (Shape::Optional(_), _) | (Shape::Union(_), _) => {}
        (Shape::Unknown, _) if mode.grow() => {
            adopt(shape, vector, incoming);
            return Ok(Slow { shape, vector, mode });
        }
        (Shape::Null, _) if mode.grow() => optional_of_nulls(shape, vector),
        _ => match fit(shape, vector, incoming, mode) {
            Fit::As | Fit::Given => return Ok(Slow { shape, vector, mode }),
            Fit::Widened => {
                widen(shape, vector, incoming);
                return Ok(Slow { shape, vector, mode });
            }
            Fit::No if mode.grow() => {
                mode.wrapped()?.check_room(shape)?;
                wrap_union(shape, vector);
            }
            Fit::No => return Err(refused(shape.kind(), incoming)),
        },
    }
    match (shape, vector) {
        (Shape::Optional(shape), Vector::Optional(list)) => {
            list.offsets.push_one();
            let mode = mode.wrapped()?.in_branch()?.without_somes();
            place(Slow { shape: &mut shape.item, vector: &mut list.item, mode }, incoming)
        }
        (Shape::Union(variants), Vector::Union(union)) => {
            let tag = match find(variants, union, incoming, mode) {
                Some(tag) => tag,
                None if mode.grow() => {
                    let (mut shape, mut vector) = (Shape::Unknown, Vector::Null(0));
                    adopt(&mut shape, &mut vector, incoming);
                    add_variant(variants, union, shape, vector)?
                }
                None => return Err(refused("union", incoming)),
            };
            let (shape, vector) = enter(variants, union, tag)?;
            place(Slow { shape, vector, mode: mode.in_branch()? }, incoming)
        }
        (shape, _) => Err(refused(shape.kind(), incoming)),
    }
}

/// As [`place`], for a logical type. Where such types are not wanted, a value that the storage does not take makes it
/// what its storage says. A cell of the logical type itself takes what is not stored as it comes.
fn place_logical<'a>(cell: Slow<'a>, incoming: &Incoming<'_>) -> Result<Slow<'a>> {
    let Slow { shape, vector, mode } = cell;
    let is_taken = matches!(fit(shape, vector, incoming, mode), Fit::As | Fit::Given);
    let is_converted = is_converted(shape);
    match incoming {
        Incoming::String(_) | Incoming::Integer { .. } if is_taken && is_converted && mode.texts() => {
            return Ok(Slow { shape, vector, mode });
        }
        Incoming::Marked { .. } if is_taken && is_converted => return Ok(Slow { shape, vector, mode }),
        _ if is_taken => {}
        _ if mode.texts() && is_converted => return Err(refused(&logical_name(shape), incoming)),
        _ if !mode.grow() => {}
        _ => *shape = std::mem::replace(shape.storage_mut(), Shape::Null),
    }
    place(Slow { shape: shape.storage_mut(), vector, mode }, incoming)
}

/// Whether values of a logical type may come as something else than they are stored as.
fn is_converted(shape: &Shape) -> bool {
    matches!(shape, Shape::Logical(logical) if Texts::of(logical).is_some())
}

fn logical_name(shape: &Shape) -> String {
    match shape {
        Shape::Logical(logical) => logical.logical.to_string(),
        other => other.kind().to_owned(),
    }
}
