//! A frame: at most 1024 integers, each the base and some bits, or that added to the one before; the few that need
//! more bits have these apart. The directory has the base, and all else that is of a frame as a whole.

use super::super::bits::{Number, mask, number, pack, pack_short, packed_bytes, unpack, width};
use super::super::context::Layout;
use super::super::lanes;
use super::super::section::{Read, take};
use super::directory::Head;
use crate::bytes::reader::Bytes;
use std::ops::Range;

/// Integers of a frame; the last may have fewer.
pub(super) use lanes::LEN;

/// Bits of the position of an exception in a frame.
pub(super) const POSITION_BITS: u32 = 10;

/// Whether numbers, by their count and width in bits, lie in lanes; one after the other, if not. Bits and whole bytes are taken out as fast as they lie,
/// and other codecs find in bytes what repeats.
pub(super) fn are_laned(count: usize, width: u32) -> bool {
    count == LEN && width > 1 && !width.is_multiple_of(8)
}

/// How a frame is encoded, and its bits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    /// The least of the integers, or of the differences.
    pub(super) base: i64,
    pub(super) width: u32,
    /// Integers that need more bits, and how many more.
    pub(super) exceptions: usize,
    pub(super) more: u32,
    bits: u64,
}

/// Integers that are looked at side by side, so that none waits for the one before.
const SIDES: usize = 4;

impl Plan {
    /// The best for [`LEN`] integers at most.
    fn new(integers: &[i64], layout: Layout) -> Self {
        let (base, greatest) = bounds(integers).unwrap_or_default();
        let span = greatest.wrapping_sub(base).cast_unsigned();
        if u32::try_from(span).is_ok() {
            let offsets = &offsets(integers, base)[..integers.len()];
            let longer = |bits: u32| offsets.iter().map(|offset| u32::from(offset >> bits != 0)).sum::<u32>();
            return Self::from_widths(base, integers.len(), width(span), layout, longer);
        }
        let mut widths = [0; 65];
        for integer in integers {
            widths[width(integer.wrapping_sub(base).cast_unsigned()) as usize] += 1;
        }
        let longer = |bits: u32| widths.iter().skip(1 + bits as usize).sum::<u32>();
        Self::from_widths(base, integers.len(), width(span), layout, longer)
    }

    /// The best for a number of integers, by the bits of the longest; `longer` says how many have more bits than that.
    fn from_widths(base: i64, count: usize, most: u32, layout: Layout, longer: impl Fn(u32) -> u32) -> Self {
        let count = count as u64;
        let bits = count * u64::from(most);
        let largest = if layout.has_bytes() { most.next_multiple_of(8) } else { most };
        let mut best = Self { base, width: largest, exceptions: 0, more: 0, bits };
        for width in (0..largest).rev() {
            if layout.has_bytes() && !width.is_multiple_of(8) {
                continue;
            }
            let (exceptions, more) = (u64::from(longer(width)), largest - width);
            let bits = count * u64::from(width) + exceptions * u64::from(POSITION_BITS + more) + 8;
            if bits < best.bits {
                best = Self { base, width, exceptions: exceptions as usize, more, bits };
            }
            // In fewer bits there are as many exceptions at least.
            if exceptions * u64::from(POSITION_BITS + largest) >= best.bits {
                break;
            }
        }
        best
    }

    /// Appends integers, [`LEN`] at most.
    fn write(&self, integers: &[i64], layout: Layout, out: &mut Vec<u8>) {
        let far = || integers.iter().map(|integer| integer.wrapping_sub(self.base).cast_unsigned());
        let is_laned = layout == Layout::Alone && are_laned(integers.len(), self.width);
        if self.width <= 32 {
            let offsets = offsets(integers, self.base);
            match is_laned {
                true => lanes::pack_32(&offsets, self.width, out),
                false => pack_short(offsets.get(..integers.len()).unwrap_or(&offsets), self.width, out),
            }
        } else if is_laned {
            lanes::pack_64(&far().collect::<Vec<_>>(), self.width, out);
        } else {
            pack(far(), self.width, out);
        }
        if self.exceptions > 0 {
            let mut large = Vec::with_capacity(self.exceptions);
            large.extend((0..).zip(far()).filter(|(_, offset)| offset >> self.width != 0));
            pack(large.iter().map(|(position, _)| *position), POSITION_BITS, out);
            pack(large.iter().map(|(_, offset)| offset >> self.width), self.more, out);
        }
    }
}

