//! Chooses a codec by trial.

use super::{Codec, Compressors};
use crate::error::Result;

impl Compressors {
    /// Picks the codec for a column from one of its blocks; see [`Codec::Auto`].
    pub(crate) fn choose(&mut self, block: &[u8]) -> Result<Codec> {
        let strong = if Codec::Zstandard.is_available() { Codec::Zstandard } else { Codec::Deflate };
        let fast = self.compressed_size(Codec::Snappy, block)?;
        let small = self.compressed_size(strong, block)?;
        Ok(if small <= fast.min(block.len()) / 4 * 3 {
            strong
        } else if fast <= block.len() / 8 * 7 {
            Codec::Snappy
        } else {
            Codec::Null
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_get_the_codec_that_pays() {
        let mut compressors = Compressors::default();
        let strong = if cfg!(feature = "zstandard") { Codec::Zstandard } else { Codec::Deflate };
        // Few different bytes in any order: entropy coding alone helps.
        let mut state = 1u32;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state >> 24
        };
        let few: Vec<u8> = (0..50_000).map(|_| b"acgt"[next() as usize % 4]).collect();
        let random: Vec<u8> = (0..50_000).map(|_| next() as u8).collect();
        assert_eq!(compressors.choose(&few).unwrap(), strong);
        assert_eq!(compressors.choose(&random).unwrap(), Codec::Null);
        // Copies of random bytes: snappy finds them as well as any.
        let copies = random[..2000].repeat(25);
        assert_eq!(compressors.choose(&[&random[..20_000], &copies].concat()).unwrap(), Codec::Snappy);
        assert_eq!(compressors.choose(&[]).unwrap(), Codec::Null);
    }
}
