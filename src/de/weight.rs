//! About how much memory rows take that are made of a batch.

use super::plan::{Plan, RecordPlan};
use crate::shape::Null;
use crate::vector::{Offsets, RecordVector, Vector};

/// Memory of values.
#[derive(Clone, Copy, Default)]
struct Weight {
    /// Of each, in its place.
    own: u64,
    /// Of all, elsewhere.
    heap: u64,
}

/// Memory of a text, a list or a map in its place.
const POINTERS: u64 = 24;
/// Memory that is lost where some is taken.
const LOST: u64 = 16;
/// A node of a map of strings and untyped values, and how many of these it is worth.
const NODE: u64 = 640;
const NODE_ENTRIES: u64 = 8;
/// A key or a value of such a map.
const UNTYPED: u64 = 32;

/// About how many bytes of memory rows take that are made of a batch, beside what each takes in its place. What has not
/// been decoded takes none.
pub(super) fn heap(plan: &Plan, rows: &Vector) -> u64 {
    weigh(plan, rows).heap
}

fn weigh(plan: &Plan, values: &Vector) -> Weight {
    match (plan, values) {
        (_, Vector::Unread(_)) => Weight::default(),
        (_, Vector::Null(_)) => Weight { own: 16, heap: 0 },
        (_, Vector::String(texts)) => text(texts.len(), texts.data().len()),
        (_, Vector::Bytes(bytes)) => text(bytes.len(), bytes.data().len()),
        (Plan::Record(plan), Vector::Record(record)) => of_record(plan, record),
        (Plan::List(plan), Vector::List(list)) => {
            let item = weigh(plan, &list.item);
            let items = list.offsets.total() as u64 * item.own;
            Weight { own: POINTERS, heap: items + LOST * some(&list.offsets) + item.heap }
        }
        (Plan::Map(plans), Vector::Map(map)) => {
            let [key, value] = [weigh(&plans.0, &map.key), weigh(&plans.1, &map.value)];
            let entries = 2 * map.offsets.total() as u64 + NODE_ENTRIES * some(&map.offsets);
            Weight { own: 2 * POINTERS, heap: entries * (key.own + value.own) + key.heap + value.heap }
        }
        (Plan::Optional(plan), Vector::Optional(list)) => {
            let item = weigh(&plan.item, &list.item);
            Weight { own: 8 + item.own, ..item }
        }
        (Plan::Union(plan), Vector::Union(union)) => {
            let variants = plan.branches.iter().zip(&union.variants);
            let mut all = Weight::default();
            for variant in variants.map(|((_, plan), values)| weigh(plan, values)) {
                all = Weight { own: all.own.max(8 + variant.own), heap: all.heap + variant.heap };
            }
            all
        }
        _ => Weight { own: 8, heap: 0 },
    }
}

fn text(count: usize, bytes: usize) -> Weight {
    Weight { own: POINTERS, heap: LOST * count as u64 + bytes as u64 }
}

/// How many of some lists have items, at most.
fn some(offsets: &Offsets) -> u64 {
    offsets.len().min(offsets.total()) as u64
}

/// A struct has its fields in its own place. Where no struct has been read, it is a map of them.
fn of_record(plan: &RecordPlan, record: &RecordVector) -> Weight {
    let mut all = Weight::default();
    for (field, values) in plan.fields.iter().zip(&record.fields) {
        let field = weigh(&field.plan, values);
        all = Weight { own: all.own + field.own, heap: all.heap + field.heap };
    }
    let read =
        || plan.fields.iter().zip(&record.fields).filter(|(_, field)| !matches!(field, Vector::Unread(_)));
    let (fields, len) = (read().count() as u64, record.len as u64);
    if fields == 0 || !plan.is_map() {
        return all;
    }
    let entries: u64 = read().map(|(field, values)| present(&field.plan, values)).sum();
    let nodes = (len * fields.div_ceil(NODE_ENTRIES)).min(len + entries / NODE_ENTRIES);
    Weight { own: UNTYPED, heap: all.heap + nodes * NODE + entries * UNTYPED }
}

/// In how many records a field is present.
fn present(plan: &Plan, values: &Vector) -> u64 {
    let count = match (plan, values) {
        (Plan::Optional(plan), Vector::Optional(list)) if plan.null == Null::Absent => list.offsets.total(),
        _ => values.len(),
    };
    count as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::branch::Branches;
    use crate::shape::{OptionalShape, Shape, Shown};

    #[test]
    fn what_is_elsewhere_is_counted() {
        let plan = |shape: &Shape| Plan::new(shape, Branches::Kinds, Shown::Texts);
        let numbers = Vector::Int(vec![7; 10]);
        assert_eq!(heap(&plan(&Shape::Int), &numbers), 0);
        let offsets = Offsets::from_lengths([4, 0, 6]).unwrap();
        let list = Vector::list(offsets, numbers.clone());
        assert_eq!(heap(&plan(&Shape::list(Shape::Int)), &list), 10 * 8 + 2 * LOST + LOST);
        let shape = Shape::record("R", [("a", Shape::Int), ("b", Shape::Int)]);
        let record = Vector::Record(RecordVector::new(10, vec![numbers.clone(), numbers]));
        let plan = plan(&shape);
        assert_eq!(heap(&plan, &record), 10 * (NODE + 2 * UNTYPED));
        let Plan::Record(of_struct) = &plan else { panic!() };
        of_struct.learn(&["a", "b"]);
        assert_eq!(heap(&plan, &record), 0);
    }

    #[test]
    fn absent_fields_take_nothing() {
        let absent = Shape::Optional(Box::new(OptionalShape { null: Null::Absent, item: Shape::Int }));
        let shape = Shape::record("R", [("a", absent.clone()), ("b", absent)]);
        let field = |rows: &[usize]| {
            let present = (0..10).map(|row| rows.contains(&row));
            Vector::try_optional(present, Vector::Int(vec![7; rows.len()])).unwrap()
        };
        let fields = vec![field(&[]), field(&[3, 8])];
        let record = Vector::Record(RecordVector::new(10, fields));
        assert_eq!(heap(&Plan::new(&shape, Branches::Kinds, Shown::Texts), &record), 10 * NODE + 2 * UNTYPED);
    }
}
