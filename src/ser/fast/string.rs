//! Raw JSON, which comes as the only field of a struct.

use super::Result;
use super::node::{Field, Node};
use crate::private::RAW_VALUE;
use crate::shape::Name;
use crate::vector::Strings;

/// Strings of JSON that come as the only field of a struct.
pub(in crate::ser) struct StringStruct {
    /// The field with the strings, and a spare one.
    fields: [Field; 2],
}

impl StringStruct {
    fn new(strings: Node) -> Self {
        let spare = Field::spare(strings.len());
        let field = Field { position: 0, searches: 0, name: Name::Borrowed(RAW_VALUE), node: strings };
        Self { fields: [field, spare] }
    }

    /// The strings.
    pub(super) fn node(&self) -> &Node {
        let [field, _] = &self.fields;
        &field.node
    }

    /// The strings.
    pub(super) fn node_mut(&mut self) -> &mut Node {
        let [field, _] = &mut self.fields;
        &mut field.node
    }

    /// The strings.
    pub(super) fn into_node(self) -> Node {
        let [field, _] = self.fields;
        field.node
    }
}

/// The field of raw JSON, where strings are.
#[cold]
#[inline(never)]
pub(super) fn enter(node: &mut Node) -> Result<&mut [Field]> {
    if matches!(node, Node::String(_)) {
        let strings = std::mem::replace(node, Node::String(Strings::default()));
        *node = Node::StringStruct(Box::new(StringStruct::new(strings)));
    }
    match node {
        Node::StringStruct(string) => Ok(&mut string.fields),
        node => node.record_struct(RAW_VALUE, 1),
    }
}
