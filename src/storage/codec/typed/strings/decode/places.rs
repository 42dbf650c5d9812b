//! Strings as places in a list of the different ones.

use super::super::super::integers::Integers;
use super::super::super::section::{Read, Section, byte, count, section};
use super::super::DISTINCT_MAX;
use super::listed::Listed;
use super::{FEWER, Room, TOO_LONG};
use crate::vector::{Binaries, Dictionary, DictionaryVector, SLACK, SLOT_BYTES, Slot, Span};
use std::sync::{Arc, OnceLock};

/// Places in a list of the different strings.
#[derive(Clone, Debug)]
pub(super) struct Places {
    /// The strings of the list, from the first on, how many they are, and the most bytes that they may have, with a byte each.
    listed: Listed,
    number: u64,
    room: Room,
    /// All strings of the list, once they have been decoded.
    list: Arc<OnceLock<Arc<List>>>,
    /// The list of the block before it, where that may be the same.
    before: Option<Arc<List>>,
    /// Decodes single strings of the list.
    single: Option<Box<Listed>>,
    /// The work that this has been, in strings that could have been decoded meanwhile.
    work: u64,
    /// Whether there are enough places that making something of each different string pays.
    are_many: bool,
    places: Integers,
}

/// All strings of a list.
#[derive(Debug)]
pub(super) struct List {
    strings: Arc<Dictionary>,
    short: Short,
}

/// The strings of a list once more, as they are copied fast.
#[derive(Debug)]
enum Short {
    Equal(Equal),
    Slots(Vec<Slot>),
    /// They are long, or too many.
    No,
}

/// A list of more strings is not kept for the next block.
const KEPT_MOST: u64 = 1 << 12;
/// Nor is one of more bytes.
const KEPT_BYTES: usize = 1 << 16;

/// A list of more strings has no slots.
const SLOTS_MOST: u64 = 1 << 13;

impl Short {
    fn new(strings: &Binaries) -> Self {
        if let Some(equal) = Equal::from_texts(strings) {
            return Self::Equal(equal);
        }
        let is_short = |span: &Span| span.range().len() <= SLOT_BYTES;
        if strings.len() as u64 > SLOTS_MOST || !strings.spans().iter().all(is_short) {
            return Self::No;
        }
        Self::Slots(strings.iter().map(Slot::new).collect())
    }
}

/// Strings of the same number of bytes, one after the other, with room after the last.
#[derive(Debug)]
struct Equal {
    strings: Vec<u8>,
    len: usize,
}

impl Equal {
    fn from_texts(strings: &Binaries) -> Option<Self> {
        let len = strings.spans().first().map_or(0, |span| span.range().len());
        if len > SLACK || strings.spans().iter().any(|span| span.range().len() != len) {
            return None;
        }
        let mut all = strings.iter().collect::<Vec<_>>().concat();
        all.resize(all.len() + SLACK, 0);
        Some(Self { strings: all, len })
    }
}

/// The most strings of a list that are decoded without the others at a time.
const SINGLE: usize = 4;
/// The work of decoding one of them, in strings that could have been decoded meanwhile, beside that which [`Listed`] counts.
const SINGLE_WORK: u64 = 32;

impl Places {
    pub(super) fn new(block: &[u8], all: Section, most: usize) -> Read<Self> {
        let mut bytes = all.bytes(block);
        let mut listed = section(&mut bytes)?.bytes(block);
        let number = count(&mut listed)?;
        let form = byte(&mut listed)?;
        if number > DISTINCT_MAX as u64 {
            return Err("a list of different strings is too long");
        }
        let listed = Listed::new(form, block, Section::rest(&listed), most)?;
        // A byte each is counted, and not there where no text is that of the list.
        let room = Room((most as u64).saturating_add(number));
        let places = Integers::with_copies(block, Section::rest(&bytes))?;
        let are_many = number <= places.left() / 2;
        let (list, before, single) = (Arc::default(), None, None);
        Ok(Self { number, listed, room, list, before, single, work: 0, are_many, places })
    }

    /// Uses the list of the block before it, if it has been decoded and is the same: a column of few values has one dictionary.
    pub(super) fn follow(&mut self, before: &Self) {
        let list = before.list.get().or(before.before.as_ref());
        let is_small = |list: &&Arc<List>| list.strings.values().data().len() <= KEPT_BYTES;
        self.before = list.filter(|_| self.number <= KEPT_MOST).filter(is_small).cloned();
    }

    /// The bytes of the strings of the list, `most` at most.
    pub(super) fn bytes(&self, block: &[u8], most: usize) -> usize {
        self.listed.bytes(block, most)
    }

