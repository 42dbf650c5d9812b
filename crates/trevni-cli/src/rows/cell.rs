//! Any value of a row, with all that JSON would lose: floats of 32 bits, NaN, 128-bit integers.

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};
use std::fmt;

/// Any value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Cell {
    Null,
    Boolean(bool),
    Integer(i128),
    /// Above `i128::MAX`.
    Large(u128),
    Float(f32),
    Double(f64),
    Text(String),
    List(Vec<Cell>),
    /// Fields of a record, entries of a map.
    Map(Vec<(String, Cell)>),
}

impl Cell {
    /// The value as it stands in a cell of a table: texts without quotes, lists and maps as JSON.
    pub(crate) fn text(&self) -> String {
        match self {
            Self::Null => String::new(),
            Self::Text(text) => text.clone(),
            value => serde_json::to_string(value).unwrap_or_default().trim_matches('"').to_owned(),
        }
    }

    /// Whether it is a number.
    pub(crate) fn is_number(&self) -> bool {
        matches!(self, Self::Integer(_) | Self::Large(_) | Self::Float(_) | Self::Double(_))
    }
}

impl<'de> Deserialize<'de> for Cell {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Any)
    }
}

struct Any;

impl<'de> Visitor<'de> for Any {
    type Value = Cell;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Cell, E> {
        Ok(Cell::Boolean(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Cell, E> {
        Ok(Cell::Integer(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Cell, E> {
        Ok(Cell::Integer(value.into()))
    }

    fn visit_i128<E>(self, value: i128) -> Result<Cell, E> {
        Ok(Cell::Integer(value))
    }

    fn visit_u128<E>(self, value: u128) -> Result<Cell, E> {
        Ok(i128::try_from(value).map_or(Cell::Large(value), Cell::Integer))
    }

    fn visit_f32<E>(self, value: f32) -> Result<Cell, E> {
        Ok(Cell::Float(value))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Cell, E> {
        Ok(Cell::Double(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Cell, E> {
        Ok(Cell::Text(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Cell, E> {
        Ok(Cell::Text(value))
    }

    fn visit_unit<E>(self) -> Result<Cell, E> {
        Ok(Cell::Null)
    }

    fn visit_none<E>(self) -> Result<Cell, E> {
        Ok(Cell::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Cell, D::Error> {
        Cell::deserialize(deserializer)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Cell, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(Cell::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Cell, A::Error> {
        let mut map = Vec::new();
        while let Some((key, value)) = entries.next_entry::<Cell, Cell>()? {
            map.push((key.text(), value));
        }
        Ok(Cell::Map(map))
    }
}

impl Serialize for Cell {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // JSON has no numbers for these.
        let odd = |value: f64| {
            if value.is_nan() {
                "NaN"
            } else if value > 0.0 {
                "Infinity"
            } else {
                "-Infinity"
            }
        };
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Boolean(value) => serializer.serialize_bool(*value),
            Self::Integer(value) => match i64::try_from(*value) {
                Ok(value) => serializer.serialize_i64(value),
                Err(_) => serializer.serialize_i128(*value),
            },
            Self::Large(value) => serializer.serialize_u128(*value),
            Self::Float(value) if !value.is_finite() => serializer.serialize_str(odd((*value).into())),
            Self::Float(value) => serializer.serialize_f32(*value),
            Self::Double(value) if !value.is_finite() => serializer.serialize_str(odd(*value)),
            Self::Double(value) => serializer.serialize_f64(*value),
            Self::Text(value) => serializer.serialize_str(value),
            Self::List(items) => serializer.collect_seq(items),
            Self::Map(entries) => {
                let mut map = serializer.serialize_map(Some(entries.len()))?;
                entries.iter().try_for_each(|(key, value)| map.serialize_entry(key, value))?;
                map.end()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_lost() {
        let row = (0.1f32, f64::NAN, u64::MAX, i128::MIN, "text", [None, Some(1)], f64::NEG_INFINITY);
        let bytes = trevni::to_vec([row]).unwrap();
        let row: Cell = trevni::Reader::from_slice(&bytes).unwrap().row(0).unwrap();
        let json = serde_json::to_string(&row).unwrap();
        let integers = format!("{},{}", u64::MAX, i128::MIN);
        assert!(json.contains("0.1,\"NaN\"") && json.contains(&integers), "{json}");
        assert!(json.contains("\"text\",") && json.contains("\"-Infinity\""), "{json}");
        assert_eq!((Cell::Text("a\"b".into()).text(), Cell::Null.text()), ("a\"b".to_owned(), String::new()));
        assert_eq!(Cell::List(vec![Cell::Null, Cell::Float(0.1)]).text(), "[null,0.1]");
    }
}
