//! Whether a vector holds entries of a shape, and a number by which two vectors can be told apart.

use super::{Binaries, ListVector, MapVector, RecordVector, UnionVector, Vector};
use crate::error::{Error, Result};
use crate::shape::branch::branch_name;
use crate::shape::{RecordShape, Shape};
use std::hash::{DefaultHasher, Hash, Hasher};

impl Vector {
    /// Checks the form and the lengths of all vectors, and all numbers in them.
    ///
    /// # Errors
    ///
    /// What does not fit, with its path.
    pub(crate) fn check(&self, shape: &Shape) -> Result<()> {
        match (shape.storage(), self) {
            (Shape::Null, Self::Null(_))
            | (Shape::Boolean, Self::Boolean(_))
            | (Shape::Int, Self::Int(_))
            | (Shape::Long | Shape::U64, Self::Long(_))
            | (Shape::Float, Self::Float(_))
            | (Shape::Double, Self::Double(_))
            | (Shape::String, Self::String(_))
            | (Shape::Bytes, Self::Bytes(_)) => Ok(()),
            (Shape::Fixed(fixed), Self::Bytes(values)) => sizes(values, fixed.size),
            (Shape::I128 | Shape::U128, Self::Bytes(values)) => sizes(values, 16),
            (Shape::Enum(shape), Self::Enum(ordinals)) => symbols(ordinals, shape.symbols.len()),
            (Shape::Record(shape), Self::Record(vector)) => record(shape, vector),
            (Shape::List(item), Self::List(list)) => {
                items(&list.item, list.offsets.total(), "items").and_then(|()| list.item.check(item))
            }
            (Shape::Map(shape), Self::Map(map)) => entries(&shape.key, &shape.value, map),
            (Shape::Optional(optional), Self::Optional(list)) => optional_values(&optional.item, list),
            (Shape::Union(variants), Self::Union(vector)) => union(variants, vector),
            _ => Err(Error::vector(format!("a vector of {} for a shape of {}", self.kind(), shape.kind()))),
        }
    }

    /// Whether there are `len` entries, and all vectors below have as many as these need.
    pub(crate) fn is_consistent(&self, len: usize) -> bool {
        self.len() == len
            && match self {
                Self::Record(record) => record.fields.iter().all(|field| field.is_consistent(len)),
                Self::List(list) | Self::Optional(list) => list.item.is_consistent(list.offsets.total()),
                Self::Map(map) => {
                    let total = map.offsets.total();
                    map.key.is_consistent(total) && map.value.is_consistent(total)
                }
                Self::Union(union) => {
                    let entries: usize = union.variants.iter().map(Self::len).sum();
                    entries == len
                        && union.variants.iter().all(|variant| variant.is_consistent(variant.len()))
                }
                _ => true,
            }
    }

    /// What to call this vector in a message.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::Null(_) => "null",
            Self::Boolean(_) => "boolean",
            Self::Int(_) => "int",
            Self::Long(_) => "long",
            Self::Float(_) => "float",
            Self::Double(_) => "double",
            Self::String(_) => "string",
            Self::Bytes(_) => "bytes",
            Self::Dictionary(_) => "positions in a dictionary",
            Self::Enum(_) => "enum",
            Self::Record(_) => "record",
            Self::List(_) => "list",
            Self::Map(_) => "map",
            Self::Optional(_) => "optional",
            Self::Union(_) => "union",
            Self::Unread(_) => "values that have not been read",
        }
    }
}

fn items(vector: &Vector, count: usize, what: &str) -> Result<()> {
    match vector.len() {
        len if len == count => Ok(()),
        len => Err(Error::vector(format!("{len} {what} where the offsets say {count}"))),
    }
}

fn sizes(values: &Binaries, size: usize) -> Result<()> {
    match values.spans().iter().position(|span| span.range().len() != size) {
        Some(entry) => Err(Error::vector(format!("entry {entry} is not of {size} bytes"))),
        None => Ok(()),
    }
}

fn symbols(ordinals: &[i32], count: usize) -> Result<()> {
    let known = |ordinal: i32| usize::try_from(ordinal).is_ok_and(|ordinal| ordinal < count);
    match ordinals.iter().position(|ordinal| !known(*ordinal)) {
        Some(entry) => Err(Error::vector(format!("entry {entry} is not one of the {count} symbols"))),
        None => Ok(()),
    }
}

