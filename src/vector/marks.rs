//! Lists of one item at most: a bit for each, set where it has an item.

use crate::bytes::lanes::SUMS_OF_BITS;
use std::sync::OnceLock;

/// Some lists of one item at most.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Marks<'a> {
    /// All have an item, or none has; and how many they are.
    Same(bool, usize),
    /// A bit for each, the lowest of a byte first, from a bit on; and how many they are.
    Bits(&'a [u8], usize, usize),
}

impl Marks<'_> {
    /// Number of lists.
    pub(crate) fn len(&self) -> usize {
        match *self {
            Self::Same(_, count) | Self::Bits(_, _, count) => count,
        }
    }

    /// The bytes all of whose bits are for lists, where none is shared with others.
    fn whole(&self) -> Option<&[u8]> {
        match *self {
            Self::Bits(bytes, start, count) if start.is_multiple_of(8) => {
                bytes.get(start / 8..start / 8 + count / 8)
            }
            _ => None,
        }
    }

    /// Eight of the bits from a number of bytes on; those beyond the last are not set.
    #[inline]
    fn byte(&self, index: usize) -> u8 {
        let byte = match *self {
            Self::Same(item, _) => u8::from(item) * u8::MAX,
            Self::Bits(bytes, start, _) => {
                let at = start / 8 + index;
                let byte = |at: usize| u16::from(bytes.get(at).copied().unwrap_or_default());
                ((byte(at) | byte(at + 1) << 8) >> (start % 8)) as u8
            }
        };
        let left = self.len().saturating_sub(8 * index);
        if left < 8 { byte & ((1 << left) - 1) } else { byte }
    }
}

/// A bit for each list, and the numbers of the same, made at the first request.
#[derive(Clone, Debug, Default)]
pub(super) struct MarkedLists {
    /// Bits beyond the last list are not set.
    bytes: Vec<u8>,
    len: usize,
    items: u32,
    numbers: OnceLock<Vec<u32>>,
}

impl MarkedLists {
    /// Number of lists.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Number of items of all lists.
    pub(super) fn items(&self) -> u32 {
        self.items
    }

    pub(super) fn bits(&self) -> &[u8] {
        &self.bytes
    }

    /// Where the items of each list begin, and the end of all.
    pub(super) fn numbers(&self) -> &[u32] {
        self.numbers.get_or_init(|| self.to_numbers())
    }

    pub(super) fn into_numbers(mut self) -> Vec<u32> {
        self.numbers.take().unwrap_or_else(|| self.to_numbers())
    }

    fn to_numbers(&self) -> Vec<u32> {
        let mut numbers = Vec::with_capacity(self.len + 1);
        numbers.push(0);
        push_numbers(&Marks::Bits(&self.bytes, 0, self.len), &mut numbers);
        numbers
    }

    /// Appends lists; returns how many of them have an item.
    pub(super) fn push(&mut self, marks: &Marks<'_>) -> u32 {
        self.numbers.take();
        let used = (self.len % 8) as u32;
        let before = self.items;
        let whole = marks.whole().filter(|_| used == 0).unwrap_or_default();
        self.bytes.extend_from_slice(whole);
        self.items += whole.iter().map(|byte| byte.count_ones()).sum::<u32>();
        for index in whole.len()..marks.len().div_ceil(8) {
            let byte = marks.byte(index);
            self.items += byte.count_ones();
            match self.bytes.last_mut() {
                Some(last) if used > 0 => {
                    *last |= byte << used;
                    self.bytes.push(byte >> (8 - used));
                }
                _ => self.bytes.push(byte),
            }
        }
        self.len += marks.len();
        self.bytes.truncate(self.len.div_ceil(8));
        self.items - before
    }
}

