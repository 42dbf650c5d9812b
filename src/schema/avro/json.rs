//! JSON as a tree that borrows its texts: schemas are read whenever a file is opened.

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use std::borrow::Cow;
use std::fmt;

/// A JSON value.
#[derive(Debug)]
pub(super) enum Json<'t> {
    Null,
    Boolean(bool),
    /// A whole number that is not negative.
    Natural(u64),
    /// Any other number.
    Number(f64),
    Text(Cow<'t, str>),
    List(Vec<Json<'t>>),
    Object(Object<'t>),
}

/// Keys and values in their order.
#[derive(Debug)]
pub(super) struct Object<'t>(Vec<(Cow<'t, str>, Json<'t>)>);

impl<'t> Object<'t> {
    /// The value of a key; of several, the last.
    pub(super) fn get(&self, key: &str) -> Option<&Json<'t>> {
        self.0.iter().rev().find(|(other, _)| other == key).map(|(_, value)| value)
    }

    /// The text under a key, where there is one.
    pub(super) fn text(&self, key: &str) -> Option<&str> {
        self.get(key)?.as_text()
    }
}

impl<'t> Json<'t> {
    pub(super) fn as_text(&self) -> Option<&str> {
        if let Self::Text(text) = self { Some(text) } else { None }
    }

    pub(super) fn as_list(&self) -> Option<&[Self]> {
        if let Self::List(items) = self { Some(items) } else { None }
    }

    pub(super) fn as_natural(&self) -> Option<u64> {
        if let Self::Natural(number) = self { Some(*number) } else { None }
    }

    pub(super) fn as_object(&self) -> Option<&Object<'t>> {
        if let Self::Object(object) = self { Some(object) } else { None }
    }
}

/// As it would be in a message.
impl fmt::Display for Json<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("null"),
            Self::Boolean(value) => write!(f, "{value}"),
            Self::Natural(number) => write!(f, "{number}"),
            Self::Number(number) => write!(f, "{number}"),
            Self::Text(text) => write!(f, "{text:?}"),
            Self::List(_) => f.write_str("[…]"),
            Self::Object(_) => f.write_str("{…}"),
        }
    }
}

impl<'de: 't, 't> Deserialize<'de> for Json<'t> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Any)
    }
}

struct Any;

impl<'de> Visitor<'de> for Any {
    type Value = Json<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Json<'de>, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Json<'de>, E> {
        Ok(Json::Boolean(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Json<'de>, E> {
        Ok(Json::Natural(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Json<'de>, E> {
        Ok(Json::Number(value as f64))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Json<'de>, E> {
        Ok(Json::Number(value))
    }

    fn visit_str<E>(self, text: &str) -> Result<Json<'de>, E> {
        Ok(Json::Text(Cow::Owned(text.to_owned())))
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Json<'de>, E> {
        Ok(Json::Text(Cow::Borrowed(text)))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Json<'de>, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(Json::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Json<'de>, A::Error> {
        let mut object = Vec::with_capacity(4);
        while let Some(Key(key)) = entries.next_key()? {
            object.push((key, entries.next_value()?));
        }
        Ok(Json::Object(Object(object)))
    }
}

/// A key, borrowed where it has no escapes.
struct Key<'t>(Cow<'t, str>);

impl<'de: 't, 't> Deserialize<'de> for Key<'t> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match deserializer.deserialize_str(Any)? {
            Json::Text(text) => Ok(Self(text)),
            _ => Err(serde::de::Error::custom("a key that is no text")),
        }
    }
}
