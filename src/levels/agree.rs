//! Whether two columns say the same of what is above both of them.

use super::entries::{Levels, LevelsRef, Place};
use crate::error::{Error, Result};

/// Checks that two columns, of these greatest levels, agree on the entries of a place above both.
///
/// # Errors
///
/// Columns that contradict each other.
pub(crate) fn check(one: (LevelsRef<'_>, Place), two: (LevelsRef<'_>, Place), place: Place) -> Result<()> {
    // All columns have the same rows.
    if place == Place::default() || same(one, two, place) {
        return Ok(());
    }
    Err(Error::value("the levels contradict another column of the same record"))
}

fn same(one: (LevelsRef<'_>, Place), two: (LevelsRef<'_>, Place), place: Place) -> bool {
    let [one_above, two_above] = [one, two].map(|(levels, greatest)| above(levels, greatest, place));
    let [one, two] = [(one.0, &one_above), (two.0, &two_above)]
        .map(|(levels, above)| above.as_ref().map_or(levels, Levels::as_ref));
    let least = place.definition;
    one.entries == two.entries
        && one.repetition == two.repetition
        && one.definition.len() == two.definition.len()
        && one
            .definition
            .iter()
            .zip(two.definition)
            .fold(0, |differing, (one, two)| differing | (*one).min(least) ^ (*two).min(least))
            == 0
}

/// The entries that begin what is at a place, where there are others.
fn above(levels: LevelsRef<'_>, greatest: Place, place: Place) -> Option<Levels> {
    if greatest.repetition <= place.repetition {
        return None;
    }
    let len = levels.entries;
    let (mut repetition, mut definition) = (vec![0; len], vec![0; len]);
    let mut at = 0;
    for (own, level) in levels.repetition.iter().zip(levels.definition) {
        // Each is put where the next one is, until one stays.
        if let (Some(repetition), Some(definition)) = (repetition.get_mut(at), definition.get_mut(at)) {
            (*repetition, *definition) = (*own, *level);
        }
        at += usize::from(*own <= place.repetition);
    }
    repetition.truncate(at);
    definition.truncate(at);
    if place.repetition == 0 {
        // Without lists there are no levels of them.
        repetition.clear();
    }
    Some(Levels { entries: at, repetition, definition })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn levels(pairs: &[(u8, u8)]) -> Levels {
        let (repetition, definition) = pairs.iter().copied().unzip();
        Levels { entries: pairs.len(), repetition, definition }
    }

    #[test]
    fn columns_below_other_lists_agree_on_what_is_above() {
        let at = |repetition, definition| Place { repetition, definition };
        // [[1, 2], []], [] beside the same with other inner lists, and beside lists of single values.
        let one = levels(&[(0, 2), (2, 2), (1, 1), (0, 0)]);
        let two = levels(&[(0, 1), (1, 2), (2, 2), (0, 0)]);
        let flat = levels(&[(0, 1), (1, 1), (0, 0)]);
        let compare = |one: &Levels, two: &Levels, most: u8| {
            check((one.as_ref(), at(2, 2)), (two.as_ref(), at(most, most)), at(1, 1)).is_ok()
        };
        assert!(compare(&one, &two, 2) && compare(&two, &one, 2));
        assert!(compare(&one, &flat, 1) && compare(&two, &flat, 1));
        for other in [
            levels(&[(0, 1), (0, 0)]),
            levels(&[(0, 1), (1, 0), (0, 0)]),
            levels(&[(0, 1), (0, 1), (0, 0)]),
            levels(&[(0, 1), (1, 1), (1, 1), (0, 0)]),
        ] {
            assert!(!compare(&one, &other, 1), "{other:?}");
        }
    }

    #[test]
    fn optionals_agree_with_those_below_lists() {
        let place = Place { repetition: 0, definition: 1 };
        let deep = (levels(&[(0, 0), (0, 2), (1, 2), (0, 1)]), Place { repetition: 1, definition: 2 });
        for (definition, agrees) in [(vec![0, 1, 1], true), (vec![0, 1, 0], false), (vec![1, 1, 1], false)] {
            let flat = Levels { entries: 3, repetition: Vec::new(), definition };
            let found = check((flat.as_ref(), place), (deep.0.as_ref(), deep.1), place).is_ok();
            assert_eq!(found, agrees);
        }
    }
}
