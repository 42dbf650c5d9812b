//! The nodes of a file as a dataset sees them: by the names that they have in the shape of all files.

use super::{Matches, NodeId};
use crate::logical::Texts;
use crate::shape::Shape;
use crate::shape::branch::branch_name;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What is otherwise in the shape of all files.
#[derive(Clone, Debug, Default)]
pub(crate) struct View {
    /// That shape; none where it is the file's own.
    pub(crate) whole: Option<Arc<Shape>>,
    /// Nodes of a logical type whose values are strings there.
    pub(crate) texts: BTreeMap<NodeId, Texts>,
    /// Nodes that are variants of a union there.
    pub(crate) variants: BTreeMap<NodeId, Variant>,
    /// Unions of one variant that are the variant alone there.
    pub(crate) without_union: BTreeSet<NodeId>,
    /// Records that are maps there.
    pub(crate) maps: BTreeSet<NodeId>,
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
    pub(crate) fn of(own: &Shape, all: &Arc<Shape>, matches: &Matches) -> Self {
        let (own, whole) = (nodes(own), nodes(all));
        let mut view = Self { whole: Some(Arc::clone(all)), ..Self::default() };
        for (node, found) in matches.iter() {
            let (Some(own), Some((shape, is_variant))) =
                (own.get(node as usize), whole.get(found.whole as usize))
            else {
                continue;
            };
            match (own.0, *shape) {
                (Shape::Logical(logical), Shape::String) => {
                    view.texts.extend(Texts::of(logical).map(|texts| (node, texts)));
                }
                (Shape::Record(_), Shape::Map(_)) => {
                    view.maps.insert(node);
                }
                _ => {}
            }
            match (own.1, *is_variant) {
                (_, true) => {
                    let name = branch_name(shape).full().into_owned();
                    view.variants.insert(node, Variant { name, is_alone: found.union.is_some() });
                }
                // A union comes before its first variant.
                (true, false) => {
                    view.without_union.extend(node.checked_sub(1));
                }
                (false, false) => {}
            }
        }
        view
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
