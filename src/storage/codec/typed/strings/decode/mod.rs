//! Reads strings from the first to the last.

mod groups;
mod listed;
mod pieces;
mod places;

use super::super::section::{Read, Section, byte, count};
use super::form;
use crate::vector::{Binaries, Vector};
use listed::Listed;
use places::Places;

/// Strings that are read from the first to the last.
#[derive(Clone, Debug)]
pub(in super::super) struct Strings {
    left: u64,
    room: Room,
    source: Source,
}

/// Bytes that the strings to come may have, with a byte each.
#[derive(Clone, Copy, Debug)]
struct Room(u64);

impl Room {
    /// Takes the bytes of some strings.
    fn take(&mut self, strings: u64, bytes: u64) -> Read<()> {
        let left = self.0.checked_sub(bytes.saturating_add(strings));
        self.0 = left.ok_or("its strings have more bytes than they should")?;
        Ok(())
    }
}

#[derive(Clone, Debug)]
enum Source {
    Listed(Box<Listed>),
    Distinct(Box<Places>),
}

impl Strings {
    /// `most` is the number of bytes that all strings may have, with a byte each.
    pub(in super::super) fn new(block: &[u8], section: Section, most: usize) -> Read<Self> {
        let mut bytes = section.bytes(block);
        let left = count(&mut bytes)?;
        let form = byte(&mut bytes)?;
        let rest = Section::rest(&bytes);
        let source = match form {
            form::DISTINCT => Source::Distinct(Box::new(Places::new(block, rest, most)?)),
            form => Source::Listed(Box::new(Listed::new(form, block, rest, most)?)),
        };
        Ok(Self { left, room: Room(most as u64), source })
    }

    /// Goes on after the strings of a block before.
    pub(in super::super) fn follow(&mut self, before: &Self) {
        if let (Source::Distinct(places), Source::Distinct(before)) = (&mut self.source, &before.source) {
            places.follow(before);
        }
    }

    /// The most bytes that are kept while strings of `size` bytes are read.
    pub(in super::super) fn most_buffered(&self, size: usize) -> usize {
        match &self.source {
            Source::Listed(listed) if listed.is_plain() => 0,
            Source::Listed(_) => size,
            Source::Distinct(places) => size.saturating_add(places.spans()),
        }
    }

    /// About how many these are, by the lengths of the strings.
    pub(in super::super) fn buffered(&self, block: &[u8], size: usize) -> usize {
        match &self.source {
            Source::Listed(listed) if listed.is_plain() => 0,
            Source::Listed(listed) => listed.bytes(block, size),
            Source::Distinct(places) => places.bytes(block, size).saturating_add(places.spans()),
        }
    }

    /// How many have not been given.
    pub(in super::super) fn left(&self) -> u64 {
        self.left
    }

    /// The most bytes that those may have, with a byte each.
    pub(in super::super) fn room(&self) -> u64 {
        self.room.0
    }

    /// The most bytes that the next ones have.
    pub(in super::super) fn bytes(&self, block: &[u8], count: u64) -> Read<u64> {
        let bytes = match &self.source {
            Source::Listed(listed) => listed.clone().measure(block, count)?,
            Source::Distinct(places) => places.measure(block, count)?,
        };
        Ok(bytes.min(self.room.0))
    }

    /// Appends the next ones to byte strings, or as positions in a dictionary.
    pub(in super::super) fn values(&mut self, block: &[u8], wanted: usize, out: &mut Vector) -> Read<()> {
        if let (Source::Distinct(places), Vector::Dictionary(out)) = (&mut self.source, &mut *out)
            && let Some(list) = places.list_for_keys(block, wanted, out)?
        {
            self.left = self.left.checked_sub(wanted as u64).ok_or(FEWER)?;
            return places.keys(block, wanted, &list, &mut self.room, out);
        }
        out.forget_dictionary();
        let Vector::Bytes(out) = out else { return Err(OTHER_TYPE) };
        self.next(block, wanted, out)
    }

    /// Appends the next ones.
    pub(in super::super) fn next(&mut self, block: &[u8], wanted: usize, out: &mut Binaries) -> Read<()> {
        self.left = self.left.checked_sub(wanted as u64).ok_or(FEWER)?;
        match &mut self.source {
            Source::Listed(listed) => listed.next(block, wanted, &mut self.room, out),
            Source::Distinct(places) => places.next(block, wanted, &mut self.room, out),
        }
    }

    /// Passes over the next ones.
    pub(in super::super) fn skip(&mut self, block: &[u8], count: u64) -> Read<()> {
        self.left = self.left.checked_sub(count).ok_or(FEWER)?;
        match &mut self.source {
            Source::Listed(listed) => listed.skip(block, count, &mut self.room),
            Source::Distinct(places) => {
                self.room.take(count, 0)?;
                places.skip(block, count)
            }
        }
    }
}

const FEWER: &str = "there are fewer strings than wanted";
const TOO_LONG: &str = "strings of a batch have more than 4 GiB";
const OTHER_TYPE: &str = "its values are of another type";
