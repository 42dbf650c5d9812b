//! A column of a file, as its schema has it.

use super::super::leaves::Leaf;
use crate::levels::Place;
use crate::storage::value_type::ValueType;

/// A column.
pub(in super::super) struct Column {
    pub(in super::super) leaf: Leaf,
    /// The greatest levels that there are; those of the leaf, but where nothing has values.
    pub(in super::super) greatest: Place,
    /// Whether it holds nothing, so that it is never there.
    pub(in super::super) is_nothing: bool,
    /// The path as one name.
    pub(in super::super) name: String,
}

impl Column {
    pub(in super::super) fn new(leaf: Leaf, is_nothing: bool) -> Self {
        let mut greatest = leaf.greatest;
        greatest.definition = greatest.definition.saturating_sub(u8::from(is_nothing));
        Self { name: leaf.name(), leaf, greatest, is_nothing }
    }

    /// What its values are.
    pub(in super::super) fn value_type(&self) -> ValueType {
        if self.is_nothing { ValueType::Null } else { self.leaf.primitive.value_type() }
    }
}
