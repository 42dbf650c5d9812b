//! The different ones of some values, and the place of each value among them.

use std::hash::{BuildHasher, Hash};

/// The different values, and for each value its place among them. In the order of first appearance, unless they are sorted.
#[derive(Debug)]
pub(crate) struct Places<T> {
    pub(crate) values: Vec<T>,
    pub(crate) places: Vec<u32>,
}

/// Finds values by their hash: open addressing, a power of two of slots, half of them free at least.
#[derive(Debug, Default)]
pub(crate) struct Table {
    hasher: Hasher,
    /// One more than the place of a value; 0 where there is none.
    slots: Vec<u32>,
    /// How many slots with other values may still be passed.
    patience: usize,
}

/// How often values come again.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Repetition {
    /// There are too few to take a sample.
    Unknown,
    /// Not often enough for a list.
    Hardly,
    /// The different values of a sample.
    Sample(usize),
}

/// Whether more values are different than wanted, by a sample that is not exact.
pub(in super::super) fn are_too_many(different: usize, most: usize) -> bool {
    different - different / 4 > most
}

/// Bits of the place of one of some different values.
pub(in super::super) fn place_bits(different: usize) -> u64 {
    u64::from(different.saturating_sub(1).checked_ilog2().map_or(0, |bits| bits + 1))
}

/// What [`Table::ranked`] finds.
#[derive(Debug)]
pub(crate) enum Ranked {
    Places(Places<i64>),
    /// More values than wanted are different.
    TooMany,
    /// The values are too far apart to have a slot for each that might be.
    TooFarApart,
}

/// How far apart integers may be to be ranked.
const RANKED_SPAN: u64 = 1 << 17;
/// Slots with other values that may be passed: at least, and for each value.
const PATIENCE_LEAST: usize = 1 << 12;
const PATIENCE: usize = 8;
/// Slots of a new table.
const SLOTS_LEAST: usize = 1 << 10;

/// Values that follow each other in a sample, and how many such parts it has.
const PART: usize = 256;
const PARTS: usize = 8;
/// Of this many bits of their hashes, values have all zeros that are in a sample by hash; and how many it has at least.
const HASHED_BITS: u32 = 6;
const HASHED_LEAST: usize = 64;

impl Table {
    /// The places of all values; `None` where more than `most` are different, or hardly any value of a sample comes again.
    pub(crate) fn places<T: Copy + Eq + Hash>(&mut self, values: &[T], most: usize) -> Option<Places<T>> {
        match self.repetition(values) {
            Repetition::Hardly => None,
            Repetition::Sample(different) if are_too_many(different, most) => None,
            Repetition::Unknown | Repetition::Sample(_) => self.all_places(values, most),
        }
    }

    /// The places of all values; `None` where more than `most` are different, or too many collide.
    pub(crate) fn all_places<T: Copy + Eq + Hash>(&mut self, values: &[T], most: usize) -> Option<Places<T>> {
        self.slots.clear();
        self.slots.resize(SLOTS_LEAST, 0);
        self.patience = PATIENCE_LEAST + PATIENCE * values.len();
        let mut found = Places { values: Vec::new(), places: Vec::with_capacity(values.len()) };
        let mut last: Option<(T, u32)> = None;
        for value in values {
            let place = match last {
                Some((same, place)) if same == *value => place,
                _ => self.place(*value, &mut found.values, most)?,
            };
            last = Some((*value, place));
            found.places.push(place);
        }
        Some(found)
    }

    /// How often values come again, by some of many.
    pub(crate) fn repetition<T: Copy + Eq + Hash>(&mut self, values: &[T]) -> Repetition {
        let parts = values.len() / PART;
        if parts <= 2 * PARTS {
            return Repetition::Unknown;
        }
        let mut is_often = |part: usize| {
            let parts = values.chunks(PART).step_by(parts / PARTS);
            let sample: Vec<T> = parts.flat_map(|values| values.iter().take(part)).copied().collect();
            self.all_places(&sample, sample.len() / 2).map(|places| places.values.len())
        };
        // Where values come again within the sample, few are different.
        match is_often(PART) {
            Some(different) => Repetition::Sample(different),
            None => self.far_repetition(values.iter().copied()),
        }
    }

    /// As [`Table::repetition`], where values come again farther away than a sample by position shows: by all values of some
    /// hashes.
    pub(crate) fn far_repetition<T: Copy + Eq + Hash>(
        &mut self,
        values: impl Iterator<Item = T>,
    ) -> Repetition {
        let is_taken = |value: &T| self.hasher.hash_one(value) >> (u64::BITS - HASHED_BITS) == 0;
        let sample: Vec<T> = values.filter(is_taken).collect();
        if sample.len() < HASHED_LEAST {
            return Repetition::Hardly;
        }
        match self.all_places(&sample, sample.len() - sample.len() / 3) {
            Some(places) => Repetition::Sample(places.values.len() << HASHED_BITS),
            None => Repetition::Hardly,
        }
    }

    /// The places of integers between two bounds among the different ones in ascending order, without a hash.
    pub(crate) fn ranked(&mut self, integers: &[i64], (least, greatest): (i64, i64), most: usize) -> Ranked {
        let span = greatest.wrapping_sub(least).cast_unsigned();
        if span > RANKED_SPAN.min(4 * integers.len() as u64) {
            return Ranked::TooFarApart;
        }
        self.slots.clear();
        self.slots.resize(span as usize + 1, 0);
        let offset = |integer: &i64| integer.wrapping_sub(least) as usize;
        for integer in integers {
            self.slots[offset(integer)] = 1;
        }
        let mut values = Vec::new();
        for (slot, offset) in self.slots.iter_mut().zip(0..).filter(|(slot, _)| **slot == 1) {
            *slot = values.len() as u32;
            values.push(least.wrapping_add(offset));
        }
        if values.len() > most {
            return Ranked::TooMany;
        }
        let place = |integer| self.slots[offset(integer)];
        Ranked::Places(Places { values, places: integers.iter().map(place).collect() })
    }

