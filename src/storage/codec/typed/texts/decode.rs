//! Reads texts one after the other.

use super::super::super::snappy;
use super::super::integers::Integers;
use super::super::section::{Read, Section, byte, count, section};
use super::super::symbols::Symbols;
use super::{DISTINCT_MAX, form};
use crate::vector::{Binaries, Dictionary, DictionaryVector, SLACK, Span, Vector};
use std::sync::Arc;

/// Texts that are read from the first to the last.
#[derive(Clone, Debug)]
pub(in super::super) struct Texts {
    left: u64,
    room: Room,
    source: Source,
}

/// Bytes that the texts to come may have, with a byte each.
#[derive(Clone, Copy, Debug)]
struct Room(u64);

impl Room {
    /// Takes the bytes of some texts.
    fn take(&mut self, texts: usize, bytes: u64) -> Read<()> {
        let left = self.0.checked_sub(bytes.saturating_add(texts as u64));
        self.0 = left.ok_or("its texts have more bytes than they should")?;
        Ok(())
    }
}

#[derive(Clone, Debug)]
enum Source {
    Listed(Listed),
    Distinct(Places),
}

/// Texts one after the other.
#[derive(Clone, Debug)]
struct Listed {
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
    /// Texts that have been encoded with symbols are decoded in the buffer.
    Symbols(Arc<Symbols>, Vec<u8>),
    /// All are together, and the next one begins at this place.
    All(Arc<Vec<u8>>, usize),
}

/// Places in a list of the different texts.
#[derive(Clone, Debug)]
struct Places {
    list: Arc<Dictionary>,
    /// The same where all are short and of the same number of bytes.
    equal: Option<Arc<Equal>>,
    /// Whether there are so many places that making something of each different text pays.
    are_many: bool,
    places: Integers,
}

/// Texts of the same number of bytes, one after the other, with room after the last.
#[derive(Debug)]
struct Equal {
    texts: Vec<u8>,
    len: usize,
}

impl Equal {
    fn of(texts: &Binaries) -> Option<Self> {
        let len = texts.spans().first().map_or(0, |span| span.range().len());
        if len > SLACK || texts.spans().iter().any(|span| span.range().len() != len) {
            return None;
        }
        let mut all = texts.iter().collect::<Vec<_>>().concat();
        all.resize(all.len() + SLACK, 0);
        Some(Self { texts: all, len })
    }
}

impl Texts {
    /// `most` is the number of bytes that all texts may have, with a byte each.
    pub(in super::super) fn new(block: &[u8], section: Section, most: usize) -> Read<Self> {
        let mut bytes = section.bytes(block);
        let left = count(&mut bytes)?;
        let form = byte(&mut bytes)?;
        let rest = Section::rest(&bytes);
        let source = match form {
            form::DISTINCT => Source::Distinct(Places::new(block, rest, most)?),
            form => Source::Listed(Listed::new(form, block, rest, most)?),
        };
        Ok(Self { left, room: Room(most as u64), source })
    }

    /// How many have not been given.
    pub(in super::super) fn left(&self) -> u64 {
        self.left
    }

    /// The most bytes that those may have, with a byte each.
    pub(in super::super) fn room(&self) -> u64 {
        self.room.0
    }

    /// Appends the next ones to byte strings, or as positions in a dictionary.
    pub(in super::super) fn values(&mut self, block: &[u8], wanted: usize, out: &mut Vector) -> Read<()> {
        match (&mut self.source, &mut *out) {
            (Source::Distinct(places), Vector::Dictionary(out))
                if places.are_many && out.may_refer_to(&places.list) =>
            {
                self.left = self.left.checked_sub(wanted as u64).ok_or(FEWER)?;
                places.keys(block, wanted, &mut self.room, out)
            }
            (_, out) => {
                out.forget_dictionary();
                let Vector::Bytes(out) = out else { return Err(OTHER_TYPE) };
                self.next(block, wanted, out)
            }
        }
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
        self.room.0 = self.room.0.saturating_sub(count);
        match &mut self.source {
            Source::Listed(listed) => listed.skip(block, count),
            Source::Distinct(places) => places.places.skip(block, count),
        }
    }
}

