//! Rows in order: by some fields, each from the least to the greatest or the other way round.

use crate::failure::Failure;
use crate::rows::{Field, fields_at};
use std::cmp::Ordering;
use std::path::Path;
use trevni::{Batch, Reader, ValueRef};
use trevni_query::Decimal;
use trevni_query::paths::{FieldPath, Pattern, chosen};

/// The numbers of the rows in order; rows that are equal in all fields stay as they are. A field is a path,
/// with `-` before it from the greatest to the least. Nulls are last.
pub(crate) fn of(rows: &Reader<'_>, name: &str, fields: &[String]) -> Result<Vec<usize>, Failure> {
    let failed = |error: trevni::Error| Failure::of(Path::new(name), &error);
    let mut parts: Vec<(FieldPath, bool)> = Vec::new();
    for list in fields {
        // A pattern begins after the sign.
        for field in Pattern::list(list) {
            let (path, is_descending) = match field.strip_prefix('-') {
                Some(path) => (path, true),
                None => (field, false),
            };
            let found = chosen(rows.shape(), &[Pattern::parse(path)])?.unwrap_or_default();
            parts.extend(found.into_iter().map(|path| (path, is_descending)));
        }
    }
    let rows = rows.project_paths(parts.iter().map(|(path, _)| path)).map_err(failed)?;
    let batches: Vec<Batch> = rows.batches().map_err(failed)?.collect::<Result<_, _>>().map_err(failed)?;
    let mut columns = Vec::new();
    for (path, is_descending) in parts {
        for field in fields_at(rows.shape(), std::slice::from_ref(&path)) {
            columns.push((keys(&batches, &field)?, is_descending));
        }
    }
    let compare = |one: &usize, other: &usize| {
        let each = columns.iter().map(|(keys, is_descending)| {
            match (keys.get(*one).unwrap_or(&Key::Null), keys.get(*other).unwrap_or(&Key::Null)) {
                (Key::Null, Key::Null) => Ordering::Equal,
                (Key::Null, _) => Ordering::Greater,
                (_, Key::Null) => Ordering::Less,
                (one, other) if *is_descending => other.compare(one),
                (one, other) => one.compare(other),
            }
        });
        each.fold(Ordering::Equal, Ordering::then)
    };
    let mut order: Vec<usize> = (0..batches.iter().map(Batch::len).sum()).collect();
    order.sort_by(compare);
    Ok(order)
}

fn keys<'b>(batches: &'b [Batch], field: &Field) -> Result<Vec<Key<'b>>, Failure> {
    let key = |row| match field.of(row) {
        Some(value) => Key::of(value, field.scale).ok_or_else(|| {
            let kind = match value {
                ValueRef::List(_) => "list",
                ValueRef::Map(_) => "map",
                _ => "record",
            };
            let failure = format!("rows have no order by {}, a {kind}", field.path);
            Failure::usage(failure).hint("There is one by booleans, numbers, texts and bytes")
        }),
        None => Ok(Key::Null),
    };
    batches.iter().flat_map(Batch::values).map(key).collect()
}

