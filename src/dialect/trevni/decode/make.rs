//! Makes nodes, each when it or one below it is asked for: rows may ask for few of many columns.

use super::node::{Array, Kind, Node, Null, Values};
use super::seek::Column;
use crate::dialect::schema::Schema;
use crate::tree::{self, Leaf, NodeId, Projection, Slot};
use std::sync::Arc;

/// Makes the nodes of a part of the rows, whose columns have been checked.
pub(super) struct Maker<'a> {
    pub(super) schema: &'a Schema,
    pub(super) part: &'a Projection,
}

impl Maker<'_> {
    /// A node that has not been asked for.
    pub(super) fn unread(&self, id: NodeId, parents: &Arc<[usize]>) -> Node {
        self.with(id, Kind::Unread(Arc::clone(parents)))
    }

    fn with(&self, id: NodeId, kind: Kind) -> Node {
        Node { id, span: self.part.tree.span(id), kind, below: Vec::new() }
    }

    /// Makes the nodes that are asked for, which ascend, at and below a node, and those above them.
    pub(super) fn make(&self, node: &mut Node, nodes: &[NodeId]) {
        let end = node.id.saturating_add(node.span);
        let asked = nodes.partition_point(|id| *id < node.id)..nodes.partition_point(|id| *id < end);
        let nodes = &nodes[asked];
        let [Some(first), Some(last)] = [nodes.first(), nodes.last()] else {
            return;
        };
        if let Kind::Unread(parents) = &node.kind {
            (node.kind, node.below) = self.build(node.id, &Arc::clone(parents));
        }
        // A record may have thousands of fields.
        let start = node.below.partition_point(|node| node.id.saturating_add(node.span) <= *first);
        let below = node.below.iter_mut().skip(start).take_while(|node| node.id <= *last);
        below.for_each(|node| self.make(node, nodes));
    }

    /// The column that holds something of a node of the part.
    fn column(&self, slot: impl FnOnce(NodeId) -> Slot, id: NodeId) -> Option<usize> {
        self.schema.column(slot(self.part.in_whole(id)?))
    }

    /// What a node is, and the nodes below it, which are made later.
    fn build(&self, id: NodeId, parents: &Arc<[usize]>) -> (Kind, Vec<Node>) {
        let tree = &self.part.tree;
        match (tree.kind(id), self.column(Slot::Own, id)) {
            (tree::Kind::Record, _) => {
                let field = |id| match self.is_own(id, parents) {
                    true => self.with(id, Kind::Own),
                    false => self.unread(id, parents),
                };
                (Kind::Record, tree.children(id).map(field).collect())
            }
            (kind @ (tree::Kind::List | tree::Kind::Optional), Some(column)) => {
                let (array, item) = self.array(id + 1, column, kind == tree::Kind::Optional, parents);
                (Kind::Array(array), vec![item])
            }
            // The union below is a node of its own.
            (tree::Kind::Optional, None) if tree.kind(id + 1) == tree::Kind::Union => {
                self.union(id + 1, Null::Allowed, parents)
            }
            (tree::Kind::Union, _) => self.union(id, Null::Refused, parents),
            (tree::Kind::Map, Some(column)) => {
                let within = within(parents, column);
                let below = tree.children(id).map(|id| self.unread(id, &within)).collect();
                (Kind::Map(opened(column, parents)), below)
            }
            (tree::Kind::Leaf(leaf), Some(column)) => (Kind::Leaf(opened(column, parents), leaf), Vec::new()),
            (tree::Kind::Leaf(leaf), None) => (self.constant(id, leaf).unwrap_or(Kind::Nothing), Vec::new()),
            _ => (Kind::Nothing, Vec::new()),
        }
    }

    fn constant(&self, id: NodeId, leaf: Leaf) -> Option<Kind> {
        let constant = self.schema.constants.get(self.part.in_whole(id)?)?;
        Some(Kind::Constant(constant.clone(), leaf))
    }

    fn union(&self, union: NodeId, null: Null, parents: &Arc<[usize]>) -> (Kind, Vec<Node>) {
        let branch = |id| Some(self.array(id, self.column(Slot::Presence, id)?, true, parents));
        let (branches, below) = self.part.tree.children(union).filter_map(branch).unzip();
        (Kind::Union(branches, null), below)
    }

    /// An array, and its item, which is the node `id`.
    fn array(&self, id: NodeId, column: usize, optional: bool, parents: &Arc<[usize]>) -> (Array, Node) {
        let (values, item) = match self.part.tree.kind(id) {
            tree::Kind::Leaf(leaf) if self.column(Slot::Own, id) == Some(column) => {
                (Values::Item(leaf), self.with(id, Kind::Own))
            }
            _ => {
                let within = within(parents, column);
                let mut node = self.unread(id, &within);
                match self.own_field(id, &within) {
                    Some((field, leaf)) => {
                        // It is read whenever the array is.
                        self.make(&mut node, &[id]);
                        (Values::Field(field, leaf), node)
                    }
                    None => (Values::Below, node),
                }
            }
        };
        (Array { column: opened(column, parents), values, optional }, item)
    }

    /// Whether the values of a field are in the array column around its record.
    fn is_own(&self, field: NodeId, parents: &[usize]) -> bool {
        let own = self.column(Slot::Own, field);
        own.is_some() && own == parents.last().copied()
    }

    /// The field of a record that the values of the column above it go to.
    fn own_field(&self, record: NodeId, parents: &[usize]) -> Option<(usize, Leaf)> {
        let tree = &self.part.tree;
        if tree.kind(record) != tree::Kind::Record {
            return None;
        }
        let (place, field) = tree.children(record).enumerate().find(|(_, id)| self.is_own(*id, parents))?;
        match tree.kind(field) {
            tree::Kind::Leaf(leaf) => Some((place, leaf)),
            _ => None,
        }
    }
}

/// A column that is opened when it is read.
fn opened(number: usize, parents: &Arc<[usize]>) -> Column {
    Column { number, parents: Arc::clone(parents), reader: None }
}

/// The array columns around what is below another one.
fn within(parents: &[usize], column: usize) -> Arc<[usize]> {
    parents.iter().copied().chain([column]).collect()
}
