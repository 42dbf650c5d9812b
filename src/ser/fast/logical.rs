//! Values of logical types: texts, bytes, and numbers that are marked.

use super::node::Node;
use super::{Result, fitted, present, recorded_so_far};
use crate::logical::{MARK, Parsed};

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
