//! The directory before the frames of a section: what each frame is, so that any of them is found without the others.

use super::super::bits::packed_bytes;
use super::super::context::Layout;
use super::super::section::{Read, take};
use super::frame::{self, Frame, POSITION_BITS, are_laned};
use super::series::{Series, put_series};
use crate::bytes::reader::Bytes;
use std::ops::Range;

/// Flags of the byte of the form: what the directory says of its frames.
pub(super) mod flag {
    /// Some frames are of differences.
    pub(in super::super) const DIFFERENCES: u8 = 0x10;
    /// Some frames have exceptions.
    pub(in super::super) const EXCEPTIONS: u8 = 0x20;
    /// The sum of each frame.
    pub(in super::super) const SUMS: u8 = 0x40;
    /// The numbers of all frames lie one after the other.
    pub(in super::super) const IN_SEQUENCE: u8 = 0x80;
    pub(in super::super) const ALL: u8 = DIFFERENCES | EXCEPTIONS | SUMS | IN_SEQUENCE;
}

/// Of a width, whether the frame is of differences.
const BY_DIFFERENCES: u8 = 0x80;

/// The flags of some frames.
pub(super) fn flags(frames: &[Frame], layout: Layout) -> u8 {
    let flag = |is_set: bool, flag: u8| if is_set { flag } else { 0 };
    flag(frames.iter().any(|frame| frame.differences), flag::DIFFERENCES)
        | flag(frames.iter().any(|frame| frame.plan.exceptions > 0), flag::EXCEPTIONS)
        | flag(
            layout != Layout::Alone && frames.iter().any(|frame| are_laned(frame::LEN, frame.plan.width)),
            flag::IN_SEQUENCE,
        )
}

/// Appends what some frames are: the integers of each are here, too.
pub(super) fn put_directory(frames: &[Frame], sums: Option<&[i64]>, layout: Layout, out: &mut Vec<u8>) {
    let flags = flags(frames, layout);
    out.extend(frames.iter().map(|frame| {
        let by_differences = if frame.differences { BY_DIFFERENCES } else { 0 };
        frame.plan.width as u8 | by_differences
    }));
    let mut put = |number: &dyn Fn(&Frame) -> i64| {
        let numbers: Vec<i64> = frames.iter().map(number).collect();
        put_series(&numbers, layout, out);
    };
    put(&|frame| frame.plan.base);
    if flags & flag::DIFFERENCES != 0 {
        // Others have no meaning, and one that takes no bits.
        let some = frames.iter().find(|frame| frame.differences).map_or(0, |frame| frame.start);
        put(&|frame| if frame.differences { frame.start } else { some });
    }
    if flags & flag::EXCEPTIONS != 0 {
        put(&|frame| frame.plan.exceptions as i64);
        put(&|frame| i64::from(frame.plan.more));
    }
    if let Some(sums) = sums {
        put_series(sums, layout, out);
    }
}

/// Where the directory of some frames is.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Directory {
    widths: usize,
    bases: Series,
    starts: Series,
    exceptions: Series,
    more: Series,
    sums: Series,
    flags: u8,
}

/// What a frame is.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Head {
    pub(super) differences: bool,
    /// Whether the numbers of a full frame lie in lanes, where their width allows.
    pub(super) lanes: bool,
    /// The bits of each number, and the integer that is added to it.
    pub(super) width: u8,
    pub(super) base: i64,
    /// What the first difference is added to.
    pub(super) start: i64,
    /// Numbers that have more bits, and how many more.
    pub(super) exceptions: u16,
    pub(super) more: u8,
}

impl Head {
    /// The bytes of a frame of a number of integers.
    pub(super) fn bytes(&self, count: usize) -> usize {
        packed_bytes(count, self.width.into()) + exceptions_bytes(self.exceptions, self.more)
    }
}

fn exceptions_bytes(exceptions: u16, more: u8) -> usize {
    packed_bytes(exceptions.into(), POSITION_BITS) + packed_bytes(exceptions.into(), more.into())
}

impl Directory {
    /// Passes over the directory of the frames of a number of integers.
    pub(super) fn read(bytes: &mut Bytes<'_>, flags: u8, integers: u64) -> Read<Self> {
        let frames = usize::try_from(integers.div_ceil(frame::LEN as u64)).unwrap_or(usize::MAX);
        let widths = bytes.position();
        take(bytes, frames)?;
        let mut series = |flag: u8| match flags & flag == flag {
            true => Series::read(bytes, frames),
            false => Ok(Series::default()),
        };
        Ok(Self {
            widths,
            bases: series(0)?,
            starts: series(flag::DIFFERENCES)?,
            exceptions: series(flag::EXCEPTIONS)?,
            more: series(flag::EXCEPTIONS)?,
            sums: series(flag::SUMS)?,
            flags,
        })
    }

    /// What a frame is.
    pub(super) fn head(&self, block: &[u8], frame: usize) -> Read<Head> {
        let width = block.get(self.widths + frame).copied().unwrap_or_default();
        let differences = width & BY_DIFFERENCES != 0;
        let width = width & !BY_DIFFERENCES;
        let (exceptions, more) = self.exceptions(block, frame)?;
        if width + more > 64 {
            return Err("integers have more than 64 bits");
        }
        if differences && self.flags & flag::DIFFERENCES == 0 {
            return Err("a frame is of differences, and has no start");
        }
        let start = if differences { self.starts.get(block, frame) } else { 0 };
        let lanes = self.flags & flag::IN_SEQUENCE == 0;
        Ok(Head { differences, lanes, width, base: self.bases.get(block, frame), start, exceptions, more })
    }

    /// How many exceptions a frame has, and how many bits more.
    fn exceptions(&self, block: &[u8], frame: usize) -> Read<(u16, u8)> {
        if self.flags & flag::EXCEPTIONS == 0 {
            return Ok((0, 0));
        }
        let exceptions = u16::try_from(self.exceptions.get(block, frame)).unwrap_or(u16::MAX);
        let more = u8::try_from(self.more.get(block, frame)).unwrap_or(u8::MAX);
        if usize::from(exceptions) > frame::LEN || more > 64 {
            return Err("a frame has more exceptions than integers, or longer ones than 64 bits");
        }
        Ok((exceptions, more))
    }

    /// The bytes of some full frames.
    pub(super) fn bytes(&self, block: &[u8], frames: Range<usize>) -> Read<usize> {
        let widths = block.get(self.widths + frames.start..self.widths + frames.end).unwrap_or_default();
        let width = |byte: &u8| usize::from(byte & !BY_DIFFERENCES);
        let mut bytes = widths.iter().map(width).sum::<usize>() * (frame::LEN / 8);
        if self.flags & flag::EXCEPTIONS != 0 {
            for frame in frames {
                let (exceptions, more) = self.exceptions(block, frame)?;
                bytes += exceptions_bytes(exceptions, more);
            }
        }
        Ok(bytes)
    }

    /// The sum of some frames, where there are sums: as unsigned numbers, none of which wraps around.
    pub(super) fn sum(&self, block: &[u8], frames: Range<usize>) -> Option<u64> {
        if self.flags & flag::SUMS == 0 {
            return None;
        }
        let sum = |frame| self.sums.get(block, frame).cast_unsigned();
        Some(frames.fold(0, |all: u64, frame| all.saturating_add(sum(frame))))
    }
}
