//! A tree that is kept from batch to batch: it takes the values of each, and gives them back.

use super::hold::Owned;
use super::node::{Below, Node};
use crate::de::Plan;
use crate::de::plan::RecordPlan;
use crate::vector::{RecordVector, Vector};
use std::mem::swap;

impl Node<Owned> {
    /// Whether a vector has the form that the tree was made for. A tree that has numbers as other floats fits none.
    pub(super) fn fits(&self, plan: &Plan, vector: &Vector) -> bool {
        match (&self.below, vector, plan) {
            (Below::Ints, Vector::Int(_), Plan::Number(asked))
            | (Below::Longs, Vector::Long(_), Plan::Number(asked))
            | (Below::Unsigned, Vector::Long(_), Plan::U64(asked))
            | (Below::Floats, Vector::Float(_), Plan::Number(asked))
            | (Below::Doubles, Vector::Double(_), Plan::Number(asked)) => asked.is_none(),
            (Below::Logical(_), Vector::Int(_) | Vector::Long(_) | Vector::Bytes(_), Plan::Logical(plan)) => {
                plan.floats.is_none()
            }
            (Below::Booleans, Vector::Boolean(_), _)
            | (Below::Texts, Vector::String(_), _)
            | (Below::Bytes | Below::I128(_) | Below::U128(_), Vector::Bytes(_), _)
            | (Below::Null(_), Vector::Null(_), _)
            | (Below::Enum(..), Vector::Enum(_), _) => true,
            (Below::Unread(_), Vector::Unread(_), _) => true,
            (
                Below::Struct(..) | Below::Tuple(_) | Below::Named(_),
                Vector::Record(record),
                Plan::Record(plan),
            ) => self.has_fields_of(plan, record),
            (Below::Variant(_, node), Vector::Record(_), _) => node.fits(plan, vector),
            (Below::List(_, item), Vector::List(list), Plan::List(plan)) => item.fits(plan, &list.item),
            (Below::Optional(_, _, item), Vector::Optional(list), Plan::Optional(plan)) => {
                item.fits(&plan.item, &list.item)
            }
            (Below::Map(_, entry), Vector::Map(map), Plan::Map(plans)) => {
                entry.0.fits(&plans.0, &map.key) && entry.1.fits(&plans.1, &map.value)
            }
            (Below::Union(union), Vector::Union(vector), Plan::Union(plan)) => {
                let mut branches = plan.branches.iter().zip(&vector.variants).zip(&union.branches);
                let all = vector.variants.len() == union.branches.len()
                    && plan.branches.len() == union.branches.len();
                all && branches.all(|(((_, plan), variant), node)| node.fits(plan, variant))
            }
            _ => false,
        }
    }

    fn has_fields_of(&self, plan: &RecordPlan, record: &RecordVector) -> bool {
        let fits = |(place, node): (u32, &Self)| {
            let (field, vector) = (plan.fields.get(place as usize), record.fields.get(place as usize));
            field.zip(vector).is_some_and(|(field, vector)| node.fits(&field.plan, vector))
        };
        match &self.below {
            Below::Struct(plan, rest) if rest.fields.len() == record.fields.len() => {
                plan.places().zip(self.record.nodes()).all(fits)
            }
            Below::Tuple(rest) if rest.fields.len() == record.fields.len() => {
                (0..).zip(self.record.nodes()).all(fits)
            }
            Below::Named(named) if named.rest.fields.len() == record.fields.len() => named.nodes().all(fits),
            _ => false,
        }
    }

    /// Exchanges the values of the tree and those of a vector. False where some part of the vector does not have the form
    /// that the tree was made for: that part stays, and the same call again takes back what was exchanged.
    pub(super) fn exchange(&mut self, vector: &mut Vector) -> bool {
        match (&mut self.below, vector) {
            (Below::Booleans, Vector::Boolean(values)) => swap(&mut self.booleans, values),
            (Below::Ints | Below::Logical(_), Vector::Int(values)) => swap(&mut self.ints, values),
            (Below::Longs | Below::Logical(_), Vector::Long(values)) => swap(&mut self.longs, values),
            (Below::Unsigned, Vector::Long(values)) => swap(&mut self.unsigned, values),
            (Below::Floats, Vector::Float(values)) => swap(&mut self.floats, values),
            (Below::Doubles, Vector::Double(values)) => swap(&mut self.doubles, values),
            (Below::Texts, Vector::String(values)) => swap(&mut self.texts, values),
            (Below::Bytes | Below::Logical(_), Vector::Bytes(values)) => swap(&mut self.bytes, values),
            (Below::I128(own) | Below::U128(own), Vector::Bytes(values)) => swap(own, values),
            (Below::Null(own), Vector::Null(len)) => swap(own, len),
            (Below::Enum(_, own), Vector::Enum(ordinals)) => swap(own, ordinals),
            (Below::Unread(own), Vector::Unread(node)) => swap(own, node),
            (Below::Struct(plan, rest), Vector::Record(record)) => {
                return fields(plan.places().zip(self.record.nodes_mut()), rest, record);
            }
            (Below::Tuple(rest), Vector::Record(record)) => {
                return fields((0..).zip(self.record.nodes_mut()), rest, record);
            }
            (Below::Named(named), Vector::Record(record)) => return named.exchange(record),
            (Below::Variant(_, node), vector @ Vector::Record(_)) => return node.exchange(vector),
            (Below::List(offsets, item), Vector::List(list))
            | (Below::Optional(_, offsets, item), Vector::Optional(list)) => {
                swap(offsets, list.offsets.settle());
                return item.exchange(&mut list.item);
            }
            (Below::Map(offsets, entry), Vector::Map(map)) => {
                swap(offsets, map.offsets.settle());
                let key = entry.0.exchange(&mut map.key);
                return entry.1.exchange(&mut map.value) && key;
            }
            (Below::Union(union), Vector::Union(vector)) => return union.exchange(vector),
            _ => return false,
        }
        true
    }
}

/// Exchanges the fields that a record has in nodes, as [`Node::exchange`] does. The others stay: a tree that is kept has
/// none of them.
pub(super) fn fields<'n>(
    nodes: impl Iterator<Item = (u32, &'n mut Node<Owned>)>,
    rest: &mut RecordVector,
    record: &mut RecordVector,
) -> bool {
    if rest.fields.len() != record.fields.len() {
        return false;
    }
    swap(&mut rest.len, &mut record.len);
    swap(&mut rest.earlier, &mut record.earlier);
    let mut all = true;
    for (place, node) in nodes {
        all &= record.fields.get_mut(place as usize).is_some_and(|field| node.exchange(field));
    }
    all
}
