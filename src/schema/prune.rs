//! The part of a shape that another one has too.

use super::branch_name;
use super::columns::Layout;
use crate::shape::{FieldShape, MapShape, OptionalShape, RecordShape, Shape};
use std::collections::HashMap;

/// The part of a shape that `target` has too, and its columns: fields and variants that are in both.
///
/// The target is a part of a shape that this one has been unified with, so that records and lists are
/// in the same places; it may have optionals and unions around them. Records stay, even without fields.
pub(crate) fn prune(shape: &Shape, layout: &Layout, target: &Shape) -> (Shape, Layout) {
    let target = some(target);
    match (shape, layout, target) {
        (Shape::Optional(optional), Layout::Union(branches), Shape::Union(_)) => match &optional.item {
            Shape::Union(variants) => {
                let (kept, layout) = prune_union(variants, branches, target);
                let item = Shape::Union(kept);
                (Shape::Optional(Box::new(OptionalShape { null: optional.null, item })), layout)
            }
            _ => (shape.clone(), layout.clone()),
        },
        (Shape::Union(variants), Layout::Union(branches), Shape::Union(_)) => {
            let (kept, layout) = prune_union(variants, branches, target);
            // Where other variants are left out, their rows have no value.
            let whole = kept.len() == variants.len();
            let union = Shape::Union(kept);
            (if whole { union } else { Shape::optional(union) }, layout)
        }
        (Shape::Optional(optional), Layout::Array { column, item: Some(below) }, target) => {
            let (item, below) = prune(&optional.item, below, target);
            let layout = Layout::Array { column: *column, item: Some(Box::new(below)) };
            (Shape::Optional(Box::new(OptionalShape { null: optional.null, item })), layout)
        }
        // A variant that stands alone here.
        (_, _, Shape::Union(targets)) => {
            let name = branch_name(some(shape));
            match targets.iter().find(|target| branch_name(target) == name) {
                Some(target) => prune(shape, layout, target),
                None => (Shape::optional(Shape::Union(Vec::new())), Layout::Union(Vec::new())),
            }
        }
        (Shape::Record(record), Layout::Record(layouts), Shape::Record(target)) => {
            prune_record(record, layouts, target)
        }
        (Shape::List(item), Layout::Array { column, item: Some(below) }, Shape::List(target)) => {
            let (item, below) = prune(item, below, target);
            (Shape::List(Box::new(item)), Layout::Array { column: *column, item: Some(Box::new(below)) })
        }
        (Shape::Map(map), Layout::Map { column, key, value }, Shape::Map(target)) => {
            let (key_shape, key) = prune(&map.key, key, &target.key);
            let (value_shape, value) = prune(&map.value, value, &target.value);
            let layout = Layout::Map { column: *column, key: Box::new(key), value: Box::new(value) };
            (Shape::Map(Box::new(MapShape { key: key_shape, value: value_shape })), layout)
        }
        _ => (shape.clone(), layout.clone()),
    }
}

fn prune_record(record: &RecordShape, layouts: &[Layout], target: &RecordShape) -> (Shape, Layout) {
    let targets: HashMap<&str, &Shape> =
        target.fields.iter().map(|field| (&*field.name, &field.shape)).collect();
    let mut fields = Vec::new();
    let mut kept = Vec::new();
    for (field, layout) in record.fields.iter().zip(layouts) {
        if let Some(target) = targets.get(&*field.name) {
            let (shape, layout) = prune(&field.shape, layout, target);
            fields.push(FieldShape { name: field.name.clone(), shape });
            kept.push(layout);
        }
    }
    (Shape::Record(RecordShape { fields, ..record.clone() }), Layout::Record(kept))
}

fn prune_union(variants: &[Shape], branches: &[Layout], target: &Shape) -> (Vec<Shape>, Layout) {
    let Shape::Union(targets) = target else {
        return (variants.to_vec(), Layout::Union(branches.to_vec()));
    };
    let mut shapes = Vec::new();
    let mut layouts = Vec::new();
    for (variant, branch) in variants.iter().zip(branches) {
        let name = branch_name(variant);
        let Some(target) = targets.iter().find(|target| branch_name(target) == name) else {
            continue;
        };
        let (variant, branch) = match branch {
            Layout::Array { column, item: Some(below) } => {
                let (variant, below) = prune(variant, below, target);
                (variant, Layout::Array { column: *column, item: Some(Box::new(below)) })
            }
            _ => (variant.clone(), branch.clone()),
        };
        shapes.push(variant);
        layouts.push(branch);
    }
    (shapes, Layout::Union(layouts))
}

/// What is there where something is.
fn some(shape: &Shape) -> &Shape {
    match shape {
        Shape::Optional(optional) => some(&optional.item),
        other => other,
    }
}

/// Whether a shape has values, and not only records around none.
pub(crate) fn has_values(shape: &Shape) -> bool {
    match shape {
        Shape::Null | Shape::Unknown => false,
        Shape::Record(record) => record.fields.iter().any(|field| has_values(&field.shape)),
        Shape::List(item) => has_values(item),
        Shape::Map(map) => has_values(&map.key) || has_values(&map.value),
        Shape::Optional(optional) => has_values(&optional.item),
        Shape::Union(variants) => variants.iter().any(has_values),
        _ => true,
    }
}
