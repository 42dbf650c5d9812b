//! Which nodes are decoded.

use super::node::{Array, Item, Kind, Node};

/// Which nodes are asked for.
#[derive(Clone, Copy)]
pub(super) enum Wants<'n> {
    All,
    /// Those of these numbers, which ascend.
    Some(&'n [u32]),
}

impl Wants<'_> {
    /// Those at and below a node; none where there is none.
    pub(super) fn within(self, id: u32, count: u32) -> Option<Self> {
        let Self::Some(nodes) = self else {
            return Some(self);
        };
        let end = id.saturating_add(count);
        let below = nodes.partition_point(|node| *node < id)..nodes.partition_point(|node| *node < end);
        nodes.get(below).filter(|nodes| !nodes.is_empty()).map(Self::Some)
    }

    /// Whether the first of them is this one.
    fn begin_with(self, id: u32) -> bool {
        match self {
            Self::All => true,
            Self::Some(nodes) => nodes.first() == Some(&id),
        }
    }
}

impl Node {
    /// Asks for nodes.
    pub(super) fn want(&mut self, wants: Wants<'_>) {
        let Some(wants) = wants.within(self.id, self.count) else {
            return;
        };
        self.wanted |= wants.begin_with(self.id);
        match &mut self.kind {
            Kind::Later(_) | Kind::Leaf(..) | Kind::Own | Kind::Nothing => {}
            Kind::Record(fields) => fields.iter_mut().for_each(|field| field.want(wants)),
            Kind::Array(array) => array.want(wants),
            Kind::Map(_, _, key, value) => {
                key.want(wants);
                value.want(wants);
            }
            Kind::Union(branches, _) => branches.iter_mut().for_each(|branch| branch.want(wants)),
        }
    }

    /// Adds the numbers of nodes that have been asked for.
    pub(super) fn wanted(&self, nodes: &mut Vec<u32>) {
        nodes.extend(self.wanted.then_some(self.id));
        match &self.kind {
            Kind::Later(_) | Kind::Leaf(..) | Kind::Own | Kind::Nothing => {}
            Kind::Record(fields) => fields.iter().for_each(|field| field.wanted(nodes)),
            Kind::Array(array) => array.wanted(nodes),
            Kind::Map(_, _, key, value) => {
                key.wanted(nodes);
                value.wanted(nodes);
            }
            Kind::Union(branches, _) => branches.iter().for_each(|branch| branch.wanted(nodes)),
        }
    }
}

impl Array {
    fn want(&mut self, wants: Wants<'_>) {
        match &mut self.item {
            Item::Fused(..) => {}
            Item::Below(node) | Item::Mixed(node, ..) => node.want(wants),
        }
    }

    fn wanted(&self, nodes: &mut Vec<u32>) {
        match &self.item {
            Item::Fused(..) => {}
            Item::Below(node) | Item::Mixed(node, ..) => node.wanted(nodes),
        }
    }
}