    fn place<T: Copy + Eq + Hash>(&mut self, value: T, values: &mut Vec<T>, most: usize) -> Option<u32> {
        let mask = self.slots.len() - 1;
        let mut at = self.hasher.hash_one(value) as usize & mask;
        loop {
            let slot = self.slots.get_mut(at)?;
            match slot.checked_sub(1) {
                None if values.len() == most => return None,
                None => {
                    let place = values.len() as u32;
                    *slot = place + 1;
                    values.push(value);
                    if values.len() * 2 > self.slots.len() {
                        self.grow(values)?;
                    }
                    return Some(place);
                }
                Some(place) if values.get(place as usize) == Some(&value) => return Some(place),
                Some(_) => at = self.pass(at, mask)?,
            }
        }
    }

    /// The slot after one that has another value; `None` where too many have been passed.
    #[inline]
    fn pass(&mut self, at: usize, mask: usize) -> Option<usize> {
        self.patience = self.patience.checked_sub(1)?;
        Some((at + 1) & mask)
    }

    #[cold]
    fn grow<T: Hash>(&mut self, values: &[T]) -> Option<()> {
        let len = self.slots.len() * 4;
        self.slots.clear();
        self.slots.resize(len, 0);
        for (value, place) in values.iter().zip(1..) {
            let mut at = self.hasher.hash_one(value) as usize & (len - 1);
            while self.slots.get(at).is_some_and(|slot| *slot != 0) {
                at = self.pass(at, len - 1)?;
            }
            if let Some(slot) = self.slots.get_mut(at) {
                *slot = place;
            }
        }
        Some(())
    }
}

impl<T> Places<T> {
    /// The same of other values.
    pub(crate) fn map<U>(self, to: impl FnMut(T) -> U) -> Places<U> {
        Places { values: self.values.into_iter().map(to).collect(), places: self.places }
    }
}

impl<T: Ord + Copy> Places<T> {
    /// The same with the values in ascending order.
    pub(crate) fn sorted(self) -> Self {
        let Self { values, mut places } = self;
        let mut order: Vec<(T, u32)> = values.into_iter().zip(0..).collect();
        order.sort_unstable();
        let mut ranks = vec![0; order.len()];
        for ((_, place), rank) in order.iter().zip(0..) {
            ranks[*place as usize] = rank;
        }
        places.iter_mut().for_each(|place| *place = ranks[*place as usize]);
        Self { values: order.into_iter().map(|(value, _)| value).collect(), places }
    }
}

/// Multiplies and mixes eight bytes at a time. It has no seed, so that the same rows give the same file. Values may be chosen
/// to collide: then [`Table::all_places`] gives up.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Hasher;

pub(crate) struct Mixed(u64);

impl BuildHasher for Hasher {
    type Hasher = Mixed;

    fn build_hasher(&self) -> Mixed {
        Mixed(0)
    }
}

impl std::hash::Hasher for Mixed {
    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 29
    }

    fn write(&mut self, bytes: &[u8]) {
        let words = bytes.as_chunks::<8>().0;
        words.iter().for_each(|word| self.write_u64(u64::from_le_bytes(*word)));
        match bytes.last_chunk() {
            Some(_) if bytes.len() == 8 * words.len() => {}
            // The rest with some bytes before it.
            Some(last) => self.write_u64(u64::from_le_bytes(*last)),
            None => self.write_u64(bytes.iter().fold(0, |word, byte| word << 8 | u64::from(*byte))),
        }
    }

    fn write_u64(&mut self, word: u64) {
        let product = u128::from(self.0 ^ word ^ 0x9e37_79b9_7f4a_7c15) * 0xd1b5_4a32_d192_ed03;
        self.0 = (product >> 64) as u64 ^ product as u64;
    }

    fn write_i64(&mut self, word: i64) {
        self.write_u64(word.cast_unsigned());
    }

    fn write_usize(&mut self, word: usize) {
        self.write_u64(word as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_that_come_again_far_away_are_found() {
        let all: Vec<i64> = (0..30_011).map(|value| value * 7_919_777_777).collect();
        assert!(matches!(Table::default().repetition(&all), Repetition::Hardly));
        match Table::default().repetition(&all.repeat(5)) {
            Repetition::Sample(different) => assert!((27_000..33_000).contains(&different), "{different}"),
            other => panic!("{other:?}"),
        }
        assert!(Table::default().places(&all.repeat(3), 65_536).is_some());
        // Each comes again once, by chance.
        let rare: Vec<i64> = all.iter().chain(&all[..6000]).copied().collect();
        assert!(matches!(Table::default().repetition(&rare), Repetition::Hardly));
    }

    #[test]
    fn values_that_are_chosen_to_collide_are_given_up() {
        const COUNT: usize = 1000;
        let places = |values: &[i64]| {
            Table::default().all_places(&values.repeat(4), COUNT).map(|found| found.places.len())
        };
        let other: Vec<i64> = (0..COUNT as i64).map(|value| value * 7_919_777).collect();
        assert_eq!(places(&other), Some(4 * COUNT));
        let collides = |value: &i64| Hasher.hash_one(value) & 0xfff == 0;
        let same: Vec<i64> = (0i64..).filter(collides).take(COUNT).collect();
        assert_eq!(places(&same), None);
    }
}
