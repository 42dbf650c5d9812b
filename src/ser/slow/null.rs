//! Values that are not there: `None`, units and fields that a row skips.

use super::Slow;
use super::cell::does_not_fit;
use super::wrap::{optional_of_nulls, wrap_optional};
use crate::error::Result;
use crate::shape::{Null, Shape};
use crate::vector::Vector;

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
