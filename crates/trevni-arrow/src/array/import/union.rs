//! Unions to vectors.

use super::super::select;
use super::vector;
use crate::error::{Error, Result};
use crate::schema::{held, is_null_variant, variants};
use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef};
use arrow_schema::DataType;
use trevni::vector::{RecordVector, UnionVector};
use trevni::{Shape, Vector};

/// The entries of a union. Where it has a variant for entries without a value, these are nulls.
pub(super) fn union(shape: &Shape, array: &ArrayRef, is_optional: bool) -> Result<Vector> {
    let variants = variants(shape).ok_or_else(|| Error::internal("a union for other values"))?;
    let DataType::Union(fields, _) = array.data_type() else {
        return Err(Error::internal("an array that is not a union"));
    };
    let array = array.as_union();
    let mut null = None;
    // The variant of each type id.
    let mut numbers = [None; 128];
    let mut children = Vec::with_capacity(variants.len());
    for (id, field) in fields.iter() {
        if is_optional && null.is_none() && is_null_variant(field) {
            null = Some(id);
            continue;
        }
        if let Some(number) = usize::try_from(id).ok().and_then(|id| numbers.get_mut(id)) {
            *number = Some(children.len());
        }
        children.push((field.name(), array.child(id)));
    }
    if children.len() != variants.len() {
        return Err(Error::internal("a union of another number of variants"));
    }
    let (mut tags, mut validity) = (Vec::with_capacity(array.len()), Vec::new());
    let mut positions: Vec<Vec<u64>> = vec![Vec::new(); variants.len()];
    for (entry, id) in array.type_ids().iter().enumerate() {
        if is_optional {
            validity.push(Some(*id) != null);
        }
        if Some(*id) == null {
            continue;
        }
        let number = usize::try_from(*id).ok().and_then(|id| numbers.get(id).copied().flatten());
        let place = number.and_then(|number| Some((number, positions.get_mut(number)?)));
        let Some((number, positions)) = place else {
            return Err(Error::internal("a union with an unknown type id"));
        };
        tags.push(number as u16);
        positions.push(array.value_offset(entry) as u64);
    }
    let parts = variants.iter().zip(children).zip(positions);
    let values = parts.map(|((variant, (name, child)), positions)| {
        let values = select::at(child, positions)?;
        let inner = vector(held(variant), &values).map_err(|error| error.in_field(name))?;
        Ok(match std::ptr::eq(held(variant), variant) {
            true => inner,
            false => RecordVector::new(inner.len(), vec![inner]).into(),
        })
    });
    let mut values = values.collect::<Result<Vec<Vector>>>()?;
    let union = match (shape, values.pop()) {
        (Shape::Union(_), last) => {
            values.extend(last);
            UnionVector::new(tags, values).into()
        }
        (_, Some(only)) => only,
        (_, None) => return Err(Error::internal("a union without variants")),
    };
    if is_optional { Ok(Vector::try_optional(validity, union)?) } else { Ok(union) }
}
