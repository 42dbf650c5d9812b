//! Lengths to levels.

use super::below::{defined, repeated};
use super::entries::{LevelsRef, Place};
use super::{EntryLevels, LeafColumn, leaves};
use crate::error::Result;
use crate::shape::Shape;
use crate::vector::{Offsets, Vector};

/// The levels of all leaves of a vector, in the order of [`leaves`].
///
/// # Errors
///
/// A vector that is not of the shape's form, as [`Batch::try_new`](crate::Batch::try_new) says; shapes nested too
/// deep.
pub fn shred<'v>(shape: &'v Shape, vector: &'v Vector) -> Result<Vec<LeafColumn<'v>>> {
    shape.check()?;
    vector.check(shape)?;
    let rows = LevelsRef { entries: vector.len(), ..LevelsRef::default() };
    let mut found = Vec::new();
    walk(vector, rows, Place::default(), &mut found);
    let columns = leaves(shape).into_iter().zip(found);
    Ok(columns.map(|(leaf, (levels, values))| LeafColumn { leaf, levels, values }).collect())
}

/// Goes down with the levels of the entries above: those of the place's definition level are entries of this node.
fn walk<'v>(
    vector: &'v Vector,
    levels: LevelsRef<'_>,
    place: Place,
    found: &mut Vec<(EntryLevels, &'v Vector)>,
) {
    match vector {
        Vector::Record(record) if !record.fields.is_empty() => {
            record.fields.iter().for_each(|field| walk(field, levels, place, found));
        }
        Vector::Optional(list) => {
            let definition = defined(levels, place, &list.offsets);
            walk(&list.item, LevelsRef { definition: &definition, ..levels }, place.within(), found);
        }
        Vector::List(list) => {
            let (repetition, definition) = repeated(levels, place, &list.offsets);
            walk(&list.item, LevelsRef::new(&repetition, &definition), place.items(), found);
        }
        Vector::Map(map) => {
            let (repetition, definition) = repeated(levels, place, &map.offsets);
            let levels = LevelsRef::new(&repetition, &definition);
            walk(&map.key, levels, place.items(), found);
            walk(&map.value, levels, place.items(), found);
        }
        Vector::Union(union) if !union.variants.is_empty() => {
            for (tag, values) in (0u16..).zip(&union.variants) {
                let mut present = Offsets::default();
                union.tags.iter().for_each(|own| present.push_if(*own == tag));
                let definition = defined(levels, place, &present);
                walk(values, LevelsRef { definition: &definition, ..levels }, place.within(), found);
            }
        }
        _ => {
            let (repetition, definition) = levels.iter().unzip();
            found.push((EntryLevels { repetition, definition }, vector));
        }
    }
}
