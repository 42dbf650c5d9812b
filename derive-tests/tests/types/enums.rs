//! `Deserialize` of enums in their four taggings.

use crate::buffered::Buffered;
use crate::content::{Buffer, Content, Tagged};
use crate::deserialize::{Seed, TupleOf};
use crate::model::{Def, Fields, Graph, Tagging, Variant};
use crate::structs::{MapOnly, Missing, NameSeed, NamedVisitor};
use crate::value::Value;
use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error, IgnoredAny, MapAccess, SeqAccess, VariantAccess,
    Visitor,
};
use std::fmt;
use std::marker::PhantomData;

pub fn deserialize_enum<'de, D: Deserializer<'de>>(
    graph: &'static Graph,
    def: &'static Def,
    tagging: Tagging,
    variants: &'static [Variant],
    deserializer: D,
) -> Result<Value, D::Error> {
    let of = Enum { graph, def, variants };
    match tagging {
        Tagging::External => deserializer.deserialize_enum(def.name, def.variants, External(of)),
        Tagging::Internal(tag) => {
            let seed = NameSeed::variant(def.variants);
            let (number, content) = deserializer.deserialize_any(Tagged { tag, seed })?;
            of.internal(number, Buffered::<D::Error>::new(content))
        }
        Tagging::Adjacent(..) => deserializer.deserialize_struct(def.name, def.tags, Adjacent(of)),
        Tagging::Untagged => {
            let content = Buffer.deserialize(deserializer)?;
            let attempt = |number| of.contents(number, Buffered::<D::Error>::new(content.clone())).ok();
            let fits = (0..variants.len()).find_map(attempt);
            fits.ok_or_else(|| Error::custom("data did not match any variant of untagged enum"))
        }
    }
}

#[derive(Clone, Copy)]
struct Enum {
    graph: &'static Graph,
    def: &'static Def,
    variants: &'static [Variant],
}

impl Enum {
    fn seed(self) -> Seed {
        Seed { graph: self.graph, ty: &self.graph.row }
    }

    fn internal<'de, D: Deserializer<'de>>(self, number: usize, deserializer: D) -> Result<Value, D::Error> {
        match &self.variants[number].fields {
            Fields::Unit => {
                deserializer.deserialize_any(UnitVisitor { tagged: true })?;
                Ok(Value::Variant(number, vec![]))
            }
            Fields::Named(named) => {
                let visitor = NamedVisitor { graph: self.graph, named };
                deserializer.deserialize_any(visitor).map(|value| variant(number, value))
            }
            _ => self.contents(number, deserializer),
        }
    }

    /// What is in a variant, without its name.
    fn contents<'de, D: Deserializer<'de>>(self, number: usize, deserializer: D) -> Result<Value, D::Error> {
        match &self.variants[number].fields {
            Fields::Unit => {
                deserializer.deserialize_any(UnitVisitor { tagged: false })?;
                Ok(Value::Variant(number, vec![]))
            }
            Fields::Newtype(ty) => {
                Ok(Value::Variant(number, vec![self.seed().of(ty).deserialize(deserializer)?]))
            }
            Fields::Tuple(types) => {
                let visitor = TupleOf(self.seed(), types.iter().collect());
                deserializer.deserialize_tuple(types.len(), visitor).map(|value| variant(number, value))
            }
            Fields::Named(named) => {
                let visitor = MapOnly(NamedVisitor { graph: self.graph, named });
                deserializer.deserialize_any(visitor).map(|value| variant(number, value))
            }
        }
    }
}

fn variant(number: usize, fields: Value) -> Value {
    match fields {
        Value::List(values) => Value::Variant(number, values),
        other => unreachable!("{other:?} is no fields"),
    }
}

/// A unit variant of an internally tagged enum or of an untagged one.
struct UnitVisitor {
    tagged: bool,
}

impl<'de> Visitor<'de> for UnitVisitor {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("unit variant")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, _: A) -> Result<(), A::Error> {
        if self.tagged { Ok(()) } else { Err(Error::custom("a sequence is no unit variant")) }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        if !self.tagged {
            return Err(Error::custom("a map is no unit variant"));
        }
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(())
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        if self.tagged { Err(E::custom("unit is no tagged variant")) } else { Ok(()) }
    }

    fn visit_none<E: Error>(self) -> Result<(), E> {
        self.visit_unit()
    }
}

struct External(Enum);

