//! Enums: from symbols, variants, strings, maps of one entry, and the branches of Avro's unions.

use super::entry::{Entry, item, missing};
use super::record::Record;
use super::value::Value;
use super::{Lend, Name, Shown, Slow, show, show_struct};
use crate::de::Plan;
use crate::de::key::Key;
use crate::de::plan::RecordPlan;
use crate::error::{Error, Result};
use crate::shape::Form;
use crate::vector::Vector;
use serde::de::{DeserializeSeed, EnumAccess, Unexpected, VariantAccess, Visitor};
use std::borrow::Cow;

/// What an enum is given.
pub(super) enum Chosen<'a, 'v> {
    /// A variant: its name and what it holds.
    Variant(&'v str, Content<'a, 'v>),
    /// What is no variant.
    Value(Value<'a, 'v>),
    /// A record or a map that does not have exactly one entry.
    Map,
}

/// What a variant holds.
pub(super) enum Content<'a, 'v> {
    Unit,
    /// The fields of a variant that this crate wrote.
    Record(Entry<'a, 'v>, Record<'a, 'v>),
    /// Any value.
    Value(Entry<'a, 'v>),
}

impl<'a, 'v> Value<'a, 'v> {
    /// The variant for an enum. Branches of Avro's unions are variants where the enum has one of their name,
    /// also `null`; but not in files whose schema was derived from rows.
    pub(super) fn variant(self, variants: &[&str]) -> Result<Chosen<'a, 'v>> {
        match self {
            Self::Entry(entry) => entry.variant(variants),
            Self::Name(name) => Ok(Chosen::Variant(name, Content::Unit)),
            other => Ok(Chosen::Value(other)),
        }
    }
}

impl<'a, 'v> Entry<'a, 'v> {
    fn variant(self, variants: &[&str]) -> Result<Chosen<'a, 'v>> {
        let value = self.read()?;
        Ok(match (value.vector, value.plan) {
            (Vector::Optional(list), Plan::Optional(plan)) => match item(list, value.index)? {
                Some(index) => {
                    let item = Self { plan: &plan.item, vector: &list.item, index, ..value };
                    item.branch_variant(plan.name.as_deref(), variants)?
                }
                None if plan.is_null_named && variants.contains(&"null") => {
                    Chosen::Variant("null", Content::Unit)
                }
                None => Chosen::Value(Value::Entry(value)),
            },
            (Vector::Union(union), Plan::Union(plan)) => {
                let (name, branch) = value.branch(union, plan)?;
                branch.branch_variant(name, variants)?
            }
            (Vector::Enum(ordinals), Plan::Enum(symbols)) => {
                Chosen::Variant(value.symbol(symbols, ordinals)?, Content::Unit)
            }
            (Vector::String(values), _) => {
                Chosen::Variant(values.get(value.index).ok_or_else(missing)?, Content::Unit)
            }
            (Vector::Record(_), Plan::Record(_)) => value.record_variant()?,
            (Vector::Map(map), Plan::Map(plans)) => {
                let range = map.offsets.range(value.index).ok_or_else(missing)?;
                let key = Self { plan: &plans.0, vector: &map.key, index: range.start, ..value }.read()?;
                match key.vector {
                    Vector::String(keys) if range.len() == 1 => {
                        let name = keys.get(range.start).ok_or_else(missing)?;
                        let content = Self { plan: &plans.1, vector: &map.value, ..key };
                        Chosen::Variant(name, Content::Value(content))
                    }
                    _ => Chosen::Map,
                }
            }
            _ => Chosen::Value(Value::Entry(value)),
        })
    }

    /// A variant of a branch of a union: of the branch's name, or what is in the branch.
    fn branch_variant(self, name: Option<&'v str>, variants: &[&str]) -> Result<Chosen<'a, 'v>> {
        match name {
            Some(name) if variants.contains(&name) && !self.is_symbol_of(variants)? => {
                Ok(Chosen::Variant(name, Content::Value(self)))
            }
            _ => self.variant(variants),
        }
    }

    /// A variant from a record: what it was written as, or its only field.
    fn record_variant(self) -> Result<Chosen<'a, 'v>> {
        let record = Record::from_entry(self).ok_or_else(missing)?;
        if record.plan.form.is_variant() {
            return Ok(Chosen::Variant(&record.plan.name, Content::Record(self, record)));
        }
        let mut only = None;
        for (number, field) in record.plan.fields.iter().enumerate() {
            if let Some(value) = record.field(number)?
                && only.replace((record.plan.name_of(field), value)).is_some()
            {
                return Ok(Chosen::Map);
            }
        }
        Ok(only.map_or(Chosen::Map, |(name, value)| Chosen::Variant(name, Content::Value(value))))
    }

