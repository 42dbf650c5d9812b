//! The rows of a file: their shape, its nodes, and which columns hold each of them.

use crate::shape::branch::Branches;
use crate::shape::{Shape, Shown};
use crate::tree::{Kind, NodeId, Projection, Slot};
use std::borrow::Cow;

/// The rows of a file.
#[derive(Clone, Debug)]
pub(crate) struct Schema {
    /// All nodes.
    pub(crate) whole: Projection,
    /// What an enum makes of the branches of unions.
    pub(crate) branches: Branches,
    /// What types that ask for anything are shown of logical types.
    pub(crate) shown: Shown,
    slots: Slots,
    /// The nodes that are null because no row has shown a value.
    unseen: Vec<NodeId>,
}

/// The columns of each node, in the order of the nodes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Slots(Vec<[u32; 2]>);

/// The number of a column that is not there.
const NONE: u32 = u32::MAX;

impl Slots {
    /// Of no nodes yet, with room for so many.
    pub(crate) fn with_room(nodes: usize) -> Self {
        Self(Vec::with_capacity(nodes))
    }

    /// Adds the next node: the column of its values or lengths, and the one that tells which entries of a union
    /// it is. What shares a column has the same.
    pub(crate) fn push(&mut self, own: Option<usize>, presence: Option<usize>) {
        self.0.push([own, presence].map(|column| column.map_or(NONE, as_u32)));
    }

    /// The column that holds something of a node.
    pub(crate) fn column(&self, slot: Slot) -> Option<usize> {
        let (id, which) = match slot {
            Slot::Own(id) => (id, 0),
            Slot::Presence(id) => (id, 1),
        };
        let column = *self.0.get(id as usize)?.get(which)?;
        Some(column as usize).filter(|_| column != NONE)
    }

    /// The same nodes in other columns: `numbers` has the new number for each old one.
    pub(crate) fn renumbered(self, numbers: &[usize]) -> Self {
        let number = |old: u32| numbers.get(old as usize).map_or(NONE, |new| as_u32(*new));
        Self(self.0.into_iter().map(|columns| columns.map(number)).collect())
    }
}

fn as_u32(column: usize) -> u32 {
    u32::try_from(column).unwrap_or(NONE)
}

impl Schema {
    /// The rows of a shape whose nodes have these columns.
    pub(crate) fn new(shape: Shape, slots: Slots, branches: Branches) -> Self {
        Self {
            whole: Projection::whole(shape),
            branches,
            shown: Shown::by(branches),
            slots,
            unseen: Vec::new(),
        }
    }

    /// The same rows, of which no value has been seen for some nodes, which are null.
    pub(crate) fn with_unseen(self, unseen: Vec<NodeId>) -> Self {
        Self { unseen, ..self }
    }

    /// The shape of a part, with nodes unknown of which no row has shown a value.
    pub(crate) fn known<'p>(&self, part: &'p Projection) -> Cow<'p, Shape> {
        let is_unseen =
            |own: NodeId| part.in_whole(own).is_some_and(|node| self.unseen.binary_search(&node).is_ok());
        let mut shape = Cow::Borrowed(&*part.shape);
        if !self.unseen.is_empty() {
            shape.to_mut().replace(&Shape::Unknown, |own, shape| *shape == Shape::Null && is_unseen(own));
        }
        shape
    }

    /// The columns of each node.
    pub(crate) fn slots(&self) -> &Slots {
        &self.slots
    }

    /// The column that holds something of a node.
    pub(crate) fn column(&self, slot: Slot) -> Option<usize> {
        self.slots.column(slot)
    }

    /// The columns that hold a part of the rows, in ascending order.
    pub(crate) fn columns_of(&self, part: &Projection) -> Vec<usize> {
        let ids = (0..).take(part.tree.len()).filter_map(|id| part.in_whole(id));
        let columns = ids.flat_map(|id| [Slot::Own(id), Slot::Presence(id)]);
        let mut columns: Vec<usize> = columns.filter_map(|slot| self.column(slot)).collect();
        columns.sort_unstable();
        columns.dedup();
        columns
    }

    /// The node of a part whose values alone are in a column, one for each row, if that is all of the part.
    pub(crate) fn only_leaf<'p>(&self, part: &'p Projection) -> Option<(NodeId, &'p Shape)> {
        only_leaf(&part.shape, 0).filter(|(id, _)| matches!(part.tree.kind(*id), Kind::Leaf(_)))
    }
}

/// The only node below records.
fn only_leaf(shape: &Shape, id: NodeId) -> Option<(NodeId, &Shape)> {
    match shape {
        Shape::Record(record) => match record.fields.as_slice() {
            [field] => only_leaf(&field.shape, id + 1),
            _ => None,
        },
        shape => Some((id, shape)),
    }
}
