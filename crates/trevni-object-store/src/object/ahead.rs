//! How much to fetch: of a column that is read in order, more and more.

use std::collections::HashMap;
use std::ops::Range;

/// The first bytes of a column: its block table, and all of a small column.
const FIRST_BYTES: u64 = 1 << 20;
/// Where a reader jumps.
const JUMP_BYTES: u64 = 64 << 10;
/// The most for a column.
const MOST_BYTES: u64 = 8 << 20;
/// The most for all columns that are wanted together.
const TOGETHER_BYTES: u64 = 16 << 20;
/// The least for each of many columns.
const LEAST_BYTES: u64 = 4 << 10;

/// What was fetched of each column, by its beginning.
#[derive(Debug, Default)]
pub(super) struct Ahead(HashMap<u64, Fetched>);

#[derive(Clone, Copy, Debug)]
struct Fetched {
    end: u64,
    window: u64,
}

impl Ahead {
    /// Makes ranges longer, up to the end of their columns. `starts` are where columns begin, in order.
    pub(super) fn widen(&mut self, mut ranges: Vec<Range<u64>>, starts: &[u64], len: u64) -> Vec<Range<u64>> {
        ranges.sort_unstable_by_key(|range| range.start);
        let share = (TOGETHER_BYTES / (ranges.len() as u64).max(1)).max(LEAST_BYTES);
        ranges.into_iter().map(|range| self.wider(range, starts, len, share)).collect()
    }

    fn wider(&mut self, range: Range<u64>, starts: &[u64], len: u64, share: u64) -> Range<u64> {
        let after = starts.partition_point(|start| *start <= range.start);
        let column = after.checked_sub(1).and_then(|at| starts.get(at)).copied();
        let column_end = starts.get(after).copied().unwrap_or(len).min(len);
        let window = match (column.and_then(|column| self.0.get(&column)), column) {
            (None, Some(_)) => FIRST_BYTES,
            (Some(before), _) if range.start.abs_diff(before.end) <= JUMP_BYTES => {
                (before.window * 2).min(MOST_BYTES)
            }
            _ => JUMP_BYTES,
        };
        let longer = range.start.saturating_add(window.min(share)).min(column_end);
        let wider = range.start..range.end.max(longer);
        if let Some(column) = column {
            self.0.insert(column, Fetched { end: wider.end, window: window.max(JUMP_BYTES) });
        }
        wider
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::single_range_in_vec_init, reason = "lists of ranges")]

    use super::*;

    const LEN: u64 = 100 << 20;

    #[test]
    fn columns_that_are_read_in_order_are_fetched_in_growing_steps() {
        let (mut ahead, starts) = (Ahead::default(), [1000, 50 << 20]);
        let mut at = 1000;
        let mut steps = Vec::new();
        while at < 50 << 20 {
            let wider = ahead.widen(vec![at..at + 512], &starts, LEN);
            steps.push(wider[0].end - at);
            at = wider[0].end;
        }
        assert_eq!(steps[..4], [1 << 20, 2 << 20, 4 << 20, 8 << 20]);
        assert!(steps.len() < 12 && at == 50 << 20, "{steps:?}");
    }

    #[test]
    fn jumps_fetch_little_and_small_columns_end() {
        let (mut ahead, starts) = (Ahead::default(), [1000, 2000, 50 << 20]);
        assert_eq!(ahead.widen(vec![1000..1001], &starts, LEN), [1000..2000]);
        ahead.widen(vec![2000..2001], &starts, LEN);
        let far = 20 << 20;
        assert_eq!(ahead.widen(vec![far..far + 7], &starts, LEN), [far..far + JUMP_BYTES]);
        assert_eq!(ahead.widen(vec![LEN - 7..LEN], &starts, LEN), [LEN - 7..LEN]);
        // Without columns, and more than a step.
        assert_eq!(ahead.widen(vec![0..9 << 20], &[], LEN), [0..9 << 20]);
    }
}
