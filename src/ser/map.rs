//! Maps: as maps, or as records where their keys are field names.

use super::grow::{Want, add_variant, enter, place, wrap_union};
use super::key::KeyText;
use super::record::RecordSerializer;
use super::{Cell, Mode, fitted};
use crate::error::{Error, Result};
use crate::shape::{MapShape, Shape};
use crate::vector::{MapVector, Offsets, Vector};
use serde::ser::{self, Serialize};

/// Writes one map entry by entry.
pub(crate) struct MapSerializer<'a>(Target<'a>);

enum Target<'a> {
    Map(MapTarget<'a>),
    /// A record, with the key whose value comes next.
    Record(RecordSerializer<'a>, String),
    /// To be a record, if the first key is text.
    Undecided(Cell<'a>),
    Taken,
}

struct MapTarget<'a> {
    shape: &'a mut MapShape,
    vector: &'a mut MapVector,
    mode: Mode,
}

impl<'a> MapSerializer<'a> {
    /// serde's derive gives no length for a struct with flattened fields; its keys are field names.
    /// So are those of a row that is a map itself, and of the maps in it.
    pub(super) fn new(cell: Cell<'a>, len: Option<usize>) -> Result<Self> {
        let record = len.is_none() || cell.mode.dynamic();
        let mode = if len.is_none() { cell.mode.typed() } else { cell.mode };
        let cell = place(Cell { mode, ..cell }, &Want::Map { record })?;
        Ok(Self(match &*cell.shape {
            Shape::Map(_) => Target::Map(MapTarget::over(cell)?),
            _ => Target::Undecided(cell),
        }))
    }

    /// Takes the first key of a map that was to be a record; the key of a record is kept.
    fn decide<K: ?Sized + Serialize>(&mut self, key: &K) -> Result<()> {
        let Target::Undecided(cell) = std::mem::replace(&mut self.0, Target::Taken) else {
            return Ok(());
        };
        let mut text = String::new();
        self.0 = if key.serialize(KeyText(&mut text))? {
            Target::Record(RecordSerializer::over(cell)?, text)
        } else {
            Target::Map(MapTarget::over(as_map(cell)?)?)
        };
        Ok(())
    }
}

/// Turns the cell of a record without fields into one for a map, or adds a map beside the record.
fn as_map(cell: Cell<'_>) -> Result<Cell<'_>> {
    let Cell { shape, vector, mode } = cell;
    let map = Shape::Map(Box::new(MapShape { key: Shape::Unknown, value: Shape::Unknown }));
    if !mode.grow() {
        return Err(super::does_not_fit(shape.kind(), "a map whose keys are not text"));
    }
    if matches!(&*shape, Shape::Record(record) if record.fields.is_empty()) {
        let offsets = Offsets::zeros(vector.len());
        *vector = Vector::Map(Box::new(MapVector { offsets, key: Vector::Null(0), value: Vector::Null(0) }));
        *shape = map;
        return Ok(Cell { shape, vector, mode });
    }
    wrap_union(shape, vector);
    match (shape, vector) {
        (Shape::Union(variants), Vector::Union(union)) => {
            let empty = Vector::of(&map);
            let tag = add_variant(variants, union, map, empty)?;
            let (shape, vector) = enter(variants, union, tag)?;
            Ok(Cell { shape, vector, mode })
        }
        (shape, _) => Err(super::does_not_fit(shape.kind(), "a map")),
    }
}

impl<'a> MapTarget<'a> {
    fn over(cell: Cell<'a>) -> Result<Self> {
        let mode = cell.mode.below()?;
        match (cell.shape, cell.vector) {
            (Shape::Map(shape), Vector::Map(vector)) => Ok(Self { shape, vector, mode }),
            (shape, _) => Err(super::does_not_fit(shape.kind(), "a map")),
        }
    }

    #[inline]
    fn key<K: ?Sized + Serialize>(&mut self, key: &K) -> Result<()> {
        let cell = Cell { shape: &mut self.shape.key, vector: &mut self.vector.key, mode: self.mode };
        key.serialize(cell).map_err(|error| error.in_field("key"))
    }

    #[inline]
    fn value<V: ?Sized + Serialize>(&mut self, value: &V) -> Result<()> {
        let cell = Cell { shape: &mut self.shape.value, vector: &mut self.vector.value, mode: self.mode };
        value.serialize(cell).map_err(|error| error.in_field("value"))
    }
}

impl ser::SerializeMap for MapSerializer<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_key<K: ?Sized + Serialize>(&mut self, key: &K) -> Result<()> {
        match &mut self.0 {
            Target::Map(map) => map.key(key),
            Target::Record(_, text) => {
                text.clear();
                if key.serialize(KeyText(text))? {
                    Ok(())
                } else {
                    Err(super::does_not_fit("record", "a key that is not text"))
                }
            }
            Target::Undecided(_) => {
                self.decide(key)?;
                match &mut self.0 {
                    Target::Map(map) => map.key(key),
                    _ => Ok(()),
                }
            }
            Target::Taken => Err(Error::value("a map failed before")),
        }
    }

    fn serialize_value<V: ?Sized + Serialize>(&mut self, value: &V) -> Result<()> {
        match &mut self.0 {
            Target::Map(map) => map.value(value),
            Target::Record(record, key) => record.dynamic_field(key, value),
            Target::Undecided(_) | Target::Taken => Err(Error::value("a map's value came before its key")),
        }
    }

    fn end(self) -> Result<()> {
        match self.0 {
            Target::Map(map) => {
                let total = map.vector.key.len();
                fitted(map.vector.offsets.push_end(total))
            }
            Target::Record(record, _) => record.finish(),
            Target::Undecided(cell) => RecordSerializer::over(cell)?.finish(),
            Target::Taken => Err(Error::value("a map failed before")),
        }
    }
}
