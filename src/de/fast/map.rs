//! Maps, entry by entry.

use super::hold::{Hold, Lend, View};
use super::node::{Below, Node};
use super::{Fast, FastPathMiss, Result};
use crate::de::key::{FieldNames, Key, KeyValue};
use crate::de::scalar::Scalar;
use serde::de::{DeserializeSeed, MapAccess, Visitor};
use std::ops::Range;

/// The entries of a map.
pub(super) struct Entries<'n, L: View> {
    entry: &'n (Node<L::Hold>, Node<L::Hold>),
    fields: FieldNames,
    at: u32,
    end: u32,
}

impl<'n, L: View> Entries<'n, L> {
    /// The range is one of offsets, which have 32 bits.
    #[inline(always)]
    pub(super) fn new(
        entry: &'n (Node<L::Hold>, Node<L::Hold>),
        fields: FieldNames,
        map: Range<usize>,
    ) -> Self {
        Self { entry, fields, at: map.start as u32, end: map.end as u32 }
    }
}

impl<'n, 'de, L: Lend<'n, 'de>> MapAccess<'de> for Entries<'n, L> {
    type Error = FastPathMiss;

    #[inline]
    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        if self.at == self.end {
            return Ok(None);
        }
        let value = Fast::<L> { node: &self.entry.0, index: self.at as usize };
        self.at += 1;
        seed.deserialize(Key { value, fields: self.fields }).map(Some)
    }

    #[inline]
    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value> {
        let index = (self.at as usize).checked_sub(1).ok_or_else(FastPathMiss::new)?;
        seed.deserialize(Fast::<L> { node: &self.entry.1, index })
    }

    #[inline]
    fn size_hint(&self) -> Option<usize> {
        Some((self.end - self.at) as usize)
    }
}

impl<'n, 'de, L: Lend<'n, 'de>> KeyValue<'de> for Fast<'n, L> {
    #[inline]
    fn text(&self) -> Result<Option<&str>> {
        match &self.node.below {
            Below::Texts => {
                L::Hold::text(&self.node.texts, self.index).map(Some).ok_or_else(FastPathMiss::new)
            }
            _ => Ok(None),
        }
    }

    fn scalar(&self) -> Result<Option<Scalar>> {
        match self.inner()? {
            Some(value) => value.key_scalar(),
            None => Ok(None),
        }
    }

    fn show_made<V: Visitor<'de>>(self, text: String, visitor: V) -> Result<V::Value> {
        visitor.visit_string(text)
    }
}
