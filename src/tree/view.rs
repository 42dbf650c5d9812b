//! The nodes of a file as a dataset sees them: by the names that they have in the shape of all files.

use super::{Matches, NodeId, Path};
use crate::logical::Texts;
use crate::shape::Shape;
use crate::shape::branch::branch_name;
use std::collections::{BTreeMap, BTreeSet};

/// What is otherwise in the shape of all files.
#[derive(Clone, Debug, Default)]
pub(crate) struct View {
    /// Nodes of a logical type whose values are strings there.
    pub(crate) texts: BTreeMap<NodeId, Texts>,
    /// Nodes that are variants of a union there.
    pub(crate) variants: BTreeMap<NodeId, Variant>,
    /// Records without fields that are maps there.
    pub(crate) empty_maps: BTreeSet<NodeId>,
}

/// A variant of a union of the shape of all files.
#[derive(Clone, Debug)]
pub(crate) struct Variant {
    /// With its namespace, and without.
    pub(crate) names: [String; 2],
    /// Whether the node is no variant in its own file.
    pub(crate) is_alone: bool,
}

impl Variant {
    /// What a path says of what is in the variant, if it begins with its name.
    pub(crate) fn rest_of<'p>(&self, path: &'p str) -> Option<&'p str> {
        self.names.iter().find_map(|name| path.rest_of(name))
    }
}

impl View {
    /// The nodes of a shape in `whole`, where they have these matches.
    pub(crate) fn of(own: &Shape, whole: &Shape, matches: &Matches) -> Self {
        let (own, whole) = (nodes(own), nodes(whole));
        let mut view = Self::default();
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
                    view.empty_maps.insert(node);
                }
                _ => {}
            }
            if *is_variant {
                let name = branch_name(shape);
                let names = [name.full().into_owned(), name.name.to_owned()];
                view.variants.insert(node, Variant { names, is_alone: found.union.is_some() });
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
