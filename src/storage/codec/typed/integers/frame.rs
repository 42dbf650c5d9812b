//! A frame: at most 1024 integers, each the base and some bits, or the one before and some bits; the few that need
//! more bits have these apart.

use super::super::bits::{pack, packed_bytes, unpack, width};
use super::super::context::Layout;
use super::super::section::{Read, byte, count, integer, put_count, put_integer, take};
use crate::bytes::reader::Bytes;

/// Integers of a frame; the last may have fewer.
pub(super) const LEN: usize = 1024;

/// Of the first byte, whether the integers are differences.
const DIFFERENCES: u8 = 0x80;
/// Bits of a place in a frame.
const PLACE_BITS: u32 = 10;

/// How a frame is encoded, and its bits.
#[derive(Clone, Copy, Debug)]
struct Plan {
    /// The least of the integers, or of the differences.
    base: i64,
    width: u32,
    /// Integers that need more bits, and how many more.
    exceptions: usize,
    more: u32,
    bits: u64,
}

impl Plan {
    /// The best for some integers.
    fn of(integers: impl Iterator<Item = i64> + Clone, layout: Layout) -> Self {
        let (mut count, mut base) = (0u64, i64::MAX);
        for integer in integers.clone() {
            base = base.min(integer);
            count += 1;
        }
        let base = if count == 0 { 0 } else { base };
        // One place more than widths, so that none needs a check.
        let mut widths = [0u32; 128];
        for integer in integers {
            widths[(width(integer.wrapping_sub(base).cast_unsigned()) & 127) as usize] += 1;
        }
        let largest = widths.iter().rposition(|number| *number > 0).unwrap_or(0) as u32;
        let bits = count * u64::from(largest);
        let largest = if layout == Layout::Bytes { largest.next_multiple_of(8) } else { largest };
        let mut best = Self { base, width: largest, exceptions: 0, more: 0, bits };
        let mut exceptions = 0;
        for (width, number) in (0..largest).rev().zip(widths.iter().take(largest as usize + 1).rev()) {
            exceptions += u64::from(*number);
            if layout == Layout::Bytes && !width.is_multiple_of(8) {
                continue;
            }
            let more = largest - width;
            let bits = count * u64::from(width) + exceptions * u64::from(PLACE_BITS + more) + 8;
            if bits < best.bits {
                best = Self { base, width, exceptions: exceptions as usize, more, bits };
            }
        }
        best
    }

    /// Appends integers, the base of which comes first.
    fn write(&self, integers: impl Iterator<Item = i64> + Clone, out: &mut Vec<u8>) {
        let offsets = integers.map(|integer| integer.wrapping_sub(self.base).cast_unsigned());
        put_integer(self.base, out);
        put_count(self.exceptions as u64, out);
        pack(offsets.clone(), self.width, out);
        if self.exceptions > 0 {
            let large = || (0..).zip(offsets.clone()).filter(|(_, offset)| width(*offset) > self.width);
            out.push(self.more as u8);
            pack(large().map(|(place, _)| place), PLACE_BITS, out);
            pack(large().map(|(_, offset)| offset >> self.width), self.more, out);
        }
    }
}

/// How a frame is written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    differences: bool,
    plan: Plan,
    /// About the bits that it takes.
    pub(super) bits: u64,
}

/// What each integer but the first adds to the one before.
fn differences(integers: &[i64]) -> impl Iterator<Item = i64> + Clone {
    integers.windows(2).map(|pair| match pair {
        [before, integer] => integer.wrapping_sub(*before),
        _ => 0,
    })
}

impl Frame {
    /// The better of the two ways for [`LEN`] integers at most.
    pub(super) fn of(integers: &[i64], layout: Layout) -> Self {
        let plain = Plan::of(integers.iter().copied(), layout);
        let by_difference = Plan::of(differences(integers), layout);
        let differences = by_difference.bits + 16 < plain.bits;
        let plan = if differences { by_difference } else { plain };
        Self { differences, plan, bits: plan.bits + if differences { 56 } else { 40 } }
    }

    /// Appends the integers of which it was made.
    pub(super) fn write(&self, integers: &[i64], out: &mut Vec<u8>) {
        if self.differences {
            out.push(DIFFERENCES | self.plan.width as u8);
            put_integer(integers.first().copied().unwrap_or_default(), out);
            self.plan.write(differences(integers), out);
        } else {
            out.push(self.plan.width as u8);
            self.plan.write(integers.iter().copied(), out);
        }
    }
}

/// Reads a frame of so many integers, [`LEN`] at most.
pub(super) fn decode(bytes: &mut Bytes<'_>, count: usize, out: &mut [i64; LEN]) -> Read<()> {
    let head = byte(bytes)?;
    let out = out.get_mut(..count).unwrap_or_default();
    if head & DIFFERENCES == 0 {
        return packed(bytes, u32::from(head), out);
    }
    let Some((first, rest)) = out.split_first_mut() else {
        return Ok(());
    };
    *first = integer(bytes)?;
    packed(bytes, u32::from(head & !DIFFERENCES), rest)?;
    let mut sum = *first;
    for integer in rest {
        sum = sum.wrapping_add(*integer);
        *integer = sum;
    }
    Ok(())
}

/// Reads integers around a base.
fn packed(bytes: &mut Bytes<'_>, width: u32, out: &mut [i64]) -> Read<()> {
    if width > 64 {
        return Err("integers have more than 64 bits");
    }
    let base = integer(bytes)?;
    let exceptions = usize::try_from(count(bytes)?).unwrap_or(usize::MAX);
    let mut offsets = [0; LEN];
    let offsets = offsets.get_mut(..out.len()).unwrap_or_default();
    unpack(take(bytes, packed_bytes(out.len(), width))?, width, offsets);
    if exceptions > 0 {
        patch(bytes, exceptions, width, offsets)?;
    }
    for (integer, offset) in out.iter_mut().zip(offsets) {
        *integer = base.wrapping_add(offset.cast_signed());
    }
    Ok(())
}

/// Gives some integers their higher bits.
#[inline(never)]
fn patch(bytes: &mut Bytes<'_>, exceptions: usize, width: u32, offsets: &mut [u64]) -> Read<()> {
    let more = u32::from(byte(bytes)?);
    if exceptions > offsets.len() || more + width > 64 {
        return Err("a frame has more exceptions than integers, or longer ones than 64 bits");
    }
    let (mut places, mut highs) = ([0; LEN], [0; LEN]);
    let places = places.get_mut(..exceptions).unwrap_or_default();
    let highs = highs.get_mut(..exceptions).unwrap_or_default();
    unpack(take(bytes, packed_bytes(exceptions, PLACE_BITS))?, PLACE_BITS, places);
    unpack(take(bytes, packed_bytes(exceptions, more))?, more, highs);
    for (place, high) in places.iter().zip(highs) {
        let offset = offsets.get_mut(*place as usize).ok_or("an exception is at no integer of its frame")?;
        *offset |= high.checked_shl(width).unwrap_or(0);
    }
    Ok(())
}
