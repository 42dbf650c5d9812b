//! Reads integers one frame after the other.

use super::super::bits::packed_bytes;
use super::super::section::{Read, Section, byte, count, integer, section};
use super::copies::{Copies, List};
use super::directory::{Directory, Head, flag};
use super::frame::{Buffer, FEW, Numbers};
use super::{DISTINCT_MAX, form, frame};
use crate::vector::Marks;
use std::ops::Range;
use std::sync::Arc;

/// Integers that are read from the first to the last.
#[derive(Debug)]
pub(in super::super) struct Integers {
    /// The frames that have not been read yet, and the number of the first of them.
    section: Section,
    at: usize,
    form: Form,
    directory: Arc<Directory>,
    /// Integers that are in no frame yet that has been read.
    left: u64,
    /// The integers of the frame, as far as they are decoded.
    buffer: Buffer,
    /// Where the frame is, and its number.
    packed: Section,
    frame: usize,
    head: Head,
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
    Scaled(i64, i64),
    Distinct(Arc<List>),
    Repeats(Arc<Copies>),
}

impl Clone for Integers {
    /// The same place. The frame is decoded again before it is used.
    fn clone(&self) -> Self {
        let Self { section, at, ref form, ref directory, left, packed, frame, head, next, end, .. } = *self;
        let (form, directory, buffer) = (form.clone(), Arc::clone(directory), Buffer::default());
        Self { section, at, form, directory, left, buffer, packed, frame, head, ready: 0..0, next, end }
    }
}

impl Integers {
    /// Opens the integers of a section, in any form but copies.
    pub(in super::super) fn new(block: &[u8], section: Section) -> Read<Self> {
        Self::open(block, section, form::DISTINCT)
    }

    /// Opens the integers of a section, in any form. To read copies takes [memory](Integers::memory).
    pub(in super::super) fn with_copies(block: &[u8], section: Section) -> Read<Self> {
        Self::open(block, section, form::REPEATS)
    }

    /// `last` is the last form that they may have.
    pub(super) fn open(block: &[u8], mut section: Section, last: u8) -> Read<Self> {
        let mut bytes = section.bytes(block);
        let left = count(&mut bytes)?;
        let (mut form, mut directory) = (Form::Frames, Directory::default());
        if left > 0 {
            let first = byte(&mut bytes)?;
            form = match first & !flag::ALL {
                other if other > last => return Err(UNKNOWN),
                form::CONSTANT if first == form::CONSTANT => Form::Constant(integer(&mut bytes)?),
                form::FRAMES => Form::Frames,
                form::SCALED => Form::Scaled(integer(&mut bytes)?, count(&mut bytes)?.cast_signed()),
                form::DISTINCT => {
                    let listed = Self::open(block, self::section(&mut bytes)?, form::SCALED)?;
                    Form::Distinct(Arc::new(List::new(listed.all(block, DISTINCT_MAX)?)))
                }
                form::REPEATS if first == form::REPEATS => {
                    Form::Repeats(Arc::new(Copies::read(block, &mut bytes, left)?))
                }
                _ => return Err(UNKNOWN),
            };
            if let Form::Frames | Form::Scaled(..) | Form::Distinct(_) = form {
                directory = Directory::read(&mut bytes, first & flag::ALL, left)?;
            }
        }
        section.advance(&bytes);
        Ok(Self {
            section,
            at: 0,
            form,
            directory: Arc::new(directory),
            left,
            buffer: Buffer::default(),
            packed: section,
            frame: 0,
            head: Head::default(),
            ready: 0..0,
            next: 0,
            end: 0,
        })
    }

    /// Goes back to the first, where `start` still is. The frame is read again before it is used.
    pub(in super::super) fn rewind(&mut self, start: &Self) {
        (self.section, self.at, self.left) = (start.section, start.at, start.left);
        (self.next, self.end) = (start.next, start.end);
        if self.constant().is_none() {
            self.ready = 0..0;
        }
    }

    /// How many have not been given.
    pub(in super::super) fn left(&self) -> u64 {
        self.left + (self.end - self.next) as u64
    }

    /// Bytes of memory that reading takes, beyond one frame.
    pub(in super::super) fn memory(&self) -> usize {
        match &self.form {
            Form::Repeats(copies) => copies.memory(),
            _ => 0,
        }
    }