fn record(shape: &RecordShape, vector: &RecordVector) -> Result<()> {
    let (expected, found) = (shape.fields.len(), vector.fields.len());
    if expected != found {
        return Err(Error::vector(format!("{found} vectors for {expected} fields")));
    }
    for (field, values) in shape.fields.iter().zip(&vector.fields) {
        let entries = match values.len() {
            len if len == vector.len => Ok(()),
            len => Err(Error::vector(format!("{len} entries for {} records", vector.len))),
        };
        entries.and_then(|()| values.check(&field.shape)).map_err(|error| error.in_field(&field.name))?;
    }
    Ok(())
}

fn entries(key: &Shape, value: &Shape, map: &MapVector) -> Result<()> {
    let parts = [("key", key, &map.key), ("value", value, &map.value)];
    parts.into_iter().try_for_each(|(name, shape, vector)| {
        let checked = items(vector, map.offsets.total(), "entries").and_then(|()| vector.check(shape));
        checked.map_err(|error| error.in_field(name))
    })
}

fn optional_values(item: &Shape, list: &ListVector) -> Result<()> {
    if let Some(entry) = list.offsets.lengths().position(|length| length > 1) {
        return Err(Error::vector(format!("entry {entry} of an optional has more than one value")));
    }
    items(&list.item, list.offsets.total(), "values")?;
    list.item.check(item)
}

fn union(variants: &[Shape], vector: &UnionVector) -> Result<()> {
    let (expected, found) = (variants.len(), vector.variants.len());
    if expected != found {
        return Err(Error::vector(format!("{found} vectors for {expected} variants")));
    }
    if vector.tags.len() != vector.positions.len() {
        let (tags, positions) = (vector.tags.len(), vector.positions.len());
        return Err(Error::vector(format!("{tags} tags and {positions} positions")));
    }
    let mut counts = vec![0usize; expected];
    for (entry, (tag, position)) in vector.tags.iter().zip(&vector.positions).enumerate() {
        let Some(count) = counts.get_mut(usize::from(*tag)) else {
            return Err(Error::vector(format!("entry {entry} is variant {tag} of {expected}")));
        };
        if *position as usize != *count {
            return Err(Error::vector(format!(
                "entry {entry} is at position {position} of its variant, not at {count}, the next"
            )));
        }
        *count += 1;
    }
    for ((shape, values), count) in variants.iter().zip(&vector.variants).zip(counts) {
        let entries = match values.len() {
            len if len == count => Ok(()),
            len => Err(Error::vector(format!("{len} values where the tags say {count}"))),
        };
        let checked = entries.and_then(|()| values.check(shape));
        checked.map_err(|error| error.in_field(&branch_name(shape).full()))?;
    }
    Ok(())
}

impl Vector {
    /// A number that is the same for the same values; others seldom have it.
    pub(crate) fn digest(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.hash(&mut hasher);
        hasher.finish()
    }

    fn hash(&self, hasher: &mut DefaultHasher) {
        std::mem::discriminant(self).hash(hasher);
        match self {
            Self::Null(len) => len.hash(hasher),
            Self::Boolean(values) => values.hash(hasher),
            Self::Int(values) | Self::Enum(values) => values.hash(hasher),
            Self::Long(values) => values.hash(hasher),
            Self::Float(values) => values.iter().for_each(|value| value.to_bits().hash(hasher)),
            Self::Double(values) => values.iter().for_each(|value| value.to_bits().hash(hasher)),
            Self::String(values) => values.iter().for_each(|value| value.hash(hasher)),
            Self::Bytes(values) => values.iter().for_each(|value| value.hash(hasher)),
            Self::Record(record) => {
                record.len.hash(hasher);
                record.fields.iter().for_each(|field| field.hash(hasher));
            }
            Self::List(list) | Self::Optional(list) => {
                list.offsets.as_slice().hash(hasher);
                list.item.hash(hasher);
            }
            Self::Map(map) => {
                map.offsets.as_slice().hash(hasher);
                map.key.hash(hasher);
                map.value.hash(hasher);
            }
            Self::Union(union) => {
                union.tags.hash(hasher);
                union.variants.iter().for_each(|variant| variant.hash(hasher));
            }
            // No rows that are written have them.
            Self::Dictionary(values) => values.len().hash(hasher),
            Self::Unread(node) => node.hash(hasher),
        }
    }
}
