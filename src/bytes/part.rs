//! Parts of slices that are known to be there.

use crate::error::{Error, Result};
use std::slice::SliceIndex;

/// Slices of which parts are taken.
pub(crate) trait Part<T> {
    /// The items in a range that earlier checks have made sure of. What a file says does not decide whether it is within.
    ///
    /// # Errors
    ///
    /// [`Error::internal`], where the range is not within the slice. Debug builds panic.
    fn part<R: SliceIndex<[T], Output = [T]>>(&self, range: R) -> Result<&[T]>;
}

impl<T> Part<T> for [T] {
    #[inline]
    fn part<R: SliceIndex<[T], Output = [T]>>(&self, range: R) -> Result<&[T]> {
        self.get(range).ok_or_else(|| missing(self.len()))
    }
}

#[cold]
fn missing(len: usize) -> Error {
    debug_assert!(false, "a range that is known to be within {len} items is not");
    Error::internal(format!("a range is not within {len} items"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_within_are_found() {
        assert_eq!([1, 2, 3].part(1..).unwrap(), [2, 3]);
        assert_eq!([1, 2, 3].part(3..3).unwrap(), [0; 0]);
    }

    #[test]
    #[cfg_attr(debug_assertions, should_panic(expected = "within 3 items"))]
    fn others_are_faults_of_ours() {
        let error = [1, 2, 3].part(2..4).unwrap_err();
        assert!(error.to_string().contains("within 3 items"), "{error}");
    }
}
