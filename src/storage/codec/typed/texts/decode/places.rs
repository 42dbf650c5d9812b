//! Texts as places in a list of the different ones.

use super::super::super::integers::Integers;
use super::super::super::section::{Read, Section, byte, count, section};
use super::super::DISTINCT_MAX;
use super::listed::Listed;
use super::{FEWER, Room, TOO_LONG};
use crate::vector::{Binaries, Dictionary, DictionaryVector, SLACK};
use std::sync::{Arc, OnceLock};

/// Places in a list of the different texts.
#[derive(Clone, Debug)]
pub(super) struct Places {
    /// The list: how many texts, from the first on, and the most bytes that they may have, with a byte each.
    number: u64,
    listed: Listed,
    room: Room,
    /// The same, decoded when many of its texts are wanted.
    list: Arc<OnceLock<Arc<List>>>,
    /// The same, of which single texts are decoded, and how many have been.
    walk: Option<Box<Listed>>,
    alone: u64,
    /// Whether there are so many places that making something of each different text pays.
    are_many: bool,
    places: Integers,
}

/// All texts of a list.
#[derive(Debug)]
pub(super) struct List {
    texts: Arc<Dictionary>,
    /// The same where all are short and of the same number of bytes.
    equal: Option<Equal>,
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

/// A text of a list is decoded alone where at most so many are wanted, and so few for each time that this has been done.
const ALONE: usize = 4;
const LISTED_FOR_ONE: u64 = 32;

impl Places {
    pub(super) fn new(block: &[u8], all: Section, most: usize) -> Read<Self> {
        let mut bytes = all.bytes(block);
        let mut listed = section(&mut bytes)?.bytes(block);
        let number = count(&mut listed)?;
        let form = byte(&mut listed)?;
        if number > DISTINCT_MAX as u64 {
            return Err("a list of different texts is too long");
        }
        let listed = Listed::new(form, block, Section::rest(&listed), most)?;
        // A byte each is counted, and not there where no text is that of the list.
        let room = Room((most as u64).saturating_add(number));
        let places = Integers::new(block, Section::rest(&bytes))?;
        let are_many = number <= places.left() / 2;
        Ok(Self { number, listed, room, list: Arc::default(), walk: None, alone: 0, are_many, places })
    }

    /// The list, decoded.
    fn list(&self, block: &[u8]) -> Read<Arc<List>> {
        if let Some(list) = self.list.get() {
            return Ok(Arc::clone(list));
        }
        let (mut listed, mut room, mut texts) = (self.listed.clone(), self.room, Binaries::default());
        listed.next(block, self.number as usize, &mut room, &mut texts)?;
        let equal = Equal::of(&texts);
        let list = Arc::new(List { texts: Arc::new(Dictionary::of(texts)), equal });
        Ok(Arc::clone(self.list.get_or_init(|| list)))
    }

    /// Whether so many texts are to be decoded without the others of the list.
    fn are_few(&self, wanted: usize) -> bool {
        let alone = self.alone + wanted as u64;
        wanted <= ALONE && alone * LISTED_FOR_ONE <= self.number && self.list.get().is_none()
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
        Ok(out.may_refer_to(&list.texts).then_some(list))
    }

    /// Appends the next texts as positions in the list.
    pub(super) fn keys(
        &mut self,
        block: &[u8],
        mut wanted: usize,
        list: &List,
        room: &mut Room,
        out: &mut DictionaryVector,
    ) -> Read<()> {
        let spans = list.texts.values().spans();
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
            out.extend(&list.texts, places.iter().map(key));
            if !is_place {
                return Err(NO_PLACE);
            }
            out.count_bytes(total);
            room.take(places.len(), total as u64)?;
        }
        Ok(())
    }

    /// Appends the next texts.
    pub(super) fn next(
        &mut self,
        block: &[u8],
        mut wanted: usize,
        room: &mut Room,
        out: &mut Binaries,
    ) -> Read<()> {
        if self.are_few(wanted) {
            return self.next_alone(block, wanted, room, out);
        }
        let list = self.list(block)?;
        while wanted > 0 {
            let places = self.places.next(block, wanted)?;
            if places.is_empty() {
                return Err(FEWER);
            }
            wanted -= places.len();
            let total = list.bytes(places)?;
            room.take(places.len(), total as u64)?;
            let fits = match &list.equal {
                Some(equal) => out.pick_equal(&equal.texts, equal.len, places),
                None => out.pick(list.texts.values(), places, total),
            };
            if !fits {
                return Err(TOO_LONG);
            }
        }
        Ok(())
    }

    /// Appends the next texts, without the others of the list.
    fn next_alone(&mut self, block: &[u8], wanted: usize, room: &mut Room, out: &mut Binaries) -> Read<()> {
        self.alone += wanted as u64;
        let walk = self.walk.get_or_insert_with(|| Box::new(self.listed.clone()));
        for _ in 0..wanted {
            let place = self.places.one(block)?.ok_or(FEWER)?.cast_unsigned();
            if place >= self.number {
                return Err(NO_PLACE);
            }
            walk.rewind(&self.listed);
            walk.skip(block, place)?;
            walk.next(block, 1, room, out)?;
        }
        Ok(())
    }

    /// Passes over the next texts.
    pub(super) fn skip(&mut self, block: &[u8], count: u64) -> Read<()> {
        self.places.skip(block, count)
    }
}

impl List {
    /// How many bytes the texts at some places have.
    fn bytes(&self, places: &[i64]) -> Read<usize> {
        let spans = self.texts.values().spans();
        if let Some(equal) = &self.equal {
            let are_places = places.iter().all(|place| place.cast_unsigned() < spans.len() as u64);
            return are_places.then_some(places.len() * equal.len).ok_or(NO_PLACE);
        }
        let mut total = 0;
        for place in places {
            let span = usize::try_from(*place).ok().and_then(|place| spans.get(place));
            total += span.ok_or(NO_PLACE)?.range().len();
        }
        Ok(total)
    }
}

const NO_PLACE: &str = "a text has no place in the list of different ones";
