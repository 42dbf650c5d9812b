//! Lengths to levels.

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
    let rows = EntryLevels { repetition: vec![0; vector.len()], definition: vec![0; vector.len()] };
    let mut found = Vec::new();
    walk(vector, rows, Place::default(), &mut found);
    let columns = leaves(shape).into_iter().zip(found);
    Ok(columns.map(|(leaf, (levels, values))| LeafColumn { leaf, levels, values }).collect())
}

/// Levels of a node: how many lists are around it, and how many of the nodes that may be missing.
#[derive(Clone, Copy, Default)]
pub(super) struct Place {
    pub(super) repetition: u16,
    pub(super) definition: u16,
}

impl Place {
    /// Within an optional or a variant.
    pub(super) fn within(self) -> Self {
        Self { definition: self.definition + 1, ..self }
    }

    /// Within a list.
    pub(super) fn items(self) -> Self {
        Self { repetition: self.repetition + 1, ..self.within() }
    }
}

/// Goes down with the levels of the entries above: those of the place's definition level are entries of this node.
fn walk<'v>(
    vector: &'v Vector,
    levels: EntryLevels,
    place: Place,
    found: &mut Vec<(EntryLevels, &'v Vector)>,
) {
    match vector {
        Vector::Record(record) => match record.fields.split_last() {
            Some((last, fields)) => {
                fields.iter().for_each(|field| walk(field, levels.clone(), place, found));
                walk(last, levels, place, found);
            }
            None => found.push((levels, vector)),
        },
        Vector::Optional(list) => {
            let present = list.validity();
            walk(&list.item, levels.defined(place, present), place.within(), found);
        }
        Vector::List(list) => {
            walk(&list.item, levels.repeated(place, &list.offsets), place.items(), found);
        }
        Vector::Map(map) => {
            let levels = levels.repeated(place, &map.offsets);
            walk(&map.key, levels.clone(), place.items(), found);
            walk(&map.value, levels, place.items(), found);
        }
        Vector::Union(union) if !union.variants.is_empty() => {
            for (variant, values) in (0u16..).zip(&union.variants) {
                let present = union.tags.iter().map(|tag| *tag == variant);
                walk(values, levels.clone().defined(place, present), place.within(), found);
            }
        }
        _ => found.push((levels, vector)),
    }
}

impl EntryLevels {
    /// The levels below entries of which some are there.
    fn defined(mut self, place: Place, mut present: impl Iterator<Item = bool>) -> Self {
        for level in self.definition.iter_mut().filter(|level| **level == place.definition) {
            *level += u16::from(present.next().unwrap_or_default());
        }
        self
    }

    /// The levels below lists.
    fn repeated(self, place: Place, offsets: &Offsets) -> Self {
        let room = self.definition.len() + offsets.total();
        let mut out = Self { repetition: Vec::with_capacity(room), definition: Vec::with_capacity(room) };
        let mut lengths = offsets.lengths();
        let items = place.items();
        for (repetition, definition) in self.repetition.into_iter().zip(self.definition) {
            let is_entry = definition == place.definition;
            let length = if is_entry { lengths.next().unwrap_or_default() as usize } else { 0 };
            out.repetition.push(repetition);
            out.definition.push(if length == 0 { definition } else { items.definition });
            let more = out.repetition.len() + length.saturating_sub(1);
            out.repetition.resize(more, items.repetition);
            out.definition.resize(more, items.definition);
        }
        out
    }
}
