//! Rows in Avro's JSON encoding, as Avro's own tools print them: unions with the names of their branches, bytes
//! as strings of one character for each.

mod java;

use serde::ser::{Error, Serialize, SerializeMap, Serializer};
use std::io::{self, Write};
use std::sync::Arc;
use trevni::avro::{AvroKind, AvroNode, AvroSchema};
use trevni::vector::Offsets;
use trevni::{Batch, Shape, ValueRef, Vector};
use trevni_print::rows::no_number;
use trevni_print::rows::put;

/// Prints rows of one schema.
#[derive(Default)]
pub(super) struct Avro(Option<AvroSchema>);

impl Avro {
    /// For rows of this schema, which the library has read or made.
    pub(super) fn new(schema: &str) -> Self {
        Self(AvroSchema::parse(schema).ok())
    }

    /// Prints a row on a line of its own.
    pub(super) fn row(&self, batch: &Batch, index: usize, out: &mut impl Write) -> io::Result<()> {
        let schema = self.0.as_ref().ok_or_else(|| io::Error::other("rows without an Avro schema"))?;
        let mut serializer = serde_json::Serializer::with_formatter(&mut *out, java::Java);
        Value::new(batch.shape(), batch.vector(), index, &schema.root).serialize(&mut serializer)?;
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
    node: &'b AvroNode,
}

impl<'b> Value<'b> {
    fn new(shape: &'b Shape, vector: &'b Vector, index: usize, node: &'b AvroNode) -> Self {
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
        node: &'b AvroNode,
    ) -> Option<impl ExactSizeIterator<Item = Value<'b>>> {
        Some(offsets.range(self.index)?.map(move |index| Value::new(shape, vector, index, node)))
    }
}

impl Serialize for Value<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { shape, vector, index, node } = *self;
        let missing = || S::Error::custom("a value that is not in its batch");
        match (shape, vector, &node.kind) {
            (Shape::Optional(optional), Vector::Optional(list), AvroKind::Union(branches)) => {
                let Some(index) = list.offsets.range(index).ok_or_else(missing)?.next() else {
                    return serializer.serialize_unit();
                };
                branch(&optional.item, &list.item, index, branches, serializer)
            }
            (Shape::Union(_), Vector::Union(_), AvroKind::Union(branches)) => {
                branch(shape, vector, index, branches, serializer)
            }
            (Shape::Record(shape), Vector::Record(vector), AvroKind::Record(fields)) => {
                let mut out = serializer.serialize_map(Some(fields.len()))?;
                for ((field, vector), own) in shape.fields.iter().zip(&vector.fields).zip(fields) {
                    out.serialize_entry(&own.name, &Value::new(&field.shape, vector, index, &own.node))?;
                }
                out.end()
            }
            (Shape::List(item), Vector::List(list), AvroKind::Array(node)) => {
                let items = self.items(&list.offsets, item, &list.item, node);
                serializer.collect_seq(items.ok_or_else(missing)?)
            }
            (Shape::Map(shape), Vector::Map(map), AvroKind::Map(node)) => {
                let keys = map.offsets.range(index).ok_or_else(missing)?;
                let key = |at| ValueRef::new(&shape.key, &map.key, at).and_then(|key| key.as_str());
                let values = self.items(&map.offsets, &shape.value, &map.value, node).ok_or_else(missing)?;
                serializer.collect_map(keys.map(|at| key(at).unwrap_or_default()).zip(values))
            }
            (Shape::Map(shape), Vector::Map(map), AvroKind::Array(node)) => {
                let AvroKind::Record(fields) = &node.kind else {
                    return Err(S::Error::custom("entries of a map that are no records"));
                };
                let [key, value] = fields.as_slice() else {
                    return Err(S::Error::custom("entries of a map without keys and values"));
                };
                let keys = self.items(&map.offsets, &shape.key, &map.key, &key.node).ok_or_else(missing)?;
                let values =
                    self.items(&map.offsets, &shape.value, &map.value, &value.node).ok_or_else(missing)?;
                let entries = keys.zip(values);
                serializer.collect_seq(entries.map(|(k, v)| Entry([(&*key.name, k), (&*value.name, v)])))
            }
            (Shape::Enum(_), Vector::Enum(ordinals), AvroKind::Enum { symbols, .. }) => {
                let ordinal = ordinals.get(index).and_then(|ordinal| usize::try_from(*ordinal).ok());
                let symbol = ordinal.and_then(|ordinal| symbols.get(ordinal));
                serializer.serialize_str(symbol.ok_or_else(missing)?)
            }
            (_, Vector::Null(_), AvroKind::Record(_)) => serializer.serialize_map(Some(0))?.end(),
            // A record around what a union cannot hold.
            (_, _, AvroKind::Record(fields)) if !matches!(shape, Shape::Record(_)) => {
                let [own] = fields.as_slice() else {
                    return Err(S::Error::custom("a record around more than one value"));
                };
                Entry([(&own.name, Value::new(shape, vector, index, &own.node))]).serialize(serializer)
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
    branches: &[Arc<AvroNode>],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let missing = || S::Error::custom("a value that is in no branch of its union");
    let variant = |tag| {
        branches
            .iter()
            .filter(|branch| branch.kind != AvroKind::Primitive(Shape::Null))
            .nth(tag)
            .ok_or_else(missing)
    };
    let (node, value) = match (shape, vector) {
        (Shape::Union(variants), Vector::Union(union)) => {
            let tag = usize::from(*union.tags.get(index).ok_or_else(missing)?);
            let place = *union.positions.get(index).ok_or_else(missing)? as usize;
            let (shape, vector) = variants.get(tag).zip(union.variants.get(tag)).ok_or_else(missing)?;
            (variant(tag)?, (shape, vector, place))
        }
        _ => (variant(0)?, (shape, vector, index)),
    };
    let (shape, vector, index) = value;
    Entry([(&*node.name, Value::new(shape, vector, index, node))]).serialize(serializer)
}

/// An object of some entries.
struct Entry<'b, const N: usize>([(&'b str, Value<'b>); N]);

impl<const N: usize> Serialize for Entry<'_, N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}
