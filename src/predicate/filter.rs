//! A predicate bound to a shape: what is compared where.

use super::comparison::Accepted;
use super::prune::Zones;
use super::truth::{Truth, Truths};
use crate::error::Result;
use crate::storage::zone_map::Zone;
use crate::tree::{NodeId, Slot};
use crate::vector::{Dictionary, Vector};
use std::ops::Range;
use std::rc::Rc;
use std::sync::{Arc, Mutex};

/// The blocks of what is stored for a node: rows and zone of each; `None` where nothing is known.
pub(crate) type Blocks = Option<Rc<[(u64, Zone)]>>;

/// A predicate bound to a shape.
#[derive(Clone, Debug)]
pub(crate) struct Filter {
    pub(super) root: Step,
    pub(super) nodes: Vec<NodeId>,
    pub(super) slots: Vec<Slot>,
}

/// A condition on the entries of a node of the shape, or of a node below it.
#[derive(Clone, Debug)]
pub(super) enum Step {
    /// The same for all entries.
    Constant(Truth),
    /// The values are among these.
    Values {
        node: NodeId,
        accepted: Accepted,
        known: Known,
    },
    /// A condition on a field of a record, or on the key (0) or value (1) of a map's entry.
    Field(usize, Box<Step>),
    /// A condition on what is there; `missing` for entries that are not. The slots say which are:
    /// those that have an item in one of them.
    Optional {
        slots: Vec<Slot>,
        missing: Truth,
        item: Box<Step>,
    },
    /// Conditions on some variants of a union; `missing` for entries that are other variants.
    Variants {
        missing: Truth,
        variants: Vec<Variant>,
    },
    /// A condition on at least one item of a list, or entry of a map.
    Any {
        node: NodeId,
        item: Box<Step>,
    },
    And(Vec<Step>),
    Or(Vec<Step>),
    Not(Box<Step>),
}

/// The results for the values of the dictionary that was met last.
#[derive(Clone, Debug, Default)]
pub(super) struct Known(pub(super) Arc<Mutex<OfDictionary>>);

/// A dictionary, and for each of its values whether it is accepted.
pub(super) type OfDictionary = Option<(Arc<Dictionary>, Vec<Truth>)>;

/// A condition on one variant of a union.
#[derive(Clone, Debug)]
pub(super) struct Variant {
    pub(super) tag: u16,
    pub(super) node: NodeId,
    pub(super) item: Step,
}

impl Filter {
    /// The nodes of the shape to be decoded, counted depth first from 0, in ascending order: with each
    /// node those above it, and always the root. All others may be [`Vector::Unread`].
    pub(crate) fn nodes(&self) -> &[NodeId] {
        &self.nodes
    }

    /// What is stored for these nodes, in ascending order.
    pub(crate) fn slots(&self) -> &[Slot] {
        &self.slots
    }

    /// Whether the predicate holds, for each entry of a vector of the form of the shape.
    ///
    /// # Errors
    ///
    /// Nodes that are not decoded, or do not have the form of the shape; ordinals without a symbol.
    pub(crate) fn evaluate(&self, vector: &Vector) -> Result<Vec<Truth>> {
        self.root.evaluate_rows(vector)
    }

    /// What may be true in `rows` rows, as far as zones say it: ranges of rows that ascend and cover all.
    ///
    /// `zones` gives the rows and the zone of each block of what is stored for a node, or `None` where nothing is
    /// known. It is asked at most once for each slot.
    ///
    /// # Errors
    ///
    /// As `zones`.
    pub(crate) fn prune(
        &self,
        rows: u64,
        zones: &mut dyn FnMut(Slot) -> Result<Blocks>,
    ) -> Result<Vec<(Range<u64>, Truths)>> {
        Ok(self.root.prune(&mut Zones::new(rows, zones))?.into_ranges())
    }
}
