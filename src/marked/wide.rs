//! Integers of 128 bits that pass through serde's own buffers.

use serde::de::{Deserialize, Deserializer, Error, Visitor};
use serde::ser::{Serialize, Serializer};
use std::fmt;

/// The name that is asked for: serde's buffers keep what is in a newtype struct, and no integer of 128 bits.
const NAME: &str = "trevni::wide_integer";

/// Types that [`wide_integer`](crate::wide_integer) writes and reads: `i128` and `u128`, and options of them.
pub trait WideInteger: sealed::Sealed {}

mod sealed {
    use serde::{Deserializer, Serializer};

    pub trait Sealed: Sized {
        fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error>;
        fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error>;
    }
}

pub(super) fn write<T: WideInteger, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
    value.write(serializer)
}

pub(super) fn read<'de, T: WideInteger, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    T::read(deserializer)
}

/// An integer in serde's own traits.
struct Wide<T>(T);

impl<T: WideInteger> Serialize for Wide<&T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.write(serializer)
    }
}

impl<'de, T: WideInteger> Deserialize<'de> for Wide<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        T::read(deserializer).map(Self)
    }
}

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
        $(impl WideInteger for $type {}

        impl sealed::Sealed for $type {
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

impl<T: WideInteger> WideInteger for Option<T> {}

impl<T: WideInteger> sealed::Sealed for Option<T> {
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.as_ref().map(Wide).serialize(serializer)
    }

    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Option::<Wide<T>>::deserialize(deserializer)?.map(|wide| wide.0))
    }
}