    /// Whether this is a symbol, one of these variants.
    fn is_symbol_of(self, variants: &[&str]) -> Result<bool> {
        let value = self.read()?;
        match (value.vector, value.plan) {
            (Vector::Enum(ordinals), Plan::Enum(symbols)) => {
                Ok(variants.contains(&value.symbol(symbols, ordinals)?))
            }
            _ => Ok(false),
        }
    }
}

impl<'a, 'v> Content<'a, 'v> {
    /// An error where there is more than a name.
    fn unit(self) -> Result<()> {
        match self {
            Self::Unit => Ok(()),
            Self::Record(_, record) if record.plan.fields.is_empty() => Ok(()),
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

    /// The one value.
    fn newtype(&self) -> Result<Value<'a, 'v>> {
        match self {
            Self::Unit => Err(unexpected(Unexpected::UnitVariant, "newtype variant")),
            Self::Record(_, record) if record.plan.form == Form::NewtypeVariant => {
                Ok(Value::Entry(record.field(0)?.ok_or_else(missing)?))
            }
            // A struct or a tuple that has become the content of a newtype variant.
            Self::Record(entry, _) => Ok(Value::Content(*entry)),
            Self::Value(value) => Ok(Value::Entry(*value)),
        }
    }

    fn tuple(&self) -> Result<Shown<'a, 'v>> {
        match self {
            Self::Unit => Err(unexpected(Unexpected::UnitVariant, "tuple variant")),
            Self::Record(_, record) => Ok(record.tuple()),
            Self::Value(value) => Value::Entry(*value).shown_inner(),
        }
    }

    fn fields(&self, names: &'static [&'static str]) -> Result<Shown<'a, 'v>> {
        match self {
            Self::Unit => Err(unexpected(Unexpected::UnitVariant, "struct variant")),
            Self::Record(_, record) => record.struct_fields(names),
            Self::Value(value) => Value::Entry(*value).shown_struct(names),
        }
    }

    /// Adds to an error which variant it comes from.
    #[cold]
    fn locate(&self, error: Error) -> Error {
        match self {
            Self::Record(_, record) => error.in_field(&record.plan.name),
            Self::Unit | Self::Value(_) => error,
        }
    }
}

#[cold]
fn unexpected(found: Unexpected<'_>, expected: &'static str) -> Error {
    serde::de::Error::invalid_type(found, &expected)
}

/// A variant for a visitor.
pub(super) struct Variant<'a, 'v, L> {
    name: &'v str,
    content: VariantContent<'a, 'v, L>,
}

impl<'a, 'v, L> Variant<'a, 'v, L> {
    pub(super) fn new(name: &'v str, content: Content<'a, 'v>, lend: L) -> Self {
        Self { name, content: VariantContent { content, lend } }
    }
}

/// What a variant holds, for a visitor.
pub(super) struct VariantContent<'a, 'v, L> {
    content: Content<'a, 'v>,
    lend: L,
}

impl<'a, 'v, 'de, L: Lend<'v, 'de>> EnumAccess<'de> for Variant<'a, 'v, L> {
    type Error = Error;
    type Variant = VariantContent<'a, 'v, L>;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Self::Variant)> {
        let name = Name { name: Cow::Borrowed(self.name), lend: self.content.lend };
        Ok((seed.deserialize(Key::from_name(name))?, self.content))
    }
}

impl<'v, 'de, L: Lend<'v, 'de>> VariantAccess<'de> for VariantContent<'_, 'v, L> {
    type Error = Error;

    fn unit_variant(self) -> Result<()> {
        self.content.unit()
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value> {
        let value = self.content.newtype()?;
        seed.deserialize(Slow { value, lend: self.lend }).map_err(|error| self.content.locate(error))
    }

    fn tuple_variant<V: Visitor<'de>>(self, _len: usize, visitor: V) -> Result<V::Value> {
        show(self.content.tuple(), self.lend, visitor).map_err(|error| self.content.locate(error))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        show_struct(self.content.fields(fields), fields, self.lend, visitor)
            .map_err(|error| self.content.locate(error))
    }
}

/// A variant as a map of one entry, from its name to what it holds: serde's external tagging.
pub(super) struct Tagged<'a, 'v> {
    entry: Entry<'a, 'v>,
    name: Option<&'v str>,
}

impl<'a, 'v> Tagged<'a, 'v> {
    pub(super) fn from_entry(entry: Entry<'a, 'v>, plan: &'v RecordPlan) -> Self {
        Self { entry, name: Some(&plan.name) }
    }

    pub(super) fn next_key(&mut self) -> Option<Value<'a, 'v>> {
        self.name.take().map(Value::Name)
    }

    pub(super) fn next_value(&self) -> Option<Value<'a, 'v>> {
        Some(Value::Content(self.entry))
    }
}
