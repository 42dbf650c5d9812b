//! Maps: as maps, or as records where their keys are field names.

use super::cell::Incoming;
use super::cell::{does_not_fit, fitted};
use super::grow::place;
use super::key::KeyText;
use super::record::RecordSerializer;
use super::{Context, Mode, Slow};
use crate::error::{Error, ErrorKind, Result};
use crate::shape::{MapShape, Shape};
use crate::vector::{MapVector, Vector};
use serde::ser::{self, Serialize, Serializer};

/// Writes one map entry by entry.
pub(crate) struct MapSerializer<'a> {
    target: Target<'a>,
    context: &'a Context,
    /// Whether a key waits for its value.
    key: bool,
    failed: bool,
}

/// What takes the entries.
pub(super) enum Target<'a> {
    Map(MapTarget<'a>),
    /// A record, which has gone to the field of the last key.
    Record(RecordSerializer<'a>),
    /// To be a record, if the first key is text.
    Undecided(Slow<'a>),
    /// The first key failed.
    Taken,
}

pub(super) struct MapTarget<'a> {
    shape: &'a mut MapShape,
    vector: &'a mut MapVector,
    mode: Mode<'a>,
}

impl<'a> Target<'a> {
    /// serde's derive gives no length for a struct with flattened fields; its keys are field names.
    /// So are the keys of a row that is a map itself, and of the maps in it.
    fn new(cell: Slow<'a>, len: Option<usize>) -> Result<Self> {
        let record = (len.is_none() || cell.mode.dynamic()) && !cell.mode.maps();
        let mode = if len.is_none() { cell.mode.typed() } else { cell.mode };
        let cell = Slow { mode, ..cell };
        if record && (cell.mode.grow() || has_both(cell.shape)) {
            Ok(Self::Undecided(cell))
        } else {
            Self::placed(cell, record, false)
        }
    }

    /// The map or the record that takes the entries, the shape says which.
    #[inline]
    fn placed(cell: Slow<'a>, record: bool, is_empty: bool) -> Result<Self> {
        let cell = place(cell, &Incoming::Map { record, is_empty })?;
        match &*cell.shape {
            Shape::Map(_) => MapTarget::over(cell).map(Self::Map),
            _ => RecordSerializer::over(cell).map(Self::Record),
        }
    }

    #[inline]
    fn key<K: ?Sized + Serialize>(&mut self, key: &K) -> Result<()> {
        if !matches!(self, Self::Map(_)) {
            // A key that is text is not asked for it again.
            if key.serialize(KeyText(self))? {
                return Ok(());
            }
            self.decide(false)?;
        }
        match self {
            Self::Map(map) => key.serialize(map.key_cell()).map_err(Error::in_key),
            Self::Record(_) => Err(ErrorKind::KeyNotText.into()),
            Self::Undecided(_) | Self::Taken => Err(failed_before()),
        }
    }

    /// Takes a key that is text.
    #[inline]
    pub(super) fn text_key(&mut self, key: &str) -> Result<()> {
        match self.decide(true)? {
            Self::Map(map) => map.key_cell().serialize_str(key).map_err(Error::in_key),
            Self::Record(record) => record.go_to(key),
            Self::Undecided(_) | Self::Taken => Err(failed_before()),
        }
    }

    /// Finds what takes the entries, once it is known whether the first key is text.
    #[inline]
    fn decide(&mut self, record: bool) -> Result<&mut Self> {
        if matches!(self, Self::Undecided(_))
            && let Self::Undecided(cell) = std::mem::replace(self, Self::Taken)
        {
            *self = Self::placed(cell, record, false)?;
        }
        Ok(self)
    }

    #[inline]
    fn value<V: ?Sized + Serialize>(&mut self, value: &V) -> Result<()> {
        match self {
            Self::Map(map) => value.serialize(map.value_cell()?).map_err(Error::in_value),
            Self::Record(record) => record.value(value),
            Self::Undecided(_) | Self::Taken => Err(failed_before()),
        }
    }

    fn finish(self) -> Result<()> {
        match self {
            Self::Map(map) => {
                let total = map.vector.key.len();
                fitted(map.vector.offsets.push_end(total))
            }
            Self::Record(record) => record.finish(),
            Self::Undecided(cell) => Self::placed(cell, true, true)?.finish(),
            Self::Taken => Err(failed_before()),
        }
    }
}

/// Whether a shape that was given has a place for records and one for maps, so that the first key decides. Elsewhere keys are asked once.
fn has_both(shape: &Shape) -> bool {
    match shape {
        Shape::Optional(optional) => has_both(&optional.item),
        Shape::Union(variants) => {
            let has_map = variants.iter().any(|variant| matches!(variant, Shape::Map(_)));
            has_map && variants.iter().any(|variant| matches!(variant, Shape::Record(_)))
        }
        _ => false,
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
            (shape, _) => Err(does_not_fit(shape.kind(), "a map")),
        }
    }

    #[inline]
    fn key_cell(&mut self) -> Slow<'_> {
        Slow { shape: &mut self.shape.key, vector: &mut self.vector.key, mode: self.mode }
    }

    #[inline]
    fn value_cell(&mut self) -> Result<Slow<'_>> {
        // Other keys than strings take a record around key and value.
        let mode = if self.shape.key == Shape::String { self.mode } else { self.mode.deeper()? };
        Ok(Slow { shape: &mut self.shape.value, vector: &mut self.vector.value, mode })
    }
}

impl<'a> MapSerializer<'a> {
    pub(super) fn new(cell: Slow<'a>, len: Option<usize>) -> Result<Self> {
        let context = cell.mode.context;
        Ok(Self { target: Target::new(cell, len)?, context, key: false, failed: false })
    }

    /// Takes turns: each key has its value. What failed takes no more.
    #[inline]
    fn turn(&mut self, key: bool) -> Result<()> {
        match (std::mem::replace(&mut self.key, key), key) {
            (true, true) => Err(out_of_turn("a key without a value")),
            (false, false) => Err(out_of_turn("a value without a key")),
            _ if self.failed => Err(failed_before()),
            _ => Ok(()),
        }
    }

    #[inline]
    fn note(&mut self, done: Result<()>) -> Result<()> {
        match done {
            Ok(()) => Ok(()),
            Err(error) => Err(self.context.first_error.note(&mut self.failed, error)),
        }
    }
}

impl ser::SerializeMap for MapSerializer<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_key<K: ?Sized + Serialize>(&mut self, key: &K) -> Result<()> {
        let done = self.turn(true).and_then(|()| self.target.key(key));
        self.note(done)
    }

    fn serialize_value<V: ?Sized + Serialize>(&mut self, value: &V) -> Result<()> {
        let done = self.turn(false).and_then(|()| self.target.value(value));
        self.note(done)
    }

    fn end(self) -> Result<()> {
        self.context.first_error.check(self.failed)?;
        if self.key {
            return Err(out_of_turn("a key without a value"));
        }
        self.target.finish()
    }
}
