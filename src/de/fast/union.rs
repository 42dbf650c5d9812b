//! Enums: from symbols, variants, texts, maps of one entry, and the branches of Avro's unions.

use super::hold::{Hold, Lend, Owned};
use super::node::{Below, Node};
use super::value::some;
use super::{Fast, FastPathMiss, Result};
use crate::de::key::NameKey;
use crate::de::plan::{RecordPlan, UnionPlan};
use crate::shape::Form;
use crate::vector::UnionVector;
use serde::de::{DeserializeSeed, Deserializer, EnumAccess, MapAccess, VariantAccess, Visitor};
use std::sync::Arc;

/// A union: the branch of each entry, and the values of the branches.
pub(super) struct Union<H: Hold> {
    plan: Arc<UnionPlan>,
    tags: H::Values<u16>,
    positions: H::Values<u32>,
    pub(super) branches: Vec<Node<H>>,
}

impl<H: Hold> Union<H> {
    pub(super) fn of(
        plan: &Arc<UnionPlan>,
        tags: H::Values<u16>,
        positions: H::Values<u32>,
        branches: Vec<H::Vector>,
    ) -> Self {
        // A loop, not an iterator that is collected: branches nest, and each level would take more of the stack.
        let mut nodes = Vec::with_capacity(branches.len());
        for ((_, plan), branch) in plan.branches.iter().zip(branches) {
            nodes.push(Node::of(plan, branch));
        }
        Self { plan: Arc::clone(plan), tags, positions, branches: nodes }
    }

    /// The value in its branch.
    #[inline]
    pub(super) fn value(&self, index: usize) -> Result<Fast<'_, H>> {
        let (Some(tag), Some(position)) = (self.tags.get(index), self.positions.get(index)) else {
            return Err(FastPathMiss);
        };
        let node = self.branches.get(usize::from(*tag)).ok_or(FastPathMiss)?;
        Ok(Fast { node, index: *position as usize })
    }

    /// The name of the branch, where that may be one of a variant.
    #[inline]
    fn name(&self, index: usize) -> Option<&str> {
        let tag = self.tags.get(index)?;
        self.plan.branches.get(usize::from(*tag))?.0.as_deref()
    }
}

impl Union<Owned> {
    pub(super) fn exchange(&mut self, union: &mut UnionVector) -> bool {
        if self.branches.len() != union.variants.len() {
            return false;
        }
        std::mem::swap(&mut self.tags, &mut union.tags);
        std::mem::swap(&mut self.positions, &mut union.positions);
        let mut all = true;
        for (node, variant) in self.branches.iter_mut().zip(&mut union.variants) {
            all &= node.exchange(variant);
        }
        all
    }

    pub(super) fn release(self) -> UnionVector {
        let mut variants = Vec::with_capacity(self.branches.len());
        for branch in self.branches {
            variants.push(branch.release());
        }
        UnionVector { tags: self.tags, positions: self.positions, variants }
    }
}

/// A variant: its name and what it holds.
pub(super) struct Variant<'n, H: Hold> {
    name: &'n str,
    content: Content<'n, H>,
}

pub(super) enum Content<'n, H: Hold> {
    Unit,
    /// The fields of a variant that this crate wrote.
    Record(&'n RecordPlan, Fast<'n, H>),
    /// Any value.
    Value(Fast<'n, H>),
}

