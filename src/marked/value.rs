//! Values of one number.

use super::kind::{Instants, Kind, Times};
use super::number::Number;
use crate::logical::{Parsed, Texts};
use serde::de::{self, Deserialize, Deserializer, Visitor};
use serde::ser::{Error, Serialize, Serializer};
use std::fmt;
use std::marker::PhantomData;
use std::time::{Duration, SystemTime};

/// Types that [`timestamp_micros`](crate::with::timestamp_micros) and its siblings write and read: integers, and
/// [`SystemTime`] for instants and [`Duration`] for times of day; and `i128` and `u128` for [`wide_integer`](crate::with::wide_integer).
///
/// Containers of these are, too, with the columns that they have without a mark, and also within each other: options, `Vec`, `VecDeque`,
/// sets, slices in a `Box`, arrays of any length, tuples of up to 16 items, the values of a `HashMap` or a `BTreeMap`, and what is in
/// a `Box`, an `Rc`, an `Arc` or a `Cow`, which is read as owned. Keys of maps are not marked.
pub trait Marked<K>: sealed::Sealed<K> {}

pub(super) mod sealed {
    use serde::{Deserializer, Serializer};

    pub trait Sealed<K>: Sized {
        fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error>;
        fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error>;
    }
}

/// A value in serde's own traits.
pub(super) struct Wrapped<K, T>(T, PhantomData<K>);

impl<K, T> Wrapped<K, T> {
    pub(super) fn new(value: T) -> Self {
        Self(value, PhantomData)
    }

    pub(super) fn into_inner(self) -> T {
        self.0
    }
}

impl<K, T: Marked<K>> Serialize for Wrapped<K, &T> {
    #[inline]
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.write(serializer)
    }
}

impl<'de, K, T: Marked<K>> Deserialize<'de> for Wrapped<K, T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        T::read(deserializer).map(Self::new)
    }
}

macro_rules! numbers {
    ($($type:ty: $class:ident;)*) => {
        $(impl<K: $class> Marked<K> for $type {}

        impl<K: $class> sealed::Sealed<K> for $type {
            #[inline]
            fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                match Number::<K>::to_number(self) {
                    Some(number) => serializer.serialize_newtype_struct(K::MARK, &Plain::<K>(number, PhantomData)),
                    None => Err(out_of_range::<K, S::Error>()),
                }
            }

            fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let number = deserializer.deserialize_newtype_struct(K::MARK, PlainVisitor::<K>(PhantomData))?;
                Number::<K>::of_number(number).ok_or_else(|| {
                    de::Error::invalid_value(de::Unexpected::Signed(number), &PlainVisitor::<K>(PhantomData))
                })
            }
        })*
    };
}

numbers! {
    i32: Kind;
    i64: Kind;
    SystemTime: Instants;
    Duration: Times;
}

#[cold]
fn out_of_range<K: Kind, E: Error>() -> E {
    E::custom(format_args!("a value is out of range of {}", name::<K>()))
}

/// The name of a logical type.
fn name<K: Kind>() -> &'static str {
    Texts::from_mark(K::MARK).map_or(K::MARK, Texts::name)
}

/// A number within a mark.
struct Plain<K>(i64, PhantomData<K>);

impl<K: Kind> Serialize for Plain<K> {
    #[inline]
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if !K::IS_INT {
            return serializer.serialize_i64(self.0);
        }
        match i32::try_from(self.0) {
            Ok(number) => serializer.serialize_i32(number),
            Err(_) => Err(out_of_range::<K, S::Error>()),
        }
    }
}

/// Takes a number, or a text of the logical type.
struct PlainVisitor<K>(PhantomData<K>);

impl<'de, K: Kind> Visitor<'de> for PlainVisitor<K> {
    type Value = i64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a {}", name::<K>())
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<i64, D::Error> {
        match (deserializer.is_human_readable(), K::IS_INT) {
            (true, _) => deserializer.deserialize_any(self),
            (false, true) => deserializer.deserialize_i32(self),
            (false, false) => deserializer.deserialize_i64(self),
        }
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<i64, E> {
        Ok(number)
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<i64, E> {
        i64::try_from(number).map_err(|_| E::invalid_value(de::Unexpected::Unsigned(number), &self))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<i64, E> {
        match Texts::from_mark(K::MARK).and_then(|texts| texts.parse(text, &mut Vec::new())) {
            Some(Parsed::Int(number)) => Ok(number.into()),
            Some(Parsed::Long(number)) => Ok(number),
            _ => Err(E::invalid_value(de::Unexpected::Str(text), &self)),
        }
    }
}
