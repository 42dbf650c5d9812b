//! Whether two columns say the same of what is above both of them.

use super::levels::{LevelsRef, Place};
use crate::error::{Error, Result};

/// Checks that two columns, of these greatest levels, agree on the entries of a place above both.
///
/// # Errors
///
/// Columns that contradict each other.
pub(super) fn check(one: (LevelsRef<'_>, Place), two: (LevelsRef<'_>, Place), place: Place) -> Result<()> {
    // All columns have the same rows.
    if place == Place::default() || same(one, two, place) {
        return Ok(());
    }
    Err(Error::value("the levels contradict those of another column of the same record"))
}

fn same(one: (LevelsRef<'_>, Place), two: (LevelsRef<'_>, Place), place: Place) -> bool {
    let Place { repetition, definition } = place;
    if one.1.repetition > repetition || two.1.repetition > repetition {
        let above = |(r, d): &(u8, u8)| (*r <= repetition).then(|| (*r, (*d).min(definition)));
        return one.0.iter().filter_map(|pair| above(&pair)).eq(two.0.iter().filter_map(|pair| above(&pair)));
    }
    let (one, two) = (one.0, two.0);
    one.entries == two.entries
        && one.repetition == two.repetition
        && one.definition.len() == two.definition.len()
        && one
            .definition
            .iter()
            .zip(two.definition)
            .fold(true, |same, (one, two)| same & ((*one).min(definition) == (*two).min(definition)))
}
