//! The same values as entries of a shape that has grown, and back.

use super::{Binaries, ListVector, MapVector, Offsets, RecordVector, UnionVector, Vector};
use crate::shape::branch::branch_name;
use crate::shape::{Null, OptionalShape, RecordShape, Shape};

impl Vector {
    /// These values of a shape as values of another one that has grown from it; none where it has not.
    ///
    /// What is new is missing; what was always there is in an optional, or in a union, from now on.
    pub(crate) fn widened(self, from: &Shape, to: &Shape) -> Option<Self> {
        if from == to {
            return Some(self);
        }
        match (from, to, self) {
            (Shape::Null | Shape::Unknown, _, values) => missing(to, values.len()),
            (Shape::Optional(from), Shape::Optional(to), Self::Optional(list)) if is_same(from, to) => {
                let item = list.item.widened(&from.item, &to.item)?;
                Some(Self::Optional(Box::new(ListVector::new(list.offsets, item))))
            }
            (_, Shape::Optional(to), values) => {
                let offsets = Offsets::ones(values.len());
                Some(Self::Optional(Box::new(ListVector::new(offsets, values.widened(from, &to.item)?))))
            }
            (Shape::Record(from), Shape::Record(to), Self::Record(record)) => {
                widened_record(from, to, record)
            }
            (Shape::List(from), Shape::List(to), Self::List(list)) => {
                Some(Self::list(list.offsets, list.item.widened(from, to)?))
            }
            (Shape::Map(from), Shape::Map(to), Self::Map(map)) => {
                let (key, value) =
                    (map.key.widened(&from.key, &to.key)?, map.value.widened(&from.value, &to.value)?);
                Some(MapVector::new(map.offsets, key, value).into())
            }
            (Shape::Union(from), Shape::Union(to), Self::Union(union)) => widened_union(from, to, union),
            (_, Shape::Union(to), values) => into_union(from, to, values),
            (from, to, values) => widened_leaf(from, to, values),
        }
    }
}

impl Vector {
    /// These values of a shape that has grown as values of the one from before; none where they need what is new.
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

/// Entries of what has not been there.
fn missing(shape: &Shape, len: usize) -> Option<Vector> {
    match shape {
        Shape::Null | Shape::Unknown => Some(Vector::Null(len)),
        Shape::Optional(optional) => {
            let list = ListVector::new(Offsets::zeros(len), Vector::of(&optional.item));
            Some(Vector::Optional(Box::new(list)))
        }
        shape => (len == 0).then(|| Vector::of(shape)),
    }
}

/// Fields are found by name.
fn widened_record(from: &RecordShape, to: &RecordShape, record: RecordVector) -> Option<Vector> {
    let mut old: Vec<Option<Vector>> = record.fields.into_iter().map(Some).collect();
    let mut place = 0;
    let mut fields = Vec::with_capacity(to.fields.len());
    for field in &to.fields {
        // Mostly in the same order.
        let is_next = from.fields.get(place).is_some_and(|own| own.name == field.name);
        let found =
            if is_next { Some(place) } else { from.fields.iter().position(|own| own.name == field.name) };
        fields.push(match found {
            Some(found) => {
                place = found + 1;
                old.get_mut(found)?.take()?.widened(&from.fields.get(found)?.shape, &field.shape)?
            }
            None => missing(&field.shape, record.len)?,
        });
    }
    old.iter().all(Option::is_none).then(|| RecordVector::new(record.len, fields).into())
}

fn widened_union(from: &[Shape], to: &[Shape], union: UnionVector) -> Option<Vector> {
    let mut variants: Vec<Vector> = to.iter().map(Vector::of).collect();
    let mut tags = Vec::with_capacity(from.len());
    for (shape, values) in from.iter().zip(union.variants) {
        let tag = variant(shape, to)?;
        *variants.get_mut(tag)? = values.widened(shape, to.get(tag)?)?;
        tags.push(u16::try_from(tag).ok()?);
    }
    let new = union.tags.iter().map(|tag| tags.get(usize::from(*tag)).copied());
    Some(UnionVector::new(new.collect::<Option<_>>()?, variants).into())
}

fn into_union(from: &Shape, to: &[Shape], values: Vector) -> Option<Vector> {
    let tag = variant(from, to)?;
    let len = values.len();
    let mut variants: Vec<Vector> = to.iter().map(Vector::of).collect();
    *variants.get_mut(tag)? = values.widened(from, to.get(tag)?)?;
    Some(UnionVector::new(vec![u16::try_from(tag).ok()?; len], variants).into())
}

/// The variant that values of a shape become: the one of its name, or one that holds as much.
fn variant(shape: &Shape, variants: &[Shape]) -> Option<usize> {
    let name = branch_name(shape);
    let named = variants.iter().position(|variant| branch_name(variant) == name);
    named.or_else(|| {
        variants.iter().position(|variant| widened_leaf(shape, variant, Vector::of(shape)).is_some())
    })
}

fn widened_leaf(from: &Shape, to: &Shape, values: Vector) -> Option<Vector> {
    match (from, to, values) {
        // Symbols are added after those that are there.
        (Shape::Enum(_), Shape::Enum(_), values) | (Shape::Long, Shape::U64, values) => Some(values),
        (Shape::Int, Shape::Long | Shape::U64, Vector::Int(values)) => {
            Some(Vector::Long(values.into_iter().map(i64::from).collect()))
        }
        (Shape::Float, Shape::Double, Vector::Float(values)) => {
            Some(Vector::Double(values.into_iter().map(f64::from).collect()))
        }
        (Shape::Int, Shape::I128 | Shape::U128, Vector::Int(values)) => {
            wide(values.into_iter().map(i128::from))
        }
        (Shape::Long, Shape::I128 | Shape::U128, Vector::Long(values)) => {
            wide(values.into_iter().map(i128::from))
        }
        (Shape::U64, Shape::I128 | Shape::U128, Vector::Long(values)) => {
            wide(values.into_iter().map(|value| i128::from(value.cast_unsigned())))
        }
        _ => None,
    }
}

fn wide(mut values: impl Iterator<Item = i128>) -> Option<Vector> {
    let mut binaries = Binaries::default();
    let fits = values.all(|value| binaries.push(&value.to_be_bytes()));
    fits.then_some(Vector::Bytes(binaries))
}
