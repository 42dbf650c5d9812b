//! Makes nodes, each when it or one below it is asked for: rows may ask for few of many columns.

use super::lazy_column::Column;
use super::node::{Array, Item, Kind, Node, Null};
use super::wants::Wants;
use crate::dialect::schema::Schema;
use crate::tree::{self, Leaf, NodeId, Projection, Slot};
use std::sync::Arc;

/// Makes the nodes of a part of the rows, whose columns have been checked.
pub(super) struct Maker<'a> {
    pub(super) schema: &'a Schema,
    pub(super) part: &'a Projection,
}

impl Maker<'_> {
    /// A node of which nothing has been made.
    pub(super) fn later(&self, id: NodeId, parents: &Arc<[usize]>) -> Node {
        let count = self.part.tree.span(id);
        Node { id, count, wanted: false, kind: Kind::Later(Arc::clone(parents)) }
    }

    /// Makes what is asked for at and below a node, and those above it.
    pub(super) fn make(&self, node: &mut Node, wants: Wants<'_>) {
        let Some(wants) = wants.within(node.id, node.count) else {
            return;
        };
        if let Kind::Later(parents) = &node.kind {
            node.kind = self.kind(node.id, &Arc::clone(parents));
        }
        match &mut node.kind {
            Kind::Later(_) | Kind::Leaf(..) | Kind::Own | Kind::Nothing => {}
            Kind::Record(fields) => fields.iter_mut().for_each(|field| self.make(field, wants)),
            Kind::Array(array) => self.below(array, wants),
            Kind::Map(_, _, key, value) => {
                self.make(key, wants);
                self.make(value, wants);
            }
            Kind::Union(branches, _) => branches.iter_mut().for_each(|branch| self.below(branch, wants)),
        }
    }

    fn below(&self, array: &mut Array, wants: Wants<'_>) {
        if let Item::Below(node) | Item::Mixed(node, ..) = &mut array.item {
            self.make(node, wants);
        }
    }

    /// The column that holds something of a node of the part.
    fn column(&self, slot: impl FnOnce(NodeId) -> Slot, id: NodeId) -> Option<usize> {
        self.schema.column(slot(self.part.in_whole(id)?))
    }

    /// What a node is; the nodes below it are made later.
    fn kind(&self, id: NodeId, parents: &Arc<[usize]>) -> Kind {
        let tree = &self.part.tree;
        let own = self.column(Slot::Own, id);
        match (tree.kind(id), own) {
            (tree::Kind::Record, _) => {
                let field = |id: NodeId| {
                    let mut node = self.later(id, parents);
                    if self.is_own(id, parents) {
                        node.kind = Kind::Own;
                    }
                    node
                };
                Kind::Record(tree.children(id).map(field).collect())
            }
            (tree::Kind::List, Some(column)) => Kind::Array(self.array(id + 1, column, false, parents)),
            (tree::Kind::Optional, Some(column)) => Kind::Array(self.array(id + 1, column, true, parents)),
            // The union below is a node of its own.
            (tree::Kind::Optional, None) if tree.kind(id + 1) == tree::Kind::Union => {
                Kind::Union(self.branches(id + 1, parents), Null::Allowed)
            }
            (tree::Kind::Union, _) => Kind::Union(self.branches(id, parents), Null::Refused),
            (tree::Kind::Map, Some(column)) => {
                let within = within(parents, column);
                let key = self.later(id + 1, &within);
                let value = self.later(key.id + key.count, &within);
                Kind::Map(opened(column, parents), Vec::new(), Box::new(key), Box::new(value))
            }
            (tree::Kind::Leaf(leaf), Some(column)) => Kind::Leaf(opened(column, parents), leaf),
            _ => Kind::Nothing,
        }
    }

    fn branches(&self, union: NodeId, parents: &Arc<[usize]>) -> Vec<Array> {
        let variants = self.part.tree.children(union);
        let branch = |id| Some(self.array(id, self.column(Slot::Presence, id)?, true, parents));
        variants.filter_map(branch).collect()
    }

    /// An array whose item is the node `id`.
    fn array(&self, id: NodeId, column: usize, optional: bool, parents: &Arc<[usize]>) -> Array {
        let item = match self.part.tree.kind(id) {
            tree::Kind::Leaf(leaf) if self.column(Slot::Own, id) == Some(column) => Item::Fused(leaf),
            _ => {
                let within = within(parents, column);
                let mut node = Box::new(self.later(id, &within));
                match self.own_field(id, &within) {
                    Some((field, leaf)) => {
                        // It is read whenever the array is.
                        self.make(&mut node, Wants::Some(&[id]));
                        Item::Mixed(node, field, leaf)
                    }
                    None => Item::Below(node),
                }
            }
        };
        Array { column: opened(column, parents), item, optional, ends: Vec::new() }
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
