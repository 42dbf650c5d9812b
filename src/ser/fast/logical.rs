//! Values of logical types: texts, bytes, and numbers that are marked.

use super::node::Node;
use super::{FastPathMiss, Result, fitted, present};
use crate::logical::{MARK, Parsed};
use crate::shape::Null;

/// Takes a text where no text is expected: in a field that other rows skip, or of a logical type.
#[cold]
#[inline(never)]
pub(super) fn text(node: &mut Node, value: &str) -> Result<()> {
    let is_skipped = matches!(node, Node::Optional(list) if list.null == Null::Absent);
    let node = if is_skipped { present(node)? } else { node };
    let mut bytes = Vec::new();
    match node {
        Node::String(values) => fitted(values.push(value)),
        Node::Int { values, logical: Some(logical) } => {
            match logical.texts.parse(value, &mut bytes) {
                Some(Parsed::Int(value)) => values.push(value),
                _ => return Err(FastPathMiss),
            }
            Ok(())
        }
        Node::Long { values, logical: Some(logical), .. } => {
            match logical.texts.parse(value, &mut bytes) {
                Some(Parsed::Long(value)) => values.push(value),
                _ => return Err(FastPathMiss),
            }
            Ok(())
        }
        Node::Logical(logical) => match logical.texts.parse(value, &mut bytes) {
            Some(Parsed::Bytes) => fitted(logical.values.push(&bytes)),
            _ => Err(FastPathMiss),
        },
        _ => Err(FastPathMiss),
    }
}

/// Takes bytes where none are expected: of a logical type.
#[cold]
#[inline(never)]
pub(super) fn bytes(node: &mut Node, value: &[u8]) -> Result<()> {
    match node {
        Node::Logical(logical) if logical.size.is_none_or(|size| size == value.len()) => {
            fitted(logical.values.push(value))
        }
        _ => Err(FastPathMiss),
    }
}

/// The node that takes what is in a newtype struct of this name. A number that is marked as one of a logical type may be
/// only where that type is. Other newtype structs may be anywhere.
#[inline]
pub(super) fn marked<'n>(node: &'n mut Node, name: &str) -> Result<&'n mut Node> {
    let Some(wanted) = name.strip_prefix(MARK) else {
        return Ok(node);
    };
    let own = match &*node {
        Node::Marked(marked) => Some(marked.name),
        Node::Int { logical, .. } | Node::Long { logical, .. } => {
            logical.as_ref().map(|logical| logical.name)
        }
        _ => None,
    };
    match node {
        _ if own != Some(wanted) => Err(FastPathMiss),
        Node::Marked(marked) => Ok(&mut marked.numbers),
        node => Ok(node),
    }
}
