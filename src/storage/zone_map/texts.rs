//! Keeps the least and the greatest text of the block that is open, for the zone map.

use crate::storage::zone_map::{BOUND_BYTES, Bound};
use crate::vector::Span;

/// The least and the greatest text of the open block, or byte string.
#[derive(Clone, Debug, Default)]
pub(crate) struct Texts {
    there: bool,
    /// As much of the least and the greatest as a bound needs, and their keys.
    min: Vec<u8>,
    max: Vec<u8>,
    min_key: u128,
    max_key: u128,
    /// The last value of the column, as long as it ascends.
    last: Vec<u8>,
}

/// A number that orders strings: their first bytes, then their length, if it is not more than these.
/// Only strings with more bytes may have the same key and differ.
type Key = u64;

/// How many bytes of a text are in its key.
const IN_KEY: usize = size_of::<Key>() - 1;

/// The bytes of a word that are in the key of a text of a length.
const KEPT: [Key; IN_KEY + 2] = {
    let mut kept = [Key::MAX << 8; IN_KEY + 2];
    let mut length = 0;
    while length < IN_KEY {
        kept[length] = (Key::MAX << 8) << (8 * (IN_KEY - length));
        length += 1;
    }
    kept
};

#[inline]
fn key(data: &[u8], span: Span) -> Key {
    let Span { start, end } = span;
    let length = (end as usize).saturating_sub(start as usize).min(IN_KEY + 1);
    let word = data.get(start as usize..).and_then(|rest| rest.first_chunk());
    let word = word.map_or_else(|| last_word(data, span), |word| Key::from_be_bytes(*word));
    word & KEPT[length] | length as Key
}

/// The first bytes after the start of a text where there are few.
#[cold]
fn last_word(data: &[u8], span: Span) -> Key {
    let rest = &data[span.start as usize..];
    (0..=IN_KEY).fold(0, |word, at| word << 8 | Key::from(rest.get(at).copied().unwrap_or_default()))
}

/// A 128-bit key: the key of the text, then the key of the rest.
#[inline]
fn wide(data: &[u8], span: Span, key: Key) -> u128 {
    let rest = Span { start: span.start.saturating_add(IN_KEY as u32), end: span.end };
    u128::from(key) << Key::BITS | if long(key) == 1 { u128::from(self::key(data, rest)) } else { 0 }
}

/// 1 where strings with this key may have more bytes than are in it, or else 0.
#[inline]
fn long(key: Key) -> Key {
    (key & 0xff) / (IN_KEY + 1) as Key
}

impl Texts {
    /// Whether values ascend, the last one before them included.
    pub(crate) fn ascend(&mut self, data: &[u8], spans: &[Span]) -> bool {
        let text = |span: &Span| &data[span.range()];
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

    /// Takes strings, which are parts of `data`.
    pub(crate) fn take(&mut self, data: &[u8], spans: &[Span]) {
        // One byte more than a bound has tells that it is cut.
        let text = |span: &Span| {
            let text = &data[span.range()];
            text.get(..=BOUND_BYTES).unwrap_or(text)
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
        let mut known = self.known();
        for span in spans {
            let narrow = key(data, *span);
            if known.holds(narrow) {
                continue;
            }
            let (key, value) = (wide(data, *span, narrow), text(span));
            if key > self.max_key || key == self.max_key && value > max.unwrap_or(&self.max) {
                (self.max_key, max) = (key, Some(value));
            } else if key < self.min_key || key == self.min_key && value < min.unwrap_or(&self.min) {
                (self.min_key, min) = (key, Some(value));
            } else {
                continue;
            }
            known = self.known();
        }
        for (kept, found) in [(&mut self.min, min), (&mut self.max, max)] {
            if let Some(found) = found {
                kept.clear();
                kept.extend_from_slice(found);
            }
        }
    }

    /// Bounds of the strings of the block, which ends here.
    pub(crate) fn end(&mut self) -> (Option<Bound>, Option<Bound>) {
        match std::mem::take(&mut self.there) {
            true => (Some(Bound::below(&self.min)), Bound::above(&self.max)),
            false => (None, None),
        }
    }

    /// The keys of strings that are surely between the least and the greatest.
    fn known(&self) -> Known {
        let narrow = |key: u128| (key >> Key::BITS) as Key;
        let (least, most) = (narrow(self.min_key), narrow(self.max_key));
        // Strings with more bytes than their keys are looked at where the keys are the same, too.
        let (first, last) = (least + long(least), most - long(most));
        match last.checked_sub(first) {
            Some(more) => Known { first, more },
            None => Known { first: Key::MAX, more: 0 },
        }
    }
}

/// Keys that follow each other: the first, and how many more. The greatest number is the key of no text.
#[derive(Clone, Copy)]
struct Known {
    first: Key,
    more: Key,
}

impl Known {
    #[inline]
    fn holds(self, key: Key) -> bool {
        key.wrapping_sub(self.first) <= self.more
    }
}
