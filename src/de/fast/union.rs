//! Enums: from symbols, variants, strings, maps of one entry, and the branches of Avro's unions.

use super::hold::{Hold, Lend, Owned, Plant, Str, View};
use super::node::{Below, Node};
use super::value::some;
use super::{Fast, FastPathMiss, Name, Result};
use crate::de::key::Key;
use crate::de::plan::{RecordPlan, UnionPlan};
use crate::shape::Form;
use crate::vector::UnionVector;
use serde::de::{DeserializeSeed, Deserializer, EnumAccess, MapAccess, VariantAccess, Visitor};
use std::sync::Arc;

/// A union: the branch of each entry, and the values of the branches.
pub(super) struct Union<H: Hold> {
    plan: H::Shared<UnionPlan>,
    tags: H::Values<u16>,
    positions: H::Values<u32>,
    pub(super) branches: Vec<Node<H>>,
}

impl<H: Hold> Union<H> {
    pub(super) fn new<'p>(
        plan: &'p Arc<UnionPlan>,
        tags: H::Values<u16>,
        positions: H::Values<u32>,
        branches: Vec<H::Vector>,
    ) -> Self
    where
        H: Plant<'p>,
    {
        // A loop, not an iterator that is collected: branches nest, and each level would take more of the stack.
        let mut nodes = Vec::with_capacity(branches.len());
        for ((_, plan), branch) in plan.branches.iter().zip(branches) {
            nodes.push(Node::new(plan, branch));
        }
        Self { plan: H::share(plan), tags, positions, branches: nodes }
    }

    /// The value in its branch.
    #[inline]
    pub(super) fn value<L: View<Hold = H>>(&self, index: usize) -> Result<Fast<'_, L>> {
        let (Some(tag), Some(position)) = (self.tags.get(index), self.positions.get(index)) else {
            return Err(FastPathMiss::new());
        };
        let node = self.branches.get(usize::from(*tag)).ok_or_else(FastPathMiss::new)?;
        Ok(Fast { node, index: *position as usize })
    }

    /// The name of the branch, where that may be one of a variant.
    #[inline]
    fn name(&self, index: usize) -> Option<H::Str<'_>> {
        let tag = usize::from(*self.tags.get(index)?);
        H::name_in(&self.plan, |plan| plan.branches.get(tag)?.0.as_deref())
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
pub(super) struct Variant<'n, L: View> {
    name: Str<'n, L>,
    content: Content<'n, L>,
}

pub(super) enum Content<'n, L: View> {
    Unit,
    /// The fields of a variant that this crate wrote.
    Record(&'n RecordPlan, Fast<'n, L>),
    /// Any value.
    Value(Fast<'n, L>),
}

impl<'n, L: View> Fast<'n, L> {
    /// The variant that an enum is given. Branches of Avro's unions are variants where the enum has one of
    /// their name, also `null`; but not in files whose schema was derived from rows.
    pub(super) fn variant(self, variants: &[&str]) -> Result<Variant<'n, L>> {
        let mut value = self;
        loop {
            let (name, item) = match &value.node.below {
                Below::Enum(symbols, ordinals) => {
                    let name = symbol::<L::Hold>(symbols, ordinals, value.index)?;
                    return Ok(Variant { name, content: Content::Unit });
                }
                Below::Variant(plan, record) => {
                    let content = Content::Record(plan, Fast { node: record, index: value.index });
                    return Ok(Variant { name: variant_name::<L::Hold>(plan)?, content });
                }
                Below::Union(union) => (union.name(value.index), union.value(value.index)?),
                Below::Optional(plan, offsets, item) => match some(offsets, item, value.index)? {
                    Some(some) => (L::Hold::name_in(plan, |plan| plan.name.as_deref()), some),
                    None if plan.is_null_named && variants.contains(&"null") => {
                        let name = L::Hold::name_in(plan, |_| Some("null")).ok_or_else(FastPathMiss::new)?;
                        return Ok(Variant { name, content: Content::Unit });
                    }
                    None => return Err(FastPathMiss::new()),
                },
                Below::Texts => {
                    let name =
                        L::Hold::lend_text(&value.node.texts, value.index).ok_or_else(FastPathMiss::new)?;
                    return Ok(Variant { name, content: Content::Unit });
                }
                _ => return value.entry(),
            };
            match name {
                Some(name) if variants.contains(&&*name) && !item.is_symbol_of(variants)? => {
                    return Ok(Variant { name, content: Content::Value(item) });
                }
                _ => value = item,
            }
        }
    }

    /// A variant from a record or a map of one entry.
    fn entry(self) -> Result<Variant<'n, L>> {
        match &self.node.below {
            Below::Named(record) => {
                let mut fields = record.all(self.index).ok_or_else(FastPathMiss::new)?;
                match (fields.next()?, fields.next()?) {
                    (Some((name, value)), None) => Ok(Variant { name, content: Content::Value(value) }),
                    _ => Err(FastPathMiss::new()),
                }
            }
            Below::Map(offsets, entry) => {
                let range = L::Hold::range(offsets, self.index).filter(|range| range.len() == 1);
                let index = range.ok_or_else(FastPathMiss::new)?.start;
                let name = L::Hold::lend_text(&entry.0.texts, index).ok_or_else(FastPathMiss::new)?;
                Ok(Variant { name, content: Content::Value(Fast { node: &entry.1, index }) })
            }
            _ => Err(FastPathMiss::new()),
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
            Below::Enum(symbols, ordinals) => {
                Ok(variants.contains(&&*symbol::<L::Hold>(symbols, ordinals, self.index)?))
            }
            _ => Ok(false),
        }
    }
}

