//! Texts one after the other.

use super::super::super::super::snappy;
use super::super::super::integers::Integers;
use super::super::super::section::{Read, Section, section};
use super::super::super::symbols::Decoder;
use super::super::form;
use super::pieces::Pieces;
use super::{FEWER, Room, TOO_LONG};
use crate::vector::{Binaries, Span};
use std::sync::Arc;

/// Texts one after the other.
#[derive(Clone, Debug)]
pub(super) struct Listed {
    lengths: Integers,
    rest: Rest,
    bytes: Section,
}

/// What a text is made of, beside its own bytes.
#[derive(Clone, Debug)]
enum Rest {
    Nothing,
    /// How many bytes of the one before, which is here.
    Shared(Integers, Vec<u8>),
    /// Texts that have been encoded with symbols are decoded in the room.
    Symbols(Arc<Decoder>, Vec<u8>),
    /// They have been compressed.
    Pieces(Pieces),
}

/// The sum of some lengths.
fn sum(lengths: &[i64]) -> Read<u64> {
    if lengths.iter().fold(0, |bits, length| bits | length.cast_unsigned()) > u64::from(u32::MAX) {
        return Err("a length of a text is negative or too large");
    }
    Ok(lengths.iter().map(|length| length.cast_unsigned()).sum())
}

/// The next lengths, some of them, and their sum.
fn lengths<'a>(integers: &'a mut Integers, block: &[u8], wanted: usize) -> Read<(&'a [i64], usize)> {
    let lengths = integers.next(block, wanted)?;
    if lengths.is_empty() {
        return Err(FEWER);
    }
    Ok((lengths, usize::try_from(sum(lengths)?).map_err(|_| TOO_LONG)?))
}

/// Appends texts of these lengths, one after the other.
fn append(lengths: &[i64], texts: &[u8], out: &mut Binaries) -> Read<()> {
    let fits = out.extend_with(|mut start, spans| {
        spans.extend(lengths.iter().map(|length| {
            let span = Span { start, end: start.wrapping_add(*length as u32) };
            start = span.end;
            span
        }));
        texts
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
            form::SYMBOLS => Rest::Symbols(Arc::new(Decoder::read(&mut bytes)?), Vec::new()),
            form::SNAPPY => {
                let mut texts = Vec::new();
                snappy::decompress(bytes.rest(), most, &mut texts)?;
                Rest::Pieces(Pieces::of_one(texts))
            }
            form::PIECES => Rest::Pieces(Pieces::new(most)),
            _ => return Err("texts have an unknown form"),
        };
        Ok(Self { lengths, rest, bytes: Section::rest(&bytes) })
    }

    /// Goes back to where a copy of it began that nothing has been read of.
    pub(super) fn rewind(&mut self, start: &Self) {
        self.lengths.rewind(&start.lengths);
        match (&mut self.rest, &start.rest) {
            (Rest::Shared(shared, text), Rest::Shared(start, _)) => {
                shared.rewind(start);
                text.clear();
            }
            (Rest::Pieces(pieces), Rest::Pieces(start)) => pieces.clone_from(start),
            _ => {}
        }
        self.bytes = start.bytes;
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
                    room.take(lengths.len(), total as u64)?;
                    append(lengths, self.bytes.take(block, total)?, out)?;
                }
                Rest::Pieces(pieces) => {
                    room.take(lengths.len(), total as u64)?;
                    pieces.each(block, &mut self.bytes, lengths, |lengths, texts| {
                        append(lengths, texts, out)
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
                Rest::Symbols(decoder, texts) => {
                    let (mut encoded, mut end) = (self.bytes.take(block, total)?, 0);
                    let mut decoded = [0; AT_ONCE];
                    for (length, decoded) in lengths.iter().zip(&mut decoded) {
                        let (this, rest) = encoded.split_at_checked(*length as usize).ok_or(FEWER)?;
                        let start = end;
                        end = decoder.decode(this, start, texts)?;
                        *decoded = (end - start) as i64;
                        room.take(1, *decoded as u64)?;
                        encoded = rest;
                    }
                    let texts = texts.get(..end).unwrap_or_default();
                    append(decoded.get(..lengths.len()).unwrap_or_default(), texts, out)?;
                }
            }
        }
        Ok(())
    }

    /// Passes over the next ones, without a look at those that no later one needs.
    pub(super) fn skip(&mut self, block: &[u8], mut count: u64) -> Read<()> {
        let Rest::Shared(shared, text) = &mut self.rest else {
            let total = self.lengths.skip_lengths(block, count)?;
            let total = usize::try_from(total).map_err(|_| TOO_LONG)?;
            return match &mut self.rest {
                Rest::Pieces(pieces) => pieces.skip(block, &mut self.bytes, total),
                Rest::Nothing | Rest::Symbols(..) | Rest::Shared(..) => {
                    self.bytes.take(block, total).map(drop)
                }
            };
        };
        while count > 0 {
            let wanted = usize::try_from(count).unwrap_or(usize::MAX);
            let (lengths, total) = lengths(&mut self.lengths, block, wanted)?;
            count -= lengths.len() as u64;
            let shared = shared.next(block, lengths.len())?;
            *text = last_of_shared(lengths, shared, self.bytes.take(block, total)?, text)?;
        }
        Ok(())
    }
}

/// The last of some texts that each begin as the one before does, the first as `before` does.
fn last_of_shared(lengths: &[i64], shared: &[i64], own: &[u8], before: &[u8]) -> Read<Vec<u8>> {
    if shared.len() != lengths.len() {
        return Err(FEWER);
    }
    let mut len = before.len() as u64;
    for (length, shared) in lengths.iter().zip(shared) {
        if shared.cast_unsigned() > len {
            return Err(SHARES_MORE);
        }
        len = shared.cast_unsigned() + length.cast_unsigned();
    }
    let mut text = vec![0; len as usize];
    // From the end on: what is not here yet of its beginning is the beginning of the text before.
    let (mut missing, mut rest) = (text.len(), own);
    for (length, shared) in lengths.iter().zip(shared).rev() {
        let (others, this) = rest.split_at_checked(rest.len() - *length as usize).ok_or(FEWER)?;
        let shared = *shared as usize;
        if shared < missing {
            let here = text.get_mut(shared..missing).unwrap_or_default();
            here.copy_from_slice(this.get(..here.len()).ok_or(FEWER)?);
            missing = shared;
        }
        if missing == 0 {
            return Ok(text);
        }
        rest = others;
    }
    text.get_mut(..missing).unwrap_or_default().copy_from_slice(before.get(..missing).ok_or(FEWER)?);
    Ok(text)
}

/// The most lengths that integers give together.
const AT_ONCE: usize = 1024;

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

const SHARES_MORE: &str = "a text shares more bytes with the one before than that has";
