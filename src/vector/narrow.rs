//! Values of a shape that has grown as entries of the one from before.

use super::{ListVector, MapVector, RecordVector, UnionVector, Vector};
use crate::shape::branch::branch_name;
use crate::shape::{Null, OptionalShape, RecordShape, Shape};

impl Vector {
    /// These values of a shape that has grown as values of the one from before; `None` where they need what is new.
    pub(crate) fn narrowed(self, from: &Shape, to: &Shape) -> Option<Self> {
        if from == to {
            return Some(self);
        }
        match (from, to, self) {
            (_, Shape::Null | Shape::Unknown, values) => {
                values.is_missing().then(|| Self::Null(values.len()))
            }
            (Shape::Optional(from), Shape::Optional(to), Self::Optional(list)) if is_same(to, from) => {
                let item = list.item.narrowed(&from.item, &to.item)?;
                Some(Self::Optional(Box::new(ListVector::new(list.offsets, item))))
            }
            (Shape::Optional(from), to, Self::Optional(list)) => {
                let is_there = list.offsets.total() == list.offsets.len();
                list.item.narrowed(&from.item, to).filter(|_| is_there)
            }
            (Shape::Record(from), Shape::Record(to), Self::Record(record)) => {
                narrowed_record(from, to, record)
            }
            (Shape::List(from), Shape::List(to), Self::List(list)) => {
                Some(Self::list(list.offsets, list.item.narrowed(from, to)?))
            }
            (Shape::Map(from), Shape::Map(to), Self::Map(map)) => {
                let key = map.key.narrowed(&from.key, &to.key)?;
                Some(MapVector::new(map.offsets, key, map.value.narrowed(&from.value, &to.value)?).into())
            }
            (Shape::Union(from), Shape::Union(to), Self::Union(union)) => narrowed_union(from, to, union),
            (Shape::Union(from), to, Self::Union(mut union)) => {
                let tag = variant(to, from)?;
                let is_only = union.tags.iter().all(|own| usize::from(*own) == tag);
                let values = std::mem::replace(union.variants.get_mut(tag)?, Self::Null(0));
                values.narrowed(from.get(tag)?, to).filter(|_| is_only)
            }
            (Shape::Enum(_), Shape::Enum(to), Self::Enum(values)) => {
                let is_known = |ordinal: &i32| (*ordinal as usize) < to.symbols.len();
                values.iter().all(is_known).then_some(Self::Enum(values))
            }
            (Shape::Long, Shape::Int, Self::Long(values)) => {
                let values: Result<Vec<i32>, _> = values.into_iter().map(i32::try_from).collect();
                values.ok().map(Self::Int)
            }
            (Shape::U64, Shape::Long, Self::Long(values)) => {
                values.iter().all(|value| *value >= 0).then_some(Self::Long(values))
            }
            _ => None,
        }
    }

    /// Whether no entry holds anything.
    fn is_missing(&self) -> bool {
        match self {
            Self::Null(_) => true,
            Self::Optional(list) => list.offsets.total() == 0,
            other => other.is_empty(),
        }
    }
}

/// Fields that were not there must be missing.
fn narrowed_record(from: &RecordShape, to: &RecordShape, record: RecordVector) -> Option<Vector> {
    let mut all: Vec<Option<Vector>> = record.fields.into_iter().map(Some).collect();
    let mut fields = Vec::with_capacity(to.fields.len());
    for field in &to.fields {
        let place = from.fields.iter().position(|own| own.name == field.name)?;
        fields.push(all.get_mut(place)?.take()?.narrowed(&from.fields.get(place)?.shape, &field.shape)?);
    }
    let are_missing = all.iter().flatten().all(Vector::is_missing);
    are_missing.then(|| RecordVector::new(record.len, fields).into())
}

fn narrowed_union(from: &[Shape], to: &[Shape], mut union: UnionVector) -> Option<Vector> {
    let mut tags = vec![None; from.len()];
    let mut variants = Vec::with_capacity(to.len());
    for (tag, shape) in (0u16..).zip(to) {
        let place = variant(shape, from)?;
        *tags.get_mut(place)? = Some(tag);
        let values = std::mem::replace(union.variants.get_mut(place)?, Vector::Null(0));
        variants.push(values.narrowed(from.get(place)?, shape)?);
    }
    let old = union.tags.iter().map(|tag| tags.get(usize::from(*tag)).copied().flatten());
    Some(UnionVector::new(old.collect::<Option<_>>()?, variants).into())
}

/// Whether one optional is the other, and not one around it or within it.
fn is_same(from: &OptionalShape, to: &OptionalShape) -> bool {
    from.null == to.null
        || !matches!((to.null, &to.item), (Null::Absent, Shape::Optional(_)))
        || from.null == Null::Absent
}

/// The variant that values of a shape become: the one of its name, or one that holds as much.
fn variant(shape: &Shape, variants: &[Shape]) -> Option<usize> {
    let name = branch_name(shape);
    let named = variants.iter().position(|variant| branch_name(variant) == name);
    named.or_else(|| variants.iter().position(|variant| holds(shape, variant)))
}

/// Whether values of a shape may have become values of another one.
fn holds(from: &Shape, to: &Shape) -> bool {
    match (from, to) {
        (Shape::Enum(_), Shape::Enum(_))
        | (Shape::Int, Shape::Long)
        | (Shape::Int | Shape::Long, Shape::U64)
        | (Shape::Float, Shape::Double) => true,
        (from, Shape::I128 | Shape::U128) => matches!(from, Shape::Int | Shape::Long | Shape::U64),
        _ => false,
    }
}
