//! The nodes that paths mean.

use super::{Kind, NodeId, Tree};
use crate::error::Result;
use crate::path::{Found, PathName, Root, find, format, no_such, parse};
use crate::shape::Shape;

/// The nodes that a path means, at least one: variants of a union may share a short name, and a path may leave out the names
/// of variants, so that there may be several.
///
/// # Errors
///
/// A path that is not there.
pub(crate) fn resolve(shape: &Shape, tree: &Tree, path: &str) -> Result<Vec<NodeId>> {
    resolve_names(shape, tree, &parse(path)?)
}

/// As [`resolve`], of a path that has been parsed.
pub(crate) fn resolve_names(shape: &Shape, tree: &Tree, names: &[PathName]) -> Result<Vec<NodeId>> {
    let root = Root::Shape(shape);
    match find(root, names) {
        Ok(found) => Ok(found.iter().map(|found| node_of(tree, found)).collect()),
        Err(lost) => Err(no_such(&format(names.iter().map(PathName::text)), root, &lost)),
    }
}

/// The node that has been found: the outermost of the lists and optionals that have the same path.
pub(crate) fn node_of(tree: &Tree, found: &Found<'_>) -> NodeId {
    found.steps.iter().fold(0, |mut id, step| {
        while matches!(tree.kind(id), Kind::List | Kind::Optional) {
            id += 1;
        }
        tree.children(id).nth(step.number()).unwrap_or(id)
    })
}
