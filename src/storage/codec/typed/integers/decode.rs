//! Reads integers one frame after the other.

use super::super::section::{Read, Section, byte, count, integer, section};
use super::{DISTINCT_MAX, form, frame};
use crate::bytes::reader::Bytes;
use std::ops::Range;
use std::sync::Arc;

/// Integers that are read from the first to the last.
#[derive(Debug)]
pub(in super::super) struct Integers {
    section: Section,
    form: Form,
    /// Those that are in no frame yet that has been read.
    left: u64,
    /// As many as a frame has at most; none before the first are decoded.
    frame: Box<[i64]>,
    /// Where the frame is, and the sum of its integers, if the form says it.
    packed: Section,
    sum: Option<u64>,
    /// Which integers of the frame have been decoded.
    ready: Range<usize>,
    /// What of the frame has not been given yet.
    next: usize,
    end: usize,
}

#[derive(Clone, Debug)]
enum Form {
    Constant(i64),
    Frames,
    Summed,
    Scaled(i64, i64),
    Distinct(Arc<[i64]>),
}

impl Clone for Integers {
    /// The same place. The frame is decoded again before it is used.
    fn clone(&self) -> Self {
        let Self { section, ref form, left, packed, sum, next, end, .. } = *self;
        let (form, frame) = (form.clone(), Box::default());
        Self { section, form, left, frame, packed, sum, ready: 0..0, next, end }
    }
}

impl Integers {
    /// Integers that a part of a block holds, all of it.
    pub(in super::super) fn new(block: &[u8], section: Section) -> Read<Self> {
        Self::open(block, section, true)
    }

    /// `listed` says whether they may be places in a list.
    fn open(block: &[u8], mut section: Section, listed: bool) -> Read<Self> {
        let mut bytes = section.bytes(block);
        let left = count(&mut bytes)?;
        let form = match left {
            0 => Form::Frames,
            _ => match byte(&mut bytes)? {
                form::CONSTANT => Form::Constant(integer(&mut bytes)?),
                form::FRAMES => Form::Frames,
                form::SUMMED => Form::Summed,
                form::SCALED => Form::Scaled(integer(&mut bytes)?, count(&mut bytes)?.cast_signed()),
                form::DISTINCT if listed => {
                    Form::Distinct(distinct(block, self::section(&mut bytes)?)?.into())
                }
                _ => return Err("integers have an unknown form"),
            },
        };
        section.advance(&bytes);
        let (frame, ready) = (Box::default(), 0..0);
        Ok(Self { section, form, left, frame, packed: section, sum: None, ready, next: 0, end: 0 })
    }

    /// Goes back to the first, where `start` still is. The frame is read again before it is used.
    pub(in super::super) fn rewind(&mut self, start: &Self) {
        (self.section, self.left) = (start.section, start.left);
        (self.next, self.end) = (start.next, start.end);
        if self.constant().is_none() {
            self.ready = 0..0;
        }
    }

    /// How many have not been given.
    pub(in super::super) fn left(&self) -> u64 {
        self.left + (self.end - self.next) as u64
    }

    /// The integer that all are, where the form says so.
    pub(in super::super) fn constant(&self) -> Option<i64> {
        match self.form {
            Form::Constant(integer) => Some(integer),
            _ => None,
        }
    }

    /// Some of the next ones, `most` at most; none only where all have been given.
    #[inline]
    pub(in super::super) fn next(&mut self, block: &[u8], most: usize) -> Read<&[i64]> {
        if self.next == self.end && most > 0 {
            self.fill(block)?;
        }
        let start = self.next;
        self.next = self.end.min(start.saturating_add(most));
        if start == self.next {
            return Ok(&[]);
        }
        self.decode(block, start..self.next)?;
        self.frame.get(start..self.next).ok_or(BEYOND)
    }

    /// Calls with the next ones, some at a time.
    #[inline]
    pub(in super::super) fn each(
        &mut self,
        block: &[u8],
        mut count: usize,
        mut call: impl FnMut(&[i64]) -> Read<()>,
    ) -> Read<()> {
        while count > 0 {
            let some = self.next(block, count)?;
            if some.is_empty() {
                return Err(FEWER);
            }
            count -= some.len();
            call(some)?;
        }
        Ok(())
    }

    /// The next one; none after the last.
    #[inline]
    pub(in super::super) fn one(&mut self, block: &[u8]) -> Read<Option<i64>> {
        if self.next == self.end {
            self.fill(block)?;
        }
        self.decode(block, self.next..self.end)?;
        let integer = self.frame.get(self.next).copied().filter(|_| self.next < self.end);
        self.next += usize::from(integer.is_some());
        Ok(integer)
    }

    /// Passes over the next ones; whole frames without a look at their integers.
    pub(in super::super) fn skip(&mut self, block: &[u8], count: u64) -> Read<()> {
        let here = count.min((self.end - self.next) as u64);
        self.next += here as usize;
        let count = count - here;
        if count == 0 {
            return Ok(());
        }
        if count > self.left {
            return Err(FEWER);
        }
        (self.next, self.end) = (0, 0);
        if matches!(self.form, Form::Constant(_)) {
            self.left -= count;
            return Ok(());
        }
        let frames = count / frame::LEN as u64;
        let mut bytes = self.section.bytes(block);
        (0..frames).try_for_each(|_| self.pass_frame(&mut bytes, frame::LEN).map(drop))?;
        self.pass(&bytes, frames * frame::LEN as u64)?;
        match (count % frame::LEN as u64) as usize {
            0 => Ok(()),
            rest => {
                self.fill(block)?;
                self.next = rest;
                Ok(())
            }
        }
    }

