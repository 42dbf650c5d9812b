//! Values of batches in Avro's binary form.

use super::decode::push_varint;
use super::kind::{Type, Union};
use super::value::ValueError;
use trevni::Vector;
use trevni::vector::Offsets;

/// Appends a value.
pub(super) fn encode(kind: &Type, vector: &Vector, at: usize, out: &mut Vec<u8>) -> Result<(), ValueError> {
    const MISSING: ValueError = "a value that is not in its batch";
    macro_rules! number {
        ($values:expr) => {
            *$values.get(at).ok_or(MISSING)?
        };
    }
    match (kind, vector) {
        (Type::Null, Vector::Null(_)) => {}
        (Type::Boolean, Vector::Boolean(values)) => out.push(u8::from(number!(values))),
        (Type::Int, Vector::Int(values)) => push_varint(number!(values).into(), out),
        (Type::Long | Type::U64, Vector::Long(values)) => push_varint(number!(values), out),
        (Type::Float, Vector::Float(values)) => out.extend_from_slice(&number!(values).to_le_bytes()),
        (Type::Double, Vector::Double(values)) => out.extend_from_slice(&number!(values).to_le_bytes()),
        (Type::String, Vector::String(values)) => sized(values.get(at).ok_or(MISSING)?.as_bytes(), out),
        (Type::Bytes, Vector::Bytes(values)) => sized(values.get(at).ok_or(MISSING)?, out),
        (Type::Fixed(_) | Type::I128 | Type::U128, Vector::Bytes(values)) => {
            out.extend_from_slice(values.get(at).ok_or(MISSING)?);
        }
        (Type::Enum { .. }, Vector::Enum(values)) => push_varint(number!(values).into(), out),
        (Type::Record(record), Vector::Record(vector)) => {
            for ((_, kind), vector) in record.fields.iter().zip(&vector.fields) {
                encode(kind, vector, at, out)?;
            }
        }
        (Type::List(item), Vector::List(list)) => {
            blocks(&list.offsets, at, out, |at, out| encode(item, &list.item, at, out))?;
        }
        (Type::Map(value), Vector::Map(map)) => blocks(&map.offsets, at, out, |at, out| {
            encode(&Type::String, &map.key, at, out)?;
            encode(value, &map.value, at, out)
        })?,
        (Type::Pairs(pair), Vector::Map(map)) => blocks(&map.offsets, at, out, |at, out| {
            encode(&pair.0, &map.key, at, out)?;
            encode(&pair.1, &map.value, at, out)
        })?,
        (Type::Union(union), Vector::Optional(list)) => {
            let item = list.offsets.range(at).ok_or(MISSING)?.next();
            match (item, &list.item) {
                (None, _) => push_varint(union.null().ok_or(MISSING)? as i64, out),
                (Some(at), Vector::Union(values)) if !holds_union(union) => variant(union, values, at, out)?,
                (Some(at), item) => tagged(union, 0, item, at, out)?,
            }
        }
        (Type::Union(union), Vector::Union(values)) => variant(union, values, at, out)?,
        _ => return Err("vectors of another form than the schema"),
    }
    Ok(())
}

/// Whether the one type beside null is a union itself, as the inner of two optionals is.
fn holds_union(union: &Union) -> bool {
    union.is_optional() && matches!(union.variant(0), Some((_, Type::Union(_))))
}

fn variant(
    union: &Union,
    values: &trevni::vector::UnionVector,
    at: usize,
    out: &mut Vec<u8>,
) -> Result<(), ValueError> {
    let place = values.tags.get(at).zip(values.positions.get(at));
    let (tag, position) = place.ok_or("a value that is not in its batch")?;
    let tag = usize::from(*tag);
    let vector = values.variants.get(tag).ok_or("a variant without values")?;
    tagged(union, tag, vector, *position as usize, out)
}

fn tagged(
    union: &Union,
    tag: usize,
    vector: &Vector,
    at: usize,
    out: &mut Vec<u8>,
) -> Result<(), ValueError> {
    let (number, kind) = union.variant(tag).ok_or("a variant that the schema does not have")?;
    push_varint(number as i64, out);
    encode(kind, vector, at, out)
}

fn sized(bytes: &[u8], out: &mut Vec<u8>) {
    push_varint(bytes.len() as i64, out);
    out.extend_from_slice(bytes);
}

/// A list in one block, and its end.
fn blocks(
    offsets: &Offsets,
    at: usize,
    out: &mut Vec<u8>,
    mut item: impl FnMut(usize, &mut Vec<u8>) -> Result<(), ValueError>,
) -> Result<(), ValueError> {
    let range = offsets.range(at).ok_or("a value that is not in its batch")?;
    if !range.is_empty() {
        push_varint(range.len() as i64, out);
        for at in range {
            item(at, out)?;
        }
    }
    out.push(0);
    Ok(())
}
