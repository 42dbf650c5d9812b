//! The rows of a file: their shape, its nodes, and which columns hold each of them.

use crate::error::{Error, Result};
use crate::shape::branch::Branches;
use crate::shape::{FieldShape, RecordShape, Shape, Shown};
use crate::sort;
use crate::tree::{Constant, Constants, Kind, NodeId, Projection, Slot};
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

/// The rows of a file.
#[derive(Clone, Debug)]
pub(crate) struct Schema {
    /// All nodes.
    pub(crate) whole: Projection,
    /// What an enum makes of the branches of unions.
    pub(crate) branches: Branches,
    /// What types that ask for anything are shown of logical types.
    pub(crate) shown: Shown,
    /// Fields without columns that have the same value in all rows.
    pub(crate) constants: Arc<Constants>,
    /// Whether fields have other names than in the file.
    pub(crate) is_renamed: bool,
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
    /// Without nodes yet, with capacity for a number of them.
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
            constants: Arc::default(),
            is_renamed: false,
            slots,
            unseen: Vec::new(),
        }
    }

    /// The same rows with more fields, which have the same value in all rows. They take the place of fields of the same names,
    /// and come last.
    ///
    /// # Errors
    ///
    /// Rows that are no records.
    pub(crate) fn with_constants(self, fields: &[(String, Constant)]) -> Result<Self> {
        let Shape::Record(record) = &*self.whole.shape else {
            let (kind, names) = (self.whole.shape.kind(), fields.iter().map(|(name, _)| name.as_str()));
            let names = names.collect::<Vec<_>>().join(", ");
            return Err(Error::option(format!(
                "rows are {kind}, not records, so {names} cannot be a field of them: open files in folders of partitions by their \
                 own paths"
            )));
        };
        let is_own = |name: &str| !fields.iter().any(|(other, _)| other == name);
        let tree = &self.whole.tree;
        let (mut kept, mut slots) = (Vec::new(), Slots::with_room(tree.len() + fields.len()));
        slots.0.extend(self.slots.0.first());
        let mut unseen = Vec::new();
        for (field, id) in record.fields.iter().zip(tree.children(0)).filter(|(field, _)| is_own(&field.name))
        {
            kept.push(field.clone());
            let nodes = id as usize..id as usize + tree.span(id) as usize;
            let next = as_u32(slots.0.len());
            let own = self.unseen.iter().filter(|unseen| nodes.contains(&(**unseen as usize)));
            unseen.extend(own.map(|unseen| unseen - id + next));
            slots.0.extend(nodes.map(|id| self.slots.0.get(id).copied().unwrap_or([NONE; 2])));
        }
        let mut constants = Constants::default();
        for (name, constant) in fields {
            constants.push(as_u32(slots.0.len()), constant.clone());
            slots.push(None, None);
            kept.push(FieldShape { name: Cow::Owned(name.clone()), shape: constant.shape().clone() });
        }
        let (namespace, name) = (record.namespace.clone(), record.name.clone());
        let shape = Shape::Record(RecordShape { namespace, name, form: record.form, fields: kept });
        let whole = Projection::whole(shape);
        Ok(Self { whole, constants: Arc::new(constants), slots, unseen, ..self })
    }

    /// The same rows, in which some nodes have other names.
    pub(crate) fn renamed(&self, names: &HashMap<NodeId, String>) -> Self {
        Self { whole: self.whole.renamed(names), is_renamed: true, ..self.clone() }
    }

    /// Whether the rows of a part have nothing in lists or optionals that has a column of its own: rows are all that columns count.
    pub(crate) fn is_flat(&self, part: &Projection) -> bool {
        let (tree, own) = (&part.tree, |id| self.column(Slot::Own(part.in_whole(id)?)));
        (0..as_u32(tree.len())).all(|id| match tree.kind(id) {
            Kind::Unknown | Kind::Leaf(_) | Kind::Record => true,
            Kind::List | Kind::Optional => {
                matches!(tree.kind(id + 1), Kind::Leaf(_)) && own(id).is_some() && own(id) == own(id + 1)
            }
            Kind::Map | Kind::Union => false,
        })
    }

    /// Whether there are fields that no file has.
    pub(crate) fn has_constants(&self) -> bool {
        !self.constants.is_empty()
    }

    /// The fields that have the same value in all rows, with their names.
    pub(crate) fn named_constants(&self) -> Vec<(String, Constant)> {
        let Shape::Record(record) = &*self.whole.shape else { return Vec::new() };
        let fields = record.fields.iter().zip(self.whole.tree.children(0));
        let constant = |(field, id): (&FieldShape, NodeId)| {
            Some((field.name.to_string(), self.constants.get(id)?.clone()))
        };
        fields.filter_map(constant).collect()
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
        sort::once(&mut columns, |column| *column as u64);
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
