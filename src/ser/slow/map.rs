//! Maps: as maps, or as records where their keys are field names.

use super::grow::{Want, place};
use super::key::KeyText;
use super::record::RecordSerializer;
use super::{Failure, Mode, Slow, fitted};
use crate::error::{Error, ErrorKind, Result};
use crate::shape::{MapShape, Shape};
use crate::vector::{MapVector, Vector};
use serde::ser::{self, Serialize};

/// Writes one map entry by entry.
pub(crate) struct MapSerializer<'a> {
    target: Target<'a>,
    /// Whether a key waits for its value.
    key: bool,
    failure: Failure,
}

enum Target<'a> {
    Map(MapTarget<'a>),
    /// A record, with the key whose value comes next.
    Record(RecordSerializer<'a>, String),
    /// To be a record, if the first key is text.
    Undecided(Slow<'a>),
    /// The first key failed.
    Taken,
}

struct MapTarget<'a> {
    shape: &'a mut MapShape,
    vector: &'a mut MapVector,
    mode: Mode,
}

impl<'a> Target<'a> {
    /// serde's derive gives no length for a struct with flattened fields; its keys are field names.
    /// So are those of a row that is a map itself, and of the maps in it.
    fn new(cell: Slow<'a>, len: Option<usize>) -> Result<Self> {
        let record = (len.is_none() || cell.mode.dynamic()) && !cell.mode.maps();
        let mode = if len.is_none() { cell.mode.typed() } else { cell.mode };
        let cell = Slow { mode, ..cell };
        if record && cell.mode.grow() { Ok(Self::Undecided(cell)) } else { Self::placed(cell, record) }
    }

    /// The map or the record that takes the entries, the shape says which.
    #[inline]
    fn placed(cell: Slow<'a>, record: bool) -> Result<Self> {
        let cell = place(cell, &Want::Map { record })?;
        match &*cell.shape {
            Shape::Map(_) => MapTarget::over(cell).map(Self::Map),
            _ => RecordSerializer::over(cell).map(|record| Self::Record(record, String::new())),
        }
    }

    #[inline]
    fn key<K: ?Sized + Serialize>(&mut self, key: &K) -> Result<()> {
        match self {
            Self::Map(map) => map.key(key),
            Self::Record(_, text) => {
                text.clear();
                if key.serialize(KeyText(text))? { Ok(()) } else { Err(ErrorKind::KeyNotText.into()) }
            }
            Self::Undecided(_) => self.first_key(key),
            Self::Taken => Err(failed_before()),
        }
    }

    /// Takes the first key; one that is text is not asked for it again.
    #[inline(never)]
    fn first_key<K: ?Sized + Serialize>(&mut self, key: &K) -> Result<()> {
        let mut text = String::new();
        match key.serialize(KeyText(&mut text))? {
            true => self.first_text(text),
            false => self.decide(false)?.key(key),
        }
    }

    /// Takes the first key, which is text.
    fn first_text(&mut self, key: String) -> Result<()> {
        match self.decide(true)? {
            Self::Record(_, text) => *text = key,
            target => target.key(&key)?,
        }
        Ok(())
    }

    /// Finds what takes the entries, now that it is known whether the first key is text.
    #[inline]
    fn decide(&mut self, record: bool) -> Result<&mut Self> {
        if let Self::Undecided(cell) = std::mem::replace(self, Self::Taken) {
            *self = Self::placed(cell, record)?;
        }
        Ok(self)
    }

    #[inline]
    fn value<V: ?Sized + Serialize>(&mut self, value: &V) -> Result<()> {
        match self {
            Self::Map(map) => map.value(value),
            Self::Record(record, key) => record.dynamic_field(key, value),
            Self::Undecided(_) | Self::Taken => Err(failed_before()),
        }
    }

    fn finish(self) -> Result<()> {
        match self {
            Self::Map(map) => {
                let total = map.vector.key.len();
                fitted(map.vector.offsets.push_end(total))
            }
            Self::Record(record, _) => record.finish(),
            Self::Undecided(cell) => Self::placed(cell, true)?.finish(),
            Self::Taken => Err(failed_before()),
        }
    }
}

#[cold]
fn failed_before() -> Error {
    Error::option("a Serialize implementation went on after a key of a map that failed")
}

#[cold]
fn out_of_turn(what: &str) -> Error {
    Error::option(format!("a Serialize implementation gave a map {what}"))
}

impl<'a> MapTarget<'a> {
    fn over(cell: Slow<'a>) -> Result<Self> {
        let mode = cell.mode.wrapped()?.below()?;
        match (cell.shape, cell.vector) {
            (Shape::Map(shape), Vector::Map(vector)) => Ok(Self { shape, vector, mode }),
            (shape, _) => Err(super::does_not_fit(shape.kind(), "a map")),
        }
    }

    #[inline]
    fn key<K: ?Sized + Serialize>(&mut self, key: &K) -> Result<()> {
        let cell = Slow { shape: &mut self.shape.key, vector: &mut self.vector.key, mode: self.mode };
        key.serialize(cell).map_err(|error| error.in_field("key"))
    }

    #[inline]
    fn value<V: ?Sized + Serialize>(&mut self, value: &V) -> Result<()> {
        // Other keys than texts take a record around key and value.
        let mode = if self.shape.key == Shape::String { self.mode } else { self.mode.deeper()? };
        let cell = Slow { shape: &mut self.shape.value, vector: &mut self.vector.value, mode };
        value.serialize(cell).map_err(|error| error.in_field("value"))
    }
}

impl<'a> MapSerializer<'a> {
    pub(super) fn new(cell: Slow<'a>, len: Option<usize>) -> Result<Self> {
        Ok(Self { target: Target::new(cell, len)?, key: false, failure: Failure::default() })
    }

    /// Takes turns: each key has its value.
    #[inline]
    fn turn(&mut self, key: bool) -> Result<()> {
        match (std::mem::replace(&mut self.key, key), key) {
            (true, true) => Err(out_of_turn("a key without a value")),
            (false, false) => Err(out_of_turn("a value without a key")),
            _ => Ok(()),
        }
    }
}

impl ser::SerializeMap for MapSerializer<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_key<K: ?Sized + Serialize>(&mut self, key: &K) -> Result<()> {
        let done = self.turn(true).and_then(|()| self.target.key(key));
        self.failure.note(done)
    }

    fn serialize_value<V: ?Sized + Serialize>(&mut self, value: &V) -> Result<()> {
        let done = self.turn(false).and_then(|()| self.target.value(value));
        self.failure.note(done)
    }

    fn end(self) -> Result<()> {
        self.failure.check()?;
        if self.key {
            return Err(out_of_turn("a key without a value"));
        }
        self.target.finish()
    }
}