/// Appends the ends of lists to those before them.
pub(super) fn push_numbers(marks: &Marks<'_>, numbers: &mut Vec<u32>) {
    let (mut end, start) = (numbers.last().copied().unwrap_or_default(), numbers.len());
    if let Marks::Same(item, count) = *marks {
        return numbers.extend((1..=count as u32).map(|at| end + at * u32::from(item)));
    }
    numbers.resize(start + marks.len().next_multiple_of(8), 0);
    let mut put = |ends: &mut [u32; 8], byte: u8| {
        let sums = SUMS_OF_BITS[usize::from(byte)];
        for (number, sum) in ends.iter_mut().zip(sums) {
            *number = end + u32::from(sum);
        }
        end += u32::from(sums[7]);
    };
    let whole = marks.whole().unwrap_or_default();
    let (whole_eights, eights) = numbers.split_at_mut(start).1.as_chunks_mut().0.split_at_mut(whole.len());
    whole_eights.iter_mut().zip(whole).for_each(|(ends, byte)| put(ends, *byte));
    eights.iter_mut().zip(whole.len()..).for_each(|(ends, index)| put(ends, marks.byte(index)));
    numbers.truncate(start + marks.len());
}

/// For each bit the next item if it is set, or else `missing`.
pub(super) fn spread<T: Copy>(bits: &[u8], len: usize, mut items: &[T], missing: T) -> Vec<T> {
    let mut spread = Vec::with_capacity(len.next_multiple_of(8));
    for byte in bits {
        let Some(next) = items.first_chunk::<8>() else {
            // The last few.
            for bit in 0..8 {
                let item = if byte >> bit & 1 == 1 { items.split_off_first() } else { None };
                spread.push(item.copied().unwrap_or(missing));
            }
            continue;
        };
        if *byte == u8::MAX {
            spread.extend_from_slice(next);
        } else {
            let mut at = 0;
            spread.extend((0..8).map(|bit| {
                let (item, is_there) = (next[at & 7], byte >> bit & 1 == 1);
                at += usize::from(is_there);
                if is_there { item } else { missing }
            }));
        }
        items = items.get(byte.count_ones() as usize..).unwrap_or_default();
    }
    spread.truncate(len);
    spread
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;

    /// Bytes, the bit to begin with, and how many; or all the same.
    fn marks() -> impl Strategy<Value = (Option<bool>, Vec<u8>, usize, usize)> {
        let byte = prop_oneof![Just(0u8), Just(0xff), any::<u8>()];
        (any::<Option<bool>>(), vec(byte, 1..40)).prop_flat_map(|(same, bytes)| {
            let bits = 8 * bytes.len();
            (Just(same), Just(bytes), 0..bits, 0..=bits)
                .prop_map(move |(same, bytes, start, count)| (same, bytes, start, count.min(bits - start)))
        })
    }

    proptest! {
        #[test]
        fn lists_are_those_of_their_bits(parts in vec(marks(), 0..6)) {
            let (mut lists, mut numbers, mut expected) = (MarkedLists::default(), vec![0], Vec::new());
            for (same, bytes, start, count) in &parts {
                let marks = match same {
                    Some(item) => Marks::Same(*item, *count),
                    None => Marks::Bits(bytes, *start, *count),
                };
                let some: Vec<bool> = (*start..*start + *count)
                    .map(|bit| same.unwrap_or(bytes[bit / 8] >> (bit % 8) & 1 == 1))
                    .collect();
                let items = some.iter().filter(|item| **item).count() as u32;
                prop_assert_eq!(lists.push(&marks), items);
                push_numbers(&marks, &mut numbers);
                expected.extend(some);
            }
            let mut end = 0;
            let ends = expected.iter().map(|item| {
                end += u32::from(*item);
                end
            });
            let ends: Vec<u32> = [0].into_iter().chain(ends).collect();
            prop_assert_eq!(lists.numbers(), &ends);
            prop_assert_eq!(&numbers, &ends);
            prop_assert_eq!((lists.len(), lists.items()), (expected.len(), end));
            let items: Vec<i32> = (0..end as i32).collect();
            let wanted = expected.iter().zip(&ends).map(|(item, at)| if *item { *at as i32 } else { -7 });
            prop_assert!(spread(lists.bits(), lists.len(), &items, -7).into_iter().eq(wanted));
            prop_assert_eq!(lists.into_numbers(), ends);
        }
    }
}
