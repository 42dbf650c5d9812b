//! Rows in Avro's JSON encoding, as Avro's own tools print them: unions with the names of their branches, bytes
//! as texts of one character for each.

mod java;
mod names;

use names::SchemaNames;
use serde::ser::{Error, Serialize, SerializeMap, Serializer};
use std::io::{self, Write};
use trevni::vector::Offsets;
use trevni::{Batch, Shape, ValueRef, Vector};
use trevni_print::rows::no_number;
use trevni_print::rows::put;

/// Prints rows of one schema.
#[derive(Default)]
pub(super) struct Avro(SchemaNames);

impl Avro {
    /// For rows of this schema.
    pub(super) fn new(schema: &str) -> Self {
        Self(SchemaNames::of(schema))
    }

    /// Prints a row on a line of its own.
    pub(super) fn row(&self, batch: &Batch, index: usize, out: &mut impl Write) -> io::Result<()> {
        let mut serializer = serde_json::Serializer::with_formatter(&mut *out, java::Java);
        Value::new(batch.shape(), batch.vector(), index, &self.0).serialize(&mut serializer)?;
        out.write_all(b"\n")
    }
}

/// A value and the names that Avro has for what is in it.
///
/// Branches of unions have names in Avro, so it goes by shape and vector, not by [`ValueRef`].
struct Value<'b> {
    shape: &'b Shape,
    vector: &'b Vector,
    index: usize,
    node: &'b SchemaNames,
}

impl<'b> Value<'b> {
    fn new(shape: &'b Shape, vector: &'b Vector, index: usize, node: &'b SchemaNames) -> Self {
        Self { shape, vector, index, node }
    }

    #[inline(always)]
    fn get(&self) -> Option<ValueRef<'b>> {
        ValueRef::new(self.shape, self.vector, self.index)
    }

    /// The values of a list.
    fn items(
        &self,
        offsets: &Offsets,
        shape: &'b Shape,
        vector: &'b Vector,
        node: &'b SchemaNames,
    ) -> Option<impl ExactSizeIterator<Item = Value<'b>>> {
        Some(offsets.range(self.index)?.map(move |index| Value::new(shape, vector, index, node)))
    }
}

impl Serialize for Value<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { shape, vector, index, node } = *self;
        let missing = || S::Error::custom("a value that is not in its batch");
        match (shape, vector, node) {
            (Shape::Optional(optional), Vector::Optional(list), SchemaNames::Union(branches)) => {
                let Some(index) = list.offsets.range(index).ok_or_else(missing)?.next() else {
                    return serializer.serialize_unit();
                };
                branch(&optional.item, &list.item, index, branches, serializer)
            }
            (Shape::Union(_), Vector::Union(_), SchemaNames::Union(branches)) => {
                branch(shape, vector, index, branches, serializer)
            }
            (Shape::Record(shape), Vector::Record(vector), SchemaNames::Record(names)) => {
                let mut out = serializer.serialize_map(Some(names.len()))?;
                for ((field, vector), (name, node)) in shape.fields.iter().zip(&vector.fields).zip(names) {
                    out.serialize_entry(name, &Value::new(&field.shape, vector, index, node))?;
                }
                out.end()
            }
            (Shape::List(item), Vector::List(list), SchemaNames::Array(node)) => {
                let items = self.items(&list.offsets, item, &list.item, node);
                serializer.collect_seq(items.ok_or_else(missing)?)
            }
            (Shape::Map(shape), Vector::Map(map), SchemaNames::Map(node)) => {
                let keys = self.items(&map.offsets, &shape.key, &map.key, &SchemaNames::Plain);
                let values = self.items(&map.offsets, &shape.value, &map.value, node);
                let (keys, values) = (keys.ok_or_else(missing)?, values.ok_or_else(missing)?);
                serializer.collect_map(
                    keys.map(|key| key.get().and_then(|key| key.as_str()).unwrap_or_default()).zip(values),
                )
            }
            (Shape::Map(shape), Vector::Map(map), SchemaNames::Array(node)) => {
                let SchemaNames::Record(names) = &**node else {
                    return Err(S::Error::custom("entries of a map that are no records"));
                };
                let [(key, key_node), (value, value_node)] = names.as_slice() else {
                    return Err(S::Error::custom("entries of a map without keys and values"));
                };
                let keys = self.items(&map.offsets, &shape.key, &map.key, key_node).ok_or_else(missing)?;
                let values =
                    self.items(&map.offsets, &shape.value, &map.value, value_node).ok_or_else(missing)?;
                serializer.collect_seq(keys.zip(values).map(|(k, v)| Entry([(key, k), (value, v)])))
            }
            (Shape::Enum(_), Vector::Enum(ordinals), SchemaNames::Enum(symbols)) => {
                let ordinal = ordinals.get(index).and_then(|ordinal| usize::try_from(*ordinal).ok());
                let symbol = ordinal.and_then(|ordinal| symbols.get(ordinal));
                serializer.serialize_str(symbol.ok_or_else(missing)?)
            }
            (_, Vector::Null(_), SchemaNames::Record(_)) => serializer.serialize_map(Some(0))?.end(),
            // A record around what a union cannot hold.
            (_, _, SchemaNames::Record(names)) if !matches!(shape, Shape::Record(_)) => {
                let [(name, node)] = names.as_slice() else {
                    return Err(S::Error::custom("a record around more than one value"));
                };
                Entry([(name, Value::new(shape, vector, index, node))]).serialize(serializer)
            }
            (_, Vector::Bytes(values), _) => {
                let bytes = values.get(index).ok_or_else(missing)?;
                serializer.serialize_str(&bytes.iter().map(|byte| char::from(*byte)).collect::<String>())
            }
            (_, Vector::Long(values), _) => serializer.serialize_i64(*values.get(index).ok_or_else(missing)?),
            (_, Vector::Float(values), _) => match *values.get(index).ok_or_else(missing)? {
                value if value.is_finite() => serializer.serialize_f32(value),
                value => serializer.serialize_str(no_number(value.into())),
            },
            (_, Vector::Double(values), _) => match *values.get(index).ok_or_else(missing)? {
                value if value.is_finite() => serializer.serialize_f64(value),
                value => serializer.serialize_str(no_number(value)),
            },
            _ => match self.get() {
                Some(value) => put(value, serializer),
                None => Err(missing()),
            },
        }
    }
}

/// A value under the name of its branch.
fn branch<S: Serializer>(
    shape: &Shape,
    vector: &Vector,
    index: usize,
    branches: &[(String, SchemaNames)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let missing = || S::Error::custom("a value that is in no branch of its union");
    let ((name, node), value) = match (shape, vector) {
        (Shape::Union(variants), Vector::Union(union)) => {
            let tag = usize::from(*union.tags.get(index).ok_or_else(missing)?);
            let place = *union.positions.get(index).ok_or_else(missing)? as usize;
            let (shape, vector) = variants.get(tag).zip(union.variants.get(tag)).ok_or_else(missing)?;
            (branches.get(tag).ok_or_else(missing)?, (shape, vector, place))
        }
        _ => (branches.first().ok_or_else(missing)?, (shape, vector, index)),
    };
    let (shape, vector, index) = value;
    Entry([(name, Value::new(shape, vector, index, node))]).serialize(serializer)
}

/// An object of some entries.
struct Entry<'b, const N: usize>([(&'b String, Value<'b>); N]);

impl<const N: usize> Serialize for Entry<'_, N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}
