//! What encoding takes with it: how a way is chosen, and memory that is kept.

use super::super::context::Context;
use super::packed::Packer;
use crate::storage::codec::algorithm::Outcome;

/// Where values are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Depth {
    First,
    /// In a list of different ones, or places in it: they have no list.
    Listed,
}

pub(super) struct Trial {
    pub(super) packer: Packer,
    pub(super) context: Context,
}

/// Values in the middle that are encoded in all ways, where there are more than twice as many; all are in the best of these.
const SAMPLE: usize = 1 << 15;
/// How many ways these are.
const BEST: usize = 2;

impl Trial {
    pub(super) fn new() -> Outcome<Self> {
        Ok(Self { packer: Packer::new()?, context: Context::default() })
    }

    /// Values encoded in the way that takes the fewest bytes. `put` appends them in one way, or nothing.
    pub(super) fn least<W: Copy, T>(
        &mut self,
        ways: &[W],
        values: &[T],
        put: impl Fn(W, &[T], &mut Self, &mut Vec<u8>) -> Outcome,
    ) -> Outcome<Vec<u8>> {
        let mut ways = ways.to_vec();
        if values.len() > 2 * SAMPLE {
            let sample = &values[(values.len() - SAMPLE) / 2..][..SAMPLE];
            let mut sizes = Vec::new();
            for way in &ways {
                let mut encoded = Vec::new();
                put(*way, sample, self, &mut encoded)?;
                sizes.push((if encoded.is_empty() { usize::MAX } else { encoded.len() }, *way));
            }
            sizes.sort_by_key(|(size, _)| *size);
            ways = sizes.into_iter().map(|(_, way)| way).take(BEST).collect();
        }
        let mut least: Option<Vec<u8>> = None;
        for way in ways {
            let mut encoded = Vec::new();
            put(way, values, self, &mut encoded)?;
            if !encoded.is_empty() && least.as_ref().is_none_or(|least| encoded.len() < least.len()) {
                least = Some(encoded);
            }
        }
        least.ok_or_else(|| "no way is for these values".to_owned())
    }
}
