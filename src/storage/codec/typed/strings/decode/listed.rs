//! Strings one after the other.

use super::super::super::integers::{Integers, Numbers};
use super::super::super::section::{Read, Section, section};
use super::super::form;
use super::groups::Groups;
use super::pieces::{BYTES_FOR_ONE, Pieces};
use super::{FEWER, Room, TOO_LONG};
use crate::vector::{Binaries, Span};

/// Strings one after the other.
#[derive(Clone, Debug)]
pub(super) struct Listed {
    lengths: Integers,
    rest: Rest,
    bytes: Section,
    /// See [`Listed::take_work`].
    work: u64,
}

/// What a text is made of, beside its own bytes.
#[derive(Clone, Debug)]
enum Rest {
    Nothing,
    /// How many bytes of the one before, which is here.
    Shared(Integers, Vec<u8>),
    /// They have been encoded with symbols.
    Symbols(Box<Groups>),
    /// They have been compressed.
    Pieces(Pieces),
}

/// The sum of some lengths.
fn sum(lengths: &[i32]) -> Read<u64> {
    let sum = Numbers::Narrow(lengths).sum_of_lengths();
    sum.ok_or("a length of a string is negative")
}

/// The next lengths, some of them, and their sum.
fn lengths<'a>(integers: &'a mut Integers, block: &[u8], wanted: usize) -> Read<(&'a [i32], usize)> {
    let lengths = integers.narrow(block, wanted)?;
    if lengths.is_empty() {
        return Err(FEWER);
    }
    Ok((lengths, usize::try_from(sum(lengths)?).map_err(|_| TOO_LONG)?))
}

/// Appends strings of these lengths, one after the other.
fn append(lengths: &[i32], strings: &[u8], out: &mut Binaries) -> Read<()> {
    let fits = out.extend_with(|mut start, spans| {
        spans.extend(lengths.iter().map(|length| {
            let span = Span { start, end: start.wrapping_add(*length as u32) };
            start = span.end;
            span
        }));
        strings
    });
    if fits { Ok(()) } else { Err(TOO_LONG) }
}

impl Listed {
    pub(super) fn new(form: u8, block: &[u8], all: Section, most: usize) -> Read<Self> {
        let mut bytes = all.bytes(block);
        let lengths = Integers::new(block, section(&mut bytes)?)?;
        let rest = match form {
            form::PLAIN => Rest::Nothing,
            form::SHARED => Rest::Shared(Integers::new(block, section(&mut bytes)?)?, Vec::new()),
            form::SYMBOLS => Rest::Symbols(Box::new(Groups::read(block, &mut bytes, lengths.left(), most)?)),
            form::PIECES => Rest::Pieces(Pieces::new(most)),
            _ => return Err("strings have an unknown form"),
        };
        Ok(Self { lengths, rest, bytes: Section::rest(&bytes), work: 0 })
    }

    /// Whether strings are read where they are.
    pub(super) fn is_plain(&self) -> bool {
        matches!(self.rest, Rest::Nothing)
    }

    /// The most bytes that all strings have, `most` at most.
    pub(super) fn bytes(&self, block: &[u8], most: usize) -> usize {
        let all = self.clone().measure(block, self.lengths.left());
        all.map_or(most, |all| all.min(most as u64) as usize)
    }

    /// The most bytes that the next strings have; passes over their lengths.
    pub(super) fn measure(mut self, block: &[u8], count: u64) -> Read<u64> {
        let shared = match &mut self.rest {
            Rest::Shared(shared, _) => shared.skip_lengths(block, count)?,
            _ => 0,
        };
        Ok(shared.saturating_add(self.lengths.skip_lengths(block, count)?))
    }

    /// Goes back to the first, where `start` still is.
    pub(super) fn rewind(&mut self, start: &Self) {
        self.lengths.rewind(&start.lengths);
        self.bytes = start.bytes;
        match (&mut self.rest, &start.rest) {
            (Rest::Shared(shared, text), Rest::Shared(start, _)) => {
                shared.rewind(start);
                text.clear();
            }
            (Rest::Pieces(pieces), Rest::Pieces(start)) => pieces.clone_from(start),
            (Rest::Symbols(groups), Rest::Symbols(start)) => groups.rewind(start),
            _ => {}
        }
    }

