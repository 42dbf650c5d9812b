//! `Deserialize` of structs with flattened fields: what is not theirs is buffered for the flattened ones.

use crate::buffered::{Buffered, VariantOf};
use crate::content::{Content, visits};
use crate::deserialize::Seed;
use crate::model::{Graph, Named, Type};
use crate::structs::missing;
use crate::value::Value;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, Visitor};
use std::fmt;
use std::marker::PhantomData;

type Entry = Option<(Content, Content)>;

pub struct FlatNamed {
    pub graph: &'static Graph,
    pub named: &'static Named,
}

impl<'de> Visitor<'de> for FlatNamed {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("struct")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let Self { graph, named } = self;
        let mut values = vec![None; named.fields.len()];
        let mut others: Vec<Entry> = Vec::new();
        while let Some(key) = map.next_key_seed(KeySeed)? {
            let own = named.fields.iter().position(|field| !field.flatten && key.text() == Some(field.name));
            match own {
                Some(number) if values[number].is_some() => {
                    return Err(Error::duplicate_field(named.fields[number].name));
                }
                Some(number) => {
                    let seed = Seed { graph, ty: &named.fields[number].ty };
                    values[number] = Some(map.next_value_seed(seed)?);
                }
                None => others.push(Some((key, map.next_value_seed(crate::content::Buffer)?))),
            }
        }
        for (field, value) in named.fields.iter().zip(&mut values) {
            if !field.flatten && value.is_none() {
                *value = Some(missing(graph, field)?);
            }
        }
        for (field, value) in named.fields.iter().zip(&mut values).filter(|(field, _)| field.flatten) {
            *value = Some(flattened(Seed { graph, ty: &field.ty }, &mut others)?);
        }
        Ok(Value::List(values.into_iter().flatten().collect()))
    }
}

/// A flattened option is None where the entries do not fit what is in it.
fn flattened<E: Error>(seed: Seed, others: &mut Vec<Entry>) -> Result<Value, E> {
    match seed.ty {
        Type::Option(item) => {
            let item: Result<Value, E> = flattened(seed.of(item), others);
            Ok(item.map_or(Value::None, |item| Value::Some(Box::new(item))))
        }
        _ => seed.deserialize(Flat(others, PhantomData)),
    }
}

/// A key, whatever it is.
struct KeySeed;

impl<'de> DeserializeSeed<'de> for KeySeed {
    type Value = Content;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Content, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl<'de> Visitor<'de> for KeySeed {
    type Value = Content;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("field identifier")
    }

    visits! {
        visit_bool(bool) Content::Bool;
        visit_i64(i64) Content::I64;
        visit_u64(u64) Content::U64;
        visit_f32(f32) Content::F32;
        visit_f64(f64) Content::F64;
        visit_char(char) Content::Char;
        visit_str(&str) |text: &str| Content::Text(text.to_owned());
        visit_bytes(&[u8]) |bytes: &[u8]| Content::Bytes(bytes.to_owned());
    }

    fn visit_unit<E: Error>(self) -> Result<Content, E> {
        Ok(Content::Unit)
    }
}

/// What is left for flattened fields; structs and enums take what is theirs out of it.
struct Flat<'a, E>(&'a mut Vec<Entry>, PhantomData<E>);

impl<'de, E: Error> Deserializer<'de> for Flat<'_, E> {
    type Error = E;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        self.deserialize_map(visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        let left = self.0.iter().flatten().cloned().collect();
        visitor.visit_map(Entries::<E>(left, None, PhantomData))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, E> {
        let taken = self.0.iter_mut().filter_map(|entry| take(entry, fields)).collect();
        visitor.visit_map(Entries::<E>(taken, None, PhantomData))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, E> {
        match self.0.iter_mut().find_map(|entry| take(entry, variants)) {
            Some((name, value)) => visitor.visit_enum(VariantOf::new(name, Some(value))),
            None => Err(E::custom("no variant of the enum found in flattened data")),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, E> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_option<V: Visitor<'de>>(self, _: V) -> Result<V::Value, E> {
        Err(E::custom("not modelled: an option within a flattened newtype"))
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        visitor.visit_unit()
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, E> {
        visitor.visit_unit()
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        visitor.visit_unit()
    }

    fn deserialize_seq<V: Visitor<'de>>(self, _: V) -> Result<V::Value, E> {
        Err(E::custom("can only flatten structs and maps"))
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, E> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: usize,
        visitor: V,
    ) -> Result<V::Value, E> {
        self.deserialize_seq(visitor)
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf identifier
    }
}

fn take(entry: &mut Entry, names: &[&str]) -> Entry {
    let name = entry.as_ref().and_then(|(key, _)| key.text());
    if name.is_some_and(|name| names.contains(&name)) { entry.take() } else { None }
}

struct Entries<E>(Vec<(Content, Content)>, Option<Content>, PhantomData<E>);

impl<'de, E: Error> MapAccess<'de> for Entries<E> {
    type Error = E;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, E> {
        if self.0.is_empty() {
            return Ok(None);
        }
        let (key, value) = self.0.remove(0);
        self.1 = Some(value);
        seed.deserialize(Buffered::new(key)).map(Some)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, E> {
        seed.deserialize(Buffered::new(self.1.take().expect("a key before")))
    }
}
