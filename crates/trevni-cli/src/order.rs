//! Rows in order: by some fields, each from the least to the greatest or the other way round.

use crate::failure::Failure;
use crate::rows::{Field, fields_at};
use crate::sorter::Sorter;
use std::path::Path;
use trevni::{Reader, ValueRef};
use trevni_query::paths::{FieldPath, Pattern, chosen};
use trevni_query::{Decimal, sort_key};

/// A field that rows are sorted by, and whether from the greatest to the least.
type By = (Field, bool);

/// The numbers of the rows in order, as their bytes, the least first; rows that are equal in all fields stay as they
/// are. A field is a path, with `-` before it from the greatest to the least. Nulls are last.
pub(crate) fn of(rows: &Reader<'_>, name: &str, fields: &[String], memory: usize) -> Result<Sorter, Failure> {
    let failed = |error: trevni::Error| Failure::of(Path::new(name), &error);
    let mut parts: Vec<(FieldPath, bool)> = Vec::new();
    for list in fields {
        // A pattern begins after the sign.
        for field in Pattern::list(list) {
            let (path, descends) = match field.strip_prefix('-') {
                Some(path) => (path, true),
                None => (field, false),
            };
            let found = chosen(rows.shape(), &[Pattern::parse(path)?])?.unwrap_or_default();
            parts.extend(found.into_iter().map(|path| (path, descends)));
        }
    }
    let rows = rows.project_paths(parts.iter().map(|(path, _)| path)).map_err(failed)?;
    let by = parts.into_iter().flat_map(|(path, descends)| {
        let fields = fields_at(rows.shape(), std::slice::from_ref(&path));
        fields.into_iter().map(move |field| (field, descends))
    });
    let by: Vec<By> = by.collect();
    let (mut sorter, mut bytes, mut number) = (Sorter::new(memory, usize::MAX), Vec::new(), 0_u64);
    for batch in rows.batches().map_err(failed)? {
        for row in batch.map_err(failed)?.values() {
            bytes.clear();
            by.iter().try_for_each(|by| append(by, row, &mut bytes))?;
            sorter.push(&bytes, &number.to_le_bytes())?;
            number += 1;
        }
    }
    Ok(sorter)
}

/// Appends what a row has in a field.
fn append((field, descends): &By, row: ValueRef<'_>, out: &mut Vec<u8>) -> Result<(), Failure> {
    let Some(value) = field.of(row) else {
        out.push(NULL);
        return Ok(());
    };
    let key = Key::of(value, field.scale).ok_or_else(|| {
        let kind = match value {
            ValueRef::List(_) => "list",
            ValueRef::Map(_) => "map",
            _ => "record",
        };
        let failure = format!("rows cannot be sorted by {}, which is a {kind}", field.path);
        Failure::usage(failure).hint("Rows can be sorted by booleans, numbers, strings and bytes")
    })?;
    let start = out.len();
    key.append(out);
    if *descends {
        // The first byte stays below that of null.
        out.iter_mut().skip(start).take(1).for_each(|rank| *rank = NULL - 1 - *rank);
        out.iter_mut().skip(start + 1).for_each(|byte| *byte = !*byte);
    }
    Ok(())
}

/// Above the ranks of all values.
const NULL: u8 = 5;

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
}

impl<'b> Key<'b> {
    /// The key of a value; of decimals with this number of digits after the point.
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

    /// Appends bytes that are in the order of the values: booleans before numbers before decimals before strings before
    /// bytes; floats in IEEE's total order, strings by bytes.
    fn append(&self, out: &mut Vec<u8>) {
        out.push(self.rank());
        match self {
            Self::Boolean(value) => out.push((*value).into()),
            Self::Integer(value) => sort_key::integer(*value, out),
            Self::Huge(value) => sort_key::unsigned(*value, out),
            Self::Float(value) => sort_key::total_float(*value, out),
            Self::Decimal(value) => sort_key::decimal(value, out),
            Self::Text(value) => sort_key::bytes(value.as_bytes(), out),
            Self::Bytes(value) => sort_key::bytes(value, out),
        }
    }

    fn rank(&self) -> u8 {
        match self {
            Self::Boolean(_) => 0,
            Self::Integer(_) | Self::Huge(_) | Self::Float(_) => 1,
            Self::Decimal(_) => 2,
            Self::Text(_) => 3,
            Self::Bytes(_) => 4,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 2^127, which is the first float above all of `i128`.
    const BEYOND: f64 = (1u128 << 127) as f64;

    fn bytes(key: &Key<'_>) -> Vec<u8> {
        let mut bytes = Vec::new();
        key.append(&mut bytes);
        bytes
    }

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
                assert_eq!(bytes(one).cmp(&bytes(other)), at.cmp(&place), "{one:?} {other:?}");
            }
        }
        sorted.reverse();
        sorted.sort_by_key(bytes);
        assert_eq!(format!("{sorted:?}"), expected);
        assert_eq!(bytes(&Key::Integer(-3)), bytes(&Key::Float(-3.0)));
        assert_eq!(bytes(&Key::Integer(0)), bytes(&Key::Float(0.0)));
    }
}
