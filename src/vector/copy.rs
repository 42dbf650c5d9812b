//! Copies ranges of entries from one vector to another.

use super::{ListVector, Vector};
use std::ops::Range;

impl Vector {
    /// Appends some entries, which must be there, to a vector of the same form; false for vectors of
    /// several parts.
    pub(crate) fn copy_range(&self, range: Range<usize>, out: &mut Self) -> bool {
        fn copy<T: Clone>(from: &[T], range: Range<usize>, out: &mut Vec<T>) -> bool {
            from.get(range).map(|values| out.extend_from_slice(values)).is_some()
        }
        match (self, out) {
            (Self::Null(_), Self::Null(out)) => {
                *out += range.len();
                true
            }
            (Self::Boolean(values), Self::Boolean(out)) => copy(values, range, out),
            (Self::Int(values), Self::Int(out)) | (Self::Enum(values), Self::Enum(out)) => {
                copy(values, range, out)
            }
            (Self::Long(values), Self::Long(out)) => copy(values, range, out),
            (Self::Float(values), Self::Float(out)) => copy(values, range, out),
            (Self::Double(values), Self::Double(out)) => copy(values, range, out),
            (Self::String(values), Self::String(out)) => {
                range.into_iter().all(|at| values.get(at).is_some_and(|value| out.push(value)))
            }
            (Self::String(values), Self::Bytes(out)) => {
                range.into_iter().all(|at| values.get(at).is_some_and(|value| out.push(value.as_bytes())))
            }
            (Self::Bytes(values), Self::Bytes(out)) => {
                range.into_iter().all(|at| values.get(at).is_some_and(|value| out.push(value)))
            }
            _ => false,
        }
    }
}

impl ListVector {
    /// Appends some lists of simple values, which must be there, to lists of the same form; false for
    /// others.
    pub(crate) fn copy_range(&self, range: Range<usize>, out: &mut Self) -> bool {
        let starts = self.offsets.as_slice();
        match (starts.get(range.start), starts.get(range.end)) {
            (Some(start), Some(end)) => {
                self.item.copy_range(*start as usize..*end as usize, &mut out.item)
                    && out.offsets.push_range(&self.offsets, range)
            }
            _ => false,
        }
    }
}
