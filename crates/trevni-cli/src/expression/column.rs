//! Values of an expression for some rows.

use super::place::Located;
use super::value::{ValueRef, integer_to_float};
use crate::failure::Failure;
use std::borrow::Cow;
use std::cell::Cell;
use std::cmp::Ordering;
use trevni::{Shape, UnionVector, Vector};

/// Values of an expression, one for each row.
#[derive(Clone, Debug)]
pub(crate) struct Column<'b> {
    pub(crate) values: Values<'b>,
    /// Which rows have a value; none where all have. What stands for the others has no meaning.
    pub(crate) present: Option<Vec<bool>>,
}

#[derive(Clone, Debug)]
pub(crate) enum Values<'b> {
    Boolean(Vec<bool>),
    Integer(Vec<i128>),
    Float(Vec<f64>),
    Text(Vec<Cow<'b, str>>),
    Bytes(Vec<&'b [u8]>),
    /// So many of which only is known whether they are there.
    Opaque(usize),
}

impl<'b> Column<'b> {
    pub(crate) fn new(values: Values<'b>, present: Option<Vec<bool>>) -> Self {
        Self { values, present }
    }

    pub(crate) fn nulls(len: usize) -> Self {
        Self::new(Values::Opaque(len), Some(vec![false; len]))
    }

    pub(crate) fn len(&self) -> usize {
        match &self.values {
            Values::Boolean(values) => values.len(),
            Values::Integer(values) => values.len(),
            Values::Float(values) => values.len(),
            Values::Text(values) => values.len(),
            Values::Bytes(values) => values.len(),
            Values::Opaque(len) => *len,
        }
    }

    #[inline]
    pub(crate) fn is_present(&self, row: usize) -> bool {
        self.present.as_ref().is_none_or(|present| present.get(row) == Some(&true))
    }

    /// The value of a row.
    #[inline]
    pub(crate) fn get(&self, row: usize) -> ValueRef<'_> {
        if !self.is_present(row) {
            return ValueRef::Null;
        }
        let found = match &self.values {
            Values::Boolean(values) => values.get(row).map(|value| ValueRef::Boolean(*value)),
            Values::Integer(values) => values.get(row).map(|value| ValueRef::Integer(*value)),
            Values::Float(values) => values.get(row).map(|value| ValueRef::Float(*value)),
            Values::Text(values) => values.get(row).map(|value| ValueRef::Text(value)),
            Values::Bytes(values) => values.get(row).map(|value| ValueRef::Bytes(value)),
            Values::Opaque(_) => None,
        };
        found.unwrap_or(ValueRef::Null)
    }

    /// Whether a condition is true for a row, neither false nor unknown.
    #[inline]
    pub(crate) fn is_true(&self, row: usize) -> bool {
        matches!(&self.values, Values::Boolean(values) if values.get(row) == Some(&true))
            && self.is_present(row)
    }

    /// The values at a place.
    pub(crate) fn of(located: &Located<'b>) -> Result<Self, Failure> {
        let (shape, vector): (&'b Shape, &'b Vector) = (located.shape, located.vector);
        let values = match (shape, vector) {
            (_, Vector::Boolean(values)) => Values::Boolean(spread(values, located, |value| *value)),
            (_, Vector::Int(values)) => Values::Integer(spread(values, located, |value| i128::from(*value))),
            (Shape::U64, Vector::Long(values)) => {
                Values::Integer(spread(values, located, |value| i128::from(value.cast_unsigned())))
            }
            (_, Vector::Long(values)) => Values::Integer(spread(values, located, |value| i128::from(*value))),
            (_, Vector::Float(values)) => Values::Float(spread(values, located, |value| f64::from(*value))),
            (_, Vector::Double(values)) => Values::Float(spread(values, located, |value| *value)),
            (_, Vector::String(texts)) => {
                Values::Text(each(located, |at| Cow::Borrowed(texts.get(at).unwrap_or_default())))
            }
            (Shape::Enum(shape), Vector::Enum(ordinals)) => Values::Text(each(located, |at| {
                let ordinal = ordinals.get(at).and_then(|ordinal| usize::try_from(*ordinal).ok());
                Cow::Borrowed(ordinal.and_then(|at| shape.symbols.get(at)).map_or("", |symbol| &**symbol))
            })),
            (Shape::I128 | Shape::U128, Vector::Bytes(values)) => {
                let (is_signed, too_large) = (*shape == Shape::I128, Cell::new(false));
                let integers = each(located, |at| {
                    let bytes = values.get(at).and_then(|bytes| bytes.try_into().ok()).unwrap_or_default();
                    if is_signed {
                        return i128::from_be_bytes(bytes);
                    }
                    let integer = i128::try_from(u128::from_be_bytes(bytes));
                    too_large.set(too_large.get() || integer.is_err());
                    integer.unwrap_or_default()
                });
                if too_large.get() {
                    return Err(Failure::new("an integer of 2^127 or more cannot be computed with"));
                }
                Values::Integer(integers)
            }
            (_, Vector::Bytes(values)) => {
                Values::Bytes(each(located, |at| values.get(at).unwrap_or_default()))
            }
            (Shape::Null | Shape::Unknown, _) => return Ok(Self::nulls(located.len())),
            (Shape::Union(shapes), Vector::Union(union)) => match numbers(shapes, union)? {
                Some(numbers) => Values::Float(spread(&numbers, located, |value| *value)),
                None => Values::Opaque(located.len()),
            },
            _ => Values::Opaque(located.len()),
        };
        let present: Option<Vec<bool>> =
            located.entries().map(|entries| entries.map(|entry| entry.is_some()).collect());
        Ok(Self::new(values, present.filter(|present| present.contains(&false))))
    }
}

/// Numbers of several types as floats; none where the union has other variants.
fn numbers(shapes: &[Shape], union: &UnionVector) -> Result<Option<Vec<f64>>, Failure> {
    let mut variants = Vec::with_capacity(shapes.len());
    for (shape, vector) in shapes.iter().zip(&union.variants) {
        variants.push(match Column::of(&Located::whole(shape, vector))?.values {
            Values::Float(values) => values,
            Values::Integer(values) => {
                if values.iter().any(|value| integer_to_float(*value, *value as f64) != Some(Ordering::Equal))
                {
                    let failure =
                        Failure::new("an integer above 2^53 stands among floats, and is none of them");
                    return Err(failure.hint("To take one type of the union: x.long"));
                }
                values.iter().map(|value| *value as f64).collect()
            }
            _ => return Ok(None),
        });
    }
    let value =
        |(tag, position): (&u16, &u32)| variants.get(usize::from(*tag))?.get(*position as usize).copied();
    Ok(union.tags.iter().zip(&union.positions).map(value).collect())
}

/// Numbers, one for each row.
fn spread<T, U: Default + Clone>(values: &[T], located: &Located<'_>, to: impl Fn(&T) -> U) -> Vec<U> {
    match located.entries() {
        None => values.iter().map(to).collect(),
        Some(entries) => {
            entries.map(|entry| entry.and_then(|at| values.get(at)).map(&to).unwrap_or_default()).collect()
        }
    }
}

/// Something for each row, its default where the value is missing.
fn each<T: Default>(located: &Located<'_>, to: impl Fn(usize) -> T) -> Vec<T> {
    match located.entries() {
        None => (0..located.len()).map(to).collect(),
        Some(entries) => entries.map(|entry| entry.map(&to).unwrap_or_default()).collect(),
    }
}
