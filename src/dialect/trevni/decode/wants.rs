//! Which nodes are decoded, and in which order the fields of records are.

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

    /// Puts the fields of records into another order; see [`Decoder::reorder`](super::Decoder).
    pub(super) fn reorder(&mut self, moved: &[(u32, Vec<u32>)]) {
        let below = self.id..self.id + self.count;
        if !moved.iter().any(|(id, _)| below.contains(id)) {
            return;
        }
        match &mut self.kind {
            Kind::Later(_) | Kind::Leaf(..) | Kind::Own | Kind::Nothing => {}
            Kind::Record(fields) => {
                fields.iter_mut().for_each(|field| field.reorder(moved));
                if let Some((_, order)) = moved.iter().find(|(id, _)| *id == self.id) {
                    let mut before: Vec<Option<Self>> =
                        std::mem::take(fields).into_iter().map(Some).collect();
                    fields.extend(order.iter().filter_map(|number| before.get_mut(*number as usize)?.take()));
                }
            }
            Kind::Array(array) => array.reorder(moved),
            Kind::Map(_, _, key, value) => {
                key.reorder(moved);
                value.reorder(moved);
            }
            Kind::Union(branches, _) => branches.iter_mut().for_each(|branch| branch.reorder(moved)),
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

    fn reorder(&mut self, moved: &[(u32, Vec<u32>)]) {
        match &mut self.item {
            Item::Fused(..) => {}
            Item::Below(node) => node.reorder(moved),
            Item::Mixed(node, own, _) => {
                node.reorder(moved);
                let order = moved.iter().find(|(id, _)| *id == node.id);
                let now =
                    order.and_then(|(_, order)| order.iter().position(|number| *number as usize == *own));
                *own = now.unwrap_or(*own);
            }
        }
    }
}
