//! Lists and byte strings, item by item.

use super::hold::Lend;
use super::{Fast, FastPathMiss, Node, Result, View};
use serde::de::{Deserialize, DeserializeSeed, IntoDeserializer, SeqAccess};
use std::marker::PhantomData;
use std::ops::Range;

/// The items of a list. Two words, which pass and stay in registers.
pub(super) struct Items<'n, L: View> {
    node: &'n Node<L::Hold>,
    at: u32,
    end: u32,
}

impl<'n, L: View> Items<'n, L> {
    /// The range is one of offsets, which have 32 bits.
    #[inline(always)]
    pub(super) fn new(node: &'n Node<L::Hold>, list: Range<usize>) -> Self {
        Self { node, at: list.start as u32, end: list.end as u32 }
    }
}

impl<'n, 'de, L: Lend<'n, 'de>> SeqAccess<'de> for Items<'n, L> {
    type Error = FastPathMiss;

    #[inline(always)]
    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        if self.at == self.end {
            return Ok(None);
        }
        let item = Fast::<L> { node: self.node, index: self.at as usize };
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

/// The bytes of a byte string, as numbers.
pub(super) struct Bytes<'n>(pub(super) &'n [u8]);

impl<'de> SeqAccess<'de> for Bytes<'_> {
    type Error = FastPathMiss;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        let Some((byte, rest)) = self.0.split_first() else {
            return Ok(None);
        };
        self.0 = rest;
        seed.deserialize((*byte).into_deserializer()).map(Some)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.0.len())
    }
}
