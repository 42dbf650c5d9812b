//! Makes the table for some texts: in rounds, each of which counts what the table of the one before finds in them.

use super::finder::Finder;
use super::{MOST, Symbol, Symbols};
use crate::storage::codec::typed::integers::Hasher;
use std::cmp::Reverse;
use std::collections::HashMap;

/// Each round looks at one in so many pieces of the sample: the first tables need not be good.
const ROUNDS: [usize; 5] = [16, 3, 2, 1, 1];
/// Bytes that a table is made of.
const SAMPLE_BYTES: usize = 16 << 10;
/// Bytes of a text that are in the sample in one piece.
const PIECE_BYTES: usize = 512;

/// Places of a count: one for each byte, then one for each symbol.
const PLACES: usize = 256 + MOST;

/// How often each byte and each symbol comes, and each pair of neighbours. All are zero between rounds.
pub(in super::super) struct Counts {
    singles: Vec<u32>,
    pairs: Vec<u16>,
    /// The pairs that came.
    seen: Vec<u32>,
}

impl Default for Counts {
    fn default() -> Self {
        Self { singles: vec![0; PLACES], pairs: vec![0; PLACES * PLACES], seen: Vec::new() }
    }
}

impl Finder {
    /// A table for texts like these.
    pub(in super::super) fn of(texts: &[&[u8]], counts: &mut Counts) -> Self {
        let sample = sample(texts);
        let mut finder = Self::new(Symbols::default());
        for step in ROUNDS {
            sample.iter().step_by(step).for_each(|text| counts.count(text, &finder));
            finder = counts.next(&finder);
        }
        finder
    }
}

impl Counts {
    /// Counts what is found in a text.
    fn count(&mut self, text: &[u8], finder: &Finder) {
        let (mut rest, mut before) = (text, None);
        while let Some(first) = rest.first() {
            let (place, len) = match finder.find(rest) {
                Some((code, len)) => (256 + usize::from(code), len),
                None => (usize::from(*first), 1),
            };
            // The first byte too, so that it can be a symbol again.
            let counted = [Some(place), (len > 1).then_some(usize::from(*first))];
            for place in counted.into_iter().flatten() {
                if let Some(count) = self.singles.get_mut(place) {
                    *count += 1;
                }
            }
            let pair = before.map(|before: usize| before * PLACES + place);
            if let Some((pair, count)) = pair.and_then(|pair| Some((pair, self.pairs.get_mut(pair)?))) {
                if *count == 0 {
                    self.seen.push(pair as u32);
                }
                *count = count.saturating_add(1);
            }
            before = Some(place);
            rest = &rest[len..];
        }
    }

    /// The table of the symbols, and of pairs of them, that save the most bytes; counts begin anew.
    fn next(&mut self, finder: &Finder) -> Finder {
        let mut gains: HashMap<Symbol, u64, Hasher> = HashMap::default();
        let mut gain = |symbol: Symbol, count: u64| {
            *gains.entry(symbol).or_default() += count * u64::from(symbol.len);
        };
        for (place, count) in self.singles.iter_mut().enumerate().filter(|(_, count)| **count > 0) {
            if let Some(symbol) = finder.symbol(place) {
                gain(symbol, u64::from(*count));
            }
            *count = 0;
        }
        for pair in self.seen.drain(..) {
            let pair = pair as usize;
            let count = self.pairs.get_mut(pair).map_or(0, std::mem::take);
            if count > 1
                && let [Some(first), Some(second)] =
                    [pair / PLACES, pair % PLACES].map(|place| finder.symbol(place))
                && let Some(both) = first.and(second)
            {
                gain(both, u64::from(count));
            }
        }
        let mut best: Vec<(Reverse<u64>, Symbol)> =
            gains.into_iter().map(|(symbol, gain)| (Reverse(gain), symbol)).collect();
        if best.len() > MOST {
            best.select_nth_unstable(MOST);
            best.truncate(MOST);
        }
        best.sort_unstable();
        Finder::new(Symbols(best.into_iter().map(|(_, symbol)| symbol).collect()))
    }
}

/// Some texts, from the beginning to the end, of about [`SAMPLE_BYTES`].
fn sample<'a>(texts: &[&'a [u8]]) -> Vec<&'a [u8]> {
    let total: usize = texts.iter().map(|text| text.len()).sum();
    let (mut passed, mut taken) = (0, 0);
    let mut sample = Vec::new();
    // Of long texts parts.
    for part in texts.iter().flat_map(|text| text.chunks(PIECE_BYTES)) {
        if taken * (total / SAMPLE_BYTES).max(1) <= passed {
            taken += part.len();
            sample.push(part);
        }
        passed += part.len();
    }
    sample
}
