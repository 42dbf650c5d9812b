//! A frame: at most 1024 integers, each the base and some bits, or the one before and some bits; the few that need
//! more bits have these apart.

use super::super::bits::{pack, packed_bytes, unpack, width};
use super::super::context::Layout;
use super::super::section::{Read, byte, count, integer, put_count, put_integer, take};
use crate::bytes::reader::Bytes;
use std::ops::Range;

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

/// Integers that are looked at side by side, so that none waits for the one before.
const SIDES: usize = 4;

impl Plan {
    /// The best for [`LEN`] integers at most.
    fn of(integers: &[i64], layout: Layout) -> Self {
        let base = bounds(integers).map_or(0, |(least, _)| least);
        // More places than the 65 widths, so that with the mask none needs a check.
        let mut widths = [[0u16; 128]; SIDES];
        let place = |integer: i64| (width(integer.wrapping_sub(base).cast_unsigned()) & 127) as usize;
        let (fours, rest) = integers.as_chunks::<SIDES>();
        for four in fours {
            widths.iter_mut().zip(four).for_each(|(widths, integer)| widths[place(*integer)] += 1);
        }
        widths.iter_mut().zip(rest).for_each(|(widths, integer)| widths[place(*integer)] += 1);
        let [first, others @ ..] = &mut widths;
        for widths in others {
            first.iter_mut().zip(widths).for_each(|(sum, number)| *sum += *number);
        }
        Self::of_widths(base, integers.len() as u64, first, layout)
    }

    /// The best for so many integers, of which so many have each number of bits.
    fn of_widths(base: i64, count: u64, widths: &[u16], layout: Layout) -> Self {
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
    fn write(&self, integers: &[i64], out: &mut Vec<u8>) {
        let offset = |integer: &i64| integer.wrapping_sub(self.base).cast_unsigned();
        put_integer(self.base, out);
        put_count(self.exceptions as u64, out);
        pack(integers.iter().map(offset), self.width, out);
        if self.exceptions > 0 {
            let offsets = || (0..).zip(integers.iter().map(offset));
            let large = || offsets().filter(|(_, offset)| width(*offset) > self.width);
            out.push(self.more as u8);
            pack(large().map(|(place, _)| place), PLACE_BITS, out);
            pack(large().map(|(_, offset)| offset >> self.width), self.more, out);
        }
    }
}

/// The least and the greatest of some integers.
pub(super) fn bounds(integers: &[i64]) -> Option<(i64, i64)> {
    let first = *integers.first()?;
    let (fours, rest) = integers.as_chunks::<SIDES>();
    let (mut least, mut greatest) = ([first; SIDES], [first; SIDES]);
    for four in fours {
        for ((least, greatest), integer) in least.iter_mut().zip(&mut greatest).zip(four) {
            *least = (*least).min(*integer);
            *greatest = (*greatest).max(*integer);
        }
    }
    let least = rest.iter().chain(&least).fold(first, |least, integer| least.min(*integer));
    let greatest = rest.iter().chain(&greatest).fold(first, |greatest, integer| greatest.max(*integer));
    Some((least, greatest))
}

/// How a frame is written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    differences: bool,
    plan: Plan,
    /// About the bits that it takes.
    pub(super) bits: u64,
}

/// What each of [`LEN`] integers at most, but the first, adds to the one before.
struct Differences([i64; LEN], usize);

impl Differences {
    fn of(integers: &[i64]) -> Self {
        let mut differences = [0; LEN];
        let Some((_, after)) = integers.split_first() else {
            return Self(differences, 0);
        };
        for (place, (before, integer)) in differences.iter_mut().zip(integers.iter().zip(after)) {
            *place = integer.wrapping_sub(*before);
        }
        Self(differences, after.len())
    }

    fn as_slice(&self) -> &[i64] {
        &self.0[..self.1]
    }
}

/// Which ways to encode a frame are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ways {
    Plain,
    Differences,
    Both,
}

impl Ways {
    /// Those that some frames of many show to be the better ones.
    pub(super) fn of(integers: &[i64], layout: Layout) -> Self {
        let frames = integers.len().div_ceil(LEN);
        if frames <= 2 * SAMPLE_FRAMES {
            return Self::Both;
        }
        let sample = integers.chunks(LEN).step_by(frames / SAMPLE_FRAMES);
        let [mut plain, mut differences] = [false; 2];
        for integers in sample {
            match Frame::of(integers, Self::Both, layout).differences {
                true => differences = true,
                false => plain = true,
            }
        }
        match (plain, differences) {
            (true, false) => Self::Plain,
            (false, true) => Self::Differences,
            _ => Self::Both,
        }
    }
}

/// Frames that are looked at to choose for all.
const SAMPLE_FRAMES: usize = 6;

impl Frame {
    /// The best of some ways for [`LEN`] integers at most.
    pub(super) fn of(integers: &[i64], ways: Ways, layout: Layout) -> Self {
        let plain = || Self::made(Plan::of(integers, layout), false);
        let by_difference = || Self::made(Plan::of(Differences::of(integers).as_slice(), layout), true);
        match ways {
            Ways::Plain => plain(),
            Ways::Differences => by_difference(),
            Ways::Both => {
                let (plain, by_difference) = (plain(), by_difference());
                if by_difference.bits < plain.bits { by_difference } else { plain }
            }
        }
    }

    fn made(plan: Plan, differences: bool) -> Self {
        Self { differences, plan, bits: plan.bits + if differences { 56 } else { 40 } }
    }

    /// Appends the integers of which it was made.
    pub(super) fn write(&self, integers: &[i64], out: &mut Vec<u8>) {
        if self.differences {
            out.push(DIFFERENCES | self.plan.width as u8);
            put_integer(integers.first().copied().unwrap_or_default(), out);
            self.plan.write(Differences::of(integers).as_slice(), out);
        } else {
            out.push(self.plan.width as u8);
            self.plan.write(integers, out);
        }
    }
}