const FEWER: &str = "there are fewer texts than wanted";
const OTHER_TYPE: &str = "its values are of another type";
const TOO_LONG: &str = "texts of a batch have more than 4 GiB";

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
    fn new(form: u8, block: &[u8], all: Section, most: usize) -> Read<Self> {
        let mut bytes = all.bytes(block);
        let lengths = Integers::new(block, section(&mut bytes)?)?;
        let rest = match form {
            form::PLAIN => Rest::Nothing,
            form::SHARED => Rest::Shared(Integers::new(block, section(&mut bytes)?)?, Vec::new()),
            form::SYMBOLS => Rest::Symbols(Arc::new(Symbols::read(&mut bytes)?), Vec::new()),
            form::SNAPPY => {
                let mut texts = Vec::new();
                snappy::decompress(bytes.rest(), most, &mut texts)?;
                Rest::All(Arc::new(texts), 0)
            }
            _ => return Err("texts have an unknown form"),
        };
        Ok(Self { lengths, rest, bytes: Section::rest(&bytes) })
    }

    fn next(&mut self, block: &[u8], mut wanted: usize, room: &mut Room, out: &mut Binaries) -> Read<()> {
        while wanted > 0 {
            let (lengths, total) = lengths(&mut self.lengths, block, wanted)?;
            wanted -= lengths.len();
            match &mut self.rest {
                Rest::Nothing => {
                    room.take(lengths.len(), total as u64)?;
                    append(lengths, self.bytes.take(block, total)?, out)?;
                }
                Rest::All(texts, start) => {
                    room.take(lengths.len(), total as u64)?;
                    let end = start.saturating_add(total);
                    append(lengths, texts.get(*start..end).ok_or(FEWER)?, out)?;
                    *start = end;
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
                Rest::Symbols(symbols, texts) => {
                    let mut encoded = self.bytes.take(block, total)?;
                    texts.clear();
                    let mut decoded = [0; AT_ONCE];
                    for (length, decoded) in lengths.iter().zip(&mut decoded) {
                        let (this, rest) = encoded.split_at_checked(*length as usize).ok_or(FEWER)?;
                        let start = texts.len();
                        symbols.decode(this, texts)?;
                        *decoded = (texts.len() - start) as i64;
                        room.take(1, *decoded as u64)?;
                        encoded = rest;
                    }
                    append(decoded.get(..lengths.len()).unwrap_or_default(), texts, out)?;
                }
            }
        }
        Ok(())
    }

    fn skip(&mut self, block: &[u8], mut count: u64) -> Read<()> {
        while count > 0 {
            let wanted = usize::try_from(count).unwrap_or(usize::MAX);
            let (lengths, total) = lengths(&mut self.lengths, block, wanted)?;
            count -= lengths.len() as u64;
            match &mut self.rest {
                Rest::All(texts, start) => {
                    *start = start.checked_add(total).filter(|end| *end <= texts.len()).ok_or(FEWER)?;
                }
                Rest::Nothing | Rest::Symbols(..) => drop(self.bytes.take(block, total)?),
                Rest::Shared(shared, text) => {
                    let mut own = self.bytes.take(block, total)?;
                    for length in lengths {
                        let (this, rest) = own.split_at_checked(*length as usize).ok_or(FEWER)?;
                        extend_shared(shared.one(block)?, this, text)?;
                        own = rest;
                    }
                }
            }
        }
        Ok(())
    }
}

/// The most lengths that integers give together.
const AT_ONCE: usize = 1024;

/// Makes of a text the next one, which begins as it does.
#[inline]
fn extend_shared(shared: Option<i64>, own: &[u8], text: &mut Vec<u8>) -> Read<()> {
    let shared = usize::try_from(shared.ok_or(FEWER)?).map_err(|_| "a length is negative")?;
    if shared > text.len() {
        return Err("a text shares more bytes with the one before than that has");
    }
    text.truncate(shared);
    text.extend_from_slice(own);
    Ok(())
}

impl Places {
    fn new(block: &[u8], all: Section, most: usize) -> Read<Self> {
        let mut bytes = all.bytes(block);
        let mut listed = section(&mut bytes)?.bytes(block);
        let number = count(&mut listed)?;
        let form = byte(&mut listed)?;
        if number > DISTINCT_MAX as u64 {
            return Err("a list of different texts is too long");
        }
        let mut listed = Listed::new(form, block, Section::rest(&listed), most)?;
        let mut list = Binaries::default();
        // A byte each is counted, and not there where no text is that of the list.
        let mut room = Room((most as u64).saturating_add(number));
        listed.next(block, number as usize, &mut room, &mut list)?;
        let equal = Equal::of(&list).map(Arc::new);
        let places = Integers::new(block, Section::rest(&bytes))?;
        let are_many = number <= places.left() / 2;
        Ok(Self { list: Arc::new(Dictionary::of(list)), equal, are_many, places })
    }

    /// The next places, some of them, and how many bytes their texts have.
    fn some(&mut self, block: &[u8], wanted: usize, room: &mut Room) -> Read<(&[i64], usize)> {
        let places = self.places.next(block, wanted)?;
        if places.is_empty() {
            return Err(FEWER);
        }
        let spans = self.list.values().spans();
        let total = match &self.equal {
            Some(equal) => {
                if places.iter().any(|place| place.cast_unsigned() >= spans.len() as u64) {
                    return Err(NO_PLACE);
                }
                places.len() * equal.len
            }
            None => {
                let mut total = 0;
                for place in places {
                    let span = usize::try_from(*place).ok().and_then(|place| spans.get(place));
                    total += span.ok_or(NO_PLACE)?.range().len();
                }
                total
            }
        };
        room.take(places.len(), total as u64)?;
        Ok((places, total))
    }

    fn keys(
        &mut self,
        block: &[u8],
        mut wanted: usize,
        room: &mut Room,
        out: &mut DictionaryVector,
    ) -> Read<()> {
        let list = Arc::clone(&self.list);
        let spans = list.values().spans();
        while wanted > 0 {
            let places = self.places.next(block, wanted)?;
            if places.is_empty() {
                return Err(FEWER);
            }
            wanted -= places.len();
            let (mut total, mut is_place) = (0, true);
            let key = |place: &i64| {
                match usize::try_from(*place).ok().and_then(|place| spans.get(place)) {
                    Some(span) => total += span.range().len(),
                    None => is_place = false,
                }
                *place as u32
            };
            out.extend(&list, places.iter().map(key));
            if !is_place {
                return Err(NO_PLACE);
            }
            out.count_bytes(total);
            room.take(places.len(), total as u64)?;
        }
        Ok(())
    }

    fn next(&mut self, block: &[u8], mut wanted: usize, room: &mut Room, out: &mut Binaries) -> Read<()> {
        let (list, equal) = (Arc::clone(&self.list), self.equal.clone());
        while wanted > 0 {
            let (places, total) = self.some(block, wanted, room)?;
            wanted -= places.len();
            let fits = match &equal {
                Some(equal) => out.pick_equal(&equal.texts, equal.len, places),
                None => out.pick(list.values(), places, total),
            };
            if !fits {
                return Err(TOO_LONG);
            }
        }
        Ok(())
    }
}

const NO_PLACE: &str = "a text has no place in the list of different ones";
