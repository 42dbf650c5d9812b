//! Fields and items one after the other.

use super::{Node, Result, Straight, Stray};
use serde::de::{Deserialize, DeserializeSeed, SeqAccess};
use std::marker::PhantomData;
use std::ops::Range;

/// The fields of a struct or a tuple, in its order.
pub(super) struct Fields<'n> {
    pub(super) nodes: &'n [Node],
    pub(super) index: usize,
}

impl<'de> SeqAccess<'de> for Fields<'_> {
    type Error = Stray;

    #[inline(always)]
    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        let Some((node, nodes)) = self.nodes.split_first() else {
            return Ok(None);
        };
        self.nodes = nodes;
        match seed.deserialize(Straight { node, index: self.index }) {
            Ok(value) => Ok(Some(value)),
            Err(error) => Err(error),
        }
    }

    #[inline(always)]
    fn next_element<T: Deserialize<'de>>(&mut self) -> Result<Option<T>> {
        self.next_element_seed(PhantomData)
    }
}

/// The items of a list. Two words, which pass and stay in registers.
pub(super) struct Items<'n> {
    node: &'n Node,
    at: u32,
    end: u32,
}

impl<'n> Items<'n> {
    /// The range is one of offsets, which have 32 bits.
    #[inline(always)]
    pub(super) fn new(node: &'n Node, list: Range<usize>) -> Self {
        Self { node, at: list.start as u32, end: list.end as u32 }
    }
}

impl<'de> SeqAccess<'de> for Items<'_> {
    type Error = Stray;

    #[inline(always)]
    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        if self.at == self.end {
            return Ok(None);
        }
        let item = Straight { node: self.node, index: self.at as usize };
        self.at += 1;
        match seed.deserialize(item) {
            Ok(value) => Ok(Some(value)),
            Err(error) => Err(error),
        }
    }

    #[inline(always)]
    fn next_element<T: Deserialize<'de>>(&mut self) -> Result<Option<T>> {
        self.next_element_seed(PhantomData)
    }

    #[inline]
    fn size_hint(&self) -> Option<usize> {
        // Items may take no bytes in the file; serde's own types bound what they reserve.
        Some((self.end - self.at) as usize)
    }
}
