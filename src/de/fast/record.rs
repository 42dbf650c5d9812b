//! Records: the fields of structs and tuples one after the other.

use super::hold::{Hold, Lend, Owned, Plant, View};
use super::named::Named;
use super::node::{Below, Node};
use super::{Fast, FastPathMiss, Result};
use crate::de::plan::{FieldPlan, Order, RecordPlan};
use crate::de::slow::FastFields;
use crate::shape::Form;
use crate::vector::RecordVector;
use serde::de::{Deserialize, DeserializeSeed, SeqAccess};
use std::cell::Cell;
use std::marker::PhantomData;
use std::sync::Arc;

/// The node of a record.
pub(super) fn node<'p, H: Plant<'p>>(plan: &'p Arc<RecordPlan>, fields: H::Record) -> Node<H> {
    let record = fields_of(plan, fields);
    match plan.form {
        Form::Struct | Form::Tuple => record,
        _ => Node::holding(Below::Variant(H::share(plan), Box::new(record))),
    }
}

fn fields_of<'p, H: Plant<'p>>(plan: &'p Arc<RecordPlan>, mut fields: H::Record) -> Node<H> {
    match plan.order() {
        Order::Positions { names, places } => {
            let record = Record::from_plan(plan, names, places.iter().copied(), &mut fields);
            Node { record, ..Node::holding(Below::Struct(H::share(plan), fields)) }
        }
        Order::Tuple => {
            let record = Record::from_plan(plan, &[], 0..plan.fields.len() as u32, &mut fields);
            Node { record, ..Node::holding(Below::Tuple(fields)) }
        }
        Order::Names { names, places } => {
            let named = Named::new(plan, Some(names), places.iter().copied(), fields);
            Node::holding(Below::Named(Box::new(named)))
        }
        Order::All => {
            let named = Named::new(plan, None, 0..plan.fields.len() as u32, fields);
            Node::holding(Below::Named(Box::new(named)))
        }
    }
}

/// Takes a field out of a record.
pub(super) fn field<'p, H: Plant<'p>>(
    plan: &'p RecordPlan,
    place: u32,
    record: &mut H::Record,
) -> Option<(&'p FieldPlan, Node<H>)> {
    let field = plan.fields.get(place as usize)?;
    Some((field, Node::new(&field.plan, H::field(record, place as usize)?)))
}

/// Gives fields back to the rest of their record.
pub(super) fn release(
    fields: impl Iterator<Item = (u32, Node<Owned>)>,
    mut rest: RecordVector,
) -> RecordVector {
    for (place, node) in fields {
        if let Some(field) = rest.fields.get_mut(place as usize) {
            *field = node.release();
        }
    }
    rest
}

/// The fields of a struct or a tuple, in its order.
pub(super) struct Record<H: Hold> {
    /// The names of the struct's fields, known by their address; none before a struct has taken all fields by
    /// position.
    names: Cell<&'static [&'static str]>,
    nodes: Vec<Node<H>>,
    /// How many fields the last struct has left that was not known by its address.
    left: Cell<usize>,
}

impl<H: Hold> Default for Record<H> {
    fn default() -> Self {
        Self { names: Cell::default(), nodes: Vec::new(), left: Cell::new(0) }
    }
}

impl<H: Hold> Record<H> {
    fn from_plan<'p>(
        plan: &'p RecordPlan,
        names: &'static [&'static str],
        places: impl Iterator<Item = u32>,
        fields: &mut H::Record,
    ) -> Self
    where
        H: Plant<'p>,
    {
        let nodes = places.filter_map(|place| Some(field(plan, place, fields)?.1)).collect();
        Self { names: Cell::new(names), nodes, left: Cell::new(0) }
    }

    /// All fields.
    #[inline(always)]
    pub(super) fn nodes(&self) -> &[Node<H>] {
        &self.nodes
    }

    pub(super) fn nodes_mut(&mut self) -> std::slice::IterMut<'_, Node<H>> {
        self.nodes.iter_mut()
    }

    /// All fields, one after the other.
    #[inline(always)]
    pub(super) fn fields<L: View<Hold = H>>(&self, index: usize) -> Fields<'_, L> {
        Fields { nodes: &self.nodes, index }
    }

    /// The fields of a struct, if its list of names is known by its address. So it is that of this node and
    /// of no other kind of node; but empty lists all have the same.
    #[inline(always)]
    pub(super) fn of_known<L: View<Hold = H>>(
        &self,
        names: &'static [&'static str],
        index: usize,
    ) -> Option<Fields<'_, L>> {
        if names.is_empty() || self.names.get().as_ptr() != names.as_ptr() || self.nodes.len() != names.len()
        {
            return None;
        }
        // Known to the compiler to have as many as the struct has fields.
        let nodes = self.nodes.get(..names.len())?;
        Some(Fields { nodes, index })
    }

    /// All fields for a struct that is not known by its address.
    pub(super) fn checked<L: View<Hold = H>>(&self, index: usize) -> CheckedFields<'_, L> {
        self.left.set(self.nodes.len());
        CheckedFields { fields: self.fields(index), left: &self.left }
    }

    /// After that: whether it has taken all fields. If so, it is known from now on.
    pub(super) fn end(&self, plan: &RecordPlan, names: &'static [&'static str], is_ok: bool) -> bool {
        let left = self.left.get();
        if is_ok && left == 0 {
            plan.note_taken();
            self.names.set(names);
            return true;
        }
        // A struct may also fail because of a value.
        if is_ok || left == self.nodes.len() {
            plan.read_by_name();
        }
        false
    }
}

impl Record<Owned> {
    /// Gives the fields back to the rest of the record.
    pub(super) fn release(self, places: impl Iterator<Item = u32>, rest: RecordVector) -> RecordVector {
        release(places.zip(self.nodes), rest)
    }
}

/// The fields of a struct or a tuple one after the other, in its order.
pub(super) struct Fields<'n, L: View> {
    nodes: &'n [Node<L::Hold>],
    index: usize,
}

impl<'n, 'de, L: Lend<'n, 'de>> SeqAccess<'de> for Fields<'n, L> {
    type Error = FastPathMiss;

    #[inline(always)]
    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        let Some((node, nodes)) = self.nodes.split_first() else {
            return Ok(None);
        };
        self.nodes = nodes;
        match seed.deserialize(Fast::<L> { node, index: self.index }) {
            Ok(value) => Ok(Some(value)),
            Err(error) => Err(error),
        }
    }

    #[inline(always)]
    fn next_element<T: Deserialize<'de>>(&mut self) -> Result<Option<T>> {
        self.next_element_seed(PhantomData)
    }
}

/// The same, with a count of the fields that are left.
pub(crate) struct CheckedFields<'n, L: View> {
    fields: Fields<'n, L>,
    left: &'n Cell<usize>,
}

impl<'n, 'de, L: Lend<'n, 'de>> FastFields<'de> for CheckedFields<'n, L> {
    type Value = Fast<'n, L>;

    fn next(&mut self) -> Option<Fast<'n, L>> {
        let (node, nodes) = self.fields.nodes.split_first()?;
        self.fields.nodes = nodes;
        self.left.set(nodes.len());
        Some(Fast { node, index: self.fields.index })
    }
}
