//! Which columns the nodes need that have been asked for.

use crate::dialect::schema::Schema;
use crate::levels::Place;
use crate::tree::{Kind, NodeId, Projection, Slot};
use std::collections::HashMap;

/// A node of the part that is decoded.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Node {
    /// Whether it has been asked for.
    pub(super) wanted: bool,
    /// The place of its entries.
    pub(super) place: Place,
    /// How many items each list has, where it is a row of a matrix.
    pub(super) width: Option<usize>,
    /// The column that tells of its entries: the place of one in use.
    pub(super) column: Option<usize>,
    /// The column that tells which entries of a union it is.
    pub(super) presence: Option<usize>,
}

/// A column in use.
#[derive(Clone, Copy, Debug)]
pub(super) struct Use {
    /// Number of the column in the file.
    pub(super) column: usize,
    /// Its place among the columns that are open.
    pub(super) at: usize,
    /// The deepest node of the part that uses it.
    pub(super) node: NodeId,
    pub(super) values: bool,
    /// The column in use before it, and the place above both.
    pub(super) neighbour: Option<(usize, Place)>,
}

/// The columns in use, and which of them each node has.
#[derive(Debug, Default)]
pub(super) struct Plan {
    /// In the order of the nodes.
    pub(super) uses: Vec<Use>,
    numbers: HashMap<usize, usize>,
    /// The nodes above the last use, and the places that all below each have in common.
    last: Vec<(NodeId, Place)>,
    above: Vec<(NodeId, Place)>,
}

/// Makes plans for a part of the rows.
pub(super) struct Planner<'p> {
    pub(super) schema: &'p Schema,
    pub(super) part: &'p Projection,
}

impl Planner<'_> {
    /// Plans for the nodes that have been asked for; each of them gets its column.
    pub(super) fn plan(&self, nodes: &mut [Node]) -> Plan {
        let mut plan = Plan::default();
        nodes.iter_mut().for_each(|node| (node.column, node.presence) = (None, None));
        self.node(0, nodes, &mut plan);
        plan
    }

    /// The column that holds something of a node of the part.
    pub(super) fn column(&self, slot: impl FnOnce(NodeId) -> Slot, id: NodeId) -> Option<usize> {
        self.schema.column(slot(self.part.in_whole(id)?))
    }

    /// Whether a column of a node holds neither values nor lengths of the nodes below it in the file.
    fn is_alone(&self, id: NodeId, column: usize) -> bool {
        let tree = &self.schema.whole.tree;
        let is_group = |id| matches!(tree.kind(id), Kind::Record | Kind::Union);
        self.part.in_whole(id).is_some_and(|id| {
            let mut below = (id + 1..id + tree.span(id)).filter(|id| !is_group(*id));
            !below.any(|id| self.schema.column(Slot::Own(id)) == Some(column))
        })
    }

    /// Plans for a node; returns the first column in use at or below it.
    fn node(&self, id: NodeId, nodes: &mut [Node], plan: &mut Plan) -> Option<usize> {
        let node = nodes.get(id as usize).filter(|node| node.wanted)?;
        let (node, place, kind) = (*node, node.place, self.part.tree.kind(id));
        let own = self.column(Slot::Own, id);
        let common = match kind {
            Kind::List if node.width.is_some() => place,
            Kind::List | Kind::Map => place.items(),
            Kind::Optional => place.within(),
            _ => place,
        };
        plan.above.push((id, common));
        let used = match kind {
            Kind::Leaf(_) => own.map(|column| plan.add(column, id, true)),
            Kind::Record => self.children(id, nodes, plan),
            Kind::Union => {
                let mut first = None;
                for id in self.part.tree.children(id) {
                    let used = self.variant(id, nodes, plan);
                    first = first.or(used);
                }
                first
            }
            // The union below tells what is there.
            Kind::Optional if self.part.tree.kind(id + 1) == Kind::Union => {
                nodes.get_mut(id as usize + 1).into_iter().for_each(|union| union.wanted = true);
                self.node(id + 1, nodes, plan)
            }
            Kind::List | Kind::Map | Kind::Optional => {
                // A column of the node alone is always read: every read that needs it refuses the same levels.
                let kept = own.filter(|column| self.is_alone(id, *column));
                let kept = kept.map(|column| plan.add(column, id, false));
                let below = self.children(id, nodes, plan);
                kept.or(below).or_else(|| own.map(|column| plan.add(column, id, false)))
            }
            Kind::Unknown => None,
        };
        plan.above.pop();
        if let Some(node) = nodes.get_mut(id as usize) {
            node.column = used;
        }
        used
    }

    fn children(&self, id: NodeId, nodes: &mut [Node], plan: &mut Plan) -> Option<usize> {
        let mut first = None;
        for id in self.part.tree.children(id) {
            let used = self.node(id, nodes, plan);
            first = first.or(used);
        }
        first
    }

    /// A variant: a column tells which entries it is, whether or not its values are asked for.
    fn variant(&self, id: NodeId, nodes: &mut [Node], plan: &mut Plan) -> Option<usize> {
        let presence = self.column(Slot::Presence, id);
        let place = nodes.get(id as usize).map_or_else(Place::default, |node| node.place);
        plan.above.push((id, place));
        let below = self.node(id, nodes, plan);
        let used = below.or_else(|| presence.map(|column| plan.add(column, id, false)));
        plan.above.pop();
        if let Some(node) = nodes.get_mut(id as usize) {
            node.presence = used;
        }
        used
    }
}

impl Plan {
    /// Uses a column; returns its place among those in use.
    fn add(&mut self, column: usize, node: NodeId, values: bool) -> usize {
        if let Some(number) = self.numbers.get(&column) {
            if let Some(known) = self.uses.get_mut(*number) {
                known.values |= values;
                known.node = known.node.max(node);
            }
            return *number;
        }
        let number = self.uses.len();
        let shared = self.last.iter().zip(&self.above).take_while(|(one, two)| one.0 == two.0).last();
        let neighbour = number.checked_sub(1).zip(shared.map(|(_, node)| node.1));
        self.uses.push(Use { column, at: 0, node, values, neighbour });
        self.numbers.insert(column, number);
        self.last.clone_from(&self.above);
        number
    }
}
