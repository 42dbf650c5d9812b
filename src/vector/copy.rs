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
        if let (Self::Dictionary(values), Self::Dictionary(out)) = (self, &mut *out)
            && out.extend_from(values, range.clone())
        {
            return true;
        }
        out.forget_dictionary();
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
            (Self::String(values), Self::String(out)) => out.extend_from(values, range),
            (Self::String(values), Self::Bytes(out)) => out.extend_from(values, range),
            (Self::Bytes(values), Self::Bytes(out)) => out.extend_from(values, range),
            (Self::Dictionary(values), Self::String(out)) => values.texts(range, |text| out.push(text)),
            (Self::Dictionary(values), Self::Bytes(out)) => {
                values.each(range, |value| out.push_packed(value))
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