    /// All of them, `most` at most.
    pub(super) fn all(mut self, block: &[u8], most: usize) -> Read<Vec<i64>> {
        if self.left() > most as u64 {
            return Err("a list of integers is too long");
        }
        let mut all = Vec::new();
        self.each(block, self.left() as usize, &mut |some| all.extend(some.iter()))?;
        Ok(all)
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
    pub(in super::super) fn next(&mut self, block: &[u8], most: usize) -> Read<Numbers<'_>> {
        let some = self.ready(block, most)?;
        self.buffer.get(some).ok_or(BEYOND)
    }

    /// As [`Integers::next`], where all fit in 32 bits.
    #[inline]
    pub(in super::super) fn narrow(&mut self, block: &[u8], most: usize) -> Read<&[i32]> {
        let some = self.ready(block, most)?;
        if !self.buffer.make_narrow(self.ready.clone()) {
            return Err("an integer has more than 32 bits");
        }
        match self.buffer.get(some) {
            Some(Numbers::Narrow(some)) => Ok(some),
            _ => Err(BEYOND),
        }
    }

    /// Which of the decoded integers of the frame are given next.
    #[inline]
    fn ready(&mut self, block: &[u8], most: usize) -> Read<Range<usize>> {
        if self.next == self.end && most > 0 {
            self.fill(block)?;
        }
        let start = self.next;
        self.next = self.end.min(start.saturating_add(most));
        if start == self.next {
            return Ok(0..0);
        }
        self.decode(block, start..self.next)?;
        Ok(start..self.next)
    }

