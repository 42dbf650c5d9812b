//! Containers of values that are marked, each in the form that serde gives it.

use super::value::sealed::Sealed;
use super::value::{Marked, Wrapped};
use serde::Deserialize;
use serde::de::{DeserializeOwned, Deserializer, Error, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeTuple, Serializer};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::fmt;
use std::hash::{BuildHasher, Hash};
use std::marker::PhantomData;
use std::rc::Rc;
use std::sync::Arc;

impl<K, T: Marked<K>> Marked<K> for Option<T> {}

impl<K, T: Marked<K>> Sealed<K> for Option<T> {
    #[inline]
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Some(value) => serializer.serialize_some(&Wrapped::<K, &T>::new(value)),
            None => serializer.serialize_none(),
        }
    }

    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Option::<Wrapped<K, T>>::deserialize(deserializer)?.map(Wrapped::into_inner))
    }
}

macro_rules! lists {
    ($([$($parameters:tt)*] $type:ty;)*) => {
        $(impl<$($parameters)*> Marked<K> for $type {}

        impl<$($parameters)*> Sealed<K> for $type {
            #[inline]
            fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_seq(self.iter().map(Wrapped::<K, &T>::new))
            }

            fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let values = Vec::<Wrapped<K, T>>::deserialize(deserializer)?;
                Ok(values.into_iter().map(Wrapped::into_inner).collect())
            }
        })*
    };
}

lists! {
    [K, T: Marked<K>] Vec<T>;
    [K, T: Marked<K>] VecDeque<T>;
    [K, T: Marked<K>] Box<[T]>;
    [K, T: Marked<K>] Rc<[T]>;
    [K, T: Marked<K>] Arc<[T]>;
    [K, T: Marked<K> + Clone] Cow<'_, [T]>;
    [K, T: Marked<K> + Ord] BTreeSet<T>;
    [K, T: Marked<K> + Eq + Hash, H: BuildHasher + Default] HashSet<T, H>;
}

macro_rules! maps {
    ($([$($parameters:tt)*] $type:ident<$($parameter:ident),*> $other:ty;)*) => {
        $(impl<$($parameters)*> Marked<K> for $type<$($parameter),*> {}

        /// Keys are as they are without a mark.
        impl<$($parameters)*> Sealed<K> for $type<$($parameter),*> {
            #[inline]
            fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_map(self.iter().map(|(key, value)| (key, Wrapped::<K, &T>::new(value))))
            }

            fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let values = <$other>::deserialize(deserializer)?;
                Ok(values.into_iter().map(|(key, value)| (key, value.into_inner())).collect())
            }
        })*
    };
}

maps! {
    [K, N: Serialize + DeserializeOwned + Ord, T: Marked<K>] BTreeMap<N, T> BTreeMap<N, Wrapped<K, T>>;
    [K, N: Serialize + DeserializeOwned + Eq + Hash, T: Marked<K>, H: BuildHasher + Default]
        HashMap<N, T, H> HashMap<N, Wrapped<K, T>, H>;
}

macro_rules! pointers {
    ($([$($parameters:tt)*] $type:ty: $new:path;)*) => {
        $(impl<$($parameters)*> Marked<K> for $type {}

        impl<$($parameters)*> Sealed<K> for $type {
            #[inline]
            fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                T::write(self, serializer)
            }

            fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                T::read(deserializer).map($new)
            }
        })*
    };
}

pointers! {
    [K, T: Marked<K>] Box<T>: Box::new;
    [K, T: Marked<K>] Rc<T>: Rc::new;
    [K, T: Marked<K>] Arc<T>: Arc::new;
    [K, T: Marked<K> + Clone] Cow<'_, T>: Cow::Owned;
}

macro_rules! tuples {
    () => {};
    ($first:ident $($other:ident)*) => {
        impl<K, $first: Marked<K>, $($other: Marked<K>),*> Marked<K> for ($first, $($other,)*) {}

        impl<K, $first: Marked<K>, $($other: Marked<K>),*> Sealed<K> for ($first, $($other,)*) {
            #[allow(non_snake_case)]
            #[inline]
            fn write<Z: Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
                let ($first, $($other,)*) = self;
                (Wrapped::<K, _>::new($first), $(Wrapped::<K, _>::new($other),)*).serialize(serializer)
            }

            #[allow(non_snake_case)]
            fn read<'de, Z: Deserializer<'de>>(deserializer: Z) -> Result<Self, Z::Error> {
                let ($first, $($other,)*) =
                    <(Wrapped<K, $first>, $(Wrapped<K, $other>,)*)>::deserialize(deserializer)?;
                Ok(($first.into_inner(), $($other.into_inner(),)*))
            }
        }

        tuples! { $($other)* }
    };
}

tuples! { A B C D E F G H I J L M N O P Q }

impl<K, T: Marked<K>, const N: usize> Marked<K> for [T; N] {}

impl<K, T: Marked<K>, const N: usize> Sealed<K> for [T; N] {
    #[inline]
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut tuple = serializer.serialize_tuple(N)?;
        for value in self {
            tuple.serialize_element(&Wrapped::<K, &T>::new(value))?;
        }
        tuple.end()
    }

    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_tuple(N, ArrayVisitor(PhantomData))
    }
}

/// Takes the items of an array.
struct ArrayVisitor<K, A>(PhantomData<(K, A)>);

impl<'de, K, T: Marked<K>, const N: usize> Visitor<'de> for ArrayVisitor<K, [T; N]> {
    type Value = [T; N];

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an array of length {N}")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<[T; N], A::Error> {
        let mut values = Vec::with_capacity(N.min(ITEMS_MAX));
        while values.len() < N
            && let Some(value) = items.next_element::<Wrapped<K, T>>()?
        {
            values.push(value.into_inner());
        }
        <[T; N]>::try_from(values).map_err(|values| A::Error::invalid_length(values.len(), &self))
    }
}

/// Items of an array for which there is room before any is there.
const ITEMS_MAX: usize = 1024;
