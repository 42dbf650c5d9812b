//! Does the same with each of several things, on several threads.

use crate::error::Result;
use crate::storage::pool;

/// Works on all items, each taken by the next thread that is free.
///
/// # Errors
///
/// Of all items that fail, the error of the first.
pub(super) fn each<T: Send>(
    count: usize,
    items: impl ExactSizeIterator<Item = T> + Send,
    work: impl Fn(T) -> Result<()> + Sync,
) -> Result<()> {
    let count = count.min(items.len());
    if count < 2 {
        let mut items = items;
        return items.try_for_each(work);
    }
    pool::each(count, items, work)
}
