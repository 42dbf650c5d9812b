//! The parts of a block: levels and values.

use super::super::bits;
use crate::bytes::reader::Malformed;
use crate::dialect::Layout;
use crate::error::{Error, Result};
use crate::levels::{Levels, Place};
use std::ops::Range;

/// Decodes the levels of a block with a number of entries; returns where its values are.
///
/// # Errors
///
/// Fewer bytes than the levels take, and levels above the greatest.
pub(super) fn levels(
    data: &[u8],
    entries: usize,
    greatest: Place,
    layout: Layout,
    out: &mut Levels,
) -> Result<Range<usize>> {
    let widths = [greatest.definition, greatest.repetition].map(bits::width);
    let sizes = widths.map(|width| bits::size(width, entries));
    let size = sizes[0].saturating_add(sizes[1]);
    if size > data.len() {
        let (needed, available) = (size as u64, data.len() as u64);
        return Err(Malformed::End { needed, available }.of("the levels of a block"));
    }
    let start = match layout {
        Layout::LevelsFirst => 0,
        Layout::ValuesFirst => data.len() - size,
    };
    out.clear();
    out.entries = entries;
    let (definition, rest) = data[start..].split_at(sizes[0]);
    bits::unpack(definition, widths[0], entries, &mut out.definition);
    bits::unpack(&rest[..sizes[1]], widths[1], entries, &mut out.repetition);
    check("definition", &out.definition, greatest.definition)?;
    check("repetition", &out.repetition, greatest.repetition)?;
    Ok(match layout {
        Layout::LevelsFirst => size..data.len(),
        Layout::ValuesFirst => 0..data.len() - size,
    })
}

fn check(what: &str, levels: &[u8], greatest: u8) -> Result<()> {
    // Where all levels of a width can be, none is too great.
    if greatest.wrapping_add(1).is_power_of_two()
        || levels.iter().fold(0, |most, level| most.max(*level)) <= greatest
    {
        return Ok(());
    }
    let most = levels.iter().max().copied().unwrap_or_default();
    Err(Error::value(format!("{what} level {most} where {greatest} is the greatest")))
}
