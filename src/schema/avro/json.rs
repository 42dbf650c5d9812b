//! JSON as one list of tokens that borrow their strings: schemas are read whenever a file is opened, and
//! values with memory of their own would take most of the time.

use super::key::Key;
use crate::private::NUMBER;
use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use std::borrow::Cow;
use std::fmt;

/// Bytes of a schema for each token, about.
const BYTES: usize = 5;

/// The most tokens that there is room for before any has been seen.
const FIRST_TOKENS_MAX: usize = 1 << 13;

/// The most tokens of a schema; each takes some 32 bytes of memory, and two of the text.
const TOKENS_MAX: usize = 1 << 22;

/// A value, the key of one, or the start of several.
#[derive(Debug, PartialEq)]
pub(super) enum Token<'t> {
    Null,
    Boolean(bool),
    /// A whole number that is not negative.
    Natural(u64),
    /// Any other number.
    Number(f64),
    Text(Cow<'t, str>),
    /// Values, up to the token with this number.
    List(usize),
    /// Keys, each before its value, up to the token with this number.
    Object(usize),
    Key(Key),
}

/// A JSON text.
#[derive(Debug)]
pub(super) struct Document<'t> {
    tokens: Vec<Token<'t>>,
}

/// Why a text could not be read.
pub(super) enum Unreadable {
    /// Brackets that nest too deep.
    Deep,
    Json(serde_json::Error),
}

impl<'t> Document<'t> {
    /// Reads a text whose brackets nest up to a limit.
    pub(super) fn read(text: &'t str, limit: usize) -> Result<Self, Unreadable> {
        let mut tokens = Vec::with_capacity((text.len() / BYTES).min(FIRST_TOKENS_MAX));
        let mut deserializer = serde_json::Deserializer::from_str(text);
        deserializer.disable_recursion_limit();
        let mut deep = false;
        let value = Value { tokens: &mut tokens, room: limit, deep: &mut deep };
        match value.deserialize(&mut deserializer).and_then(|()| deserializer.end()) {
            Ok(()) => Ok(Self { tokens }),
            Err(_) if deep => Err(Unreadable::Deep),
            Err(error) => Err(Unreadable::Json(error)),
        }
    }

    pub(super) fn tokens(&self) -> &[Token<'t>] {
        &self.tokens
    }

    /// The whole.
    pub(super) fn value(&self) -> Json<'_> {
        Json { tokens: &self.tokens, at: 0 }
    }
}

/// A value of a document.
#[derive(Clone, Copy, Debug)]
pub(super) struct Json<'a> {
    tokens: &'a [Token<'a>],
    at: usize,
}

/// Keys and values in their order.
#[derive(Clone, Copy, Debug)]
pub(super) struct Object<'a>(List<'a>);

/// Values in their order.
#[derive(Clone, Copy, Debug)]
pub(super) struct List<'a> {
    next: Json<'a>,
    end: usize,
}

impl<'a> Iterator for List<'a> {
    type Item = Json<'a>;

    fn next(&mut self) -> Option<Json<'a>> {
        let next = self.next;
        self.next.at = (next.at < self.end).then(|| next.end())?;
        Some(next)
    }
}

impl<'a> Object<'a> {
    /// The value of a key; of several, the last.
    pub(super) fn get(self, key: Key) -> Option<Json<'a>> {
        let [value] = self.all([key]);
        value
    }

    /// The values of some keys.
    pub(super) fn all<const N: usize>(self, keys: [Key; N]) -> [Option<Json<'a>>; N] {
        let mut found = [None; N];
        let Self(List { next: mut place, end }) = self;
        while place.at < end
            && let Token::Key(key) = place.token()
        {
            let value = Json { at: place.at + 1, ..place };
            for (found, wanted) in found.iter_mut().zip(keys) {
                if wanted == *key {
                    *found = Some(value);
                }
            }
            place.at = value.end();
        }
        found
    }

    /// The text under a key, where there is one.
    pub(super) fn text(self, key: Key) -> Option<&'a str> {
        self.get(key)?.as_text()
    }
}

impl<'a> Json<'a> {
    fn token(self) -> &'a Token<'a> {
        self.tokens.get(self.at).unwrap_or(&Token::Null)
    }

    /// The number of the token behind this value.
    fn end(self) -> usize {
        match self.token() {
            Token::List(end) | Token::Object(end) => *end,
            _ => self.at + 1,
        }
    }

    pub(super) fn as_text(self) -> Option<&'a str> {
        if let Token::Text(text) = self.token() { Some(text) } else { None }
    }

    pub(super) fn as_list(self) -> Option<List<'a>> {
        if let Token::List(end) = self.token() { Some(self.below(*end)) } else { None }
    }

    pub(super) fn as_natural(self) -> Option<u64> {
        if let Token::Natural(number) = self.token() { Some(*number) } else { None }
    }

    pub(super) fn as_object(self) -> Option<Object<'a>> {
        if let Token::Object(end) = self.token() { Some(Object(self.below(*end))) } else { None }
    }

    fn below(self, end: usize) -> List<'a> {
        List { next: Self { at: self.at + 1, ..self }, end }
    }
}

