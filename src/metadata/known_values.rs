//! JSON of which only known keys are kept, so that it takes little memory.

use crate::error::{Error, Result};
use crate::private::NUMBER;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::fmt;

/// Bytes of memory of an object, which has room for several keys.
const OBJECT_BYTES: usize = 640;

/// Parses JSON, and keeps only these keys of objects. `take` is called before each value is kept, with the bytes that it takes on the heap.
///
/// # Errors
///
/// As `take`. Invalid JSON is the inner error.
pub(crate) fn known_values(
    bytes: &[u8],
    keys: &[&str],
    take: &mut dyn FnMut(usize) -> Result<()>,
) -> Result<Result<Value, serde_json::Error>> {
    let (mut reading, mut text) =
        (Reading { keys, take, refused: None }, serde_json::Deserializer::from_slice(bytes));
    let read = Known(&mut reading).deserialize(&mut text);
    let read = read.and_then(|value| text.end().map(|()| value));
    reading.refused.map_or(Ok(read), Err)
}

/// What all values share.
struct Reading<'r> {
    keys: &'r [&'r str],
    take: &'r mut dyn FnMut(usize) -> Result<()>,
    refused: Option<Error>,
}

impl Reading<'_> {
    fn take<E: serde::de::Error>(&mut self, bytes: usize) -> Result<(), E> {
        (self.take)(bytes).map_err(|error| {
            self.refused = Some(error);
            E::custom("too much")
        })
    }
}

/// Reads a value.
struct Known<'k, 'r>(&'k mut Reading<'r>);

impl<'de> DeserializeSeed<'de> for Known<'_, '_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        self.0.take(0)?;
        deserializer.deserialize_any(self)
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

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Value, E> {
        self.0.take(text.len())?;
        Ok(text.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut all = Vec::new();
        while let Some(item) = items.next_element_seed(Known(self.0))? {
            all.push(item);
        }
        Ok(all.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut known = Map::new();
        while let Some(key) = entries.next_key::<Cow<'_, str>>()? {
            if key == NUMBER {
                // In a program where numbers have any digits. No reader needs numbers below 0, or with a fraction.
                let digits = entries.next_value::<Cow<'_, str>>()?;
                return Ok(digits.parse::<u64>().map_or(Value::Null, Value::from));
            }
            if !self.0.keys.contains(&&*key) {
                entries.next_value::<IgnoredAny>()?;
                continue;
            }
            self.0.take(if known.is_empty() { OBJECT_BYTES } else { 0 })?;
            known.insert(key.into_owned(), entries.next_value_seed(Known(self.0))?);
        }
        Ok(known.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;
    use serde_json::json;

    #[test]
    fn only_known_keys_are_kept() {
        let mut left = 1000;
        let mut read = |text: &str| {
            known_values(text.as_bytes(), &["a", "b"], &mut |_| {
                left -= 1;
                if left > 0 { Ok(()) } else { Err(ErrorKind::TooDeep { limit: 7 }.into()) }
            })
        };
        let text = r#"{"a":[1,-2,null,true,{"b":"x","c":{"a":1}}],"c":[[[1]]],"b":{},"b":7}"#;
        let expected = json!({"a": [1, -2, null, true, {"b": "x"}], "b": 7});
        assert_eq!(read(text).unwrap().unwrap(), expected);
        for bad in ["", "{", "[1] 2", "{\"c\":}"] {
            assert!(read(bad).unwrap().is_err(), "{bad}");
        }
        let many = |key: &str| format!(r#"{{"{key}":[{}0]}}"#, "0,".repeat(2_000));
        assert_eq!(read(&many("c")).unwrap().unwrap(), json!({}));
        assert!(read(&many("a")).is_err());
    }
}