    /// Some of the next ones, `most` at most, where they are stored as zeros and ones; `None` where they are not, or none is left.
    pub(in super::super) fn marks<'a>(&mut self, block: &'a [u8], most: usize) -> Read<Option<Marks<'a>>> {
        if let Form::Constant(integer @ (0 | 1)) = self.form {
            let count = usize::try_from(self.left()).unwrap_or(usize::MAX).min(most);
            self.skip(block, count as u64)?;
            return Ok(Some(Marks::Same(integer == 1, count)).filter(|_| count > 0));
        }
        let Form::Frames = self.form else { return Ok(None) };
        if self.next == self.end {
            self.fill(block)?;
        }
        let (start, count) = (self.next, most.min(self.end - self.next));
        if count == 0 {
            return Ok(None);
        }
        let Head { width, base, exceptions: 0, differences: false, .. } = self.head else { return Ok(None) };
        let (marks, ones) = match (width, base) {
            (0, 0 | 1) => (Marks::Same(base == 1, count), base.cast_unsigned() * self.end as u64),
            (1, 0) => {
                let bits = self.packed.bytes(block).rest().get(..packed_bytes(self.end, 1));
                let bits = bits.unwrap_or_default();
                (Marks::Bits(bits, start, count), frame::ones(bits, 0..self.end))
            }
            _ => return Ok(None),
        };
        if self.directory.sum(block, self.frame..self.frame + 1).is_some_and(|sum| sum != ones) {
            return Err(OTHER_SUM);
        }
        self.next += count;
        Ok(Some(marks))
    }

    /// Calls with the next ones, some at a time.
    #[inline]
    pub(in super::super) fn each(
        &mut self,
        block: &[u8],
        mut count: usize,
        call: &mut dyn FnMut(Numbers<'_>),
    ) -> Read<()> {
        while count > 0 {
            let some = self.next(block, count)?;
            if some.is_empty() {
                return Err(FEWER);
            }
            count -= some.len();
            call(some);
        }
        Ok(())
    }

    /// The next one; none after the last.
    #[inline]
    pub(in super::super) fn one(&mut self, block: &[u8]) -> Read<Option<i64>> {
        Ok(self.next(block, 1)?.iter().next())
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
        self.pass_frames(block, count / frame::LEN as u64)?;
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
            let frames = count.min(self.left) / frame::LEN as u64;
            if self.next == self.end && frames > 0 && matches!(self.form, Form::Frames) {
                let end = self.at.saturating_add(usize::try_from(frames).unwrap_or(usize::MAX));
                if let Some(lengths) = self.directory.sum(block, self.at..end) {
                    self.pass_frames(block, frames)?;
                    (sum, count) = (sum.saturating_add(lengths), count - frames * frame::LEN as u64);
                    continue;
                }
            }
            if self.next == self.end {
                self.fill(block)?;
            }
            let wanted = usize::try_from(count).unwrap_or(usize::MAX);
            let some = self.next..self.end.min(self.next.saturating_add(wanted));
            if some.is_empty() {
                return Err(FEWER);
            }
            count -= some.len() as u64;
            let by_bits = match self.form {
                Form::Frames => frame::sum(&mut self.packed.bytes(block), &self.head, some.clone())?,
                _ => None,
            };
            let lengths = match by_bits {
                Some(lengths) => {
                    self.next = some.end;
                    lengths
                }
                None => self.next(block, wanted)?.sum_of_lengths().ok_or(LENGTH)?,
            };
            sum = sum.saturating_add(lengths);
        }
        Ok(sum)
    }

    /// Passes over some full frames.
    fn pass_frames(&mut self, block: &[u8], frames: u64) -> Read<()> {
        let end = self.at.saturating_add(usize::try_from(frames).unwrap_or(usize::MAX));
        let bytes = match self.form {
            Form::Repeats(_) => 0,
            _ => self.directory.bytes(block, self.at..end)?,
        };
        self.pass(block, bytes, frames * frame::LEN as u64)?;
        self.at = end;
        Ok(())
    }

    /// Goes on after a number of integers, whose bytes are given.
    #[inline]
    fn pass(&mut self, block: &[u8], bytes: usize, integers: u64) -> Read<()> {
        self.section.take(block, bytes)?;
        self.left -= integers;
        if self.left == 0 && self.section.bytes(block).remaining() > 0 { Err(AFTER_LAST) } else { Ok(()) }
    }

    fn fill(&mut self, block: &[u8]) -> Read<()> {
        let count = self.left.min(frame::LEN as u64) as usize;
        if count == 0 || matches!(self.form, Form::Constant(_)) {
            self.left -= count as u64;
        } else {
            self.head = match self.form {
                Form::Repeats(_) => Head::default(),
                _ => self.directory.head(block, self.at)?,
            };
            (self.packed, self.frame, self.ready) = (self.section, self.at, 0..0);
            self.pass(block, self.head.bytes(count), count as u64)?;
            self.at += 1;
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
        if let Form::Constant(integer) = self.form {
            self.buffer.fill(integer);
            self.ready = 0..frame::LEN;
            return Ok(());
        }
        self.ready = 0..0;
        if let Form::Repeats(copies) = &self.form {
            let start = self.frame * frame::LEN;
            let all = copies.list(block)?.numbers();
            self.buffer.put(all.get(start..start + self.end).ok_or(BEYOND)?);
            self.ready = 0..self.end;
            return Ok(());
        }
        let mut bytes = self.packed.bytes(block);
        let part = self.buffer.decode(&mut bytes, &self.head, self.end, part)?;
        match &self.form {
            Form::Constant(_) | Form::Repeats(_) => {}
            Form::Frames => {
                let integers = self.buffer.get(part.clone()).ok_or(BEYOND)?;
                if part == (0..self.end)
                    && let Some(sum) = self.directory.sum(block, self.frame..self.frame + 1)
                    && integers.wrapping_sum().cast_unsigned() != sum
                {
                    return Err(OTHER_SUM);
                }
            }
            Form::Scaled(base, factor) => {
                self.buffer.scale(*base, *factor, part.clone());
            }
            Form::Distinct(list) => {
                if !self.buffer.look_up(list.numbers(), part.clone()) {
                    return Err("an integer has no place in the list of different ones");
                }
            }
        }
        self.ready = part;
        Ok(())
    }
}

const UNKNOWN: &str = "integers have an unknown form";
const FEWER: &str = "there are fewer integers than wanted";
/// Cannot be, whatever a file says.
const BEYOND: &str = "integers are wanted that are not in their frame";
const LENGTH: &str = "a length is negative or too large";
const OTHER_SUM: &str = "the integers of a frame have another sum";
pub(super) const AFTER_LAST: &str = "bytes come after the last integer";
