//! Enums: from symbols, variants, texts, maps of one entry, and the branches of Avro's unions.

use super::access::{FieldsAccess, Order, TupleAccess};
use super::entry::{self, Entry, missing};
use super::plan::RecordPlan;
use super::{Lend, Plan};
use crate::error::{Error, Result};
use crate::shape::Form;
use crate::vector::{RecordVector, Vector};
use serde::de::value::StrDeserializer;
use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, IntoDeserializer, MapAccess, Unexpected, VariantAccess,
    Visitor,
};

/// Gives an enum its variant. Branches of Avro's unions are variants where the enum has one of their
/// name, also `null`; but not in files whose schema was derived from rows.
pub(super) fn visit_enum<'v, 'de, L: Lend<'v, 'de>, V: Visitor<'de>>(
    value: Entry<'_, 'v, L>,
    variants: &'static [&'static str],
    visitor: V,
) -> Result<V::Value> {
    let value = value.loaded()?;
    match (value.vector, value.plan) {
        (Vector::Optional(list), Plan::Optional(plan)) => match entry::item(list, value.index)? {
            Some(index) => {
                let item = Entry { plan: &plan.item, vector: &list.item, index, ..value };
                visit_branch(plan.name.as_deref(), item, variants, visitor)
            }
            None if plan.name.is_some() && variants.contains(&"null") => {
                visitor.visit_enum(Variant { name: "null", content: Content::<L>::Unit })
            }
            None => value.visit(visitor),
        },
        (Vector::Union(union), Plan::Union(plans)) => {
            let (name, branch) = value.branch(union, plans)?;
            visit_branch(name, branch, variants, visitor)
        }
        (Vector::Enum(ordinals), Plan::Enum(symbols)) => {
            let name = value.symbol(symbols, ordinals)?;
            visitor.visit_enum(Variant { name, content: Content::<L>::Unit })
        }
        (Vector::String(values), _) => {
            let name = values.get(value.index).ok_or_else(missing)?;
            visitor.visit_enum(Variant { name, content: Content::<L>::Unit })
        }
        (Vector::Record(vector), Plan::Record(record)) if record.form.is_variant() => {
            let content = Content::Record(value, record, vector);
            visitor.visit_enum(Variant { name: &record.name, content })
        }
        (Vector::Record(vector), Plan::Record(record)) => {
            let mut present = Vec::with_capacity(1);
            for (number, field) in record.fields.iter().enumerate() {
                if let Some(content) = value.field(record, vector, number)? {
                    present.push((record.name_of(field), content));
                }
            }
            match present.as_slice() {
                [(name, content)] => visitor.visit_enum(Variant { name, content: Content::Value(*content) }),
                _ => Err(serde::de::Error::invalid_type(Unexpected::Map, &visitor)),
            }
        }
        (Vector::Map(map), Plan::Map(plans)) => {
            let range = map.offsets.range(value.index).ok_or_else(missing)?;
            let key = Entry { plan: &plans.0, vector: &map.key, index: range.start, ..value }.loaded()?;
            match key.vector {
                Vector::String(keys) if range.len() == 1 => {
                    let content = Entry { plan: &plans.1, vector: &map.value, index: range.start, ..value };
                    let name = keys.get(range.start).ok_or_else(missing)?;
                    visitor.visit_enum(Variant { name, content: Content::Value(content) })
                }
                _ => Err(serde::de::Error::invalid_type(Unexpected::Map, &visitor)),
            }
        }
        _ => value.visit(visitor),
    }
}

/// Gives an enum a branch of a union: a variant of the branch's name, or what is in the branch.
fn visit_branch<'v, 'de, L: Lend<'v, 'de>, V: Visitor<'de>>(
    name: Option<&str>,
    branch: Entry<'_, 'v, L>,
    variants: &'static [&'static str],
    visitor: V,
) -> Result<V::Value> {
    match name {
        Some(name) if variants.contains(&name) && !branch.is_symbol_of(variants)? => {
            visitor.visit_enum(Variant { name, content: Content::Value(branch) })
        }
        _ => visit_enum(branch, variants, visitor),
    }
}

/// A variant: its name and what it holds.
struct Variant<'n, 'a, 'v, L> {
    name: &'n str,
    content: Content<'a, 'v, L>,
}

enum Content<'a, 'v, L> {
    Unit,
    /// The fields of a variant that this crate wrote.
    Record(Entry<'a, 'v, L>, &'a RecordPlan, &'v RecordVector),
    /// Any value.
    Value(Entry<'a, 'v, L>),
}

