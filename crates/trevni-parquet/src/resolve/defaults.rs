//! Defaults of fields: JSON, as the values of a shape.

use super::wanted::{Kind, Wanted};
use serde_json::Value;
use trevni::vector::{ListVector, MapVector, Offsets, RecordVector, UnionVector};
use trevni::{Shape, Vector};

/// One entry for each of the values; `None` where one of them is no value of the type.
pub(super) fn vector(wanted: &Wanted, values: &[&Value]) -> Option<Vector> {
    match &wanted.kind {
        Kind::Record { fields, .. } => {
            let mut vectors = Vec::with_capacity(fields.len());
            for field in fields {
                // A field that a default lacks has a default of its own.
                let of_row = |value: &&Value| match value.as_object()?.get(&field.name) {
                    Some(_) => Some(true),
                    None => field.default.as_ref().map(|_| false),
                };
                let there = values.iter().map(of_row).collect::<Option<Vec<_>>>()?;
                let own = values.iter().zip(there).map(|(value, there)| match there {
                    true => value.get(&field.name),
                    false => field.default.as_ref(),
                });
                vectors.push(vector(&field.wanted, &own.collect::<Option<Vec<_>>>()?)?);
            }
            Some(RecordVector::new(values.len(), vectors).into())
        }
        Kind::List(item) => {
            let lists = values.iter().map(|value| value.as_array()).collect::<Option<Vec<_>>>()?;
            let items: Vec<&Value> = lists.iter().copied().flatten().collect();
            Some(Vector::list(offsets(lists.iter().map(|list| list.len()))?, vector(item, &items)?))
        }
        Kind::Map(entry) => map(&entry.0, &entry.1, values),
        Kind::Optional(item) => {
            let there: Vec<&Value> = values.iter().copied().filter(|value| !value.is_null()).collect();
            let offsets = offsets(values.iter().map(|value| usize::from(!value.is_null())))?;
            Some(Vector::Optional(Box::new(ListVector::new(offsets, vector(item, &there)?))))
        }
        Kind::Union(variants) => {
            // The first type of which a value is one.
            let tag =
                |value: &&Value| variants.iter().position(|variant| vector(variant, &[value]).is_some());
            let tags = values.iter().map(tag).collect::<Option<Vec<_>>>()?;
            let of = |tag: usize| {
                values.iter().zip(&tags).filter(move |(_, own)| **own == tag).map(|(value, _)| *value)
            };
            let vectors = variants.iter().enumerate();
            let vectors = vectors.map(|(tag, variant)| vector(variant, &of(tag).collect::<Vec<_>>()));
            let vectors = vectors.collect::<Option<Vec<_>>>()?;
            let tags = tags.iter().map(|tag| u16::try_from(*tag).ok()).collect::<Option<Vec<_>>>()?;
            Some(UnionVector::new(tags, vectors).into())
        }
        Kind::Leaf | Kind::Fixed { .. } | Kind::Enum { .. } => leaf(&wanted.shape, values),
    }
}

/// Maps with text as keys are objects, others lists of entries.
fn map(key: &Wanted, value: &Wanted, values: &[&Value]) -> Option<Vector> {
    let mut lengths = Vec::with_capacity(values.len());
    let mut own = Vec::new();
    if key.shape == Shape::String {
        let mut keys = Vec::new();
        for map in values {
            let map = map.as_object()?;
            lengths.push(map.len());
            keys.extend(map.keys().map(String::as_str));
            own.extend(map.values());
        }
        let keys = Vector::try_from_iter(keys).ok()?;
        return Some(MapVector::new(offsets(lengths.into_iter())?, keys, vector(value, &own)?).into());
    }
    let mut keys = Vec::new();
    for map in values {
        let entries = map.as_array()?;
        lengths.push(entries.len());
        for entry in entries {
            keys.push(entry.get("key")?);
            own.push(entry.get("value")?);
        }
    }
    Some(MapVector::new(offsets(lengths.into_iter())?, vector(key, &keys)?, vector(value, &own)?).into())
}

fn leaf(shape: &Shape, values: &[&Value]) -> Option<Vector> {
    let values = values.iter();
    Some(match shape.storage() {
        Shape::Null => values
            .map(|value| value.as_null())
            .collect::<Option<Vec<()>>>()
            .map(|nulls| Vector::Null(nulls.len()))?,
        Shape::Boolean => Vector::Boolean(values.map(|value| value.as_bool()).collect::<Option<_>>()?),
        Shape::Int => {
            let int = |value: &&Value| i32::try_from(value.as_i64()?).ok();
            Vector::Int(values.map(int).collect::<Option<_>>()?)
        }
        Shape::Long => Vector::Long(values.map(|value| value.as_i64()).collect::<Option<_>>()?),
        Shape::U64 => {
            let bits = |value: &&Value| value.as_u64().map(u64::cast_signed);
            Vector::Long(values.map(bits).collect::<Option<_>>()?)
        }
        Shape::Float => Vector::Float(values.map(|value| Some(float(value)? as f32)).collect::<Option<_>>()?),
        Shape::Double => Vector::Double(values.map(|value| float(value)).collect::<Option<_>>()?),
        Shape::String => {
            let texts = values.map(|value| value.as_str()).collect::<Option<Vec<_>>>()?;
            Vector::try_from_iter(texts).ok()?
        }
        shape @ (Shape::Bytes | Shape::Fixed(_) | Shape::I128 | Shape::U128) => {
            let size = match shape {
                Shape::Bytes => None,
                Shape::Fixed(fixed) => Some(fixed.size),
                _ => Some(16),
            };
            let bytes = values.map(|value| bytes(value)).collect::<Option<Vec<_>>>()?;
            if size.is_some_and(|size| bytes.iter().any(|bytes| bytes.len() != size)) {
                return None;
            }
            Vector::try_from_iter(bytes).ok()?
        }
        Shape::Enum(shape) => {
            let ordinal = |value: &&Value| {
                let symbol = value.as_str()?;
                i32::try_from(shape.symbols.iter().position(|known| known == symbol)?).ok()
            };
            Vector::Enum(values.map(ordinal).collect::<Option<_>>()?)
        }
        _ => return None,
    })
}

/// A number, or the text of one that JSON has no number for.
fn float(value: &Value) -> Option<f64> {
    match value.as_str() {
        None => value.as_f64(),
        Some("NaN") => Some(f64::NAN),
        Some("INF" | "Infinity") => Some(f64::INFINITY),
        Some("-INF" | "-Infinity") => Some(f64::NEG_INFINITY),
        Some(_) => None,
    }
}

/// Bytes are the characters of a text up to U+00FF.
fn bytes(value: &Value) -> Option<Vec<u8>> {
    value.as_str()?.chars().map(|character| u8::try_from(character).ok()).collect()
}

fn offsets(lengths: impl Iterator<Item = usize>) -> Option<Offsets> {
    let lengths = lengths.map(|length| u32::try_from(length).ok()).collect::<Option<Vec<_>>>()?;
    Offsets::from_lengths(lengths).ok()
}
