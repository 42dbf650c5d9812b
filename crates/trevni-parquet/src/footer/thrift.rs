//! Thrift's compact protocol, read without trust: each number is compared with the bytes that are left before
//! anything is made of it.

use crate::error::{Error, Result};

/// The most structs and lists within each other in a field that is not known.
const DEPTH: usize = 32;

/// The type of a field, which the Parquet library reads as this, whatever type the file says.
#[derive(Clone, Copy)]
pub(crate) enum Kind {
    Bool,
    Byte,
    /// An integer of 16, 32 or 64 bits.
    Int,
    Double,
    /// Bytes, or a string.
    Bytes,
    Struct(Fields),
    List(&'static Kind),
    /// What is skipped by the type that is stored.
    Skipped,
}

/// The fields of a struct or a union, by their numbers.
pub(crate) type Fields = &'static [(i16, Kind)];

/// Takes a number of 64 bits in groups of seven bits, the lowest first. `None` where the bytes end, all of which are taken then, or the
/// number is longer.
pub(crate) fn varint(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let (byte, rest) = bytes.split_first()?;
        let part = u64::from(byte & 0x7f);
        if shift == 63 && part > 1 {
            return None;
        }
        *bytes = rest;
        number |= part << shift;
        if *byte < 0x80 {
            return Some(number);
        }
    }
    None
}

/// Some bytes, and the place in them.
pub(crate) struct Thrift<'b> {
    bytes: &'b [u8],
    at: usize,
    what: &'static str,
}

/// The types as they are stored.
const TRUE: u8 = 1;
const FALSE: u8 = 2;
const BYTE: u8 = 3;
const SHORT: u8 = 4;
const LONG: u8 = 6;
const DOUBLE: u8 = 7;
const BYTES: u8 = 8;
const LIST: u8 = 9;
const SET: u8 = 10;
const MAP: u8 = 11;
const STRUCT: u8 = 12;
const UUID: u8 = 13;

impl<'b> Thrift<'b> {
    /// `what` is what errors are about.
    pub(crate) fn new(bytes: &'b [u8], what: &'static str) -> Self {
        Self { bytes, at: 0, what }
    }

    /// Bytes before the place.
    pub(crate) fn position(&self) -> usize {
        self.at
    }

    #[cold]
    pub(crate) fn damaged<T>(&self, message: impl std::fmt::Display) -> Result<T> {
        Err(Error::Damaged(format!("{}, byte {}: {message}", self.what, self.at)))
    }

    fn left(&self) -> usize {
        self.bytes.len().saturating_sub(self.at)
    }

    fn byte(&mut self) -> Result<u8> {
        match self.bytes.get(self.at) {
            Some(byte) => {
                self.at += 1;
                Ok(*byte)
            }
            None => self.damaged("it ends in the middle"),
        }
    }

    fn varint(&mut self) -> Result<u64> {
        let mut rest = self.bytes.get(self.at..).unwrap_or_default();
        match varint(&mut rest) {
            Some(number) => {
                self.at = self.bytes.len() - rest.len();
                Ok(number)
            }
            None if rest.is_empty() => self.damaged("it ends in the middle"),
            None => self.damaged("a number has more than 64 bits"),
        }
    }

    pub(crate) fn long(&mut self) -> Result<i64> {
        let number = self.varint()?;
        Ok((number >> 1).cast_signed() ^ -(number & 1).cast_signed())
    }

    pub(crate) fn int(&mut self) -> Result<i32> {
        match self.long()?.try_into() {
            Ok(number) => Ok(number),
            Err(_) => self.damaged("an integer has more than 32 bits"),
        }
    }

