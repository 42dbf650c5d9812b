//! Compares values of an Avro file with the values of a batch, to the bit.

use super::kind::{Type, Union};
use super::value::{Source, Value, ValueError};
use trevni::vector::Offsets;
use trevni::{Batch, Vector};

impl<S: Source> Value<'_, S> {
    /// Takes the value, and returns whether it is that of a row of a batch, to the bit. Where it is not, only a part of it is taken.
    ///
    /// # Errors
    ///
    /// The source has no such value.
    pub fn equals(&self, batch: &Batch, index: usize) -> Result<bool, ValueError> {
        equal(self.kind, self.source, batch.vector(), index)
    }
}

fn equal<S: Source>(kind: &Type, source: &S, vector: &Vector, at: usize) -> Result<bool, ValueError> {
    Ok(match (kind, vector) {
        (Type::Null, Vector::Null(count)) => at < *count,
        (Type::Boolean, Vector::Boolean(values)) => values.get(at) == Some(&source.boolean()?),
        (Type::Int, Vector::Int(values)) => values.get(at) == Some(&source.int()?),
        (Type::Long | Type::U64, Vector::Long(values)) => values.get(at) == Some(&source.long()?),
        (Type::Float, Vector::Float(values)) => {
            values.get(at).map(|value| value.to_bits()) == Some(source.float()?.to_bits())
        }
        (Type::Double, Vector::Double(values)) => {
            values.get(at).map(|value| value.to_bits()) == Some(source.double()?.to_bits())
        }
        (Type::String, Vector::String(values)) => values.get(at) == Some(&*source.text()?),
        (Type::Bytes, Vector::Bytes(values)) => values.get(at) == Some(&*source.bytes()?),
        (Type::Fixed(size), Vector::Bytes(values)) => values.get(at) == Some(&*source.fixed(*size)?),
        (Type::I128 | Type::U128, Vector::Bytes(values)) => values.get(at) == Some(&*source.fixed(16)?),
        (Type::Enum { symbols, .. }, Vector::Enum(values)) => {
            let number = source.choice(symbols.len())?;
            values.get(at).is_some_and(|value| usize::try_from(*value) == Ok(number))
        }
        (Type::Record(record), Vector::Record(vector)) => {
            for ((_, kind), vector) in record.fields.iter().zip(&vector.fields) {
                if !equal(kind, source, vector, at)? {
                    return Ok(false);
                }
            }
            record.fields.len() == vector.fields.len()
        }
        (Type::List(item), Vector::List(list)) => {
            items(source, &list.offsets, at, |at| equal(item, source, &list.item, at))?
        }
        (Type::Map(value), Vector::Map(map)) => items(source, &map.offsets, at, |at| {
            Ok(equal(&Type::String, source, &map.key, at)? && equal(value, source, &map.value, at)?)
        })?,
        (Type::Pairs(pair), Vector::Map(map)) => items(source, &map.offsets, at, |at| {
            Ok(equal(&pair.0, source, &map.key, at)? && equal(&pair.1, source, &map.value, at)?)
        })?,
        (Type::Union(union), vector) => branch(union, source, vector, at)?,
        _ => false,
    })
}

/// Compares the items of all blocks of a list.
fn items<S: Source>(
    source: &S,
    offsets: &Offsets,
    at: usize,
    mut equal: impl FnMut(usize) -> Result<bool, ValueError>,
) -> Result<bool, ValueError> {
    let Some(mut range) = offsets.range(at) else {
        return Ok(false);
    };
    let mut first = true;
    loop {
        match source.items(first)? {
            0 => return Ok(range.next().is_none()),
            count => {
                for _ in 0..count {
                    match range.next() {
                        Some(at) if equal(at)? => {}
                        _ => return Ok(false),
                    }
                }
            }
        }
        first = false;
    }
}

fn branch<S: Source>(union: &Union, source: &S, vector: &Vector, at: usize) -> Result<bool, ValueError> {
    let number = source.choice(union.branches.len())?;
    let (vector, at) = match vector {
        Vector::Optional(list) => match list.offsets.range(at).map(|mut range| range.next()) {
            Some(Some(at)) => (&list.item, at),
            Some(None) => return Ok(matches!(union.branches.get(number), Some(None))),
            None => return Ok(false),
        },
        vector => (vector, at),
    };
    let Some(Some(branch)) = union.branches.get(number) else {
        return Ok(false);
    };
    match vector {
        Vector::Union(values) if !union.is_optional() => {
            let tag = union.variants.iter().position(|variant| *variant == number);
            match (values.tags.get(at), values.positions.get(at)) {
                (Some(found), Some(position)) if tag == Some(usize::from(*found)) => {
                    match values.variants.get(usize::from(*found)) {
                        Some(vector) => equal(&branch.kind, source, vector, *position as usize),
                        None => Ok(false),
                    }
                }
                _ => Ok(false),
            }
        }
        vector => equal(&branch.kind, source, vector, at),
    }
}