/// The low 32 bits of what [`LEN`] integers at most are above a base; zeros beyond.
fn offsets(integers: &[i64], base: i64) -> [u32; LEN] {
    let mut offsets = [0; LEN];
    for (offset, integer) in offsets.iter_mut().zip(integers) {
        *offset = (*integer as u32).wrapping_sub(base as u32);
    }
    offsets
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
    pub(super) differences: bool,
    /// What the first difference is added to.
    pub(super) start: i64,
    pub(super) plan: Plan,
    /// About the bits that it takes.
    pub(super) bits: u64,
}

/// What each of [`LEN`] integers at most adds to the one before; the first adds `first`.
fn differences(integers: &[i64], first: i64) -> [i64; LEN] {
    let mut differences = [first; LEN];
    for (difference, pair) in differences.iter_mut().skip(1).zip(integers.windows(2)) {
        *difference = pair[1].wrapping_sub(pair[0]);
    }
    differences
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
    pub(super) fn new(integers: &[i64], layout: Layout) -> Self {
        let frames = integers.len().div_ceil(LEN);
        if frames <= 2 * SAMPLE_FRAMES {
            return Self::Both;
        }
        let sample = integers.chunks(LEN).step_by(frames / SAMPLE_FRAMES);
        let [mut plain, mut differences] = [false; 2];
        for integers in sample {
            match Frame::new(integers, Self::Both, layout).differences {
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
    pub(super) fn new(integers: &[i64], ways: Ways, layout: Layout) -> Self {
        let plain = || {
            let plan = Plan::new(integers, layout);
            Self { differences: false, start: 0, plan, bits: plan.bits + 32 }
        };
        let by_difference = || {
            let differences = differences(integers, 0);
            let plan = Plan::new(differences.get(1..integers.len()).unwrap_or_default(), layout);
            let start = integers.first().map_or(0, |first| first.wrapping_sub(plan.base));
            Self { differences: true, start, plan, bits: plan.bits + 56 }
        };
        match ways {
            Ways::Plain => plain(),
            Ways::Differences => by_difference(),
            Ways::Both => {
                let (plain, by_difference) = (plain(), by_difference());
                if by_difference.bits < plain.bits { by_difference } else { plain }
            }
        }
    }

    /// Appends the integers of which it was made.
    pub(super) fn write(&self, integers: &[i64], layout: Layout, out: &mut Vec<u8>) {
        match self.differences {
            true => self.plan.write(&differences(integers, self.plan.base)[..integers.len()], layout, out),
            false => self.plan.write(integers, layout, out),
        }
    }
}

/// The integers of a frame: as 32 bits where they surely fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Numbers<'a> {
    Narrow(&'a [i32]),
    Wide(&'a [i64]),
}

impl Numbers<'_> {
    /// Some of them.
    pub(super) fn get(&self, some: Range<usize>) -> Option<Self> {
        match self {
            Self::Narrow(numbers) => numbers.get(some).map(Self::Narrow),
            Self::Wide(numbers) => numbers.get(some).map(Self::Wide),
        }
    }

    pub(in super::super) fn len(&self) -> usize {
        match self {
            Self::Narrow(numbers) => numbers.len(),
            Self::Wide(numbers) => numbers.len(),
        }
    }

    pub(in super::super) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Their sum, which wraps around.
    pub(super) fn wrapping_sum(&self) -> i64 {
        match self {
            Self::Narrow(numbers) => numbers.iter().map(|number| i64::from(*number)).sum(),
            Self::Wide(numbers) => numbers.iter().fold(0, |sum: i64, number| sum.wrapping_add(*number)),
        }
    }

    /// The sum of lengths; `None` where one is negative or has more than 32 bits.
    pub(in super::super) fn sum_of_lengths(&self) -> Option<u64> {
        let bits = match self {
            Self::Narrow(numbers) => i64::from(numbers.iter().fold(0, |bits, number| bits | number)),
            Self::Wide(numbers) => numbers.iter().fold(0, |bits, number| bits | number),
        };
        u32::try_from(bits).ok()?;
        Some(self.wrapping_sum().cast_unsigned())
    }

    /// One after the other.
    pub(in super::super) fn iter(&self) -> impl Iterator<Item = i64> {
        let (narrow, wide) = match *self {
            Self::Narrow(numbers) => (numbers, &[][..]),
            Self::Wide(numbers) => (&[][..], numbers),
        };
        narrow.iter().map(|number| i64::from(*number)).chain(wide.iter().copied())
    }
}

/// Memory for the integers of a frame.
#[derive(Debug, Default)]
pub(super) struct Buffer {
    narrow: Box<[i32]>,
    wide: Box<[i64]>,
    /// Which of the two has them.
    is_narrow: bool,
}

/// Makes room for the integers of a frame, if there is none yet.
#[inline]
fn make_room<T: Copy + Default>(numbers: &mut Box<[T]>) {
    if numbers.is_empty() {
        *numbers = vec![T::default(); LEN].into_boxed_slice();
    }
}

impl Buffer {
    /// Some of the integers.
    #[inline]
    pub(super) fn get(&self, some: Range<usize>) -> Option<Numbers<'_>> {
        let all = if self.is_narrow { Numbers::Narrow(&self.narrow) } else { Numbers::Wide(&self.wide) };
        all.get(some)
    }

    /// Puts integers there, [`LEN`] at most.
    pub(super) fn put(&mut self, integers: Numbers<'_>) {
        match integers {
            Numbers::Narrow(some) => self.narrow().iter_mut().zip(some).for_each(|(at, some)| *at = *some),
            Numbers::Wide(some) => self.wide().iter_mut().zip(some).for_each(|(at, some)| *at = *some),
        }
    }

    fn narrow(&mut self) -> &mut [i32] {
        self.is_narrow = true;
        make_room(&mut self.narrow);
        &mut self.narrow
    }

    fn wide(&mut self) -> &mut [i64] {
        self.is_narrow = false;
        make_room(&mut self.wide);
        &mut self.wide
    }

    /// As many as a frame has, all the same.
    pub(super) fn fill(&mut self, integer: i64) {
        match i32::try_from(integer) {
            Ok(integer) => self.narrow().fill(integer),
            Err(_) => self.wide().fill(integer),
        }
    }

    /// Makes some of the integers 32 bits wide, if they are not; false where they do not fit.
    pub(super) fn make_narrow(&mut self, some: Range<usize>) -> bool {
        if self.is_narrow {
            return true;
        }
        make_room(&mut self.narrow);
        let (Some(narrow), Some(wide)) = (self.narrow.get_mut(some.clone()), self.wide.get(some)) else {
            return false;
        };
        // Less than 2³² above the least: a subtraction and an or, which are done for several at once.
        let mut bits = 0;
        for (narrow, wide) in narrow.iter_mut().zip(wide) {
            bits |= wide.wrapping_sub(i32::MIN.into()).cast_unsigned();
            *narrow = *wide as i32;
        }
        self.is_narrow = u32::try_from(bits).is_ok();
        self.is_narrow
    }

    /// Multiplies some of the integers, and adds a base to each.
    pub(super) fn scale(&mut self, base: i64, factor: i64, some: Range<usize>) {
        let was_narrow = std::mem::replace(&mut self.is_narrow, false);
        make_room(&mut self.wide);
        let wide = self.wide.get_mut(some.clone()).unwrap_or_default();
        let narrow = self.narrow.get(some).unwrap_or_default();
        match u32::try_from(factor) {
            // Two numbers of 32 bits, which machines multiply for several at once.
            Ok(factor) if was_narrow && narrow.iter().fold(0, |bits, number| bits | number) >= 0 => {
                for (wide, narrow) in wide.iter_mut().zip(narrow) {
                    let product = u64::from(narrow.cast_unsigned()) * u64::from(factor);
                    *wide = base.wrapping_add(product.cast_signed());
                }
            }
            _ => {
                if was_narrow {
                    wide.iter_mut().zip(narrow).for_each(|(wide, narrow)| *wide = i64::from(*narrow));
                }
                wide.iter_mut().for_each(|number| *number = base.wrapping_add(number.wrapping_mul(factor)));
            }
        }
    }

    /// Makes of some integers, which are positions in a list, the ones of the list; false where one is no position.
    pub(super) fn look_up(&mut self, list: Numbers<'_>, some: Range<usize>) -> bool {
        if !self.make_narrow(some.clone()) {
            return false;
        }
        let mut fit = true;
        match list {
            Numbers::Narrow(list) => {
                let (eights, rest) = self.narrow.get_mut(some).unwrap_or_default().as_chunks_mut::<8>();
                let mut put = |position: &mut i32| match list.get(*position as u32 as usize) {
                    Some(integer) => *position = *integer,
                    None => fit = false,
                };
                // Eight at a time, with one check for the end.
                eights.iter_mut().for_each(|eight| eight.iter_mut().for_each(&mut put));
                rest.iter_mut().for_each(put);
            }
            Numbers::Wide(list) => {
                self.is_narrow = false;
                make_room(&mut self.wide);
                let positions = self.narrow.get(some.clone()).unwrap_or_default();
                for (wide, position) in self.wide.get_mut(some).unwrap_or_default().iter_mut().zip(positions)
                {
                    match list.get(*position as u32 as usize) {
                        Some(integer) => *wide = *integer,
                        None => fit = false,
                    }
                }
            }
        }
        fit
    }

    /// Reads some integers of a frame of `count`, [`LEN`] at most, to their positions; returns which it has read: these, or all.
    pub(super) fn decode(
        &mut self,
        bytes: &mut Bytes<'_>,
        head: &Head,
        count: usize,
        wanted: Range<usize>,
    ) -> Read<Range<usize>> {
        let frame = Packed::from_bytes(bytes, *head, count)?;
        if head.differences {
            frame.add_up(self)?;
            return Ok(0..count);
        }
        let bits = u32::from(head.width + head.more);
        let base = i32::try_from(head.base).ok().filter(|base| {
            // As many bits set as there may be.
            bits < 32 && base.checked_add(((1u32 << bits) - 1).cast_signed()).is_some()
        });
        match base {
            Some(base) => frame.read(base, wanted, self.narrow()),
            None => frame.read(head.base, wanted, self.wide()),
        }
    }
}

/// Cannot be, whatever a file says.
const BEYOND: &str = "a frame has more integers than there is room for";

/// The bytes of a frame.
struct Packed<'a> {
    head: Head,
    count: usize,
    numbers: &'a [u8],
    positions: &'a [u8],
    more: &'a [u8],
}

/// Number of exceptions unpacked at a time: a multiple of 8, so that all but the last end with a whole byte.
const PATCHED: usize = 32;

/// How many numbers of a frame may be taken out alone.
pub(super) const FEW: usize = 32;

impl<'a> Packed<'a> {
    fn from_bytes(bytes: &mut Bytes<'a>, head: Head, count: usize) -> Read<Self> {
        let exceptions = usize::from(head.exceptions);
        let numbers = take(bytes, packed_bytes(count, head.width.into()))?;
        let positions = take(bytes, packed_bytes(exceptions, POSITION_BITS))?;
        let more = take(bytes, packed_bytes(exceptions, head.more.into()))?;
        Ok(Self { head, count, numbers, positions, more })
    }

    /// Takes out the wanted numbers if they are few, or all, and adds a base to each; returns which.
    fn read<T: Number>(&self, base: T, wanted: Range<usize>, out: &mut [T]) -> Read<Range<usize>> {
        let (width, exceptions) = (u32::from(self.head.width), self.head.exceptions);
        let is_laned = self.head.lanes && are_laned(self.count, width);
        let some = if wanted.len() <= FEW { wanted } else { 0..self.count };
        let numbers = out.get_mut(some.clone()).ok_or(BEYOND)?;
        if some != (0..self.count) {
            for (index, out) in some.clone().zip(numbers) {
                let number = if is_laned { lanes::number } else { number };
                *out = T::above(number(self.numbers, width, index), base);
            }
        } else if is_laned {
            lanes::unpack(self.numbers, width, base, numbers);
        } else {
            unpack(self.numbers, width, base, numbers);
        }
        if exceptions > 0 {
            self.patch(some.clone(), out)?;
        }
        Ok(some)
    }

    /// Adds their higher bits to the exceptions among some integers.
    fn patch<T: Number>(&self, some: Range<usize>, out: &mut [T]) -> Read<()> {
        let (width, more) = (u32::from(self.head.width), u32::from(self.head.more));
        let exceptions = usize::from(self.head.exceptions);
        for first in (0..exceptions).step_by(PATCHED) {
            let count = PATCHED.min(exceptions - first);
            let (mut positions, mut highs) = ([0i64; PATCHED], [0i64; PATCHED]);
            let from = |packed: &'a [u8], width| packed.get(packed_bytes(first, width)..).unwrap_or_default();
            unpack(from(self.positions, POSITION_BITS), POSITION_BITS, 0, &mut positions[..count]);
            unpack(from(self.more, more), more, 0, &mut highs[..count]);
            for (position, high) in positions[..count].iter().zip(highs) {
                let position = *position as usize;
                if position >= self.count {
                    return Err("an exception is at no integer of its frame");
                }
                if let Some(out) = out.get_mut(position).filter(|_| some.contains(&position)) {
                    *out = T::above(high.cast_unsigned().checked_shl(width).unwrap_or(0), *out);
                }
            }
        }
        Ok(())
    }

    /// Takes out all differences, and makes the integers of them.
    fn add_up(&self, out: &mut Buffer) -> Read<()> {
        let Head { base, start, width, more, .. } = self.head;
        // If no sum can exceed 32 bits, none is checked.
        let most = base.unsigned_abs().saturating_add(mask((width + more).into())).saturating_mul(LEN as u64);
        if most.saturating_add(start.unsigned_abs()) <= i32::MAX as u64 {
            self.read(base as i32, 0..LEN, out.narrow())?;
            let mut sum = start as i32;
            for number in out.narrow.iter_mut().take(self.count) {
                sum = sum.wrapping_add(*number);
                *number = sum;
            }
            return Ok(());
        }
        self.read(base, 0..LEN, out.wide())?;
        let mut sum = start;
        for integer in out.wide.iter_mut().take(self.count) {
            sum = sum.wrapping_add(*integer);
            *integer = sum;
        }
        Ok(())
    }
}

/// The sum of some of the lengths of a frame that differ by one at most; none of other lengths.
pub(super) fn sum(bytes: &mut Bytes<'_>, head: &Head, lengths: Range<usize>) -> Read<Option<u64>> {
    let (Ok(base), 0..=1, 0, false) =
        (u32::try_from(head.base), head.width, head.exceptions, head.differences)
    else {
        return Ok(None);
    };
    let bits = take(bytes, packed_bytes(lengths.end, head.width.into()))?;
    Ok(Some(u64::from(base) * lengths.len() as u64 + ones(bits, lengths)))
}

/// How many of some bits are set.
pub(super) fn ones(bits: &[u8], some: Range<usize>) -> u64 {
    let whole = bits.get(some.start / 8..some.end / 8).unwrap_or_default();
    let (words, rest) = whole.as_chunks::<8>();
    let words = words.iter().map(|word| u64::from(u64::from_le_bytes(*word).count_ones()));
    let rest = rest.iter().map(|byte| u64::from(byte.count_ones()));
    // The last byte may have some bits of these, and the first some of others.
    let below = |bit: usize| {
        let byte = bits.get(bit / 8).map_or(0, |byte| byte & ((1 << (bit % 8)) - 1));
        u64::from(byte.count_ones())
    };
    words.chain(rest).sum::<u64>() + below(some.end) - below(some.start)
}