    pub(crate) fn bytes(&mut self) -> Result<&'b [u8]> {
        let length = self.varint()?;
        self.take(length)
    }

    fn take(&mut self, length: u64) -> Result<&'b [u8]> {
        let left = self.left();
        let end = usize::try_from(length).ok().and_then(|length| self.at.checked_add(length));
        match end.and_then(|end| self.bytes.get(self.at..end)) {
            Some(taken) => {
                self.at += taken.len();
                Ok(taken)
            }
            None => self.damaged(format!("{length} bytes are said to follow, but {left} do")),
        }
    }

    /// The type and number of items of a list. Each has a byte at least.
    fn items(&mut self) -> Result<(u8, usize)> {
        let first = self.byte()?;
        let count = match first >> 4 {
            15 => self.varint()?,
            count => count.into(),
        };
        self.count(count).map(|count| (first & 15, count))
    }

    fn count(&self, count: u64) -> Result<usize> {
        match usize::try_from(count) {
            Ok(count) if count <= self.left() => Ok(count),
            _ => self.damaged(format!("{count} items are said to follow, but {} bytes do", self.left())),
        }
    }

    /// The number of structs in a list.
    pub(crate) fn structs(&mut self) -> Result<usize> {
        match self.items()? {
            (_, 0) => Ok(0),
            (STRUCT, count) => Ok(count),
            _ => self.damaged("a list has other items than structs"),
        }
    }

    /// Goes through a struct. `take` gets the number of each field that is known, and says whether it has
    /// read the value; for a boolean, which has no bytes, it gets the value too.
    pub(crate) fn each(
        &mut self,
        fields: Fields,
        mut take: impl FnMut(&mut Self, i16, bool) -> Result<bool>,
    ) -> Result<()> {
        let mut last = 0;
        while let Some((number, stored)) = self.field(last)? {
            last = number;
            match fields.iter().find(|(known, _)| *known == number) {
                Some((_, Kind::Bool)) if !matches!(stored, TRUE | FALSE) => {
                    return self.damaged(format!("field {number} is no boolean"));
                }
                Some((_, kind)) if take(self, number, stored == TRUE)? || self.passes(*kind)? => {}
                _ => self.skip(stored, DEPTH)?,
            }
        }
        Ok(())
    }

    /// The number and the type of the next field, `None` at the end of a struct.
    fn field(&mut self, last: i16) -> Result<Option<(i16, u8)>> {
        let first = self.byte()?;
        if first & 15 == 0 {
            return Ok(None);
        }
        let number = match first >> 4 {
            0 => self.long()?,
            more => i64::from(last) + i64::from(more),
        };
        match i16::try_from(number) {
            Ok(number) => Ok(Some((number, first & 15))),
            Err(_) => self.damaged("there is no such field"),
        }
    }

    /// Goes past a value, unless it is to be skipped.
    fn passes(&mut self, kind: Kind) -> Result<bool> {
        match kind {
            Kind::Skipped => Ok(false),
            kind => self.pass(kind).map(|()| true),
        }
    }

    fn pass(&mut self, kind: Kind) -> Result<()> {
        match kind {
            Kind::Skipped => Ok(()),
            Kind::Bool => Ok(()),
            Kind::Byte => self.byte().map(drop),
            Kind::Int => self.varint().map(drop),
            Kind::Double => self.take(8).map(drop),
            Kind::Bytes => self.bytes().map(drop),
            Kind::Struct(fields) => self.each(fields, |_, _, _| Ok(false)),
            Kind::List(item) => {
                let (stored, count) = self.items()?;
                if count > 0 && !item.is_item(stored) {
                    return self.damaged(format!("a list has items of type {stored}"));
                }
                (0..count).try_for_each(|_| self.pass(*item))
            }
        }
    }

    /// Goes past a value of a field that is not known.
    fn skip(&mut self, stored: u8, depth: usize) -> Result<()> {
        let Some(depth) = depth.checked_sub(1) else { return self.damaged("fields are nested too deep") };
        match stored {
            TRUE | FALSE => Ok(()),
            BYTE => self.byte().map(drop),
            SHORT..=LONG => self.varint().map(drop),
            DOUBLE => self.take(8).map(drop),
            BYTES => self.bytes().map(drop),
            UUID => self.take(16).map(drop),
            STRUCT => {
                while let Some((_, stored)) = self.field(0)? {
                    self.skip(stored, depth)?;
                }
                Ok(())
            }
            LIST | SET => {
                let (stored, count) = self.items()?;
                (0..count).try_for_each(|_| self.skip_item(stored, depth))
            }
            MAP => {
                let count = self.varint()?;
                let count = self.count(count)?;
                let stored = if count > 0 { self.byte()? } else { 0 };
                (0..count).try_for_each(|_| {
                    self.skip_item(stored >> 4, depth)?;
                    self.skip_item(stored & 15, depth)
                })
            }
            _ => self.damaged(format!("there is no type {stored}")),
        }
    }

    /// Booleans in lists have a byte each, which the Parquet library overlooks where it does not know the
    /// field: after them it would read something else.
    fn skip_item(&mut self, stored: u8, depth: usize) -> Result<()> {
        match stored {
            TRUE | FALSE => self.damaged("there are booleans in a list that is not known"),
            _ => self.skip(stored, depth),
        }
    }
}

impl Kind {
    fn is_item(self, stored: u8) -> bool {
        match self {
            Self::Bool => matches!(stored, TRUE | FALSE),
            Self::Byte => stored == BYTE,
            Self::Int => matches!(stored, SHORT..=LONG),
            Self::Double => stored == DOUBLE,
            Self::Bytes => stored == BYTES,
            Self::Struct(_) => stored == STRUCT,
            Self::List(_) => matches!(stored, LIST | SET),
            Self::Skipped => false,
        }
    }
}
