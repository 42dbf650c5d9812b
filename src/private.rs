//! Types of other crates that show themselves to serde by names that are private to them.

use serde::de::value::{MapDeserializer, StringDeserializer};
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, IntoDeserializer, MapAccess, Visitor};
use std::any::type_name;
use std::iter::{Once, once};
use std::sync::OnceLock;

/// A number of serde_json with its feature `arbitrary_precision`, which any crate of a program turns on for all: a struct of
/// this name, whose only field has this name too and is the number's digits.
pub(crate) const NUMBER: &str = "$serde_json::private::Number";

/// The JSON of `serde_json::value::RawValue`: it is written as a struct of one field, and read as a newtype struct that is shown
/// a map.
pub(crate) const RAW_VALUE: &str = "$serde_json::private::RawValue";

/// A date of toml: a record of one field, so that it stays apart from strings where no type is asked for, as in `toml::Value`
/// and serde's buffers.
pub(crate) const DATE: &str = "$__toml_private_Datetime";

/// The field of a [`DATE`].
pub(crate) const DATE_FIELD: &str = "$__toml_private_datetime";

/// Whether a string is JSON, which types of raw JSON do not check.
#[cold]
pub(crate) fn is_json(string: &str) -> bool {
    serde_json::from_str::<IgnoredAny>(string).is_ok()
}

/// A struct that is a string, to be shown as a map of its only field.
pub(crate) struct StringStruct<D> {
    field: Option<&'static str>,
    string: Option<D>,
}

impl<D> StringStruct<D> {
    pub(crate) fn new(field: &'static str, string: D) -> Self {
        Self { field: Some(field), string: Some(string) }
    }
}

impl<'de, D: Deserializer<'de>> MapAccess<'de> for StringStruct<D> {
    type Error = D::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, D::Error> {
        self.field.take().map(|field| seed.deserialize(field.into_deserializer())).transpose()
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, D::Error> {
        match self.string.take() {
            Some(string) => seed.deserialize(string),
            None => Err(Error::custom("a struct of one field has no other")),
        }
    }
}

/// A number by its digits, as what prints them.
#[derive(Debug, PartialEq)]
pub(crate) enum Digits<'t> {
    Unsigned(u64),
    Signed(i64),
    I128(i128),
    U128(u128),
    Double(f64),
    /// No number here has these digits.
    Others(&'t str),
}

impl<'t> Digits<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        fn read<T: std::str::FromStr + ToString>(text: &str) -> Option<T> {
            text.parse().ok().filter(|number: &T| number.to_string() == text)
        }
        let double = || {
            let number: f64 = text.parse().ok()?;
            let is_same = serde_json::to_string(&number).is_ok_and(|printed| printed == text);
            is_same.then_some(Self::Double(number))
        };
        read(text)
            .map(Self::Unsigned)
            .or_else(|| read(text).map(Self::Signed))
            .or_else(|| read(text).map(Self::I128))
            .or_else(|| read(text).map(Self::U128))
            .or_else(double)
            .unwrap_or(Self::Others(text))
    }
}

/// Whether numbers of serde_json have any digits in this program.
fn has_any_digits() -> bool {
    static HAS: OnceLock<bool> = OnceLock::new();
    *HAS.get_or_init(|| serde_json::from_str::<serde_json::Number>("1e999").is_ok())
}

/// Whether a type that is read is a number of serde_json with any digits.
#[inline]
pub(crate) fn is_number<T>() -> bool {
    size_of::<T>() == size_of::<serde_json::Number>()
        && type_name::<T>() == type_name::<serde_json::Number>()
        && has_any_digits()
}

/// Whether a type that is read takes numbers of serde_json with any digits.
#[cold]
pub(crate) fn takes_number<T>() -> bool {
    is_number::<T>() || type_name::<T>() == type_name::<serde_json::Value>() && has_any_digits()
}

/// Whether a type that is read is one of serde's own buffers: of untagged and tagged enums, and of flattened structs. They keep no
/// integers of 128 bits.
#[inline]
pub(crate) fn is_buffer<T>() -> bool {
    let name = type_name::<T>();
    // Without lifetimes, which some versions of Rust name.
    name.starts_with("serde") && name.split('<').next().is_some_and(|path| path.ends_with("::Content"))
}

/// Whether a type that is read is an integer of 128 bits, though it is read untyped.
#[inline]
pub(crate) fn is_wide<T>() -> bool {
    size_of::<T>() == size_of::<i128>()
        && (type_name::<T>() == type_name::<i128>() || type_name::<T>() == type_name::<u128>())
}

/// Shows digits to a type that takes numbers of serde_json with any.
#[cold]
pub(crate) fn show_number<'de, V: Visitor<'de>, E: Error>(digits: String, visitor: V) -> Result<V::Value, E> {
    type Entry<E> = (&'static str, StringDeserializer<E>);
    let entry: Entry<E> = (NUMBER, digits.into_deserializer());
    visitor.visit_map(MapDeserializer::<Once<Entry<E>>, E>::new(once(entry)))
}

#[cfg(test)]
mod tests {
    use super::Digits;

    #[test]
    fn digits_are_the_number_that_prints_them() {
        for (text, number) in [
            ("0", Digits::Unsigned(0)),
            ("-7", Digits::Signed(-7)),
            ("18446744073709551615", Digits::Unsigned(u64::MAX)),
            ("18446744073709551616", Digits::I128(1 << 64)),
            ("340282366920938463463374607431768211455", Digits::U128(u128::MAX)),
            ("1.5", Digits::Double(1.5)),
            ("2.0", Digits::Double(2.0)),
        ] {
            assert_eq!(Digits::new(text), number);
        }
        for text in
            ["-0", "1.50", "0.1000000000000000055511151231257827", "1e999", "1E5", "007", "+1", "", "NaN"]
        {
            assert_eq!(Digits::new(text), Digits::Others(text));
        }
    }
}
