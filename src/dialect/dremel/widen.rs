//! Vectors of a shape as vectors of one that has grown from it.

use crate::error::{Error, Result};
use crate::logical::Restated;
use crate::shape::{Null, OptionalShape, Shape};
use crate::vector::{ListVector, MapVector, Offsets, RecordVector, UnionVector, Vector};

/// Rows of `old`, in the form that they have when the shape is settled, as rows of `new`, which is settled.
///
/// # Errors
///
/// A shape that has not grown from the other.
pub(crate) fn widen(old: &Shape, new: &Shape, vector: Vector) -> Result<Vector> {
    let len = vector.len();
    let vector = as_union(old, vector);
    Ok(match (old, new, vector) {
        (Shape::Unknown, ..) | (Shape::Record(_), Shape::Map(_), _) => fresh(new, len)?,
        (Shape::Optional(from), Shape::Null, _) if from.item == Shape::Unknown => Vector::Null(len),
        (Shape::Null, Shape::Optional(to), _) if to.null != Null::Absent => fresh(new, len)?,
        (Shape::Optional(from), Shape::Optional(to), vector)
            if to.null != Null::Absent || !has_none(from) =>
        {
            match vector {
                Vector::Optional(list) if from.item != Shape::Unknown => {
                    Vector::Optional(Box::new(items(&from.item, &to.item, *list)?))
                }
                _ => fresh(new, len)?,
            }
        }
        (_, Shape::Optional(to), vector) => {
            let item = widen(old, &to.item, vector)?;
            Vector::Optional(Box::new(ListVector::new(Offsets::ones(len), item)))
        }
        (Shape::Union(from), Shape::Union(to), Vector::Union(union)) => {
            let mut variants = union.variants.into_iter().zip(from);
            let variant = |to: &Shape| match variants.next() {
                Some((values, from)) => widen(from, to, values),
                None => Ok(Vector::of(to)),
            };
            let variants = to.iter().map(variant).collect::<Result<_>>()?;
            UnionVector::new(union.tags, variants).into()
        }
        (_, Shape::Union(to), vector) => {
            let Some((first, others)) = to.split_first() else {
                return Err(cannot_become(old, new));
            };
            let mut variants = vec![widen(old, first, vector)?];
            variants.extend(others.iter().map(Vector::of));
            UnionVector::new(vec![0; len], variants).into()
        }
        (Shape::List(from), Shape::List(to), Vector::List(list)) => {
            Vector::List(Box::new(items(from, to, *list)?))
        }
        (Shape::Map(from), Shape::Map(to), Vector::Map(map)) => {
            let key = widen(&from.key, &to.key, map.key)?;
            MapVector::new(map.offsets, key, widen(&from.value, &to.value, map.value)?).into()
        }
        (Shape::Record(from), Shape::Record(to), Vector::Record(record)) => {
            let mut fields = record.fields.into_iter().zip(&from.fields);
            let mut field = |to: &Shape| match fields.next() {
                Some((values, from)) => widen(&from.shape, to, values),
                None => fresh(to, len),
            };
            let fields = to.fields.iter().map(|to| field(&to.shape)).collect::<Result<_>>()?;
            RecordVector::new(len, fields).into()
        }
        (_, _, vector) => leaf(old, new, vector).ok_or_else(|| cannot_become(old, new))?,
    })
}

/// The values of an optional union of one variant, which a file has without the union.
fn as_union(shape: &Shape, vector: Vector) -> Vector {
    match (shape, vector) {
        (Shape::Union(variants), vector) if variants.len() == 1 && !matches!(vector, Vector::Union(_)) => {
            UnionVector::new(vec![0; vector.len()], vec![vector]).into()
        }
        (_, vector) => vector,
    }
}

fn items(from: &Shape, to: &Shape, list: ListVector) -> Result<ListVector> {
    Ok(ListVector::new(list.offsets, widen(from, to, list.item)?))
}

/// Values as those of a wider type.
fn leaf(old: &Shape, new: &Shape, vector: Vector) -> Option<Vector> {
    if let Some(restated) = Restated::between(old, new) {
        return restated.values(&vector);
    }
    let wanted = Vector::of(new);
    Some(match (wanted, vector) {
        (Vector::Long(_), Vector::Int(values)) => Vector::Long(values.into_iter().map(i64::from).collect()),
        (Vector::Double(_), Vector::Float(values)) => {
            Vector::Double(values.into_iter().map(f64::from).collect())
        }
        (wanted, vector) if std::mem::discriminant(&wanted) == std::mem::discriminant(&vector) => vector,
        (wanted, vector) => vector.is_empty().then_some(wanted)?,
    })
}

/// Entries that are all missing.
fn fresh(shape: &Shape, len: usize) -> Result<Vector> {
    Ok(match shape {
        Shape::Unknown | Shape::Null => Vector::Null(len),
        Shape::Optional(optional) => {
            Vector::Optional(Box::new(ListVector::new(Offsets::zeros(len), Vector::of(&optional.item))))
        }
        Shape::List(item) => Vector::List(Box::new(ListVector::new(Offsets::zeros(len), Vector::of(item)))),
        Shape::Map(map) => {
            MapVector::new(Offsets::zeros(len), Vector::of(&map.key), Vector::of(&map.value)).into()
        }
        Shape::Record(record) => {
            let fields = record.fields.iter().map(|field| fresh(&field.shape, len));
            RecordVector::new(len, fields.collect::<Result<_>>()?).into()
        }
        other if len == 0 => Vector::of(other),
        other => return Err(cannot_become(&Shape::Unknown, other)),
    })
}

#[cold]
fn cannot_become(old: &Shape, new: &Shape) -> Error {
    Error::internal(format!("{} cannot become {}", old.kind(), new.kind()))
}

/// Whether null, here or below, says `None`, so that another optional around this one says what is absent.
fn has_none(shape: &OptionalShape) -> bool {
    match shape.null {
        Null::None => true,
        Null::Unseen => matches!(shape.item, Shape::Optional(_) | Shape::Null),
        Null::Absent => false,
    }
}
