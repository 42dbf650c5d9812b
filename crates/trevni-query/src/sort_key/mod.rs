//! Values as bytes that are in the order of the values, so that rows are sorted by comparing bytes.

mod number;

use crate::Decimal;
use crate::moment::{Moment, MomentKind};
use crate::scalar::ScalarRef;
use crate::types::Type;

/// What rows are sorted by, from the least to the greatest or the other way round: values as bytes.
///
/// The bytes of two values compare as the values do ([`ScalarRef::order`]), and those of several values, one after the
/// other, as the first of them that differ. Nulls are last whichever way it goes.
///
/// ```
/// use trevni_query::{Scalar, SortKey};
///
/// let bytes = |by: &SortKey, value: Scalar| {
///     let mut bytes = Vec::new();
///     by.append(value.get(), &mut bytes);
///     bytes
/// };
/// let up = SortKey::new(false, []);
/// assert!(bytes(&up, Scalar::Integer(2)) < bytes(&up, Scalar::Float(2.5)));
/// let down = SortKey::new(true, []);
/// assert!(bytes(&down, Scalar::Float(2.5)) < bytes(&down, Scalar::Integer(2)));
/// assert!(bytes(&down, Scalar::Integer(2)) < bytes(&down, Scalar::Null));
/// ```
#[derive(Clone, Debug)]
pub struct SortKey {
    descends: bool,
    /// Whether there are decimals, which other numbers are compared with as decimals.
    has_decimals: bool,
}

/// Above the kinds of all values.
const NULL: u8 = 7;

impl SortKey {
    /// For values of these types, which matter only for decimals among other numbers.
    pub fn new(descends: bool, kinds: impl IntoIterator<Item = Type>) -> Self {
        Self { descends, has_decimals: kinds.into_iter().any(|kind| kind == Type::Decimal) }
    }

    /// Appends the bytes of a value.
    pub fn append(&self, value: ScalarRef<'_>, out: &mut Vec<u8>) {
        let start = out.len();
        if value == ScalarRef::Null {
            return out.push(NULL);
        }
        out.push(value.kind());
        match value {
            ScalarRef::Null => {}
            ScalarRef::Boolean(value) => out.push(value.into()),
            ScalarRef::Integer(value) if self.has_decimals => decimal(&Decimal::of_integer(value), out),
            ScalarRef::Integer(value) => integer(value, out),
            ScalarRef::Float(value) => match self.has_decimals.then(|| Decimal::of_float(value)).flatten() {
                Some(value) => decimal(&value, out),
                None => number::float(value, out),
            },
            ScalarRef::Decimal(value) => decimal(value, out),
            ScalarRef::Moment(Moment { kind, nanos }) => {
                out.push((kind == MomentKind::Time).into());
                integer(nanos, out);
            }
            ScalarRef::Ip(value) => bytes(&value.key(), out),
            ScalarRef::Text(value) => bytes(value.as_bytes(), out),
            ScalarRef::Bytes(value) => bytes(value, out),
        }
        if self.descends {
            // The first byte stays below that of null.
            out.iter_mut().skip(start).take(1).for_each(|kind| *kind = NULL - 1 - *kind);
            out.iter_mut().skip(start + 1).for_each(|byte| *byte = !*byte);
        }
    }
}

/// Appends bytes in the order of integers, and of floats among them.
pub fn integer(value: i128, out: &mut Vec<u8>) {
    number::whole(value < 0, value.unsigned_abs(), out);
}

/// Appends bytes in the order of integers, and of floats among them.
pub fn unsigned(value: u128, out: &mut Vec<u8>) {
    number::whole(false, value, out);
}

/// Appends bytes in IEEE's total order of floats, and in that of integers among them; an integer 0 is the positive one.
pub fn total_float(value: f64, out: &mut Vec<u8>) {
    number::total(value, out);
}

/// Appends bytes in the order of decimals.
pub fn decimal(value: &Decimal, out: &mut Vec<u8>) {
    let (is_negative, digits, exponent) = value.scientific();
    number::decimal(is_negative, &digits, exponent, out);
}

/// Appends bytes that are in the order of the given ones, whatever follows them.
pub fn bytes(value: &[u8], out: &mut Vec<u8>) {
    for part in value.split_inclusive(|byte| *byte == 0) {
        out.extend_from_slice(part);
        if part.ends_with(&[0]) {
            out.push(u8::MAX);
        }
    }
    out.extend_from_slice(&[0, 0]);
}

#[cfg(test)]
mod tests;
