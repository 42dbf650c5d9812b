//! Looks at the bytes of a page, decompressed, for what the Parquet library would make more of than the page
//! has bytes: values by a count, and rows of strings that are stored once.

use super::header::{Header, Page};
use crate::error::{Error, Result};
use crate::footer::thrift::varint;
use parquet::basic::Type;
use parquet::schema::types::ColumnDescriptor;

/// Encodings by their numbers.
const BIT_PACKED: i32 = 4;
const DELTA_LENGTHS: i32 = 6;
const DELTA_STRINGS: i32 = 7;

/// Bytes of a value, or of its length.
pub(super) fn width(column: &ColumnDescriptor) -> u64 {
    match column.physical_type() {
        Type::BOOLEAN => 1,
        Type::INT32 | Type::FLOAT | Type::BYTE_ARRAY => 4,
        Type::INT64 | Type::DOUBLE => 8,
        Type::INT96 => 12,
        Type::FIXED_LEN_BYTE_ARRAY => u64::try_from(column.type_length()).unwrap_or(0),
    }
}

/// The length of the longest string of a dictionary: each is stored after its length.
pub(super) fn longest_of_dictionary(bytes: &[u8], header: &Header, column: &ColumnDescriptor) -> Result<u64> {
    if header.values.saturating_mul(width(column).max(1)) > bytes.len() as u64 {
        return Err(damaged("the dictionary has fewer values than its header says"));
    }
    let (mut rest, mut longest) = (bytes, 0);
    if column.physical_type() == Type::BYTE_ARRAY {
        while let Some((length, after)) = rest.split_first_chunk() {
            let length = u32::from_le_bytes(*length);
            longest = longest.max(length);
            rest = usize::try_from(length).ok().and_then(|length| after.get(length..)).unwrap_or_default();
        }
    }
    Ok(longest.into())
}

/// Whether a page has the lengths of its strings, or of the parts that they share with those before, apart
/// from them.
pub(super) fn has_lengths(header: &Header, column: &ColumnDescriptor) -> bool {
    matches!(column.physical_type(), Type::BYTE_ARRAY | Type::FIXED_LEN_BYTE_ARRAY)
        && matches!(header.encoding, DELTA_LENGTHS | DELTA_STRINGS)
}

/// The values and the levels of a data page.
pub(super) struct Parts<'p> {
    repetitions: &'p [u8],
    values: &'p [u8],
}

impl<'p> Parts<'p> {
    pub(super) fn of(page: &'p [u8], header: &Header, column: &ColumnDescriptor) -> Result<Self> {
        let mut values = page;
        let mut take = |most: i16, encoding: i32, length: u64| -> Option<&'p [u8]> {
            let length = match (header.page, most, encoding) {
                (Page::DataV2, ..) => usize::try_from(length).ok()?,
                (_, 0, _) => 0,
                (_, _, BIT_PACKED) => {
                    let bits = u64::from(16 - most.cast_unsigned().leading_zeros());
                    usize::try_from(header.values.checked_mul(bits)?.div_ceil(8)).ok()?
                }
                _ => {
                    let (length, rest) = values.split_first_chunk()?;
                    values = rest;
                    usize::try_from(u32::from_le_bytes(*length)).ok()?
                }
            };
            let (levels, rest) = values.split_at_checked(length)?;
            values = rest;
            Some(levels)
        };
        let repetitions = take(column.max_rep_level(), header.repetitions_encoding, header.repetitions);
        let definitions = take(column.max_def_level(), header.definitions_encoding, header.definitions);
        match (repetitions, definitions) {
            (Some(repetitions), Some(_)) => Ok(Self { repetitions, values }),
            _ => Err(damaged("its levels are longer than the page")),
        }
    }

    /// The length of the longest string of a page that has lengths. Their counts are compared with that of
    /// the header, since the library makes room by them.
    pub(super) fn longest(&self, header: &Header) -> Result<u64> {
        // No values, no lengths.
        if self.values.is_empty() {
            return Ok(0);
        }
        let wrong = || damaged("the lengths of its strings are damaged");
        let (prefix, rest) = longest(self.values, header.values).ok_or_else(wrong)?;
        if header.encoding == DELTA_LENGTHS {
            return Ok(0);
        }
        let (suffix, _) = longest(rest, header.values).ok_or_else(wrong)?;
        Ok(prefix.saturating_add(suffix))
    }

    /// Values that continue the list before them, in a column of lists.
    pub(super) fn continued(&self, header: &Header, column: &ColumnDescriptor) -> u64 {
        let bits = 16 - column.max_rep_level().cast_unsigned().leading_zeros();
        if header.page == Page::Data && header.repetitions_encoding == BIT_PACKED {
            return header.values;
        }
        let starts = starts(self.repetitions, bits, header.values).unwrap_or(0);
        header.values - starts.min(header.values)
    }
}