impl<'a, 'v, 'de, L: Lend<'v, 'de>> EnumAccess<'de> for Variant<'_, 'a, 'v, L> {
    type Error = Error;
    type Variant = Content<'a, 'v, L>;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Self::Variant)> {
        let name: StrDeserializer<'_, Error> = self.name.into_deserializer();
        Ok((seed.deserialize(name)?, self.content))
    }
}

impl<'v, 'de, L: Lend<'v, 'de>> VariantAccess<'de> for Content<'_, 'v, L> {
    type Error = Error;

    fn unit_variant(self) -> Result<()> {
        match self {
            Self::Unit => Ok(()),
            Self::Record(_, record, _) if record.fields.is_empty() => Ok(()),
            Self::Record(..) => Err(unexpected(Unexpected::Map, "unit variant")),
            Self::Value(value) => match value.inner()? {
                None => Ok(()),
                Some(value) => match (value.vector, value.plan) {
                    (Vector::Null(_), _) => Ok(()),
                    (_, Plan::Record(record)) if record.fields.is_empty() => Ok(()),
                    _ => Err(unexpected(Unexpected::NewtypeVariant, "unit variant")),
                },
            },
        }
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value> {
        match self {
            Self::Unit => Err(unexpected(Unexpected::UnitVariant, "newtype variant")),
            Self::Record(entry, record, vector) if record.form == Form::NewtypeVariant => {
                let value = entry.field(record, vector, 0)?.ok_or_else(missing)?;
                seed.deserialize(value.de()).map_err(|error| error.in_field(&record.name))
            }
            // A struct or a tuple that has become the content of a newtype variant.
            Self::Record(entry, record, vector) => {
                seed.deserialize(Fields(entry, record, vector)).map_err(|error| error.in_field(&record.name))
            }
            Self::Value(value) => seed.deserialize(value.de()),
        }
    }

    fn tuple_variant<V: Visitor<'de>>(self, _len: usize, visitor: V) -> Result<V::Value> {
        match self {
            Self::Unit => Err(unexpected(Unexpected::UnitVariant, "tuple variant")),
            Self::Record(entry, record, vector) => visitor
                .visit_seq(TupleAccess::new(entry, record, vector))
                .map_err(|error| error.in_field(&record.name)),
            Self::Value(value) => value.de().deserialize_seq(visitor),
        }
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        match self {
            Self::Unit => Err(unexpected(Unexpected::UnitVariant, "struct variant")),
            Self::Record(entry, record, vector) => entry
                .visit_struct(record, vector, fields, visitor)
                .map_err(|error| error.in_field(&record.name)),
            Self::Value(value) => value.de().deserialize_struct("", fields, visitor),
        }
    }
}

#[cold]
fn unexpected(found: Unexpected<'_>, expected: &'static str) -> Error {
    serde::de::Error::invalid_type(found, &expected)
}

/// The fields of a variant as a struct or a tuple.
struct Fields<'a, 'v, L>(Entry<'a, 'v, L>, &'a RecordPlan, &'v RecordVector);

impl<'v, 'de, L: Lend<'v, 'de>> Deserializer<'de> for Fields<'_, 'v, L> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let Self(entry, record, vector) = self;
        match record.form {
            Form::NewtypeVariant => entry.field(record, vector, 0)?.ok_or_else(missing)?.visit(visitor),
            Form::TupleVariant => visitor.visit_seq(TupleAccess::new(entry, record, vector)),
            _ => visitor.visit_map(FieldsAccess::new(entry, record, vector, Order::All)),
        }
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit
        unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

/// A variant as a map of one entry, from its name to what it holds: serde's external tagging.
pub(super) struct Tagged<'a, 'v, L> {
    fields: Option<Fields<'a, 'v, L>>,
    name: Option<&'a str>,
}

impl<'a, 'v, L> Tagged<'a, 'v, L> {
    pub(super) fn new(entry: Entry<'a, 'v, L>, record: &'a RecordPlan, vector: &'v RecordVector) -> Self {
        Self { fields: Some(Fields(entry, record, vector)), name: Some(&record.name) }
    }
}

impl<'v, 'de, L: Lend<'v, 'de>> MapAccess<'de> for Tagged<'_, 'v, L> {
    type Error = Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        match self.name.take() {
            Some(name) => {
                let name: StrDeserializer<'_, Error> = name.into_deserializer();
                seed.deserialize(name).map(Some)
            }
            None => Ok(None),
        }
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value> {
        seed.deserialize(self.fields.take().ok_or_else(missing)?)
    }
}
