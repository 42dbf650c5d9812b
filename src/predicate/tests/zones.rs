//! Zones of the columns of a vector, computed from its values.

use crate::shape::Shape;
use crate::storage::zone_map::{Bound, Zone};
use crate::tree::{NodeId, Slot, Tree};
use crate::vector::{Offsets, UnionVector, Vector};
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// What one column holds, each with its row.
#[derive(Default)]
pub(super) struct Column {
    lengths: Vec<(usize, u64)>,
    values: Vec<(usize, Option<Bound>)>,
}

/// What is stored for the nodes of a vector.
pub(super) fn slots(shape: &Shape, tree: &Tree, vector: &Vector) -> BTreeMap<Slot, Column> {
    let mut slots = Collect { tree, slots: BTreeMap::new() };
    let rows: Vec<usize> = (0..vector.len()).collect();
    slots.node(shape, 0, vector, &rows);
    slots.slots
}

impl Column {
    /// The zone of some rows.
    pub(super) fn zone(&self, rows: std::ops::Range<usize>) -> Zone {
        let lengths = || self.lengths.iter().filter(|(row, _)| rows.contains(row)).map(|(_, length)| *length);
        let values = || self.values.iter().filter(|(row, _)| rows.contains(row));
        let nulls = lengths().filter(|length| *length == 0).count() as u64;
        let count = if self.lengths.is_empty() { values().count() as u64 } else { lengths().sum() };
        let mut zone = Zone { nulls, values: count, ..Zone::default() };
        for bound in values().filter_map(|(_, bound)| bound.as_ref()) {
            if matches!(bound, Bound::Float(value) if value.is_nan()) {
                zone.nan = true;
                continue;
            }
            let beyond = |other: &Option<Bound>, order| {
                other.as_ref().is_none_or(|other| bound.compare(other) == Some(order))
            };
            if beyond(&zone.min, Ordering::Less) {
                zone.min = Some(bound.clone());
            }
            if beyond(&zone.max, Ordering::Greater) {
                zone.max = Some(bound.clone());
            }
        }
        zone
    }
}

struct Collect<'t> {
    tree: &'t Tree,
    slots: BTreeMap<Slot, Column>,
}

impl Collect<'_> {
    fn slot(&mut self, slot: Slot) -> &mut Column {
        self.slots.entry(slot).or_default()
    }

    fn node(&mut self, shape: &Shape, id: NodeId, vector: &Vector, rows: &[usize]) {
        let tree = self.tree;
        match (shape, vector) {
            (Shape::Record(record), Vector::Record(fields)) => {
                for ((field, id), vector) in record.fields.iter().zip(tree.children(id)).zip(&fields.fields) {
                    self.node(&field.shape, id, vector, rows);
                }
            }
            (Shape::Optional(optional), Vector::Optional(list)) => {
                let present = items(&list.offsets, rows);
                if let (Shape::Union(variants), Vector::Union(union)) = (&optional.item, &list.item) {
                    for variant in tree.children(id + 1) {
                        let absent = rows.iter().filter(|row| !present.contains(row)).map(|row| (*row, 0));
                        self.slot(Slot::Presence(variant)).lengths.extend(absent);
                    }
                    return self.union(variants, id + 1, union, &present);
                }
                add_lengths(&list.offsets, rows, self.slot(Slot::Own(id)));
                self.node(&optional.item, id + 1, &list.item, &present);
            }
            (Shape::Union(variants), Vector::Union(union)) => self.union(variants, id, union, rows),
            (Shape::List(item), Vector::List(list)) => {
                add_lengths(&list.offsets, rows, self.slot(Slot::Own(id)));
                self.node(item, id + 1, &list.item, &items(&list.offsets, rows));
            }
            (Shape::Map(shape), Vector::Map(map)) => {
                add_lengths(&map.offsets, rows, self.slot(Slot::Own(id)));
                let rows = items(&map.offsets, rows);
                let halves = [(&shape.key, &map.key), (&shape.value, &map.value)];
                for ((shape, vector), id) in halves.into_iter().zip(tree.children(id)) {
                    self.node(shape, id, vector, &rows);
                }
            }
            (shape, vector) => {
                assert!(shape.is_simple(), "columns do not fit the shape");
                let values = rows.iter().enumerate().map(|(at, row)| (*row, bound(vector, at)));
                self.slot(Slot::Own(id)).values.extend(values);
            }
        }
    }

    fn union(&mut self, variants: &[Shape], id: NodeId, union: &UnionVector, rows: &[usize]) {
        let tree = self.tree;
        for (tag, (variant, id)) in variants.iter().zip(tree.children(id)).enumerate() {
            let here: Vec<bool> = union.tags.iter().map(|found| usize::from(*found) == tag).collect();
            let lengths = rows.iter().zip(&here).map(|(row, here)| (*row, u64::from(*here)));
            self.slot(Slot::Presence(id)).lengths.extend(lengths);
            let rows: Vec<usize> =
                rows.iter().zip(&here).filter(|(_, here)| **here).map(|(row, _)| *row).collect();
            self.node(variant, id, &union.variants[tag], &rows);
        }
    }
}

/// The rows of the items of lists in these rows.
fn items(offsets: &Offsets, rows: &[usize]) -> Vec<usize> {
    let repeated = offsets.lengths().zip(rows);
    repeated.flat_map(|(length, row)| std::iter::repeat_n(*row, length as usize)).collect()
}

fn add_lengths(offsets: &Offsets, rows: &[usize], column: &mut Column) {
    column.lengths.extend(rows.iter().copied().zip(offsets.lengths().map(u64::from)));
}

fn bound(vector: &Vector, at: usize) -> Option<Bound> {
    Some(match vector {
        Vector::Boolean(values) => Bound::Boolean(values[at]),
        Vector::Int(values) | Vector::Enum(values) => Bound::Integer(values[at].into()),
        Vector::Long(values) => Bound::Integer(values[at]),
        Vector::Float(values) => Bound::Float(values[at].into()),
        Vector::Double(values) => Bound::Float(values[at]),
        Vector::String(values) => Bound::Bytes(values.get(at).unwrap().into()),
        Vector::Bytes(values) => Bound::Bytes(values.get(at).unwrap().into()),
        _ => return None,
    })
}
