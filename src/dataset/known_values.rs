//! JSON of which nothing is kept but what stands under known keys, so that a text takes little more memory than it needs.

use crate::error::{Error, ErrorKind, Result};
use crate::private::NUMBER;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::fmt;

/// The most values that are kept.
const VALUES_MAX: usize = 1 << 20;

/// Reads a text; objects have only these keys.
///
/// # Errors
///
/// None where it is no JSON; a limit where it has too many values.
pub(super) fn known_values(bytes: &[u8], keys: &[&str]) -> Result<Option<Value>, Error> {
    let (mut left, mut text) = (VALUES_MAX, serde_json::Deserializer::from_slice(bytes));
    let read = Known { keys, left: &mut left }.deserialize(&mut text);
    match read.and_then(|value| text.end().map(|()| value)) {
        Ok(value) => Ok(Some(value)),
        Err(_) if left == 0 => Err(ErrorKind::Limit {
            what: "the number of values in a manifest",
            value: VALUES_MAX as u64 + 1,
            limit: VALUES_MAX as u64,
            option: "",
        }
        .into()),
        Err(_) => Ok(None),
    }
}

/// Reads a value.
struct Known<'k, 'l> {
    keys: &'k [&'k str],
    /// How many values may still come.
    left: &'l mut usize,
}

impl Known<'_, '_> {
    fn within(&mut self) -> Known<'_, '_> {
        Known { keys: self.keys, left: self.left }
    }
}

impl<'de> DeserializeSeed<'de> for Known<'_, '_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        *self.left = self.left.saturating_sub(1);
        match *self.left {
            0 => Err(serde::de::Error::custom("too many values")),
            _ => deserializer.deserialize_any(self),
        }
    }
}

impl<'de> Visitor<'de> for Known<'_, '_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, number: u64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_i64<E>(self, number: i64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_f64<E>(self, number: f64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(text.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut items: A) -> Result<Value, A::Error> {
        let mut all = Vec::new();
        while let Some(item) = items.next_element_seed(self.within())? {
            all.push(item);
        }
        Ok(all.into())
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut entries: A) -> Result<Value, A::Error> {
        let mut known = Map::new();
        while let Some(key) = entries.next_key::<Cow<'_, str>>()? {
            if key == NUMBER {
                // In a program where numbers have any digits.
                let digits = entries.next_value::<Cow<'_, str>>()?;
                return Ok(digits.parse::<u64>().map_or(Value::Null, Value::from));
            }
            match self.keys.contains(&&*key) {
                true => drop(known.insert(key.into_owned(), entries.next_value_seed(self.within())?)),
                false => drop(entries.next_value::<IgnoredAny>()?),
            }
        }
        Ok(known.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_known_keys_are_kept() {
        let read = |text: &str| known_values(text.as_bytes(), &["a", "b"]);
        let text = r#"{"a":[1,-2,0.5,null,true,{"b":"x","c":{"a":1}}],"c":[[[1]]],"b":{},"b":7}"#;
        assert_eq!(read(text).unwrap(), Some(json!({"a": [1, -2, 0.5, null, true, {"b": "x"}], "b": 7})));
        for bad in ["", "{", "[1] 2", "{\"c\":}"] {
            assert_eq!(read(bad).unwrap(), None, "{bad}");
        }
        let many = |key: &str| format!(r#"{{"{key}":[{}0]}}"#, "0,".repeat(VALUES_MAX));
        assert_eq!(read(&many("c")).unwrap(), Some(json!({})));
        let error = read(&many("a")).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Limit { option: "", .. }), "{error}");
    }
}
