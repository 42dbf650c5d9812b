//! Makes the table for some strings: in rounds, each of which counts what the table of the one before finds in them.

use super::finder::Finder;
use super::{ESCAPE, MOST, Symbol};
use crate::storage::codec::typed::integers::Hasher;
use std::cmp::Reverse;
use std::collections::HashMap;
use std::hint::select_unpredictable;
use std::ops::RangeInclusive;

/// Of this number of pieces of the sample, each round looks at one: the first tables need not be good.
const ROUNDS: [usize; 5] = [8, 4, 2, 1, 1];
/// Bytes that a table is made of: one in this number of all, the least and the most of them.
const SAMPLE_IN: usize = 4;
const SAMPLE_BYTES: RangeInclusive<usize> = 4 << 10..=16 << 10;
/// Bytes of a text that are in the sample in one piece.
const PIECE_BYTES: usize = 512;

/// Places of a count: one for each byte, then one for each code.
const PLACES: usize = 512;
/// Nothing has this place.
const NO_PLACE: usize = PLACES - 1;

/// How often each byte and each symbol comes, and each pair of neighbours. All are zero between rounds.
pub(in super::super) struct Counts {
    singles: Vec<u32>,
    pairs: Vec<u16>,
    /// The pairs that came, and any more.
    seen: Vec<u32>,
    /// How many came.
    different: usize,
    /// About the bytes that each symbol saves; empty between rounds.
    gains: HashMap<Symbol, u64, Hasher>,
}

impl Default for Counts {
    fn default() -> Self {
        let (singles, pairs) = (vec![0; PLACES], vec![0; PLACES * PLACES]);
        Self { singles, pairs, seen: Vec::new(), different: 0, gains: HashMap::default() }
    }
}

impl Finder {
    /// Takes a table for strings like these.
    pub(in super::super) fn train(&mut self, strings: &[&[u8]], counts: &mut Counts) {
        let sample = sample(strings);
        self.set(std::iter::empty());
        for step in ROUNDS {
            sample.iter().step_by(step).for_each(|text| counts.count(text, self));
            counts.next(self);
        }
    }
}

impl Counts {
    /// Counts what is found in a text.
    fn count(&mut self, text: &[u8], finder: &Finder) {
        self.seen.resize(self.different + text.len(), 0);
        let (mut at, mut before) = (0, NO_PLACE);
        while let Some((code, first, len)) = finder.next(text, at) {
            let first = usize::from(first);
            let place = select_unpredictable(code == ESCAPE, first, 256 + usize::from(code));
            self.singles[place] += 1;
            // The first byte too, so that it can be a symbol again.
            self.singles[first] += u32::from(len > 1);
            let pair = before * PLACES + place;
            // It is kept only if it has not come before.
            self.seen[self.different] = pair as u32;
            self.different += usize::from(self.pairs[pair] == 0);
            self.pairs[pair] = self.pairs[pair].saturating_add(1);
            (at, before) = (at + len, place);
        }
    }

    /// Sets the symbols, and pairs of them, that save the most bytes; counts begin again.
    fn next(&mut self, finder: &mut Finder) {
        let mut gain = |symbol: Symbol, count: u64| {
            // Without a symbol, a byte is escaped, and takes two.
            *self.gains.entry(symbol).or_default() += count * u64::from(symbol.len.max(2));
        };
        for (place, count) in self.singles.iter_mut().enumerate().filter(|(_, count)| **count > 0) {
            if let Some(symbol) = finder.symbol(place) {
                gain(symbol, u64::from(*count));
            }
            *count = 0;
        }
        for pair in &self.seen[..std::mem::take(&mut self.different)] {
            let pair = *pair as usize;
            let count = std::mem::take(&mut self.pairs[pair]);
            if count > 1
                && let [Some(first), Some(second)] =
                    [pair / PLACES, pair % PLACES].map(|place| finder.symbol(place))
                && let Some(both) = first.and(second)
            {
                gain(both, u64::from(count));
            }
        }
        let mut best: Vec<(Reverse<u64>, Symbol)> =
            self.gains.drain().map(|(symbol, gain)| (Reverse(gain), symbol)).collect();
        // Some have no place.
        if best.len() > 2 * MOST {
            best.select_nth_unstable(2 * MOST);
            best.truncate(2 * MOST);
        }
        best.sort_unstable();
        finder.set(best.into_iter().map(|(_, symbol)| symbol));
    }
}

/// Some strings, from the beginning to the end.
fn sample<'a>(strings: &[&'a [u8]]) -> Vec<&'a [u8]> {
    let total: usize = strings.iter().map(|text| text.len()).sum();
    let wanted = (total / SAMPLE_IN).clamp(*SAMPLE_BYTES.start(), *SAMPLE_BYTES.end());
    let (mut passed, mut taken) = (0, 0);
    let mut sample = Vec::new();
    // Of long strings parts.
    for part in strings.iter().flat_map(|text| text.chunks(PIECE_BYTES)) {
        if taken * (total / wanted).max(1) <= passed {
            taken += part.len();
            sample.push(part);
        }
        passed += part.len();
    }
    sample
}