    /// Passes over the next ones, which are lengths; returns their sum.
    pub(in super::super) fn skip_lengths(&mut self, block: &[u8], mut count: u64) -> Read<u64> {
        if let Form::Constant(length) = self.form {
            self.skip(block, count)?;
            let length = u32::try_from(length).map_err(|_| LENGTH)?;
            return Ok(u64::from(length).saturating_mul(count));
        }
        let mut sum = 0u64;
        while count > 0 {
            if self.next == self.end && count.min(self.left) >= frame::LEN as u64 {
                let mut bytes = self.section.bytes(block);
                let lengths = match self.form {
                    Form::Summed => self.pass_frame(&mut bytes, frame::LEN)?,
                    Form::Frames => frame::sum(&mut bytes)?,
                    Form::Constant(_) | Form::Scaled(..) | Form::Distinct(_) => None,
                };
                if let Some(lengths) = lengths {
                    self.pass(&bytes, frame::LEN as u64)?;
                    (sum, count) = (sum.saturating_add(lengths), count - frame::LEN as u64);
                    continue;
                }
            }
            let lengths = self.next(block, usize::try_from(count).unwrap_or(usize::MAX))?;
            if lengths.is_empty() {
                return Err(FEWER);
            }
            let bits = lengths.iter().fold(0, |bits, length| bits | length.cast_unsigned());
            u32::try_from(bits).map_err(|_| LENGTH)?;
            let more: u64 = lengths.iter().map(|length| length.cast_unsigned()).sum();
            (sum, count) = (sum.saturating_add(more), count - lengths.len() as u64);
        }
        Ok(sum)
    }

    /// Reads to the end of a frame of so many integers; returns their sum, where the form says it. It is compared with the
    /// integers only where all of the frame are decoded.
    #[inline]
    fn pass_frame(&self, bytes: &mut Bytes<'_>, integers: usize) -> Read<Option<u64>> {
        let sum = if matches!(self.form, Form::Summed) { Some(count(bytes)?) } else { None };
        frame::skip(bytes, integers)?;
        Ok(sum)
    }

    /// Goes on after so many integers, which have been read.
    #[inline]
    fn pass(&mut self, bytes: &Bytes<'_>, integers: u64) -> Read<()> {
        self.section.advance(bytes);
        self.left -= integers;
        if self.left == 0 && bytes.remaining() > 0 { Err(AFTER_LAST) } else { Ok(()) }
    }

    fn fill(&mut self, block: &[u8]) -> Read<()> {
        let count = self.left.min(frame::LEN as u64) as usize;
        if count == 0 || matches!(self.form, Form::Constant(_)) {
            self.left -= count as u64;
        } else {
            let mut bytes = self.section.bytes(block);
            self.sum = self.pass_frame(&mut bytes, count)?;
            (self.packed, self.ready) = (self.section, 0..0);
            self.pass(&bytes, count as u64)?;
        }
        (self.next, self.end) = (0, count);
        Ok(())
    }

    /// Decodes some integers of the frame: alone where they are few, after others that were skipped.
    #[inline]
    fn decode(&mut self, block: &[u8], wanted: Range<usize>) -> Read<()> {
        if wanted.is_empty() || self.ready.start <= wanted.start && wanted.end <= self.ready.end {
            return Ok(());
        }
        let are_few = wanted.len() <= FEW && wanted.start != self.ready.end;
        self.decode_part(block, if are_few { wanted } else { 0..self.end })
    }

    fn decode_part(&mut self, block: &[u8], part: Range<usize>) -> Read<()> {
        if self.frame.is_empty() {
            self.frame = vec![0; frame::LEN].into_boxed_slice();
        }
        if let Form::Constant(integer) = self.form {
            self.frame.fill(integer);
            self.ready = 0..self.frame.len();
            return Ok(());
        }
        let mut bytes = self.packed.bytes(block);
        if matches!(self.form, Form::Summed) {
            count(&mut bytes)?;
        }
        let part = frame::decode(&mut bytes, self.end, part, &mut self.frame)?;
        let integers = self.frame.get_mut(part.clone()).ok_or(BEYOND)?;
        self.ready = 0..0;
        match &self.form {
            Form::Constant(_) | Form::Frames => {}
            Form::Summed => {
                let sum = || integers.iter().fold(0, |sum: i64, integer| sum.wrapping_add(*integer));
                if part == (0..self.end) && Some(sum().cast_unsigned()) != self.sum {
                    return Err("the integers of a frame have another sum");
                }
            }
            Form::Scaled(base, factor) => {
                for integer in integers {
                    *integer = base.wrapping_add(integer.wrapping_mul(*factor));
                }
            }
            Form::Distinct(values) => {
                for integer in integers {
                    let value = usize::try_from(*integer).ok().and_then(|place| values.get(place));
                    *integer = *value.ok_or("an integer has no place in the list of different ones")?;
                }
            }
        }
        self.ready = part;
        Ok(())
    }
}

/// How many integers of a frame may be decoded alone.
const FEW: usize = 32;

const FEWER: &str = "there are fewer integers than wanted";
/// Cannot be, whatever a file says.
const BEYOND: &str = "integers are wanted that are not in their frame";
const LENGTH: &str = "a length is negative or too large";
const AFTER_LAST: &str = "bytes come after the last integer";

/// A list of different integers.
fn distinct(block: &[u8], section: Section) -> Read<Vec<i64>> {
    let mut integers = Integers::open(block, section, false)?;
    if integers.left() > DISTINCT_MAX as u64 {
        return Err("a list of different integers is too long");
    }
    let mut values = Vec::new();
    loop {
        let more = integers.next(block, usize::MAX)?;
        if more.is_empty() {
            return Ok(values);
        }
        values.extend_from_slice(more);
    }
}