impl<'de> Visitor<'de> for External {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("enum")
    }

    fn visit_enum<A: EnumAccess<'de>>(self, data: A) -> Result<Value, A::Error> {
        let of = self.0;
        let (number, content) = data.variant_seed(NameSeed::variant(of.def.variants))?;
        match &of.variants[number].fields {
            Fields::Unit => content.unit_variant().map(|()| Value::Variant(number, vec![])),
            Fields::Newtype(ty) => {
                Ok(Value::Variant(number, vec![content.newtype_variant_seed(of.seed().of(ty))?]))
            }
            Fields::Tuple(types) => {
                let visitor = TupleOf(of.seed(), types.iter().collect());
                content.tuple_variant(types.len(), visitor).map(|value| variant(number, value))
            }
            Fields::Named(named) => {
                let visitor = NamedVisitor { graph: of.graph, named };
                content.struct_variant(named.names, visitor).map(|value| variant(number, value))
            }
        }
    }
}

struct Adjacent(Enum);

impl Adjacent {
    /// The next key that is the tag (0) or the content (1).
    fn next_key<'de, A: MapAccess<'de>>(&self, map: &mut A) -> Result<Option<usize>, A::Error> {
        while let Some(key) = map.next_key_seed(NameSeed::field(self.0.def.tags))? {
            if key < 2 {
                return Ok(Some(key));
            }
            map.next_value::<IgnoredAny>()?;
        }
        Ok(None)
    }

    fn end<'de, A: MapAccess<'de>>(&self, map: &mut A, value: Value) -> Result<Value, A::Error> {
        match self.next_key(map)? {
            Some(key) => Err(Error::duplicate_field(self.0.def.tags[key])),
            None => Ok(value),
        }
    }
}

impl<'de> Visitor<'de> for Adjacent {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("adjacently tagged enum")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let of = self.0;
        let [tag, content] = [of.def.tags[0], of.def.tags[1]];
        match self.next_key(&mut map)? {
            Some(0) => {
                let number = map.next_value_seed(VariantTag(of.def))?;
                match (self.next_key(&mut map)?, &of.variants[number].fields) {
                    (Some(0), _) => Err(Error::duplicate_field(tag)),
                    (Some(_), _) => {
                        let value = map.next_value_seed(ContentsOf(of, number))?;
                        self.end(&mut map, value)
                    }
                    (None, Fields::Unit) => Ok(Value::Variant(number, vec![])),
                    (None, Fields::Newtype(ty)) => {
                        let value = of.seed().of(ty).deserialize(Missing(content, PhantomData))?;
                        Ok(Value::Variant(number, vec![value]))
                    }
                    (None, _) => Err(Error::missing_field(content)),
                }
            }
            Some(_) => {
                let buffered: Content = map.next_value_seed(Buffer)?;
                match self.next_key(&mut map)? {
                    Some(0) => {
                        let number = map.next_value_seed(VariantTag(of.def))?;
                        let value = of.contents(number, Buffered::<A::Error>::new(buffered))?;
                        self.end(&mut map, value)
                    }
                    Some(_) => Err(Error::duplicate_field(content)),
                    None => Err(Error::missing_field(tag)),
                }
            }
            None => Err(Error::missing_field(tag)),
        }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        let number = seq.next_element_seed(NameSeed::variant(self.0.def.variants))?;
        let number = number.ok_or_else(|| Error::invalid_length(0, &self))?;
        let value = seq.next_element_seed(ContentsOf(self.0, number))?;
        value.ok_or_else(|| Error::invalid_length(1, &self))
    }
}

struct ContentsOf(Enum, usize);

impl<'de> DeserializeSeed<'de> for ContentsOf {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        self.0.contents(self.1, deserializer)
    }
}

/// The tag of an adjacently tagged enum, which is an enum itself.
struct VariantTag(&'static Def);

impl<'de> DeserializeSeed<'de> for VariantTag {
    type Value = usize;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<usize, D::Error> {
        deserializer.deserialize_enum(self.0.name, self.0.variants, self)
    }
}

impl<'de> Visitor<'de> for VariantTag {
    type Value = usize;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("variant")
    }

    fn visit_enum<A: EnumAccess<'de>>(self, data: A) -> Result<usize, A::Error> {
        let (number, content) = data.variant_seed(NameSeed::variant(self.0.variants))?;
        content.unit_variant()?;
        Ok(number)
    }
}
