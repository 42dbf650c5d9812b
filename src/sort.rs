//! Sorting, compiled once.

/// Sorts pairs of numbers. A sort of another type would be some kilobytes of code of its own.
#[inline(never)]
pub(crate) fn pairs(pairs: &mut [(u64, u64)]) {
    pairs.sort_unstable();
}
