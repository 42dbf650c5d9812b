//! Reads integers one frame after the other.

use super::super::section::{Read, byte, count, integer, section};
use super::{DISTINCT_MAX, form, frame};
use crate::bytes::reader::Bytes;

/// Integers that are read from the first to the last.
pub(in super::super) struct Integers<'a> {
    bytes: Bytes<'a>,
    form: Form,
    /// Those that are in no frame yet that has been read.
    left: u64,
    frame: Box<[i64; frame::LEN]>,
    /// What of the frame has not been given yet.
    next: usize,
    end: usize,
}

#[derive(Debug)]
enum Form {
    Constant(i64),
    Frames,
    Scaled(i64, i64),
    Distinct(Vec<i64>),
}

impl<'a> Integers<'a> {
    /// Integers that these bytes hold, all of them.
    pub(in super::super) fn new(bytes: &'a [u8]) -> Read<Self> {
        Self::open(bytes, true)
    }

    /// `listed` says whether they may be places in a list.
    fn open(bytes: &'a [u8], listed: bool) -> Read<Self> {
        let mut bytes = Bytes::new(bytes);
        let left = count(&mut bytes)?;
        let form = match left {
            0 => Form::Frames,
            _ => match byte(&mut bytes)? {
                form::CONSTANT => Form::Constant(integer(&mut bytes)?),
                form::FRAMES => Form::Frames,
                form::SCALED => Form::Scaled(integer(&mut bytes)?, count(&mut bytes)?.cast_signed()),
                form::DISTINCT if listed => Form::Distinct(distinct(section(&mut bytes)?)?),
                _ => return Err("integers have an unknown form"),
            },
        };
        let mut frame = Box::new([0; frame::LEN]);
        if let Form::Constant(integer) = form {
            frame.fill(integer);
        }
        Ok(Self { bytes, form, left, frame, next: 0, end: 0 })
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
    pub(in super::super) fn next(&mut self, most: usize) -> Read<&[i64]> {
        if self.next == self.end && most > 0 {
            self.fill()?;
        }
        let start = self.next;
        self.next = self.end.min(start.saturating_add(most));
        Ok(self.frame.get(start..self.next).unwrap_or_default())
    }

    /// The next one; none after the last.
    #[inline]
    pub(in super::super) fn one(&mut self) -> Read<Option<i64>> {
        if self.next == self.end {
            self.fill()?;
        }
        let integer = self.frame.get(self.next).copied().filter(|_| self.next < self.end);
        self.next += usize::from(integer.is_some());
        Ok(integer)
    }

    /// Passes over the next ones.
    pub(in super::super) fn skip(&mut self, mut count: u64) -> Read<()> {
        if matches!(self.form, Form::Constant(_)) && count > (self.end - self.next) as u64 {
            count -= (self.end - self.next) as u64;
            self.left = self.left.checked_sub(count).ok_or("there are fewer integers than wanted")?;
            self.next = self.end;
            return Ok(());
        }
        while count > 0 {
            let passed = self.next(usize::try_from(count).unwrap_or(usize::MAX))?.len();
            if passed == 0 {
                return Err("there are fewer integers than wanted");
            }
            count -= passed as u64;
        }
        Ok(())
    }

    fn fill(&mut self) -> Read<()> {
        let count = self.left.min(frame::LEN as u64) as usize;
        (self.next, self.end) = (0, count);
        self.left -= count as u64;
        if count == 0 || matches!(self.form, Form::Constant(_)) {
            return Ok(());
        }
        frame::decode(&mut self.bytes, count, &mut self.frame)?;
        if self.left == 0 && self.bytes.remaining() > 0 {
            return Err("bytes come after the last integer");
        }
        let integers = self.frame.get_mut(..count).unwrap_or_default();
        match &self.form {
            Form::Constant(_) | Form::Frames => {}
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
        Ok(())
    }
}

/// A list of different integers.
fn distinct(bytes: &[u8]) -> Read<Vec<i64>> {
    let mut integers = Integers::open(bytes, false)?;
    if integers.left() > DISTINCT_MAX as u64 {
        return Err("a list of different integers is too long");
    }
    let mut values = Vec::new();
    loop {
        let more = integers.next(usize::MAX)?;
        if more.is_empty() {
            return Ok(values);
        }
        values.extend_from_slice(more);
    }
}