    /// Appends the next ones.
    pub(super) fn next(
        &mut self,
        block: &[u8],
        mut wanted: usize,
        room: &mut Room,
        out: &mut Binaries,
    ) -> Read<()> {
        while wanted > 0 {
            let (lengths, total) = lengths(&mut self.lengths, block, wanted)?;
            wanted -= lengths.len();
            match &mut self.rest {
                Rest::Nothing => {
                    room.take(lengths.len() as u64, total as u64)?;
                    append(lengths, self.bytes.take(block, total)?, out)?;
                }
                Rest::Pieces(pieces) => {
                    room.take(lengths.len() as u64, total as u64)?;
                    self.work += pieces.each(block, &mut self.bytes, lengths, |lengths, strings| {
                        append(lengths, strings, out)
                    })?;
                }
                Rest::Shared(shared, text) => {
                    let mut own = self.bytes.take(block, total)?;
                    for length in lengths {
                        let (this, rest) = own.split_at_checked(*length as usize).ok_or(FEWER)?;
                        extend_shared(shared.one(block)?, this, text)?;
                        room.take(1, text.len() as u64)?;
                        if !out.push_packed(text) {
                            return Err(TOO_LONG);
                        }
                        own = rest;
                    }
                }
                Rest::Symbols(groups) => {
                    room.take(lengths.len() as u64, total as u64)?;
                    let (strings, again) = groups.next(block, &mut self.bytes, lengths.len(), total)?;
                    self.work += again as u64 / BYTES_FOR_ONE;
                    append(lengths, strings, out)?;
                }
            }
        }
        Ok(())
    }

    /// Skips the next strings. Those that no later text needs are not decoded.
    pub(super) fn skip(&mut self, block: &[u8], count: u64, room: &mut Room) -> Read<()> {
        match &mut self.rest {
            Rest::Shared(..) => return self.skip_shared(block, count, room),
            Rest::Symbols(groups) => {
                return groups.skip(block, &mut self.bytes, &mut self.lengths, count, room);
            }
            Rest::Nothing | Rest::Pieces(_) => {}
        }
        let total = self.lengths.skip_lengths(block, count)?;
        let bytes = usize::try_from(total).map_err(|_| TOO_LONG)?;
        match &mut self.rest {
            Rest::Pieces(pieces) => {
                room.take(count, total)?;
                self.work += pieces.skip(block, &mut self.bytes, bytes)?;
            }
            Rest::Nothing | Rest::Symbols(_) | Rest::Shared(..) => {
                room.take(count, total)?;
                self.bytes.take(block, bytes)?;
            }
        }
        Ok(())
    }

    fn skip_shared(&mut self, block: &[u8], mut count: u64, room: &mut Room) -> Read<()> {
        let Rest::Shared(shared, text) = &mut self.rest else { return Ok(()) };
        while count > 0 {
            let wanted = usize::try_from(count).unwrap_or(usize::MAX);
            let (lengths, total) = lengths(&mut self.lengths, block, wanted)?;
            count -= lengths.len() as u64;
            self.work += lengths.len() as u64 / SHARED_FOR_ONE;
            let shared = shared.narrow(block, lengths.len())?;
            skip_shared(lengths, shared, self.bytes.take(block, total)?, text, room)?;
        }
        Ok(())
    }

    /// What has been done since the last call, beside what each text takes: in strings that could have been decoded meanwhile.
    pub(super) fn take_work(&mut self) -> u64 {
        std::mem::take(&mut self.work)
    }
}

/// Strings that are passed over in the time of decoding one, where each shares bytes with the one before.
const SHARED_FOR_ONE: u64 = 4;

/// Makes of the text before some strings the last of them. Each begins as the one before does.
fn skip_shared(lengths: &[i32], shared: &[i32], own: &[u8], text: &mut Vec<u8>, room: &mut Room) -> Read<()> {
    if shared.len() != lengths.len() {
        return Err(FEWER);
    }
    let (mut len, mut total, mut kept) = (text.len() as u64, 0u64, u64::MAX);
    for (length, shared) in lengths.iter().zip(shared) {
        let shared = u64::from(shared.cast_unsigned());
        if shared > len {
            return Err(SHARES_MORE);
        }
        kept = kept.min(shared);
        len = shared + u64::from(length.cast_unsigned());
        total = total.saturating_add(len);
    }
    room.take(lengths.len() as u64, total)?;
    // What all share stays. The rest is that of the strings here, from the last one on: what is missing of its beginning is
    // the beginning of the one before.
    let (kept, len) = (kept.min(len) as usize, len as usize);
    text.truncate(kept);
    text.resize(len, 0);
    let (mut missing, mut rest) = (len, own);
    for (length, shared) in lengths.iter().zip(shared).rev() {
        if missing <= kept {
            break;
        }
        let (others, this) = rest.split_at_checked(rest.len() - *length as usize).ok_or(FEWER)?;
        let shared = *shared as usize;
        if shared < missing {
            let here = &mut text[shared..missing];
            here.copy_from_slice(this.get(..here.len()).ok_or(FEWER)?);
            missing = shared;
        }
        rest = others;
    }
    Ok(())
}

/// Makes of a text the next one, which begins as it does.
#[inline]
fn extend_shared(shared: Option<i64>, own: &[u8], text: &mut Vec<u8>) -> Read<()> {
    let shared = usize::try_from(shared.ok_or(FEWER)?).map_err(|_| "a length is negative")?;
    if shared > text.len() {
        return Err(SHARES_MORE);
    }
    text.truncate(shared);
    text.extend_from_slice(own);
    Ok(())
}

const SHARES_MORE: &str = "a string shares more bytes with the one before than that has";
