//! Chooses a codec by trial.

use super::{Codec, ColumnType, Compressors};
use crate::error::Result;

/// Bytes of metadata beside its name that say which codec a column has.
const ENTRY_BYTES: usize = 14;

impl Compressors {
    /// Picks one of `codecs` for a column from one of its blocks, which may be the whole column; see [`Codec::Auto`].
    pub(crate) fn choose(
        &mut self,
        block: &[u8],
        column_type: ColumnType,
        is_whole: bool,
        codecs: &[Codec],
    ) -> Result<Codec> {
        let is_there = |codec: &Codec| codec.is_available() && codecs.contains(codec);
        let strong = [Codec::Zstandard, Codec::Deflate].into_iter().find(is_there).unwrap_or_default();
        let mut sizes = vec![(Codec::Null, block.len())];
        for codec in [Codec::Snappy, Codec::Typed, strong, Codec::TypedZstandard].into_iter().filter(is_there)
        {
            // Later blocks of some codecs are smaller than this one.
            let is_cut = !is_whole && codec.block_size() < Codec::Auto.block_size();
            let most = if is_cut { codec.block_size() } else { block.len().max(1) };
            let mut size = ENTRY_BYTES + codec.name().len();
            for part in block.chunks(most) {
                size += self.compressed_size(codec, part, column_type)?;
            }
            sizes.push((codec, size));
        }
        let least = sizes.iter().map(|(_, size)| *size).min().unwrap_or_default();
        let most = if is_whole { least } else { least.saturating_add(least / 8) };
        Ok(sizes.into_iter().find(|(_, size)| *size <= most).map_or(Codec::Null, |(codec, _)| codec))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bytes::varint::encode_long;
    use crate::storage::value_type::ValueType;

    /// Random numbers, always the same ones.
    fn random() -> impl FnMut() -> u32 {
        let mut state = 1u32;
        move || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state >> 24
        }
    }

    #[test]
    fn blocks_get_the_codec_that_pays() {
        let mut compressors = Compressors::default();
        let strong = if cfg!(feature = "zstandard") { Codec::Zstandard } else { Codec::Deflate };
        let codecs = [Codec::Snappy, Codec::Deflate, Codec::Zstandard];
        let mut choose = |block: &[u8]| compressors.choose(block, ColumnType::BYTES, false, &codecs).unwrap();
        // Few different bytes in any order: entropy coding alone helps.
        let mut next = random();
        let few: Vec<u8> = (0..50_000).map(|_| b"acgt"[next() as usize % 4]).collect();
        let random: Vec<u8> = (0..50_000).map(|_| next() as u8).collect();
        assert_eq!(choose(&few), strong);
        assert_eq!(choose(&random), Codec::Null);
        // Copies of random bytes: snappy finds them as well as any.
        let copies = random[..2000].repeat(15);
        assert_eq!(choose(&[&copies, &random[2000..32_000]].concat()), Codec::Snappy);
        assert_eq!(choose(&[]), Codec::Null);
    }

    #[test]
    fn values_get_a_codec_for_values_where_it_is_much_smaller() {
        let mut compressors = Compressors::default();
        let mut choose = |value_type, block: &[u8]| {
            let column_type = ColumnType { value_type: Some(value_type), array: false };
            compressors.choose(block, column_type, false, &Codec::ALL).unwrap()
        };
        let (mut next, mut integers, mut strings) = (random(), Vec::new(), Vec::new());
        // Integers of 17 bits around a large one, which take five bytes each.
        for _ in 0..10_000 {
            encode_long(&mut integers, 1 << 30 | i64::from(next() << 9 | next() << 1));
            encode_long(&mut strings, 8);
            strings.extend((0..8).map(|_| next() as u8));
        }
        assert_eq!(choose(ValueType::Long, &integers), Codec::Typed);
        // Of any bytes there is nothing to know.
        assert_eq!(choose(ValueType::Bytes, &strings), Codec::Null);
        // Prose: symbols of some letters are no match for what the strong codec finds, whether it gets them or not.
        let prose = include_str!("../../../docs/format.md");
        let mut lines = Vec::new();
        for line in prose.lines() {
            encode_long(&mut lines, line.len() as i64);
            lines.extend_from_slice(line.as_bytes());
        }
        let strong = if cfg!(feature = "zstandard") { Codec::Zstandard } else { Codec::Deflate };
        assert_eq!(choose(ValueType::String, &lines), strong);
    }
}
