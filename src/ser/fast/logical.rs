//! Values of logical types, and raw JSON, which comes as the only field of a struct.

use super::node::{Field, Node};
use super::{Result, fitted, present, recorded_so_far};
use crate::logical::{MARK, Parsed};
use crate::private::RAW_VALUE;
use crate::shape::Name;
use crate::vector::Strings;

/// Takes a text where no text is expected: in a field that other rows skip, or of a logical type.
#[cold]
#[inline(never)]
pub(super) fn text(node: &mut Node, value: &str) -> Result<()> {
    let (node, mut bytes) = (present(node), Vec::new());
    if let Node::String(values) = node {
        return fitted(values.push(value));
    }
    let parsed = match node {
        Node::Int { logical: Some(logical), .. } | Node::Long { logical: Some(logical), .. } => {
            logical.texts.parse(value, &mut bytes)
        }
        Node::Logical(logical) => logical.texts.parse(value, &mut bytes),
        _ => None,
    };
    match (node, parsed) {
        (Node::Int { values, .. }, Some(Parsed::Int(value))) => values.push(value),
        (Node::Long { values, .. }, Some(Parsed::Long(value))) => values.push(value),
        (Node::Logical(logical), Some(Parsed::Bytes)) => return fitted(logical.values.push(&bytes)),
        (node, _) => return node.record_str(value),
    }
    Ok(())
}

/// Takes bytes where none are expected: of a logical type.
#[cold]
#[inline(never)]
pub(super) fn bytes(node: &mut Node, value: &[u8]) -> Result<()> {
    match node {
        Node::Logical(logical) if logical.size.is_none_or(|size| size == value.len()) => {
            fitted(logical.values.push(value))
        }
        node => node.record_bytes(value),
    }
}

/// Writes a newtype struct whose name may be a mark: a number that is marked as one of a logical type may be only where that
/// type is. Other newtype structs may be anywhere.
#[inline]
pub(super) fn marked(
    node: &mut Node,
    name: &'static str,
    serialize: impl FnOnce(&mut Node) -> Result<()>,
) -> Result<()> {
    if !name.starts_with(MARK) {
        return serialize(node);
    }
    let own = match &*node {
        Node::Marked(marked) => Some(marked.mark),
        Node::Int { logical, .. } | Node::Long { logical, .. } => {
            logical.as_ref().map(|logical| logical.mark)
        }
        _ => None,
    };
    match node {
        node if own != Some(name) => serialize(node.record_newtype(name)?),
        Node::Marked(marked) => serialize(&mut marked.numbers),
        node => {
            let before = recorded_so_far();
            serialize(node)?;
            if recorded_so_far() == before { Ok(()) } else { node.wrap_last(name) }
        }
    }
}

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