#[cold]
fn damaged(why: &str) -> Error {
    Error::Damaged(why.to_owned())
}

/// A number of a width in bits, 64 at most, from a bit on; bits beyond the end are 0.
fn bits(bytes: &[u8], at: usize, count: u32) -> u64 {
    let mut window = [0; 16];
    let from = bytes.get(at / 8..).unwrap_or_default();
    for (to, from) in window.iter_mut().zip(from.iter().take(9)) {
        *to = *from;
    }
    let number = u128::from_le_bytes(window) >> (at % 8);
    (number & ((1 << count) - 1)) as u64
}

/// The largest of some lengths, which are stored as their differences, in blocks of blocks; and what comes
/// after them. `None` where there are more than `most`.
fn longest(mut bytes: &[u8], most: u64) -> Option<(u64, &[u8])> {
    let (block, blocks, count) = (varint(&mut bytes)?, varint(&mut bytes)?, varint(&mut bytes)?);
    let zigzag = |number: u64| (number >> 1).cast_signed() ^ -(number & 1).cast_signed();
    let mut length = zigzag(varint(&mut bytes)?);
    let values = usize::try_from(block.checked_div(blocks)?).ok().filter(|values| *values > 0)?;
    if count > most {
        return None;
    }
    let (mut longest, mut left) = (length, count.saturating_sub(1));
    while left > 0 {
        let least = zigzag(varint(&mut bytes)?);
        let (widths, mut rest) = bytes.split_at_checked(usize::try_from(blocks).ok()?)?;
        for width in widths.iter().filter(|width| **width <= 64) {
            let here = left.min(values as u64);
            for value in 0..usize::try_from(here).ok()? {
                let more = bits(rest, value * usize::from(*width), u32::from(*width)).cast_signed();
                length = length.wrapping_add(least).wrapping_add(more);
                longest = longest.max(length);
            }
            left -= here;
            if here > 0 {
                let size = values.checked_mul(usize::from(*width))? / 8;
                rest = rest.get(size..).unwrap_or_default();
            }
        }
        bytes = rest;
    }
    Some((u64::try_from(longest).unwrap_or(u64::MAX), bytes))
}

/// How many levels are 0: in runs, or packed.
fn starts(mut levels: &[u8], width: u32, most: u64) -> Option<u64> {
    let (mut starts, mut seen) = (0, 0);
    while seen < most {
        let run = varint(&mut levels)?;
        let count = if run & 1 == 0 { run >> 1 } else { (run >> 1).checked_mul(8)? };
        let count = count.min(most - seen);
        seen += count;
        if run & 1 == 0 {
            let (level, rest) = levels.split_at_checked(usize::try_from(width.div_ceil(8)).ok()?)?;
            starts += if level.iter().all(|byte| *byte == 0) { count } else { 0 };
            levels = rest;
        } else {
            let size = usize::try_from((run >> 1).checked_mul(width.into())?).ok()?;
            let (packed, rest) = levels.split_at(size.min(levels.len()));
            let level = |value: u64| bits(packed, value as usize * width as usize, width);
            // A run may say that it has more values than there are bytes for: those are 0, and take no time.
            let there = count.min((packed.len() as u64 * 8).div_ceil(width.into()));
            starts += (0..there).filter(|value| level(*value) == 0).count() as u64 + (count - there);
            levels = rest;
        }
    }
    Some(starts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_that_are_only_said_to_be_there_take_no_time() {
        // A packed run of 2^59 levels in one byte, of which the first two are 1.
        let run = [0x81, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x02, 0b11];
        let most = 1 << 60;
        assert_eq!(starts(&run, 1, 8), Some(6));
        assert_eq!(starts(&run, 1, most / 2), Some(most / 2 - 2));
        // A run of equal levels.
        assert_eq!(starts(&[0xfe, 0xff, 0xff, 0xff, 0x0f, 0], 1, 1 << 20), Some(1 << 20));
    }
}
