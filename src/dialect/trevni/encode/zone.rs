//! Keeps what is known of the values of the block that is open, for the zone map.

use crate::value_type::ValueType;
use crate::vector::Span;
use crate::zone_map::{Bound, LONGEST, Zone};

/// The zone of the open block, and whether the whole column ascends.
#[derive(Clone, Debug)]
pub(super) struct OpenZone {
    /// Whether all values so far ascend, those of earlier blocks included.
    pub(super) ascending: bool,
    pub(super) nulls: u64,
    pub(super) values: u64,
    nan: bool,
    /// Of integers, and of booleans as 0 and 1.
    integers: Extremes<i64>,
    floats: Extremes<f64>,
    texts: Texts,
}

/// The least and the greatest value of the open block; where the least is greater, there is none.
#[derive(Clone, Copy, Debug)]
struct Extremes<T> {
    min: T,
    max: T,
    /// The last value of the column, as long as it ascends.
    last: T,
}

/// The same, of texts and bytes.
#[derive(Clone, Debug, Default)]
struct Texts {
    there: bool,
    /// As much of the least and the greatest as a bound needs, and their keys.
    min: Vec<u8>,
    max: Vec<u8>,
    min_key: u128,
    max_key: u128,
    /// The last value of the column, as long as it ascends.
    last: Vec<u8>,
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
pub(super) trait Float: Copy + PartialOrd + Into<f64> {
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
    pub(super) fn integers<T: Copy + Ord + Into<i64>>(&mut self, values: &[T]) {
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
    pub(super) fn floats<T: Float>(&mut self, values: &[T]) {
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

    /// Takes texts or bytes, which stand in `data`.
    pub(super) fn texts(&mut self, data: &[u8], spans: &[Span]) {
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
    pub(super) fn end(&mut self, value_type: ValueType) -> Zone {
        let Self { integers, floats, .. } = self;
        let (min, max) = match value_type {
            ValueType::Null => (None, None),
            ValueType::Boolean if integers.min <= integers.max => {
                (Some(Bound::Boolean(integers.min == 1)), Some(Bound::Boolean(integers.max == 1)))
            }
            ValueType::Int | ValueType::Long | ValueType::Fixed32 | ValueType::Fixed64
                if integers.min <= integers.max =>
            {
                (Some(Bound::Integer(integers.min)), Some(Bound::Integer(integers.max)))
            }
            // The zero is the one that takes in the other.
            ValueType::Float | ValueType::Double if floats.min <= floats.max => {
                let zero = |bound: f64, zero| if bound == 0.0 { zero } else { bound };
                (Some(Bound::Float(zero(floats.min, -0.0))), Some(Bound::Float(zero(floats.max, 0.0))))
            }
            ValueType::String | ValueType::Bytes if self.texts.there => {
                (Some(Bound::below(&self.texts.min)), Bound::above(&self.texts.max))
            }
            _ => (None, None),
        };
        let zone = Zone { nulls: self.nulls, values: self.values, min, max, nan: self.nan };
        (self.nulls, self.values, self.nan, self.texts.there) = (0, 0, false, false);
        (self.integers.min, self.integers.max) = (i64::MAX, i64::MIN);
        (self.floats.min, self.floats.max) = (f64::INFINITY, f64::NEG_INFINITY);
        zone
    }
}

/// Whether no value is less than the one before it, which NaN never is. Many are compared at once.
fn ascends<T: PartialOrd>(values: &[T]) -> bool {
    const AT_ONCE: usize = 128;
    let next = values.get(1..).unwrap_or_default();
    values.chunks(AT_ONCE).zip(next.chunks(AT_ONCE)).all(|(values, next)| {
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
    for chunk in chunks {
        for (least, value) in least.iter_mut().zip(chunk) {
            *least = min(*value, *least);
        }
        for (greatest, value) in greatest.iter_mut().zip(chunk) {
            *greatest = max(*value, *greatest);
        }
    }
    let least = rest.iter().chain(&least).fold(start, |least, value| min(*value, least));
    let greatest = rest.iter().chain(&greatest).fold(start, |greatest, value| max(*value, greatest));
    Some((least, greatest))
}

/// A number that orders texts: their first bytes, then their length, if it is not more than these.
/// Only texts with more bytes may have the same key and differ.
type Key = u64;

/// How many bytes of a text stand in its key.
const IN_KEY: usize = size_of::<Key>() - 1;

#[inline]
fn key(data: &[u8], span: Span) -> Key {
    let Span { start, end } = span;
    let length = (end as usize).saturating_sub(start as usize);
    let word = data.get(start as usize..).and_then(|rest| rest.first_chunk());
    let word = word.map_or_else(|| last_word(data, span), |word| Key::from_be_bytes(*word));
    let kept = length.min(IN_KEY);
    word & (Key::MAX << 8) << (8 * (IN_KEY - kept)) | length.min(IN_KEY + 1) as Key
}

/// The first bytes behind the start of a text where there are few.
#[cold]
fn last_word(data: &[u8], span: Span) -> Key {
    let rest = data.get(span.start as usize..).unwrap_or_default();
    (0..=IN_KEY).fold(0, |word, at| word << 8 | Key::from(rest.get(at).copied().unwrap_or_default()))
}

/// A key of twice the size: behind that of the text, that of what is behind its first bytes.
#[inline]
fn wide(data: &[u8], span: Span, key: Key) -> u128 {
    let rest = Span { start: span.start.saturating_add(IN_KEY as u32), end: span.end };
    u128::from(key) << Key::BITS | if long(key) == 1 { u128::from(self::key(data, rest)) } else { 0 }
}

/// 1 where texts with this key may have more bytes than stand in it, or else 0.
#[inline]
fn long(key: Key) -> Key {
    (key & 0xff) / (IN_KEY + 1) as Key
}

impl Texts {
    /// Whether values ascend, the last one before them included.
    fn ascend(&mut self, data: &[u8], spans: &[Span]) -> bool {
        let text = |span: &Span| data.get(span.range()).unwrap_or_default();
        let Some(first) = spans.first().filter(|first| &*self.last <= text(first)) else {
            return false;
        };
        let mut before = (key(data, *first), first);
        let ascend = spans.iter().all(|span| {
            let key = key(data, *span);
            let ascends =
                before.0 < key || before.0 == key && (long(key) == 0 || text(before.1) <= text(span));
            before = (key, span);
            ascends
        });
        if ascend {
            self.last.clear();
            self.last.extend_from_slice(text(before.1));
        }
        ascend
    }

    fn take(&mut self, data: &[u8], spans: &[Span]) {
        // One byte more than a bound has tells that it is cut.
        let text = |span: &Span| {
            let text = data.get(span.range()).unwrap_or_default();
            text.get(..=LONGEST).unwrap_or(text)
        };
        let (mut min, mut max) = (None, None);
        if !self.there
            && let Some(first) = spans.first()
        {
            (min, max) = (Some(text(first)), Some(text(first)));
            self.min_key = wide(data, *first, key(data, *first));
            self.max_key = self.min_key;
            self.there = true;
        }
        let narrow = |key: u128| (key >> Key::BITS) as Key;
        let (mut least, mut most) = (narrow(self.min_key), narrow(self.max_key));
        for span in spans {
            let key = key(data, *span);
            // Texts with more bytes than their keys are looked at where the keys are the same, too.
            if (key + long(key) > most) | (key - long(key) < least) {
                let (key, value) = (wide(data, *span, key), text(span));
                if key > self.max_key || key == self.max_key && value > max.unwrap_or(&self.max) {
                    (self.max_key, max) = (key, Some(value));
                } else if key < self.min_key || key == self.min_key && value < min.unwrap_or(&self.min) {
                    (self.min_key, min) = (key, Some(value));
                }
                (least, most) = (narrow(self.min_key), narrow(self.max_key));
            }
        }
        for (kept, found) in [(&mut self.min, min), (&mut self.max, max)] {
            if let Some(found) = found {
                kept.clear();
                kept.extend_from_slice(found);
            }
        }
    }
}
