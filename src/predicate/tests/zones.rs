//! Zones of the columns of a vector, computed from its values.

use crate::schema::columns::Layout;
use crate::shape::Shape;
use crate::storage::zone_map::{Bound, Zone};
use crate::vector::{Offsets, UnionVector, Vector};
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// What one column holds, each with its row.
#[derive(Default)]
pub(super) struct Column {
    lengths: Vec<(usize, u64)>,
    values: Vec<(usize, Option<Bound>)>,
}

/// The columns of a vector by number.
pub(super) fn columns(shape: &Shape, layout: &Layout, vector: &Vector) -> BTreeMap<usize, Column> {
    let mut columns = BTreeMap::new();
    let rows: Vec<usize> = (0..vector.len()).collect();
    collect(shape, layout, vector, &rows, &mut columns);
    columns
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

fn collect(
    shape: &Shape,
    layout: &Layout,
    vector: &Vector,
    rows: &[usize],
    columns: &mut BTreeMap<usize, Column>,
) {
    match (shape, layout, vector) {
        (Shape::Record(record), Layout::Record(layouts), Vector::Record(fields)) => {
            for ((field, layout), vector) in record.fields.iter().zip(layouts).zip(&fields.fields) {
                collect(&field.shape, layout, vector, rows, columns);
            }
        }
        (Shape::Optional(optional), Layout::Union(branches), Vector::Optional(list)) => {
            let present = items(&list.offsets, rows);
            let (Shape::Union(variants), Vector::Union(union)) = (&optional.item, &list.item) else {
                panic!("a union");
            };
            for layout in branches {
                let Layout::Array { column, .. } = layout else { panic!("a branch") };
                let absent = rows.iter().filter(|row| !present.contains(row)).map(|row| (*row, 0));
                columns.entry(*column).or_default().lengths.extend(absent);
            }
            collect_union(variants, branches, union, &present, columns);
        }
        (Shape::Union(variants), Layout::Union(branches), Vector::Union(union)) => {
            collect_union(variants, branches, union, rows, columns);
        }
        (Shape::Optional(_) | Shape::List(_), Layout::Array { column, item }, _) => {
            let (item_shape, list) = match (shape, vector) {
                (Shape::Optional(optional), Vector::Optional(list)) => (&optional.item, list),
                (Shape::List(item), Vector::List(list)) => (&**item, list),
                _ => panic!("an array"),
            };
            add_lengths(&list.offsets, rows, columns.entry(*column).or_default());
            let fused = Layout::Leaf(*column);
            let below = item.as_deref().unwrap_or(&fused);
            collect(item_shape, below, &list.item, &items(&list.offsets, rows), columns);
        }
        (Shape::Map(shape), Layout::Map { column, key, value }, Vector::Map(map)) => {
            add_lengths(&map.offsets, rows, columns.entry(*column).or_default());
            let rows = items(&map.offsets, rows);
            collect(&shape.key, key, &map.key, &rows, columns);
            collect(&shape.value, value, &map.value, &rows, columns);
        }
        (_, Layout::Leaf(column), vector) => {
            let values = rows.iter().enumerate().map(|(at, row)| (*row, bound(vector, at)));
            columns.entry(*column).or_default().values.extend(values);
        }
        _ => panic!("columns do not fit the shape"),
    }
}

fn collect_union(
    variants: &[Shape],
    branches: &[Layout],
    union: &UnionVector,
    rows: &[usize],
    columns: &mut BTreeMap<usize, Column>,
) {
    for (tag, (variant, layout)) in variants.iter().zip(branches).enumerate() {
        let Layout::Array { column, item } = layout else { panic!("a branch") };
        let here: Vec<bool> = union.tags.iter().map(|found| usize::from(*found) == tag).collect();
        let lengths = rows.iter().zip(&here).map(|(row, here)| (*row, u64::from(*here)));
        columns.entry(*column).or_default().lengths.extend(lengths);
        let rows: Vec<usize> =
            rows.iter().zip(&here).filter(|(_, here)| **here).map(|(row, _)| *row).collect();
        let fused = Layout::Leaf(*column);
        collect(variant, item.as_deref().unwrap_or(&fused), &union.variants[tag], &rows, columns);
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
