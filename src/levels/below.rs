//! The levels of what is within optionals and lists, of the levels around it.

use super::entries::{LevelsRef, Place};
use crate::vector::Offsets;

/// The definition levels below optionals.
pub(crate) fn defined(levels: LevelsRef<'_>, place: Place, offsets: &Offsets) -> Vec<u8> {
    let ends = offsets.as_slice().windows(2);
    let mut present = ends.map(|pair| u8::from(pair[1] > pair[0]));
    if place.definition == 0 {
        return present.collect();
    }
    let mut definition = levels.definition.to_vec();
    for level in definition.iter_mut().filter(|level| **level == place.definition) {
        *level += present.next().unwrap_or_default();
    }
    definition
}

/// The levels below lists.
pub(crate) fn repeated(levels: LevelsRef<'_>, place: Place, offsets: &Offsets) -> (Vec<u8>, Vec<u8>) {
    let empty = offsets.lengths().filter(|length| *length == 0).count();
    // Each entry above has an entry of its own, but for those of lists: these have one for each item, or for none.
    let len = (levels.entries + offsets.total() + empty).saturating_sub(offsets.len());
    let items = place.items();
    let (mut repetition, mut definition) = (vec![items.repetition; len], vec![items.definition; len]);
    let (mut at, mut lengths) = (0, offsets.lengths());
    for (own, level) in levels.iter() {
        let length = if level == place.definition { lengths.next().unwrap_or_default() as usize } else { 0 };
        if let (Some(repetition), Some(definition)) = (repetition.get_mut(at), definition.get_mut(at)) {
            *repetition = own;
            if length == 0 {
                *definition = level;
            }
        }
        at += length.max(1);
    }
    (repetition, definition)
}
