//! Keeps what is known of the values of the block that is open, for the zone map.

use super::texts::Texts;
use crate::storage::value_type::ValueType;
use crate::storage::zone_map::{Bound, Zone};
use crate::vector::Span;

/// The zone of the open block, and whether the whole column ascends.
#[derive(Clone, Debug)]
pub(crate) struct OpenZone {
    /// Whether all values so far ascend, in this block and earlier ones.
    pub(crate) ascending: bool,
    pub(crate) nulls: u64,
    pub(crate) values: u64,
    nan: bool,
    /// Of integers, and of booleans as 0 and 1.
    integers: Extremes<i64>,
    floats: Extremes<f64>,
    texts: Texts,
}

/// The least and the greatest value of the open block; where the least is greater, there is no value.
#[derive(Clone, Copy, Debug)]
struct Extremes<T> {
    min: T,
    max: T,
    /// The last value of the column, as long as it ascends.
    last: T,
}

impl Default for OpenZone {
    fn default() -> Self {
        let (least, greatest) = (f64::NEG_INFINITY, f64::INFINITY);
        Self {
            ascending: true,
            nulls: 0,
            values: 0,
            nan: false,
            integers: Extremes { min: i64::MAX, max: i64::MIN, last: i64::MIN },
            floats: Extremes { min: greatest, max: least, last: least },
            texts: Texts::default(),
        }
    }
}

/// A floating-point number.
pub(crate) trait Float: Copy + PartialOrd + Into<f64> {
    fn is_nan(self) -> bool;
}

impl Float for f32 {
    #[inline]
    fn is_nan(self) -> bool {
        f32::is_nan(self)
    }
}

impl Float for f64 {
    #[inline]
    fn is_nan(self) -> bool {
        f64::is_nan(self)
    }
}

impl OpenZone {
    /// Takes numbers or booleans.
    pub(crate) fn integers<T: Copy + Ord + Into<i64>>(&mut self, values: &[T]) {
        let ([first, ..], [.., last]) = (values, values) else {
            return;
        };
        let known = &mut self.integers;
        self.ascending = self.ascending && known.last <= (*first).into() && ascends(values);
        known.last = (*last).into();
        let (min, max) = match self.ascending {
            true => (*first, *last),
            false => {
                values.iter().fold((*first, *first), |(min, max), value| (min.min(*value), max.max(*value)))
            }
        };
        known.min = known.min.min(min.into());
        known.max = known.max.max(max.into());
    }

    /// Takes floating-point numbers.
    pub(crate) fn floats<T: Float>(&mut self, values: &[T]) {
        let ([first, ..], [.., last]) = (values, values) else {
            return;
        };
        let known = &mut self.floats;
        self.ascending = self.ascending && known.last <= (*first).into() && ascends(values);
        known.last = (*last).into();
        let found = match self.ascending {
            true => Some((*first, *last)),
            false => {
                self.nan |= values.iter().fold(false, |nan, value| nan | value.is_nan());
                extremes(values)
            }
        };
        if let Some((min, max)) = found {
            known.min = known.min.min(min.into());
            known.max = known.max.max(max.into());
        }
    }

    /// Takes strings or bytes, which are parts of `data`.
    pub(crate) fn texts(&mut self, data: &[u8], spans: &[Span]) {
        let ([first, ..], [.., last]) = (spans, spans) else {
            return;
        };
        self.ascending = self.ascending && self.texts.ascend(data, spans);
        match self.ascending {
            true => self.texts.take(data, &[*first, *last]),
            false => self.texts.take(data, spans),
        }
    }

    /// The zone of the block, which ends here.
    pub(crate) fn end(&mut self, value_type: ValueType) -> Zone {
        let (integers, floats) = (&self.integers, &self.floats);
        let (min, max) = match value_type {
            ValueType::Null => (None, None),
            ValueType::Boolean if integers.min <= integers.max => {
                (Some(Bound::Boolean(integers.min == 1)), Some(Bound::Boolean(integers.max == 1)))
            }
            ValueType::Int
            | ValueType::Long
            | ValueType::Fixed8
            | ValueType::Fixed16
            | ValueType::Fixed32
            | ValueType::Fixed64
                if integers.min <= integers.max =>
            {
                (Some(Bound::Integer(integers.min)), Some(Bound::Integer(integers.max)))
            }
            // The zero is the one that takes in the other.
            ValueType::Float | ValueType::Double if floats.min <= floats.max => {
                let zero = |bound: f64, zero| if bound == 0.0 { zero } else { bound };
                (Some(Bound::Float(zero(floats.min, -0.0))), Some(Bound::Float(zero(floats.max, 0.0))))
            }
            ValueType::String | ValueType::Bytes | ValueType::Timestamp => self.texts.end(),
            _ => (None, None),
        };
        let zone = Zone { nulls: self.nulls, values: self.values, min, max, nan: self.nan };
        (self.nulls, self.values, self.nan) = (0, 0, false);
        (self.integers.min, self.integers.max) = (i64::MAX, i64::MIN);
        (self.floats.min, self.floats.max) = (f64::INFINITY, f64::NEG_INFINITY);
        zone
    }
}

/// Whether no value is less than the one before it, which NaN never is. Many are compared at once.
fn ascends<T: PartialOrd>(values: &[T]) -> bool {
    /// Values that are compared without a look at the outcome of each.
    const VALUES_AT_ONCE: usize = 128;
    let Some((_, next)) = values.split_first() else {
        return true;
    };
    values.chunks(VALUES_AT_ONCE).zip(next.chunks(VALUES_AT_ONCE)).all(|(values, next)| {
        values.iter().zip(next).fold(true, |ascends, (one, two)| ascends & (one <= two))
    })
}

/// The least and the greatest value but NaN, of eight rows of values side by side.
fn extremes<T: Float>(values: &[T]) -> Option<(T, T)> {
    let start = values.iter().copied().find(|value| !value.is_nan())?;
    let min = |one: T, two: T| if one < two { one } else { two };
    let max = |one: T, two: T| if one > two { one } else { two };
    let (mut least, mut greatest) = ([start; 8], [start; 8]);
    let (chunks, rest) = values.as_chunks::<8>();
    // One loop for each: of both in one the compiler makes shuffles for `f32`, four times as slow.
    for chunk in chunks {
        for (least, value) in least.iter_mut().zip(chunk) {
            *least = min(*value, *least);
        }
    }
    for chunk in chunks {
        for (greatest, value) in greatest.iter_mut().zip(chunk) {
            *greatest = max(*value, *greatest);
        }
    }
    let least = rest.iter().chain(&least).fold(start, |least, value| min(*value, least));
    let greatest = rest.iter().chain(&greatest).fold(start, |greatest, value| max(*value, greatest));
    Some((least, greatest))
}