/// What a row has in a field.
#[derive(Clone, Debug)]
enum Key<'b> {
    Boolean(bool),
    Integer(i128),
    /// Above all of `i128`.
    Huge(u128),
    Float(f64),
    Decimal(Box<Decimal>),
    Text(&'b str),
    Bytes(&'b [u8]),
    Null,
}

impl<'b> Key<'b> {
    /// The key of a value; of decimals with so many digits after the point.
    fn of(value: ValueRef<'b>, scale: Option<u32>) -> Option<Self> {
        if let (Some(bytes), Some(scale)) = (value.as_bytes(), scale)
            && let Some(decimal) = Decimal::of_bytes(bytes, scale)
        {
            return Some(Self::Decimal(Box::new(decimal)));
        }
        Some(match value {
            ValueRef::Boolean(value) => Self::Boolean(value),
            ValueRef::Int(value) => Self::Integer(value.into()),
            ValueRef::Long(value) => Self::Integer(value.into()),
            ValueRef::U64(value) => Self::Integer(value.into()),
            ValueRef::I128(value) => Self::Integer(value),
            ValueRef::U128(value) => i128::try_from(value).map_or(Self::Huge(value), Self::Integer),
            ValueRef::Float(value) => Self::Float(value.into()),
            ValueRef::Double(value) => Self::Float(value),
            ValueRef::String(text) | ValueRef::Symbol(text) => Self::Text(text),
            ValueRef::Bytes(bytes) => Self::Bytes(bytes),
            _ => return None,
        })
    }

    /// Booleans before numbers before texts before bytes; floats in IEEE's total order, texts by bytes.
    fn compare(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Boolean(one), Self::Boolean(other)) => one.cmp(other),
            (Self::Integer(one), Self::Integer(other)) => one.cmp(other),
            (Self::Huge(one), Self::Huge(other)) => one.cmp(other),
            (Self::Float(one), Self::Float(other)) => one.total_cmp(other),
            (Self::Decimal(one), Self::Decimal(other)) => one.cmp(other),
            (Self::Text(one), Self::Text(other)) => one.cmp(other),
            (Self::Bytes(one), Self::Bytes(other)) => one.cmp(other),
            (Self::Integer(one), Self::Float(other)) => compare(*one, *other),
            (Self::Float(one), Self::Integer(other)) => compare(*other, *one).reverse(),
            (Self::Huge(one), Self::Float(other)) => compare_huge(*one, *other),
            (Self::Float(one), Self::Huge(other)) => compare_huge(*other, *one).reverse(),
            (one, other) => one.rank().cmp(&other.rank()),
        }
    }

    fn rank(&self) -> u8 {
        match self {
            Self::Boolean(_) => 0,
            Self::Integer(_) | Self::Float(_) | Self::Decimal(_) => 1,
            Self::Huge(_) => 2,
            Self::Text(_) => 3,
            Self::Bytes(_) => 4,
            Self::Null => 5,
        }
    }
}

/// 2^127, which is the first float above all of `i128`.
const BEYOND: f64 = (1u128 << 127) as f64;

/// An integer and a float, without loss.
fn compare(integer: i128, float: f64) -> Ordering {
    // NaN is in no range.
    if !(-BEYOND..BEYOND).contains(&float) {
        return if float.is_sign_negative() { Ordering::Greater } else { Ordering::Less };
    }
    let fraction = 0.0f64.total_cmp(&float.fract());
    match integer.cmp(&(float.trunc() as i128)) {
        Ordering::Equal if float == 0.0 => 0.0f64.total_cmp(&float),
        // The fraction of a negative integer is -0.
        Ordering::Equal if float.fract() == 0.0 => Ordering::Equal,
        Ordering::Equal => fraction,
        other => other,
    }
}

/// An integer above all of `i128` and a float.
fn compare_huge(integer: u128, float: f64) -> Ordering {
    if float.is_nan() || float >= 2.0 * BEYOND {
        return if float.is_sign_negative() { Ordering::Greater } else { Ordering::Less };
    }
    // All floats of this magnitude are whole; what is less becomes less.
    integer.cmp(&(float as u128))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_one_order() {
        let mut sorted = vec![
            Key::Boolean(false),
            Key::Boolean(true),
            Key::Float(f64::NEG_INFINITY),
            Key::Integer(i128::MIN),
            Key::Float(-2.5),
            Key::Integer(-2),
            Key::Float(-1.5),
            Key::Float(-0.0),
            Key::Integer(0),
            Key::Float(0.5),
            Key::Integer(9_007_199_254_740_993),
            Key::Float(9_007_199_254_740_994.0),
            Key::Integer(i128::MAX),
            Key::Float(BEYOND),
            Key::Huge((1 << 127) + 1),
            Key::Huge(u128::MAX),
            Key::Float(1e300),
            Key::Float(f64::INFINITY),
            Key::Float(f64::NAN),
            Key::Text("a"),
            Key::Text("é"),
            Key::Bytes(&[0]),
        ];
        let expected = format!("{sorted:?}");
        for (at, one) in sorted.iter().enumerate() {
            for (place, other) in sorted.iter().enumerate() {
                assert_eq!(one.compare(other), at.cmp(&place), "{one:?} {other:?}");
            }
        }
        sorted.reverse();
        sorted.sort_by(Key::compare);
        assert_eq!(format!("{sorted:?}"), expected);
        assert_eq!(Key::Integer(-3).compare(&Key::Float(-3.0)), Ordering::Equal);
        assert_eq!(Key::Integer(0).compare(&Key::Float(0.0)), Ordering::Equal);
    }
}
