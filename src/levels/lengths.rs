//! Levels to lengths: one pass over the entries for each list or optional, whatever they hold.

use super::entries::{LevelsRef, Place};
use crate::error::{Error, Result};
use crate::vector::Offsets;

/// Checks the levels of a column by themselves: what an entry continues is there, in it and in the entry before it.
/// `within` has the definition level within each of the lists around the values, outermost first.
///
/// # Errors
///
/// Levels that contradict themselves.
pub(crate) fn check(levels: LevelsRef<'_>, within: &[u8]) -> Result<()> {
    // There are no levels where there are no entries, or where the greatest is 0.
    let next = levels.repetition.get(1..).unwrap_or_default();
    let (before, own) = (levels.definition, levels.definition.get(1..).unwrap_or_default());
    for (repetition, definition) in (1u8..).zip(within) {
        // Bytes rather than booleans, so that many are compared at once.
        let is_bad = |((level, before), own): ((&u8, &u8), &u8)| {
            u8::from(*level >= repetition) & u8::from(*before.min(own) < *definition)
        };
        let mut entries = next.iter().zip(before).zip(own);
        if entries.clone().fold(0, |bad, entry| bad | is_bad(entry)) > 0 {
            let entry = entries.position(|entry| is_bad(entry) > 0).map_or(0, |before| before + 1);
            return Err(Error::value(format!(
                "the levels contradict themselves: entry {entry} goes on with a list that is not there"
            )));
        }
    }
    match levels.repetition.first() {
        Some(first) if *first > 0 => Err(Error::value(
            "the levels contradict themselves: entry 0 goes on with a list that is not there",
        )),
        _ => Ok(()),
    }
}

/// Number of entries of a node at a place, by the levels of a column below it, whose greatest levels are `greatest`.
pub(crate) fn entries(levels: LevelsRef<'_>, greatest: Place, place: Place) -> usize {
    match (greatest.repetition > place.repetition, place.definition > 0) {
        (false, false) => levels.entries,
        (false, true) => levels.definition.iter().filter(|level| **level >= place.definition).count(),
        (true, false) => levels.repetition.iter().filter(|level| **level <= place.repetition).count(),
        (true, true) => {
            levels.iter().filter(|(r, d)| *r <= place.repetition && *d >= place.definition).count()
        }
    }
}

/// Appends what a column says of the optionals at a place.
///
/// # Errors
///
/// More items than can be counted.
pub(crate) fn optionals(
    levels: LevelsRef<'_>,
    greatest: Place,
    place: Place,
    out: &mut Offsets,
) -> Result<()> {
    counted(levels)?;
    let Place { repetition, definition } = place;
    if greatest.repetition <= repetition {
        let marks = levels.definition.iter().map(|level| (*level >= definition, *level > definition));
        return appended(out.push_marked(marks));
    }
    let pairs = levels.repetition.iter().zip(levels.definition);
    appended(out.push_marked(pairs.map(|(r, d)| {
        let begins = *r <= repetition;
        (begins & (*d >= definition), begins & (*d > definition))
    })))
}

/// Appends what a column says of the lists at a place.
///
/// # Errors
///
/// More items than can be counted.
pub(crate) fn lists(levels: LevelsRef<'_>, place: Place, out: &mut Offsets) -> Result<()> {
    counted(levels)?;
    let Place { repetition, definition } = place;
    let pairs = levels.repetition.iter().zip(levels.definition);
    appended(
        out.push_marked(pairs.map(|(r, d)| {
            (*r <= repetition && *d >= definition, (*r <= repetition + 1) & (*d > definition))
        })),
    )
}

/// Calls with each entry at a place: whether it is there in what is within.
pub(crate) fn each(levels: LevelsRef<'_>, place: Place, within: u8, call: impl FnMut(bool)) {
    let entries = levels.iter().filter(|(r, d)| *r <= place.repetition && *d >= place.definition);
    entries.map(|(_, d)| d >= within).for_each(call);
}

fn counted(levels: LevelsRef<'_>) -> Result<()> {
    match u32::try_from(levels.entries) {
        Ok(_) => Ok(()),
        Err(_) => {
            let most = u64::from(u32::MAX);
            Err(Error::too_large("the number of entries in a batch", levels.entries as u64, most))
        }
    }
}

fn appended(done: bool) -> Result<()> {
    if done { Ok(()) } else { Err(Error::value("the levels contradict themselves: an item is in no list")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::levels::Levels;

    fn levels(pairs: &[(u8, u8)]) -> Levels {
        Levels {
            entries: pairs.len(),
            repetition: pairs.iter().map(|pair| pair.0).collect(),
            definition: pairs.iter().map(|pair| pair.1).collect(),
        }
    }

    #[test]
    fn lists_of_lists_have_their_lengths() {
        // [[1, 2], [], [3]], [], [[4]]
        let levels = levels(&[(0, 2), (2, 2), (1, 1), (1, 2), (0, 0), (0, 2)]);
        check(levels.as_ref(), &[1, 2]).unwrap();
        let (mut outer, mut inner) = (Offsets::default(), Offsets::default());
        lists(levels.as_ref(), Place::default(), &mut outer).unwrap();
        lists(levels.as_ref(), Place::default().items(), &mut inner).unwrap();
        assert_eq!(outer.as_slice(), [0, 3, 3, 4]);
        assert_eq!(inner.as_slice(), [0, 2, 2, 3, 4]);
        let greatest = Place { repetition: 2, definition: 2 };
        assert_eq!(entries(levels.as_ref(), greatest, Place::default().items()), 4);
        assert_eq!(entries(levels.as_ref(), greatest, greatest), 4);
        assert_eq!(entries(levels.as_ref(), greatest, Place::default()), 3);
    }

    #[test]
    fn levels_that_contradict_themselves_are_refused() {
        for bad in [&[(1, 1)][..], &[(0, 0), (1, 1)], &[(0, 1), (1, 0)], &[(0, 2), (2, 1)]] {
            assert!(check(levels(bad).as_ref(), &[1, 2]).is_err(), "{bad:?}");
        }
    }
}
