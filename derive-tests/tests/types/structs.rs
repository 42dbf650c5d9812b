//! `Deserialize` of structs and of what is in variants.

use crate::deserialize::{Seed, TupleOf};
use crate::flat_reading::FlatNamed;
use crate::model::{Def, Field, Fields, Graph, Named};
use crate::value::Value;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::fmt;
use std::marker::PhantomData;

pub fn deserialize_struct<'de, D: Deserializer<'de>>(
    graph: &'static Graph,
    def: &'static Def,
    fields: &'static Fields,
    deserializer: D,
) -> Result<Value, D::Error> {
    let seed = Seed { graph, ty: &graph.row };
    match fields {
        Fields::Unit => deserializer.deserialize_unit_struct(def.name, UnitVisitor),
        Fields::Newtype(ty) => deserializer.deserialize_newtype_struct(def.name, NewtypeVisitor(seed.of(ty))),
        Fields::Tuple(types) => {
            let visitor = TupleOf(seed, types.iter().collect());
            deserializer.deserialize_tuple_struct(def.name, types.len(), visitor)
        }
        Fields::Named(named) if named.is_flat() => deserializer.deserialize_map(FlatNamed { graph, named }),
        Fields::Named(named) => {
            deserializer.deserialize_struct(def.name, named.names, NamedVisitor { graph, named })
        }
    }
}

struct UnitVisitor;

impl<'de> Visitor<'de> for UnitVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("unit struct")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::List(vec![]))
    }
}

struct NewtypeVisitor(Seed);

impl<'de> Visitor<'de> for NewtypeVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("newtype struct")
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        Ok(Value::List(vec![self.0.deserialize(deserializer)?]))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        match seq.next_element_seed(self.0)? {
            Some(value) => Ok(Value::List(vec![value])),
            None => Err(Error::invalid_length(0, &self)),
        }
    }
}

/// The fields of a struct or a struct variant, by position or by name.
pub struct NamedVisitor {
    pub graph: &'static Graph,
    pub named: &'static Named,
}

impl<'de> Visitor<'de> for NamedVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("struct")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        for field in &self.named.fields {
            values.push(match seq.next_element_seed(seed_of(self.graph, field))? {
                Some(value) => value,
                None if field.default => Value::default_of(&field.ty),
                None => return Err(Error::invalid_length(values.len(), &self)),
            });
        }
        Ok(Value::List(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Value, A::Error> {
        MapOnly(self).visit_map(map)
    }
}

/// As [`NamedVisitor`], by name only, as the variants of untagged enums have it.
pub struct MapOnly(pub NamedVisitor);

impl<'de> Visitor<'de> for MapOnly {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("struct variant")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let NamedVisitor { graph, named } = self.0;
        let mut values = vec![None; named.fields.len()];
        while let Some(number) = map.next_key_seed(NameSeed::field(named.names))? {
            match values.get_mut(number) {
                Some(Some(_)) => return Err(Error::duplicate_field(named.fields[number].name)),
                Some(value) => *value = Some(map.next_value_seed(seed_of(graph, &named.fields[number]))?),
                None => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        let fields = named.fields.iter().zip(values);
        let present = fields.map(|(field, value)| value.map_or_else(|| missing(graph, field), Ok));
        present.collect::<Result<_, _>>().map(Value::List)
    }
}

fn seed_of(graph: &'static Graph, field: &'static Field) -> Seed {
    Seed { graph, ty: &field.ty }
}

/// What a field is that is not there.
pub fn missing<E: Error>(graph: &'static Graph, field: &'static Field) -> Result<Value, E> {
    if field.default {
        return Ok(Value::default_of(&field.ty));
    }
    seed_of(graph, field).deserialize(Missing(field.name, PhantomData))
}

/// Gives None where an option is asked for, else an error.
pub struct Missing<E>(pub &'static str, pub PhantomData<E>);

impl<'de, E: Error> Deserializer<'de> for Missing<E> {
    type Error = E;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, E> {
        Err(E::missing_field(self.0))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        visitor.visit_none()
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

/// A name out of a list, as its number. One that is not in the list is an error for variants, and the
/// length of the list for fields.
#[derive(Clone, Copy)]
pub struct NameSeed {
    names: &'static [&'static str],
    variant: bool,
}

impl NameSeed {
    pub fn field(names: &'static [&'static str]) -> Self {
        Self { names, variant: false }
    }

    pub fn variant(names: &'static [&'static str]) -> Self {
        Self { names, variant: true }
    }

    fn number<E: Error>(self, number: Option<usize>, name: &dyn fmt::Debug) -> Result<usize, E> {
        match number {
            Some(number) => Ok(number),
            None if self.variant => Err(E::custom(format_args!("unknown variant {name:?}"))),
            None => Ok(self.names.len()),
        }
    }
}

impl<'de> DeserializeSeed<'de> for NameSeed {
    type Value = usize;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<usize, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl<'de> Visitor<'de> for NameSeed {
    type Value = usize;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("identifier")
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<usize, E> {
        self.number(usize::try_from(number).ok().filter(|number| *number < self.names.len()), &number)
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<usize, E> {
        self.number(self.names.iter().position(|known| *known == name), &name)
    }

    fn visit_bytes<E: Error>(self, name: &[u8]) -> Result<usize, E> {
        self.number(self.names.iter().position(|known| known.as_bytes() == name), &name)
    }
}
