//! Values as a generator knows them, and as rows give them: all bits of them.

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use std::fmt;

/// A value of a row.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Cell {
    Null,
    Boolean(bool),
    Integer(i128),
    /// Bits of a float.
    Single(u32),
    Double(u64),
    Text(String),
    List(Vec<Cell>),
    /// Fields of a record, or entries of a map.
    Record(Vec<(Cell, Cell)>),
}

impl Cell {
    /// A string.
    pub(crate) fn text(text: &str) -> Self {
        Self::Text(text.to_owned())
    }

    /// The value of a field.
    pub(crate) fn field(&self, name: &str) -> Option<&Self> {
        let Self::Record(fields) = self else { return None };
        fields.iter().find(|(key, _)| matches!(key, Self::Text(text) if text == name)).map(|(_, value)| value)
    }
}

impl<'de> Deserialize<'de> for Cell {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(CellVisitor)
    }
}

struct CellVisitor;

impl<'de> Visitor<'de> for CellVisitor {
    type Value = Cell;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Cell, E> {
        Ok(Cell::Boolean(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Cell, E> {
        Ok(Cell::Integer(value.into()))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Cell, E> {
        Ok(Cell::Integer(value.into()))
    }

    fn visit_f32<E: Error>(self, value: f32) -> Result<Cell, E> {
        Ok(Cell::Single(value.to_bits()))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Cell, E> {
        Ok(Cell::Double(value.to_bits()))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Cell, E> {
        Ok(Cell::Text(value.to_owned()))
    }

    fn visit_unit<E: Error>(self) -> Result<Cell, E> {
        Ok(Cell::Null)
    }

    fn visit_none<E: Error>(self) -> Result<Cell, E> {
        Ok(Cell::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Cell, D::Error> {
        Cell::deserialize(deserializer)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Cell, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = access.next_element()? {
            items.push(item);
        }
        Ok(Cell::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Cell, A::Error> {
        let mut fields = Vec::new();
        while let Some(field) = access.next_entry()? {
            fields.push(field);
        }
        Ok(Cell::Record(fields))
    }
}