    /// The bytes of the next strings.
    pub(super) fn measure(&self, block: &[u8], mut count: u64) -> Read<u64> {
        let (list, mut places, mut total) = (self.list(block)?, self.places.clone(), 0u64);
        // Few bytes may stand for any number of these.
        if let Some(place) = places.constant().filter(|_| count > 0) {
            places.skip(block, count)?;
            let place = i32::try_from(place).map_err(|_| NO_PLACE)?;
            return Ok((list.bytes(&[place])? as u64).saturating_mul(count));
        }
        while count > 0 {
            let some = places.narrow(block, usize::try_from(count).unwrap_or(usize::MAX))?;
            if some.is_empty() {
                return Err(FEWER);
            }
            total = total.saturating_add(list.bytes(some)? as u64);
            count -= some.len() as u64;
        }
        Ok(total)
    }

    /// The memory of where the strings of the list are, of slots for them, and of the places.
    pub(super) fn spans(&self) -> usize {
        let slot = if self.number <= SLOTS_MOST { size_of::<Slot>() } else { 0 };
        (self.number as usize * (size_of::<Span>() + slot)).saturating_add(self.places.memory())
    }

    /// The list, decoded.
    fn list(&self, block: &[u8]) -> Read<Arc<List>> {
        if let Some(list) = self.list.get() {
            return Ok(Arc::clone(list));
        }
        let (mut listed, mut room, mut strings) = (self.listed.clone(), self.room, Binaries::default());
        listed.next(block, self.number as usize, &mut room, &mut strings)?;
        let list = match &self.before {
            Some(before) if *before.strings.values() == strings => Arc::clone(before),
            _ => {
                let short = Short::new(&strings);
                Arc::new(List { strings: Arc::new(Dictionary::new(strings)), short })
            }
        };
        Ok(Arc::clone(self.list.get_or_init(|| list)))
    }

    /// Whether a number of strings is to be decoded without the others of the list: few, and as long as that has been less work than
    /// decoding all.
    fn are_few(&self, wanted: usize) -> bool {
        let work = self.work.saturating_add(wanted as u64 * SINGLE_WORK);
        wanted <= SINGLE && work <= self.number && self.list.get().is_none()
    }

    /// The list, if positions in it are to be appended to `out`.
    pub(super) fn list_for_keys(
        &self,
        block: &[u8],
        wanted: usize,
        out: &DictionaryVector,
    ) -> Read<Option<Arc<List>>> {
        if !self.are_many || self.are_few(wanted) {
            return Ok(None);
        }
        let list = self.list(block)?;
        Ok(out.may_refer_to(&list.strings).then_some(list))
    }

    /// Appends the next strings as positions in the list.
    pub(super) fn keys(
        &mut self,
        block: &[u8],
        mut wanted: usize,
        list: &List,
        room: &mut Room,
        out: &mut DictionaryVector,
    ) -> Read<()> {
        while wanted > 0 {
            let (places, total) = next_places(&mut self.places, block, wanted, list, room)?;
            wanted -= places.len();
            out.extend(&list.strings, places.iter().map(|place| *place as u32));
            out.count_bytes(total);
        }
        Ok(())
    }

    /// Appends the next strings.
    pub(super) fn next(
        &mut self,
        block: &[u8],
        mut wanted: usize,
        room: &mut Room,
        out: &mut Binaries,
    ) -> Read<()> {
        if self.are_few(wanted) {
            return self.next_single(block, wanted, room, out);
        }
        let list = self.list(block)?;
        while wanted > 0 {
            let (places, total) = next_places(&mut self.places, block, wanted, &list, room)?;
            wanted -= places.len();
            let fits = match &list.short {
                Short::Equal(equal) => out.pick_equal(&equal.strings, equal.len, places),
                Short::Slots(slots) => out.pick_short(slots, places, total),
                Short::No => out.pick(list.strings.values(), places, total),
            };
            if !fits {
                return Err(TOO_LONG);
            }
        }
        Ok(())
    }

    /// Appends the next strings, without the others of the list.
    fn next_single(&mut self, block: &[u8], wanted: usize, room: &mut Room, out: &mut Binaries) -> Read<()> {
        let single = self.single.get_or_insert_with(|| Box::new(self.listed.clone()));
        for _ in 0..wanted {
            let place = self.places.one(block)?.ok_or(FEWER)?.cast_unsigned();
            if place >= self.number {
                return Err(NO_PLACE);
            }
            let mut list_room = self.room;
            single.rewind(&self.listed);
            single.skip(block, place, &mut list_room)?;
            single.next(block, 1, room, out)?;
            self.work = self.work.saturating_add(SINGLE_WORK + single.take_work());
        }
        Ok(())
    }