/// The symbol of an enum.
#[inline]
pub(super) fn symbol<'n, H: Hold>(
    symbols: &'n H::Shared<[String]>,
    ordinals: &[i32],
    index: usize,
) -> Result<H::Str<'n>> {
    let ordinal = ordinals.get(index).and_then(|ordinal| usize::try_from(*ordinal).ok());
    let ordinal = ordinal.ok_or_else(FastPathMiss::new)?;
    H::name_in(symbols, |symbols| symbols.get(ordinal).map(String::as_str)).ok_or_else(FastPathMiss::new)
}

/// The name of a variant.
fn variant_name<H: Hold>(plan: &H::Shared<RecordPlan>) -> Result<H::Str<'_>> {
    H::name_in(plan, |plan| Some(&plan.name)).ok_or_else(FastPathMiss::new)
}

impl<'n, 'de, L: Lend<'n, 'de>> EnumAccess<'de> for Variant<'n, L> {
    type Error = FastPathMiss;
    type Variant = Content<'n, L>;

    #[inline]
    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Self::Variant)> {
        Ok((seed.deserialize(Key::from_name(Name::<L>(self.name)))?, self.content))
    }
}

impl<'n, 'de, L: Lend<'n, 'de>> VariantAccess<'de> for Content<'n, L> {
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
        if is_empty { Ok(()) } else { Err(FastPathMiss::new()) }
    }

    #[inline]
    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value> {
        match self {
            Self::Record(plan, record) => match record.newtype(plan) {
                Some(value) => seed.deserialize(value),
                None => Err(FastPathMiss::new()),
            },
            Self::Value(value) => seed.deserialize(value),
            Self::Unit => Err(FastPathMiss::new()),
        }
    }

    #[inline]
    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value> {
        match self {
            Self::Record(_, value) | Self::Value(value) => value.deserialize_tuple(len, visitor),
            Self::Unit => Err(FastPathMiss::new()),
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
            Self::Unit => Err(FastPathMiss::new()),
        }
    }
}

/// A variant as a map of one entry, from its name to what it holds: serde's external tagging.
pub(super) struct Tagged<'n, L: View> {
    plan: &'n <L::Hold as Hold>::Shared<RecordPlan>,
    record: Fast<'n, L>,
    is_read: bool,
}

impl<'n, L: View> Tagged<'n, L> {
    pub(super) fn new(
        plan: &'n <L::Hold as Hold>::Shared<RecordPlan>,
        record: &'n Node<L::Hold>,
        index: usize,
    ) -> Self {
        Self { plan, record: Fast { node: record, index }, is_read: false }
    }
}

impl<'n, 'de, L: Lend<'n, 'de>> MapAccess<'de> for Tagged<'n, L> {
    type Error = FastPathMiss;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        match std::mem::replace(&mut self.is_read, true) {
            false => {
                let name = variant_name::<L::Hold>(self.plan)?;
                seed.deserialize(Key::from_name(Name::<L>(name))).map(Some)
            }
            true => Ok(None),
        }
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value> {
        match self.record.newtype(self.plan) {
            Some(value) => seed.deserialize(value),
            None if self.plan.form == Form::NewtypeVariant => Err(FastPathMiss::new()),
            None => seed.deserialize(self.record),
        }
    }
}
