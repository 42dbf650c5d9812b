//! Sorting, compiled once.

/// Sorts pairs of numbers. A sort of another type would be some kilobytes of code of its own.
#[inline(never)]
pub(crate) fn pairs(pairs: &mut [(u64, u64)]) {
    pairs.sort_unstable();
}

/// Sorts items by a number; those of the same number stay in their order.
pub(crate) fn by_key<T>(items: &mut [T], key: impl Fn(&T) -> u64) {
    let mut order: Vec<(u64, u64)> = items.iter().map(key).zip(0..).collect();
    pairs(&mut order);
    for at in 0..items.len() {
        // Where the item is that belongs here: it may have made way for those before.
        let mut from = order[at].1;
        while from < at as u64 {
            from = order[from as usize].1;
        }
        order[at].1 = from;
        items.swap(at, from as usize);
    }
}

/// Sorts items by a number, and keeps the first of each number.
pub(crate) fn once<T>(items: &mut Vec<T>, key: impl Fn(&T) -> u64) {
    by_key(items, &key);
    items.dedup_by_key(|item| key(item));
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn items_are_sorted_as_by_the_standard_library(keys in prop::collection::vec(0u64..20, 0..40)) {
            let mut items: Vec<(u64, usize)> = keys.into_iter().zip(0..).collect();
            let mut expected = items.clone();
            expected.sort_by_key(|(key, _)| *key);
            by_key(&mut items, |(key, _)| *key);
            prop_assert_eq!(&items, &expected);
            once(&mut items, |(key, _)| *key);
            expected.dedup_by_key(|(key, _)| *key);
            prop_assert_eq!(items, expected);
        }
    }

    #[test]
    fn long_cycles_are_passed_once() {
        let turned = |by: u64| (0..100_000u64).map(move |number| (number + by) % 100_000);
        for by in [1, 99_999, 50_000] {
            let mut items: Vec<u64> = turned(by).collect();
            by_key(&mut items, |number| *number);
            assert!(items.is_sorted());
        }
    }
}
