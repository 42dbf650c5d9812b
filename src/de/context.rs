//! What all values of a row share, and whether they may keep what they are made of.

use crate::error::Result;
use crate::vector::Vector;
use serde::de::{self, Visitor};
use std::cell::Cell;

/// Decodes a node of the current batch.
pub(crate) trait Load {
    fn load(&self, node: u32) -> Result<Vector>;

    /// Tells of nodes that are about to be loaded: their numbers, which ascend.
    fn announce(&self, nodes: &[u32]) -> Result<()>;
}

/// What all values of a row share.
pub(crate) struct Context<'a> {
    pub(super) loader: Option<&'a dyn Load>,
    /// Whether structs take their fields by name only.
    pub(super) names_only: Cell<bool>,
    /// Whether a struct took its fields by position.
    pub(super) positions_used: Cell<bool>,
    /// How many fields the struct that took the last one has taken.
    pub(super) taken: Cell<usize>,
    /// Whether a struct left fields over that it was offered by position.
    pub(super) left_over: Cell<bool>,
    /// Whether a value was of another kind than was asked for.
    pub(super) not_straight: Cell<bool>,
}

impl<'a> Context<'a> {
    pub(crate) fn new(loader: Option<&'a dyn Load>, names_only: bool) -> Self {
        Self {
            loader,
            names_only: Cell::new(names_only),
            positions_used: Cell::new(false),
            taken: Cell::new(0),
            left_over: Cell::new(false),
            not_straight: Cell::new(false),
        }
    }

    pub(crate) fn names_only(&self) -> bool {
        self.names_only.get()
    }

    /// Whether rows like those so far can be read straight.
    pub(crate) fn is_straight(&self) -> bool {
        !self.not_straight.get() && !self.names_only.get()
    }

    pub(crate) fn positions_used(&self) -> bool {
        self.positions_used.get()
    }
}

/// Whether values may keep texts and bytes of the vectors.
pub(crate) trait Lend<'v, 'de> {
    fn text<V: Visitor<'de>, E: de::Error>(text: &'v str, visitor: V) -> Result<V::Value, E>;
    fn bytes<V: Visitor<'de>, E: de::Error>(bytes: &'v [u8], visitor: V) -> Result<V::Value, E>;
}

/// They may.
pub(crate) enum Borrowed {}

/// They must copy them: the vectors are refilled later.
pub(crate) enum Transient {}

impl<'de> Lend<'de, 'de> for Borrowed {
    #[inline]
    fn text<V: Visitor<'de>, E: de::Error>(text: &'de str, visitor: V) -> Result<V::Value, E> {
        visitor.visit_borrowed_str(text)
    }

    #[inline]
    fn bytes<V: Visitor<'de>, E: de::Error>(bytes: &'de [u8], visitor: V) -> Result<V::Value, E> {
        visitor.visit_borrowed_bytes(bytes)
    }
}

impl<'v, 'de> Lend<'v, 'de> for Transient {
    #[inline]
    fn text<V: Visitor<'de>, E: de::Error>(text: &'v str, visitor: V) -> Result<V::Value, E> {
        visitor.visit_str(text)
    }

    #[inline]
    fn bytes<V: Visitor<'de>, E: de::Error>(bytes: &'v [u8], visitor: V) -> Result<V::Value, E> {
        visitor.visit_bytes(bytes)
    }
}
