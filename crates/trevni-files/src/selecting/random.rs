//! Rows of a selection, chosen at random.

use std::collections::BTreeSet;
use trevni::RowSelection;

/// Some rows of a selection, all with the same chance; all if there are fewer. Floyd's way: as many
/// random numbers as rows are chosen.
pub(super) fn random(rows: &RowSelection, count: u64, seed: u64) -> RowSelection {
    let total = rows.row_count();
    if count >= total {
        return rows.clone();
    }
    let mut random = fastrand::Rng::with_seed(seed);
    let mut chosen = BTreeSet::new();
    for last in total - count..total {
        let position = random.u64(..=last);
        if !chosen.insert(position) {
            chosen.insert(last);
        }
    }
    let mut ranges = rows.ranges().iter();
    let (mut before, mut range) = (0, 0..0);
    let row = |position: u64| {
        while position - before >= range.end - range.start {
            before += range.end - range.start;
            range = ranges.next()?.clone();
        }
        Some(range.start + (position - before))
    };
    chosen.into_iter().map_while(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_row_has_the_same_chance() {
        let rows = RowSelection::from([10..20, 100..103, 1000..1007]);
        let mut times = std::collections::BTreeMap::new();
        for seed in 0..4000 {
            let chosen = random(&rows, 5, seed);
            assert_eq!(chosen.row_count(), 5);
            assert_eq!(chosen.intersection(&rows), chosen);
            for row in chosen.ranges().iter().cloned().flatten() {
                *times.entry(row).or_insert(0) += 1;
            }
        }
        assert_eq!(times.len(), 20);
        assert!(times.values().all(|times| (900..1100).contains(times)), "{times:?}");
        assert_eq!(random(&rows, 5, 3), random(&rows, 5, 3));
        assert_eq!((random(&rows, 20, 3), random(&rows, 0, 3)), (rows, RowSelection::default()));
    }
}