    /// Passes over the next strings.
    pub(super) fn skip(&mut self, block: &[u8], count: u64) -> Read<()> {
        self.places.skip(block, count)
    }
}

/// The next places, some of them, and the bytes of their strings, for which there is room.
fn next_places<'a>(
    places: &'a mut Integers,
    block: &[u8],
    wanted: usize,
    list: &List,
    room: &mut Room,
) -> Read<(&'a [i32], usize)> {
    let places = places.narrow(block, wanted)?;
    if places.is_empty() {
        return Err(FEWER);
    }
    let total = list.bytes(places)?;
    room.take(places.len() as u64, total as u64)?;
    Ok((places, total))
}

impl List {
    /// How many bytes the strings at some places have.
    fn bytes(&self, places: &[i32]) -> Read<usize> {
        let spans = self.strings.values().spans();
        if let Short::Equal(equal) = &self.short {
            let last = places.iter().fold(0, |last: u32, place| last.max(place.cast_unsigned()));
            return ((last as usize) < spans.len()).then_some(places.len() * equal.len).ok_or(NO_PLACE);
        }
        let mut total = 0;
        for place in places {
            let span = usize::try_from(*place).ok().and_then(|place| spans.get(place));
            total += span.ok_or(NO_PLACE)?.range().len();
        }
        Ok(total)
    }
}

const NO_PLACE: &str = "a string has no place in the list of different ones";

#[cfg(test)]
mod tests {
    use super::super::super::super::context::Context;
    use super::super::super::super::integers;
    use super::super::super::super::section::{put_count, put_section};
    use super::super::super::form;
    use super::*;
    use crate::bytes::reader::Bytes;

    /// Positions in a list of strings of so many bytes, all in one piece.
    fn block(number: i64, bytes_of_each: usize, places: &[i64]) -> Vec<u8> {
        let mut bytes = Vec::new();
        put_section(&mut bytes, |out| {
            put_count(number as u64, out);
            out.push(form::PIECES);
            let lengths = vec![bytes_of_each as i64; number as usize];
            put_section(out, |out| integers::encode_lengths(&lengths, &mut Context::default(), out));
            let strings: String = (0..number).map(|text| format!("{text:0bytes_of_each$}")).collect();
            put_section(out, |out| {
                out.extend(snap::raw::Encoder::new().compress_vec(strings.as_bytes()).unwrap());
            });
        });
        integers::encode(places, &mut Context::default(), &mut bytes);
        bytes
    }

    #[test]
    fn a_list_is_decoded_before_single_texts_are_more_work() {
        let places: Vec<i64> = (0..20_000).map(|at| at * 7919 % 5000).collect();
        let block = block(5000, 100, &places);
        let mut list = Places::new(&block, Section::rest(&Bytes::new(&block)), 1 << 30).unwrap();
        let (mut room, mut out) = (Room(1 << 30), Binaries::default());
        list.next(&block, 1, &mut room, &mut out).unwrap();
        assert!(list.list.get().is_none(), "the first text is decoded without the others");
        list.next(&block, 1, &mut room, &mut out).unwrap();
        assert!(list.list.get().is_some(), "each needs the whole piece");
        let wanted = places.iter().map(|place| format!("{place:0100}"));
        assert!(out.iter().eq(wanted.take(2).collect::<Vec<_>>().iter().map(String::as_bytes)));
    }
    #[test]
    fn a_place_that_the_list_does_not_have_is_an_error() {
        // Strings of four bytes are those of equal length that are not looked up one by one.
        for bytes_of_each in [4, 100] {
            for wrong in [5, -1, 1 << 32, i64::MIN, i64::MAX] {
                let mut places: Vec<i64> = (0..100).map(|at| at % 5).collect();
                places[70] = wrong;
                let block = block(5, bytes_of_each, &places);
                let mut strings = Places::new(&block, Section::rest(&Bytes::new(&block)), 1 << 30).unwrap();
                let (mut positions, mut single) = (strings.clone(), strings.clone());
                let (mut room, mut out) = (Room(1 << 30), Binaries::default());
                assert!(strings.next(&block, 100, &mut room, &mut out).is_err());
                let mut keys = DictionaryVector::new(false);
                let list = positions.list_for_keys(&block, 100, &keys).unwrap().unwrap();
                assert!(positions.keys(&block, 100, &list, &mut room, &mut keys).is_err());
                single.skip(&block, 70).unwrap();
                assert!(single.next(&block, 1, &mut room, &mut out).is_err());
                assert!(out.is_empty() && keys.is_empty(), "{wrong}");
            }
        }
    }
}