/// As it would be in a message.
impl fmt::Display for Json<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.token() {
            Token::Null => f.write_str("null"),
            Token::Boolean(value) => write!(f, "{value}"),
            Token::Natural(number) => write!(f, "{number}"),
            Token::Number(number) => write!(f, "{number}"),
            Token::Text(text) => write!(f, "{text:?}"),
            Token::Key(key) => write!(f, "{key:?}"),
            Token::List(_) => f.write_str("[…]"),
            Token::Object(_) => f.write_str("{…}"),
        }
    }
}

/// Reads a value.
struct Value<'o, 't> {
    tokens: &'o mut Vec<Token<'t>>,
    /// How much deeper brackets may nest.
    room: usize,
    /// Whether they nest too deep.
    deep: &'o mut bool,
}

impl<'t> Value<'_, 't> {
    fn push<E>(self, token: Token<'t>) -> Result<(), E> {
        self.tokens.push(token);
        Ok(())
    }

    /// Checks that there are not too many tokens.
    fn check<E: serde::de::Error>(&self) -> Result<(), E> {
        if self.tokens.len() <= TOKENS_MAX {
            return Ok(());
        }
        Err(E::custom(format_args!("more than {TOKENS_MAX} keys and values")))
    }

    /// What is within brackets.
    fn below(&mut self) -> Value<'_, 't> {
        Value { tokens: self.tokens, room: self.room - 1, deep: self.deep }
    }

    /// Reads what is within brackets, behind a token that tells where this ends.
    fn nested<E: serde::de::Error>(
        mut self,
        token: fn(usize) -> Token<'t>,
        read: impl FnOnce(&mut Self) -> Result<(), E>,
    ) -> Result<(), E> {
        if self.room == 0 {
            *self.deep = true;
            return Err(E::custom("brackets nest too deep"));
        }
        let at = self.tokens.len();
        self.tokens.push(token(0));
        read(&mut self)?;
        let end = self.tokens.len();
        if let Some(start) = self.tokens.get_mut(at) {
            *start = token(end);
        }
        Ok(())
    }
}

impl<'de: 't, 't> DeserializeSeed<'de> for Value<'_, 't> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de: 't, 't> Visitor<'de> for Value<'_, 't> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        self.push(Token::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<(), E> {
        self.push(Token::Boolean(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<(), E> {
        self.push(Token::Natural(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<(), E> {
        self.push(Token::Number(value as f64))
    }

    fn visit_f64<E>(self, value: f64) -> Result<(), E> {
        self.push(Token::Number(value))
    }

    fn visit_str<E>(self, text: &str) -> Result<(), E> {
        self.push(Token::Text(Cow::Owned(text.to_owned())))
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<(), E> {
        self.push(Token::Text(Cow::Borrowed(text)))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        self.nested(Token::List, |list| {
            while items.next_element_seed(list.below())?.is_some() {
                list.check()?;
            }
            Ok(())
        })
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<(), A::Error> {
        let mut next = entries.next_key_seed(KeyOf { tokens: self.tokens, is_first: true })?;
        if let Some(Seen::Number) = next {
            let digits: Cow<'_, str> = entries.next_value()?;
            return self.push(number(&digits));
        }
        let key = next.is_some().then(|| self.tokens.pop()).flatten();
        self.nested(Token::Object, |object| {
            object.tokens.extend(key);
            while next.is_some() {
                entries.next_value_seed(object.below())?;
                object.check()?;
                next = entries.next_key_seed(KeyOf { tokens: object.tokens, is_first: false })?;
            }
            Ok(())
        })
    }
}

/// Reads a key.
struct KeyOf<'o, 't> {
    tokens: &'o mut Vec<Token<'t>>,
    is_first: bool,
}

/// What a key says of its map.
enum Seen {
    Key,
    /// It is a number, of a program where these have any digits.
    Number,
}

/// A number by its digits.
#[cold]
fn number(digits: &str) -> Token<'static> {
    match (digits.parse(), digits.parse()) {
        (Ok(natural), _) => Token::Natural(natural),
        (_, number) => Token::Number(number.unwrap_or(f64::NAN)),
    }
}

impl<'de: 't, 't> DeserializeSeed<'de> for KeyOf<'_, 't> {
    type Value = Seen;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Seen, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'de: 't, 't> Visitor<'de> for KeyOf<'_, 't> {
    type Value = Seen;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E>(self, text: &str) -> Result<Seen, E> {
        if self.is_first && text == NUMBER {
            return Ok(Seen::Number);
        }
        self.tokens.push(Token::Key(Key::new(text)));
        Ok(Seen::Key)
    }
}
