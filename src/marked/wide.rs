//! Integers of 128 bits that pass through serde's own buffers.

use super::value::Marked;
use super::value::sealed::Sealed;
use serde::de::{Deserializer, Error, Visitor};
use serde::ser::Serializer;
use std::fmt;

/// The name that is asked for: serde's buffers keep what is in a newtype struct, and no integer of 128 bits.
const NAME: &str = "trevni::wide_integer";

/// What [`wide_integer`](crate::with::wide_integer) writes and reads.
#[derive(Debug)]
pub enum WideInteger {}

/// Takes an integer, or its digits as bytes.
struct WideVisitor<T>(fn(&str) -> Option<T>);

impl<'de, T: TryFrom<u128> + TryFrom<i128>> Visitor<'de> for WideVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an integer of up to 128 bits")
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<T, D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<T, E> {
        self.visit_i128(value.into())
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<T, E> {
        self.visit_u128(value.into())
    }

    fn visit_i128<E: Error>(self, value: i128) -> Result<T, E> {
        T::try_from(value).map_err(|_| out_of_range(value))
    }

    fn visit_u128<E: Error>(self, value: u128) -> Result<T, E> {
        T::try_from(value).map_err(|_| out_of_range(value))
    }

    /// Digits that were kept by a buffer. No string is an integer.
    fn visit_bytes<E: Error>(self, digits: &[u8]) -> Result<T, E> {
        let digits = str::from_utf8(digits).unwrap_or_default();
        (self.0)(digits).ok_or_else(|| out_of_range(digits))
    }
}

#[cold]
fn out_of_range<E: Error>(value: impl fmt::Display) -> E {
    E::custom(format_args!("{value} is no integer of this type"))
}

macro_rules! integers {
    ($($type:ty: $write:ident;)*) => {
        $(impl Marked<WideInteger> for $type {}

        impl Sealed<WideInteger> for $type {
            fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.$write(*self)
            }

            fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_newtype_struct(NAME, WideVisitor(|digits| digits.parse().ok()))
            }
        })*
    };
}

integers! {
    i128: serialize_i128;
    u128: serialize_u128;
}
