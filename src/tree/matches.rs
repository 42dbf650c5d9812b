//! Which nodes of a joined shape have the values of the nodes of a part.

use super::{NodeId, Tree};
use crate::convert::{Conversion, Part};

/// For each node of a shape the node of the joined shape that has its values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Matches(Vec<Option<Match>>);

/// A node that has the values of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Match {
    pub(crate) whole: NodeId,
    /// Whether what is stored for the node itself is the same: its values, its lengths.
    pub(crate) is_same: bool,
    /// The union that the node is a variant of there, but not in its own shape.
    pub(crate) union: Option<NodeId>,
}

impl Matches {
    /// The nodes by a conversion from one shape to another, whose trees these are.
    pub(crate) fn new(conversion: &Conversion, own: &Tree, whole: &Tree) -> Self {
        let mut walk = Walk { own, whole, found: vec![None; own.len()] };
        walk.node(conversion, 0, 0);
        Self(walk.found)
    }

    /// No nodes.
    pub(crate) fn none(own: &Tree) -> Self {
        Self(vec![None; own.len()])
    }

    /// The nodes, each with the one of the joined shape.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (NodeId, Match)> + '_ {
        (0..).zip(&self.0).filter_map(|(own, found)| Some((own, (*found)?)))
    }
}

struct Walk<'t> {
    own: &'t Tree,
    whole: &'t Tree,
    found: Vec<Option<Match>>,
}

impl Walk<'_> {
    fn set(&mut self, own: NodeId, whole: NodeId, is_same: bool) {
        if let Some(found) = self.found.get_mut(own as usize) {
            *found = Some(Match { whole, is_same, union: None });
        }
    }

    fn node(&mut self, conversion: &Conversion, own: NodeId, whole: NodeId) {
        let child = |tree: &Tree, id: NodeId, at: usize| tree.children(id).nth(at).unwrap_or(NodeId::MAX);
        match conversion {
            Conversion::Keep => (0..self.own.span(own)).for_each(|at| self.set(own + at, whole + at, true)),
            Conversion::Leaf(_) | Conversion::Nulls(_) | Conversion::Never(_) | Conversion::EmptyMaps(_) => {
                self.set(own, whole, false)
            }
            // Nothing that is stored is the same: values of many fields are those of one map.
            Conversion::Entries(entries) => {
                self.set(own, whole, false);
                let value = child(self.whole, whole, 1);
                for (at, (field, is_optional)) in entries.fields().enumerate() {
                    let node = child(self.own, own, at);
                    if is_optional {
                        self.set(node, whole, false);
                    }
                    self.node(field, node + NodeId::from(is_optional), value);
                }
                let below = own as usize..own.saturating_add(self.own.span(own)) as usize;
                // A node that is not there has no matches, as where they are set.
                let below = self.found.get_mut(below).unwrap_or_default().iter_mut().flatten();
                below.for_each(|found| found.is_same = false);
            }
            Conversion::Some(below) => self.node(below, own, whole + 1),
            Conversion::Optional(below) | Conversion::List(below) => {
                self.set(own, whole, true);
                self.node(below, own + 1, whole + 1);
            }
            Conversion::Variant { tag, conversion, .. } => {
                self.node(conversion, own, child(self.whole, whole, usize::from(*tag)));
                if let Some(Some(found)) = self.found.get_mut(own as usize) {
                    found.union = Some(whole);
                }
            }
            Conversion::Only(below) => {
                self.node(below, own + 1, whole);
                if let Some(Some(found)) = self.found.get_mut(own as usize + 1) {
                    found.is_same = false;
                }
            }
            Conversion::Variants { tags, .. } => {
                self.set(own, whole, true);
                for (at, (tag, below)) in tags.iter().enumerate() {
                    let variant = child(self.whole, whole, usize::from(*tag));
                    self.node(below, child(self.own, own, at), variant);
                }
            }
            Conversion::Map(halves) => {
                self.set(own, whole, true);
                for (at, below) in [&halves.0, &halves.1].into_iter().enumerate() {
                    self.node(below, child(self.own, own, at), child(self.whole, whole, at));
                }
            }
            Conversion::Record(parts) => {
                self.set(own, whole, true);
                for (number, part) in parts.iter().enumerate() {
                    if let Part::Of { at, conversion, .. } = part {
                        self.node(conversion, child(self.own, own, *at), child(self.whole, whole, number));
                    }
                }
            }
        }
    }
}