/// Reads some integers of a frame of so many, [`LEN`] at most, to their places; returns which it has read, as there may be
/// others around them.
pub(super) fn decode(
    bytes: &mut Bytes<'_>,
    count: usize,
    wanted: Range<usize>,
    out: &mut [i64],
) -> Read<Range<usize>> {
    let head = byte(bytes)?;
    let out = out.get_mut(..count).ok_or(BEYOND)?;
    if head & DIFFERENCES == 0 {
        return packed(bytes, u32::from(head), wanted, out);
    }
    let Some((first, rest)) = out.split_first_mut() else {
        return Ok(0..0);
    };
    *first = integer(bytes)?;
    packed(bytes, u32::from(head & !DIFFERENCES), 0..rest.len(), rest)?;
    let mut sum = *first;
    for integer in rest {
        sum = sum.wrapping_add(*integer);
        *integer = sum;
    }
    Ok(0..count)
}

/// Passes over a frame of so many integers.
pub(super) fn skip(bytes: &mut Bytes<'_>, count: usize) -> Read<()> {
    let head = byte(bytes)?;
    let mut packed = count;
    if head & DIFFERENCES != 0 {
        integer(bytes)?;
        packed = count.saturating_sub(1);
    }
    let (_, exceptions) = base(bytes, u32::from(head & !DIFFERENCES))?;
    take(bytes, packed_bytes(packed, u32::from(head & !DIFFERENCES)))?;
    if exceptions > 0 {
        let more = u32::from(byte(bytes)?);
        if exceptions > packed || more > 64 {
            return Err(EXCEPTIONS);
        }
        take(bytes, packed_bytes(exceptions, PLACE_BITS))?;
        take(bytes, packed_bytes(exceptions, more))?;
    }
    Ok(())
}

/// Passes over a full frame of lengths that differ by one at most; returns their sum. None of other lengths, which stay
/// to be read.
pub(super) fn sum(bytes: &mut Bytes<'_>) -> Read<Option<u64>> {
    let mut rest = *bytes;
    let width = u32::from(byte(&mut rest)?);
    if width > 1 {
        return Ok(None);
    }
    let (base, exceptions) = base(&mut rest, width)?;
    let (Ok(base), 0) = (u32::try_from(base), exceptions) else { return Ok(None) };
    let bits = take(&mut rest, packed_bytes(LEN, width))?;
    let words = bits.as_chunks::<8>().0.iter();
    let ones: u64 = words.map(|word| u64::from(u64::from_le_bytes(*word).count_ones())).sum();
    *bytes = rest;
    Ok(Some(u64::from(base) * LEN as u64 + ones))
}

/// Cannot be, whatever a file says.
const BEYOND: &str = "a frame has more integers than there is room for";
const EXCEPTIONS: &str = "a frame has more exceptions than integers, or longer ones than 64 bits";

/// Reads the base of integers of so many bits, and the number of exceptions.
fn base(bytes: &mut Bytes<'_>, width: u32) -> Read<(i64, usize)> {
    if width > 64 {
        return Err("integers have more than 64 bits");
    }
    Ok((integer(bytes)?, usize::try_from(count(bytes)?).unwrap_or(usize::MAX)))
}

/// Reads some of the integers around a base, from one on that begins with a byte.
fn packed(bytes: &mut Bytes<'_>, width: u32, wanted: Range<usize>, out: &mut [i64]) -> Read<Range<usize>> {
    const EIGHT: usize = 8;
    let (base, exceptions) = base(bytes, width)?;
    let packed = take(bytes, packed_bytes(out.len(), width))?;
    let some = wanted.start / EIGHT * EIGHT..wanted.end;
    let part = out.get_mut(some.clone()).ok_or(BEYOND)?;
    unpack(&packed[packed_bytes(some.start, width)..], width, part);
    if exceptions > 0 {
        patch(bytes, exceptions, width, some.clone(), out)?;
    }
    out[some.clone()].iter_mut().for_each(|integer| *integer = base.wrapping_add(*integer));
    Ok(some)
}

/// Exceptions that are read at once: a number of these takes whole bytes.
const AT_ONCE: usize = 64;

/// Adds their higher bits to the exceptions among some integers.
#[inline(never)]
fn patch(
    bytes: &mut Bytes<'_>,
    exceptions: usize,
    width: u32,
    some: Range<usize>,
    offsets: &mut [i64],
) -> Read<()> {
    let more = u32::from(byte(bytes)?);
    if exceptions > offsets.len() || more + width > 64 {
        return Err(EXCEPTIONS);
    }
    let places = take(bytes, packed_bytes(exceptions, PLACE_BITS))?;
    let highs = take(bytes, packed_bytes(exceptions, more))?;
    let chunk = |packed: &[u8], width: u32, start: usize, out: &mut [i64]| {
        unpack(&packed[packed_bytes(start, width)..], width, out);
    };
    let (mut some_places, mut some_highs) = ([0; AT_ONCE], [0; AT_ONCE]);
    for start in (0..exceptions).step_by(AT_ONCE) {
        let count = AT_ONCE.min(exceptions - start);
        chunk(places, PLACE_BITS, start, &mut some_places[..count]);
        chunk(highs, more, start, &mut some_highs[..count]);
        for (place, high) in some_places.iter().zip(&some_highs).take(count) {
            let offset = offsets.get_mut(*place as usize);
            let offset = offset.ok_or("an exception is at no integer of its frame")?;
            if some.contains(&(*place as usize)) {
                *offset |= high.checked_shl(width).unwrap_or(0);
            }
        }
    }
    Ok(())
}
