//! Unions to arrays.

use super::target::Target;
use super::{array, differs};
use crate::error::{Error, Result};
use crate::schema::{held, is_null_variant, variants};
use arrow_array::{ArrayRef, NullArray, UnionArray};
use arrow_buffer::ScalarBuffer;
use arrow_schema::{DataType, UnionMode};
use std::borrow::Cow;
use std::sync::Arc;
use trevni::vector::{Offsets, UnionVector};
use trevni::{Shape, Vector};

/// Which entry of the union each entry of the array is.
enum Entry {
    /// That of a variant.
    Of(usize),
    /// No value.
    Null,
    /// None, in an array that has no place for that.
    Missing,
}

/// Unions at their places. Where there is a variant for missing entries, `own` says which entries are there.
pub(super) fn union(
    shape: &Shape,
    vector: Vector,
    own: Option<&Offsets>,
    target: &Target<'_>,
) -> Result<ArrayRef> {
    let DataType::Union(fields, mode) = target.data_type else { return Err(differs()) };
    let (fields, mode) = (fields, *mode);
    let variants = variants(shape).ok_or_else(differs)?;
    let union = match vector {
        Vector::Union(union) => union,
        only => UnionVector::new(vec![0; only.len()], vec![only]),
    };
    let null = fields.iter().position(|(_, field)| is_null_variant(field)).filter(|_| own.is_some());
    if fields.len() != variants.len() + usize::from(null.is_some()) || null.is_some() != own.is_some() {
        return Err(differs());
    }
    let entries = entries(&union.tags, own, target);
    // What stands for an entry that has no place: another value of the first variant.
    let stand_in = null.map_or(0, |null| usize::from(null == 0));
    let field_of = |variant: usize| variant + usize::from(null.is_some_and(|null| null <= variant));
    let slot = |entry: &Entry| match (entry, null) {
        (Entry::Of(variant), _) => field_of(*variant),
        (Entry::Null | Entry::Missing, Some(null)) => null,
        (Entry::Null | Entry::Missing, None) => stand_in,
    };
    let slots: Vec<usize> = entries.iter().map(slot).collect();
    let ids: Vec<i8> = fields.iter().map(|(id, _)| id).collect();
    let type_ids: Option<ScalarBuffer<i8>> = slots.iter().map(|slot| ids.get(*slot).copied()).collect();
    let has_missing = null.is_none() && entries.iter().any(|entry| !matches!(entry, Entry::Of(_)));

    let mut values = union.variants.into_iter().zip(variants);
    let mut children: Vec<ArrayRef> = Vec::with_capacity(fields.len());
    for (number, (_, field)) in fields.iter().enumerate() {
        let count = slots.iter().filter(|slot| **slot == number).count();
        if Some(number) == null {
            let len = if mode == UnionMode::Dense { count } else { target.len };
            children.push(Arc::new(NullArray::new(len)));
            continue;
        }
        let (vector, variant) = values.next().ok_or_else(differs)?;
        let vector = inner(variant, vector)?;
        let is_value = |(entry, slot): (&Entry, &usize)| *slot == number && matches!(entry, Entry::Of(_));
        let (own_places, len) = match mode {
            UnionMode::Dense if has_missing && number == stand_in => {
                // Its own values in order, with the stand-ins among them.
                let of = entries.iter().zip(&slots).filter(|(_, slot)| **slot == number).map(is_value);
                (Some(places(of)?), count)
            }
            UnionMode::Dense => (None, vector.len()),
            UnionMode::Sparse => (Some(places(entries.iter().zip(&slots).map(is_value))?), target.len),
        };
        let target = Target { len, places: own_places.map(Cow::Owned), ..target.part(number, field) };
        children.push(array(held(variant), vector, &target).map_err(|error| error.in_field(field.name()))?);
    }
    let offsets = match mode {
        UnionMode::Dense => Some(positions(&slots, fields.len())?),
        UnionMode::Sparse => None,
    };
    let type_ids = type_ids.ok_or_else(differs)?;
    Ok(Arc::new(UnionArray::try_new(fields.clone(), type_ids, offsets, children)?))
}

/// The values of a variant, without the record around one.
fn inner(variant: &Shape, vector: Vector) -> Result<Vector> {
    match (std::ptr::eq(held(variant), variant), vector) {
        (true, vector) => Ok(vector),
        (false, Vector::Record(record)) => record.fields.into_iter().next().ok_or_else(differs),
        (false, _) => Err(differs()),
    }
}

/// Which entries have a value.
fn places(has_value: impl Iterator<Item = bool>) -> Result<Offsets> {
    Ok(Offsets::from_lengths(has_value.map(u32::from))?)
}

/// The entries of the array.
fn entries(tags: &[u16], own: Option<&Offsets>, target: &Target<'_>) -> Vec<Entry> {
    let tag = |index: usize| tags.get(index).map_or(Entry::Missing, |tag| Entry::Of(usize::from(*tag)));
    let item = |index: usize| match own {
        None => tag(index),
        Some(own) => own.range(index).and_then(|mut range| range.next()).map_or(Entry::Null, tag),
    };
    match target.numbers() {
        None => (0..target.len).map(item).collect(),
        Some(places) => Target::entries(places)
            .map(|(place, is_there)| if is_there { item(place) } else { Entry::Missing })
            .collect(),
    }
}

/// The position of each entry among the entries of its variant.
fn positions(slots: &[usize], count: usize) -> Result<ScalarBuffer<i32>> {
    i32::try_from(slots.len()).map_err(|_| Error::too_many("the entries of an array", i32::MAX as u64))?;
    let mut next = vec![0; count];
    let position = |slot: &usize| match next.get_mut(*slot) {
        Some(next) => std::mem::replace(next, *next + 1),
        None => 0,
    };
    Ok(slots.iter().map(position).collect())
}
