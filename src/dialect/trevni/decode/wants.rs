//! Which nodes are decoded, and in which order the fields of records are.

use super::node::{Array, Item, Kind, Node};

impl Node {
    pub(super) fn want(&mut self) {
        self.wanted = true;
        match &mut self.kind {
            Kind::Later(_) | Kind::Leaf(..) | Kind::Own | Kind::Nothing => {}
            Kind::Record(fields) => fields.iter_mut().for_each(Self::want),
            Kind::Array(array) => array.want(),
            Kind::Map(_, _, key, value) => {
                key.want();
                value.want();
            }
            Kind::Union(branches, _) => branches.iter_mut().for_each(Array::want),
        }
    }

    /// Asks for some nodes, given by their numbers, which ascend.
    pub(super) fn want_some(&mut self, nodes: &[u32]) {
        let last = self.id + self.count;
        let below = nodes.partition_point(|id| *id < self.id)..nodes.partition_point(|id| *id < last);
        let Some(nodes) = nodes.get(below).filter(|nodes| !nodes.is_empty()) else {
            return;
        };
        self.wanted |= nodes.first() == Some(&self.id);
        match &mut self.kind {
            Kind::Later(_) | Kind::Leaf(..) | Kind::Own | Kind::Nothing => {}
            Kind::Record(fields) => fields.iter_mut().for_each(|field| field.want_some(nodes)),
            Kind::Array(array) => array.want_some(nodes),
            Kind::Map(_, _, key, value) => {
                key.want_some(nodes);
                value.want_some(nodes);
            }
            Kind::Union(branches, _) => branches.iter_mut().for_each(|branch| branch.want_some(nodes)),
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
    fn want(&mut self) {
        match &mut self.item {
            Item::Fused(..) => {}
            Item::Below(node) | Item::Mixed(node, ..) => node.want(),
        }
    }

    fn wanted(&self, nodes: &mut Vec<u32>) {
        match &self.item {
            Item::Fused(..) => {}
            Item::Below(node) | Item::Mixed(node, ..) => node.wanted(nodes),
        }
    }

    fn want_some(&mut self, nodes: &[u32]) {
        match &mut self.item {
            Item::Fused(..) => {}
            Item::Below(node) | Item::Mixed(node, ..) => node.want_some(nodes),
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
