//! Decodes strings: each code is the bytes of a symbol.

use super::super::section::{Read, byte, take};
use super::{ESCAPE, SYMBOL_BYTES};
use crate::bytes::reader::Bytes;

/// Codes that are decoded at once.
const AT_ONCE: usize = 4;
/// The bytes that they need: eight are written for each, whatever its length is.
const BYTES: usize = AT_ONCE * SYMBOL_BYTES + SYMBOL_BYTES;
/// The length of what is no code.
const NO_CODE: u8 = 0xff;

/// The symbols by their codes.
#[derive(Debug)]
pub(in super::super) struct Decoder {
    words: [u64; 256],
    lens: [u8; 256],
}

impl Decoder {
    /// Reads a table.
    pub(in super::super) fn read(bytes: &mut Bytes<'_>) -> Read<Self> {
        let (mut words, mut lens) = ([0; 256], [NO_CODE; 256]);
        let number = usize::from(byte(bytes)?);
        for (word, len) in words.iter_mut().zip(&mut lens).take(number) {
            *len = byte(bytes)?;
            if !(1..=SYMBOL_BYTES).contains(&usize::from(*len)) {
                return Err("a symbol of strings has no bytes, or more than eight");
            }
            let symbol = take(bytes, usize::from(*len))?.iter().rev();
            *word = symbol.fold(0, |word, byte| word << 8 | u64::from(*byte));
        }
        Ok(Self { words, lens })
    }

    /// Puts the text that has been encoded as these bytes to a place in `out`, which grows where it must; returns where it
    /// ends. It may have `most` bytes.
    #[inline]
    pub(in super::super) fn decode(
        &self,
        encoded: &[u8],
        start: usize,
        most: u64,
        out: &mut Vec<u8>,
    ) -> Read<usize> {
        let (mut codes, mut end) = (encoded, start);
        while !codes.is_empty() {
            let Some(next) = out.get_mut(end..).and_then(|rest| rest.first_chunk_mut()) else {
                if (end - start) as u64 > most {
                    return Err("a string has more bytes than it should");
                }
                out.resize(2 * out.len() + BYTES, 0);
                continue;
            };
            if let Some((some, rest)) = codes.split_first_chunk()
                && let Some(bytes) = self.decode_some(some, next)
            {
                (codes, end) = (rest, end + bytes);
            } else {
                let (rest, bytes) = self.decode_one(codes, next)?;
                (codes, end) = (rest, end + bytes);
            }
        }
        Ok(end)
    }

    /// Decodes some codes; returns how many bytes they are. `None` where one of them is no code.
    #[inline]
    fn decode_some(&self, codes: &[u8; AT_ONCE], out: &mut [u8; BYTES]) -> Option<usize> {
        let lens = codes.map(|code| self.lens[usize::from(code)]);
        if lens.contains(&NO_CODE) {
            return None;
        }
        let mut end = 0;
        for (code, len) in codes.iter().zip(lens) {
            // The mask changes nothing, and shows that there are eight bytes.
            let start = end & (AT_ONCE * SYMBOL_BYTES - 1);
            out[start..start + SYMBOL_BYTES].copy_from_slice(&self.words[usize::from(*code)].to_le_bytes());
            end += usize::from(len);
        }
        Some(end)
    }

    /// Decodes a code, or an escape and its byte; returns what follows, and how many bytes it is.
    fn decode_one<'c>(&self, codes: &'c [u8], out: &mut [u8; BYTES]) -> Read<(&'c [u8], usize)> {
        let (word, len, rest) = match codes {
            [] => return Ok((codes, 0)),
            [ESCAPE, byte, rest @ ..] => (u64::from(*byte), 1, rest),
            [ESCAPE] => return Err("a string ends with an escape"),
            [code, rest @ ..] => (self.words[usize::from(*code)], self.lens[usize::from(*code)], rest),
        };
        if len == NO_CODE {
            return Err("a string has a symbol that is not in its table");
        }
        out[..SYMBOL_BYTES].copy_from_slice(&word.to_le_bytes());
        Ok((rest, usize::from(len)))
    }
}
