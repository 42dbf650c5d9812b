//! Chooses a codec by trial.

use super::{Codec, ColumnType, Compressors};
use crate::error::Result;

impl Compressors {
    /// Picks the codec for a column from one of its blocks; see [`Codec::Auto`]. A column of no type gets a codec for any
    /// bytes.
    pub(crate) fn choose(&mut self, block: &[u8], column_type: ColumnType) -> Result<Codec> {
        let strong = [Codec::Zstandard, Codec::Deflate].into_iter().find(|codec| codec.is_available());
        let strong = strong.unwrap_or(Codec::Snappy);
        let (fast, fast_size) = self.smaller([Codec::Snappy, Codec::Typed], block, column_type)?;
        let (small, small_size) = self.smaller([strong, Codec::TypedZstandard], block, column_type)?;
        Ok(if small_size <= fast_size.min(block.len()) / 4 * 3 {
            small
        } else if fast_size <= block.len() / 8 * 7 {
            fast
        } else {
            Codec::Null
        })
    }

    /// Of a codec that others know and one that encodes values, the latter where its block is smaller by an eighth; and the
    /// bytes of that block.
    fn smaller(
        &mut self,
        [known, typed]: [Codec; 2],
        block: &[u8],
        column_type: ColumnType,
    ) -> Result<(Codec, usize)> {
        let known_size = self.compressed_size(known, block, column_type)?;
        if column_type.value_type.is_some() && typed.is_available() {
            let typed_size = self.compressed_size(typed, block, column_type)?;
            if typed_size <= known_size / 8 * 7 {
                return Ok((typed, typed_size));
            }
        }
        Ok((known, known_size))
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
        let mut choose = |block: &[u8]| compressors.choose(block, ColumnType::BYTES).unwrap();
        // Few different bytes in any order: entropy coding alone helps.
        let mut next = random();
        let few: Vec<u8> = (0..50_000).map(|_| b"acgt"[next() as usize % 4]).collect();
        let random: Vec<u8> = (0..50_000).map(|_| next() as u8).collect();
        assert_eq!(choose(&few), strong);
        assert_eq!(choose(&random), Codec::Null);
        // Copies of random bytes: snappy finds them as well as any.
        let copies = random[..2000].repeat(25);
        assert_eq!(choose(&[&random[..20_000], &copies].concat()), Codec::Snappy);
        assert_eq!(choose(&[]), Codec::Null);
    }

    #[test]
    fn values_get_a_codec_for_values_where_it_is_much_smaller() {
        let mut compressors = Compressors::default();
        let mut choose = |value_type, block: &[u8]| {
            compressors.choose(block, ColumnType { value_type: Some(value_type), array: false }).unwrap()
        };
        let (mut next, mut integers, mut texts) = (random(), Vec::new(), Vec::new());
        // Integers of 17 bits around a large one, which take five bytes each.
        for _ in 0..10_000 {
            encode_long(&mut integers, 1 << 30 | i64::from(next() << 9 | next() << 1));
            encode_long(&mut texts, 8);
            texts.extend((0..8).map(|_| next() as u8));
        }
        assert_eq!(choose(ValueType::Long, &integers), Codec::Typed);
        // Of any bytes there is nothing to know.
        assert_eq!(choose(ValueType::Bytes, &texts), Codec::Null);
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
