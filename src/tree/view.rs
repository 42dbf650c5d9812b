//! The nodes of a file as a dataset sees them: by the names that they have in the shape of all files.

use super::{Matches, NodeId};
use crate::logical::Texts;
use crate::shape::Shape;
use crate::shape::branch::branch_name;
use std::sync::Arc;

/// What is otherwise in the shape of all files.
#[derive(Clone, Debug, Default)]
pub(crate) struct View {
    /// That shape; `None` where it is the file's own.
    pub(crate) whole: Option<Arc<Shape>>,
    /// What is otherwise of each node.
    nodes: Vec<Seen>,
}

/// What is otherwise of a node.
#[derive(Clone, Debug, Default)]
struct Seen {
    /// It is of a logical type, and its values are strings there.
    texts: Option<Texts>,
    /// It is a variant of a union there.
    variant: Option<Variant>,
    /// It is a union of one variant, and the variant alone there.
    is_without_union: bool,
    /// It is a record, and a map there.
    is_map: bool,
}

/// A variant of a union of the shape of all files.
#[derive(Clone, Debug)]
pub(crate) struct Variant {
    /// With its namespace.
    pub(crate) name: String,
    /// Whether the node is no variant in its own file.
    pub(crate) is_alone: bool,
}

impl View {
    /// The nodes of a shape in `all`, where they have these matches.
    pub(crate) fn new(own: &Shape, all: &Arc<Shape>, matches: &Matches) -> Self {
        let (own, whole) = (nodes(own), nodes(all));
        let mut view = Self { whole: Some(Arc::clone(all)), nodes: vec![Seen::default(); own.len()] };
        for (node, found) in matches.iter() {
            let (Some(own), Some((shape, is_variant))) =
                (own.get(node as usize), whole.get(found.whole as usize))
            else {
                continue;
            };
            let Some(seen) = view.nodes.get_mut(node as usize) else {
                continue;
            };
            match (own.0, *shape) {
                (Shape::Logical(logical), Shape::String) => seen.texts = Texts::from_shape(logical),
                (Shape::Record(_), Shape::Map(_)) => seen.is_map = true,
                _ => {}
            }
            match (own.1, *is_variant) {
                (_, true) => {
                    let name = branch_name(shape).full().into_owned();
                    seen.variant = Some(Variant { name, is_alone: found.union.is_some() });
                }
                // A union comes before its first variant.
                (true, false) => {
                    let union = node.checked_sub(1).and_then(|union| view.nodes.get_mut(union as usize));
                    if let Some(union) = union {
                        union.is_without_union = true;
                    }
                }
                (false, false) => {}
            }
        }
        view
    }

    fn seen(&self, node: NodeId) -> Option<&Seen> {
        self.nodes.get(node as usize)
    }

    /// How the values of a node are strings there, where they are of a logical type here.
    pub(crate) fn texts(&self, node: NodeId) -> Option<Texts> {
        self.seen(node)?.texts
    }

    /// The variant that a node is there.
    pub(crate) fn variant(&self, node: NodeId) -> Option<&Variant> {
        self.seen(node)?.variant.as_ref()
    }

    /// Whether a union of one variant is the variant alone there.
    pub(crate) fn is_without_union(&self, node: NodeId) -> bool {
        self.seen(node).is_some_and(|seen| seen.is_without_union)
    }

    /// Whether a record is a map there.
    pub(crate) fn is_map(&self, node: NodeId) -> bool {
        self.seen(node).is_some_and(|seen| seen.is_map)
    }
}

/// The nodes of a shape, depth first, and whether each is a variant of a union.
fn nodes(shape: &Shape) -> Vec<(&Shape, bool)> {
    fn add<'s>(shape: &'s Shape, is_variant: bool, nodes: &mut Vec<(&'s Shape, bool)>) {
        nodes.push((shape, is_variant));
        let is_union = matches!(shape, Shape::Union(_));
        for child in shape.children() {
            add(child.shape, is_union, nodes);
        }
    }
    let mut found = Vec::new();
    add(shape, false, &mut found);
    found
}
