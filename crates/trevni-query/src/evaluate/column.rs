//! ScalarValues of an expression for some rows.

use super::logical;
use super::scope::Located;
use crate::decimal::Decimal;
use crate::error::Error;
use crate::ip::Ip;
use crate::moment::{Moment, MomentKind};
use crate::scalar::{ScalarRef, integer_to_float};
use std::borrow::Cow;
use std::cell::Cell;
use std::cmp::Ordering;
use trevni::vector::UnionVector;
use trevni::{Shape, Vector};

/// ScalarValues of an expression, one for each row.
#[derive(Clone, Debug)]
pub struct ScalarColumn<'b> {
    /// The values.
    pub values: ScalarValues<'b>,
    /// Which rows have a value; `None` where all have. The others have a value without meaning.
    pub present: Option<Vec<bool>>,
}

/// Values of one type, one for each row.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum ScalarValues<'b> {
    /// Booleans.
    Boolean(Vec<bool>),
    /// Integers.
    Integer(Vec<i128>),
    /// Floats.
    Float(Vec<f64>),
    /// Decimals.
    Decimal(Vec<Decimal>),
    /// Dates, times of day or instants, all of one kind, by their nanoseconds.
    Moment(MomentKind, Vec<i128>),
    /// IP addresses, or networks.
    Ip(Vec<Ip>),
    /// Strings.
    Text(Vec<Cow<'b, str>>),
    /// Bytes.
    Bytes(Vec<&'b [u8]>),
    /// A number of values of which only is known whether they are there.
    Opaque(usize),
}

impl<'b> ScalarColumn<'b> {
    pub(super) fn new(values: ScalarValues<'b>, present: Option<Vec<bool>>) -> Self {
        Self { values, present }
    }

    pub(super) fn nulls(len: usize) -> Self {
        Self::new(ScalarValues::Opaque(len), Some(vec![false; len]))
    }

    /// Number of rows.
    #[allow(clippy::len_without_is_empty, reason = "a batch has rows")]
    pub fn len(&self) -> usize {
        match &self.values {
            ScalarValues::Boolean(values) => values.len(),
            ScalarValues::Integer(values) => values.len(),
            ScalarValues::Float(values) => values.len(),
            ScalarValues::Decimal(values) => values.len(),
            ScalarValues::Moment(_, values) => values.len(),
            ScalarValues::Ip(values) => values.len(),
            ScalarValues::Text(values) => values.len(),
            ScalarValues::Bytes(values) => values.len(),
            ScalarValues::Opaque(len) => *len,
        }
    }

    /// Whether a row has a value.
    #[inline]
    pub fn is_present(&self, row: usize) -> bool {
        self.present.as_ref().is_none_or(|present| present.get(row) == Some(&true))
    }

    /// The value of a row.
    #[inline]
    pub fn get(&self, row: usize) -> ScalarRef<'_> {
        if !self.is_present(row) {
            return ScalarRef::Null;
        }
        let found = match &self.values {
            ScalarValues::Boolean(values) => values.get(row).map(|value| ScalarRef::Boolean(*value)),
            ScalarValues::Integer(values) => values.get(row).map(|value| ScalarRef::Integer(*value)),
            ScalarValues::Float(values) => values.get(row).map(|value| ScalarRef::Float(*value)),
            ScalarValues::Decimal(values) => values.get(row).map(ScalarRef::Decimal),
            ScalarValues::Moment(kind, values) => {
                values.get(row).map(|nanos| ScalarRef::Moment(Moment { kind: *kind, nanos: *nanos }))
            }
            ScalarValues::Ip(values) => values.get(row).map(|value| ScalarRef::Ip(*value)),
            ScalarValues::Text(values) => values.get(row).map(|value| ScalarRef::Text(value)),
            ScalarValues::Bytes(values) => values.get(row).map(|value| ScalarRef::Bytes(value)),
            ScalarValues::Opaque(_) => None,
        };
        found.unwrap_or(ScalarRef::Null)
    }

    /// Whether a condition is true for a row, neither false nor unknown.
    #[inline]
    pub fn is_true(&self, row: usize) -> bool {
        matches!(&self.values, ScalarValues::Boolean(values) if values.get(row) == Some(&true))
            && self.is_present(row)
    }

    /// The values at a place.
    pub(super) fn of(located: &Located<'b>) -> Result<Self, Error> {
        let (shape, vector): (&'b Shape, &'b Vector) = (located.shape.storage(), located.vector);
        if let Shape::Logical(logical) = located.shape
            && let Some(values) = logical::values(logical, located)?
        {
            return Ok(Self::located(values, located));
        }
        let values = match (shape, vector) {
            (_, Vector::Boolean(values)) => ScalarValues::Boolean(spread(values, located, |value| *value)),
            (_, Vector::Int(values)) => {
                ScalarValues::Integer(spread(values, located, |value| i128::from(*value)))
            }
            (Shape::U64, Vector::Long(values)) => {
                ScalarValues::Integer(spread(values, located, |value| i128::from(value.cast_unsigned())))
            }
            (_, Vector::Long(values)) => {
                ScalarValues::Integer(spread(values, located, |value| i128::from(*value)))
            }
            (_, Vector::Float(values)) => {
                ScalarValues::Float(spread(values, located, |value| f64::from(*value)))
            }
            (_, Vector::Double(values)) => ScalarValues::Float(spread(values, located, |value| *value)),
            (_, Vector::String(texts)) => {
                ScalarValues::Text(each(located, |at| Cow::Borrowed(texts.get(at).unwrap_or_default())))
            }
            (Shape::Enum(shape), Vector::Enum(ordinals)) => ScalarValues::Text(each(located, |at| {
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
                    return Err(Error::value("an integer of 2^127 or more cannot be computed with"));
                }
                ScalarValues::Integer(integers)
            }
            (_, Vector::Bytes(values)) => {
                ScalarValues::Bytes(each(located, |at| values.get(at).unwrap_or_default()))
            }
            (Shape::Null | Shape::Unknown, _) => return Ok(Self::nulls(located.len())),
            (Shape::Union(shapes), Vector::Union(union)) => match numbers(shapes, union)? {
                Some(numbers) => ScalarValues::Float(spread(&numbers, located, |value| *value)),
                None => ScalarValues::Opaque(located.len()),
            },
            _ => ScalarValues::Opaque(located.len()),
        };
        Ok(Self::located(values, located))
    }

    /// Values, and where they are.
    fn located(values: ScalarValues<'b>, located: &Located<'b>) -> Self {
        let present: Option<Vec<bool>> =
            located.entries().map(|entries| entries.map(|entry| entry.is_some()).collect());
        Self::new(values, present.filter(|present| present.contains(&false)))
    }
}

/// Numbers of several types as floats; `None` where the union has other variants.
fn numbers(shapes: &[Shape], union: &UnionVector) -> Result<Option<Vec<f64>>, Error> {
    let mut variants = Vec::with_capacity(shapes.len());
    for (shape, vector) in shapes.iter().zip(&union.variants) {
        variants.push(match ScalarColumn::of(&Located::whole(shape, vector))?.values {
            ScalarValues::Float(values) => values,
            ScalarValues::Integer(values) => {
                if values.iter().any(|value| integer_to_float(*value, *value as f64) != Some(Ordering::Equal))
                {
                    return Err(above_floats().with_hint("To take one type of the union: x.long"));
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

pub(super) fn above_floats() -> Error {
    Error::value("an integer above 2^53 among floats has no equal float")
}

/// Numbers, one for each row.
pub(super) fn spread<T, U: Default + Clone>(
    values: &[T],
    located: &Located<'_>,
    to: impl Fn(&T) -> U,
) -> Vec<U> {
    match located.entries() {
        None => values.iter().map(to).collect(),
        Some(entries) => {
            entries.map(|entry| entry.and_then(|at| values.get(at)).map(&to).unwrap_or_default()).collect()
        }
    }
}

/// Something for each row, its default where the value is missing.
pub(super) fn each<T: Default>(located: &Located<'_>, to: impl Fn(usize) -> T) -> Vec<T> {
    match located.entries() {
        None => (0..located.len()).map(to).collect(),
        Some(entries) => entries.map(|entry| entry.map(&to).unwrap_or_default()).collect(),
    }
}