impl<'n, H: Hold> Fast<'n, H> {
    /// The variant that an enum is given. Branches of Avro's unions are variants where the enum has one of
    /// their name, also `null`; but not in files whose schema was derived from rows.
    pub(super) fn variant(self, variants: &[&str]) -> Result<Variant<'n, H>> {
        let mut value = self;
        loop {
            let (name, item) = match &value.node.below {
                Below::Enum(symbols, ordinals) => {
                    let name = symbol(symbols, ordinals, value.index)?;
                    return Ok(Variant { name, content: Content::Unit });
                }
                Below::Variant(plan, record) => {
                    let content = Content::Record(plan, Fast { node: record, index: value.index });
                    return Ok(Variant { name: &plan.name, content });
                }
                Below::Union(union) => (union.name(value.index), union.value(value.index)?),
                Below::Optional(plan, offsets, item) => match some(offsets, item, value.index)? {
                    Some(some) => (plan.name.as_deref(), some),
                    None if plan.is_null_named && variants.contains(&"null") => {
                        return Ok(Variant { name: "null", content: Content::Unit });
                    }
                    None => return Err(FastPathMiss),
                },
                Below::Texts => {
                    let name = H::text(&value.node.texts, value.index).ok_or(FastPathMiss)?;
                    return Ok(Variant { name, content: Content::Unit });
                }
                _ => return value.entry(),
            };
            match name {
                Some(name) if variants.contains(&name) && !item.is_symbol_of(variants)? => {
                    return Ok(Variant { name, content: Content::Value(item) });
                }
                _ => value = item,
            }
        }
    }

    /// A variant from a record or a map of one entry.
    fn entry(self) -> Result<Variant<'n, H>> {
        match &self.node.below {
            Below::Named(record) => {
                let mut fields = record.all(self.index).ok_or(FastPathMiss)?;
                match (fields.next()?, fields.next()?) {
                    (Some((name, value)), None) => Ok(Variant { name, content: Content::Value(value) }),
                    _ => Err(FastPathMiss),
                }
            }
            Below::Map(offsets, entry) => {
                let range = H::range(offsets, self.index).filter(|range| range.len() == 1);
                let index = range.ok_or(FastPathMiss)?.start;
                let name = H::text(&entry.0.texts, index).ok_or(FastPathMiss)?;
                Ok(Variant { name, content: Content::Value(Fast { node: &entry.1, index }) })
            }
            _ => Err(FastPathMiss),
        }
    }

    /// What a newtype variant holds, if this is the record of one.
    #[inline]
    fn newtype(self, plan: &RecordPlan) -> Option<Self> {
        match (&self.node.below, self.node.record.nodes()) {
            (Below::Tuple(_), [node]) if plan.form == Form::NewtypeVariant => Some(Self { node, ..self }),
            _ => None,
        }
    }

    /// Whether this is a symbol, one of these variants.
    fn is_symbol_of(self, variants: &[&str]) -> Result<bool> {
        match &self.node.below {
            Below::Enum(symbols, ordinals) => Ok(variants.contains(&symbol(symbols, ordinals, self.index)?)),
            _ => Ok(false),
        }
    }
}

/// The symbol of an enum.
#[inline]
pub(super) fn symbol<'n>(symbols: &'n [String], ordinals: &[i32], index: usize) -> Result<&'n str> {
    let ordinal = ordinals.get(index).and_then(|ordinal| usize::try_from(*ordinal).ok());
    ordinal.and_then(|ordinal| symbols.get(ordinal)).map(String::as_str).ok_or(FastPathMiss)
}

impl<'n, 'de, H: Lend<'de>> EnumAccess<'de> for Variant<'n, H> {
    type Error = FastPathMiss;
    type Variant = Content<'n, H>;

    #[inline]
    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Self::Variant)> {
        Ok((seed.deserialize(NameKey::of(self.name))?, self.content))
    }
}

impl<'de, H: Lend<'de>> VariantAccess<'de> for Content<'_, H> {
    type Error = FastPathMiss;

    #[inline]
    fn unit_variant(self) -> Result<()> {
        let is_empty = match self {
            Self::Unit => true,
            Self::Record(_, record) => record.is_empty(),
            Self::Value(value) => match value.inner()? {
                None => true,
                Some(value) => matches!(&value.node.below, Below::Null(_)),
            },
        };
        if is_empty { Ok(()) } else { Err(FastPathMiss) }
    }

    #[inline]
    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value> {
        match self {
            Self::Record(plan, record) => match record.newtype(plan) {
                Some(value) => seed.deserialize(value),
                None => Err(FastPathMiss),
            },
            Self::Value(value) => seed.deserialize(value),
            Self::Unit => Err(FastPathMiss),
        }
    }

    #[inline]
    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value> {
        match self {
            Self::Record(_, value) | Self::Value(value) => value.deserialize_tuple(len, visitor),
            Self::Unit => Err(FastPathMiss),
        }
    }

    #[inline]
    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        match self {
            Self::Record(_, value) | Self::Value(value) => value.deserialize_struct("", fields, visitor),
            Self::Unit => Err(FastPathMiss),
        }
    }
}

/// A variant as a map of one entry, from its name to what it holds: serde's external tagging.
pub(super) struct Tagged<'n, H: Hold> {
    plan: &'n RecordPlan,
    record: Fast<'n, H>,
    is_read: bool,
}

impl<'n, H: Hold> Tagged<'n, H> {
    pub(super) fn new(plan: &'n RecordPlan, record: &'n Node<H>, index: usize) -> Self {
        Self { plan, record: Fast { node: record, index }, is_read: false }
    }
}

impl<'de, H: Lend<'de>> MapAccess<'de> for Tagged<'_, H> {
    type Error = FastPathMiss;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        match std::mem::replace(&mut self.is_read, true) {
            false => seed.deserialize(NameKey::of(&self.plan.name)).map(Some),
            true => Ok(None),
        }
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value> {
        match self.record.newtype(self.plan) {
            Some(value) => seed.deserialize(value),
            None if self.plan.form == Form::NewtypeVariant => Err(FastPathMiss),
            None => seed.deserialize(self.record),
        }
    }
}
