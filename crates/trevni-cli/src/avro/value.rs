//! A value of a schema, taken from where its parts come one behind the other, as serde has it.

use super::Wrong;
use super::node::{Node, Record, Union};
use serde::ser::{
    Error, Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant,
    SerializeTupleStruct, SerializeTupleVariant, Serializer,
};
use std::borrow::Cow;
use trevni::Form;

/// Where the parts of values come from, in the order of Avro's binary form.
pub(crate) trait Source {
    fn boolean(&self) -> Result<bool, Wrong>;
    fn int(&self) -> Result<i32, Wrong>;
    fn long(&self) -> Result<i64, Wrong>;
    fn float(&self) -> Result<f32, Wrong>;
    fn double(&self) -> Result<f64, Wrong>;
    fn text(&self) -> Result<Cow<'_, str>, Wrong>;
    /// The key of a map.
    fn key(&self) -> Result<Cow<'_, str>, Wrong> {
        self.text()
    }
    fn bytes(&self) -> Result<Cow<'_, [u8]>, Wrong>;
    /// Bytes of a given number.
    fn fixed(&self, size: usize) -> Result<Cow<'_, [u8]>, Wrong>;
    /// The number of a symbol or of a branch, of so many.
    fn choice(&self, count: usize) -> Result<usize, Wrong>;
    /// How many items come next in a list or map; 0 at its end.
    fn items(&self, first: bool) -> Result<u64, Wrong>;
    /// As `items`, for maps whose keys are not text.
    fn pairs(&self, first: bool) -> Result<u64, Wrong> {
        self.items(first)
    }
}

/// The next value of a source. Serializing it takes it.
pub(crate) struct Value<'n, S> {
    pub(crate) node: &'n Node,
    pub(crate) source: &'n S,
}

impl<'n, S: Source> Value<'n, S> {
    fn of(&self, node: &'n Node) -> Self {
        Self { node, source: self.source }
    }

    fn record<Z: Serializer>(&self, record: &'n Record, serializer: Z) -> Result<Z::Ok, Z::Error> {
        let Record { namespace, name, fields, .. } = record;
        let count = fields.len();
        let mut fields = fields.iter();
        match record.form {
            Form::Struct => {
                let mut out = serializer.serialize_struct(name, count)?;
                fields.try_for_each(|(name, node)| out.serialize_field(name, &self.of(node)))?;
                out.end()
            }
            Form::Tuple => {
                let mut out = serializer.serialize_tuple_struct(name, count)?;
                fields.try_for_each(|(_, node)| out.serialize_field(&self.of(node)))?;
                out.end()
            }
            Form::NewtypeVariant => match fields.next() {
                Some((_, node)) => serializer.serialize_newtype_variant(namespace, 0, name, &self.of(node)),
                None => Err(Z::Error::custom("a variant without its field")),
            },
            Form::TupleVariant => {
                let mut out = serializer.serialize_tuple_variant(namespace, 0, name, count)?;
                fields.try_for_each(|(_, node)| out.serialize_field(&self.of(node)))?;
                out.end()
            }
            Form::StructVariant => {
                let mut out = serializer.serialize_struct_variant(namespace, 0, name, count)?;
                fields.try_for_each(|(name, node)| out.serialize_field(name, &self.of(node)))?;
                out.end()
            }
            _ => Err(Z::Error::custom("a record of a form that is not known")),
        }
    }

    fn union<Z: Serializer>(&self, union: &'n Union, serializer: Z) -> Result<Z::Ok, Z::Error> {
        let number = self.source.choice(union.branches.len()).map_err(Z::Error::custom)?;
        let Some(branch) = union.branches.get(number).ok_or_else(|| Z::Error::custom("no such branch"))?
        else {
            return serializer.serialize_none();
        };
        let value = self.of(&branch.node);
        match branch.name {
            _ if union.is_optional() => serializer.serialize_some(&value),
            Some(name) => serializer.serialize_newtype_variant("", number as u32, name, &value),
            None => value.serialize(serializer),
        }
    }

    /// Entries of a map whose keys are text, where no other node is given.
    fn entries<Z: Serializer>(
        &self,
        key: Option<&'n Node>,
        value: &'n Node,
        serializer: Z,
    ) -> Result<Z::Ok, Z::Error> {
        let source = self.source;
        let mut out = serializer.serialize_map(None)?;
        let mut first = true;
        loop {
            let count = if key.is_some() { source.pairs(first) } else { source.items(first) };
            let count = count.map_err(Z::Error::custom)?;
            if count == 0 {
                return out.end();
            }
            for _ in 0..count {
                match key {
                    Some(node) => out.serialize_key(&self.of(node))?,
                    None => out.serialize_key(&*source.key().map_err(Z::Error::custom)?)?,
                }
                out.serialize_value(&self.of(value))?;
            }
            first = false;
        }
    }
}

impl<S: Source> Serialize for Value<'_, S> {
    fn serialize<Z: Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
        let source = self.source;
        let wrong = Z::Error::custom::<Wrong>;
        match self.node {
            Node::Null => serializer.serialize_unit(),
            Node::Boolean => serializer.serialize_bool(source.boolean().map_err(wrong)?),
            Node::Int => serializer.serialize_i32(source.int().map_err(wrong)?),
            Node::Long => serializer.serialize_i64(source.long().map_err(wrong)?),
            Node::U64 => serializer.serialize_u64(source.long().map_err(wrong)?.cast_unsigned()),
            Node::I128 | Node::U128 => {
                let bytes = source.fixed(16).map_err(wrong)?;
                let bytes = <[u8; 16]>::try_from(&*bytes).map_err(|_| wrong("no 16 bytes"))?;
                match self.node {
                    Node::I128 => serializer.serialize_i128(i128::from_be_bytes(bytes)),
                    _ => serializer.serialize_u128(u128::from_be_bytes(bytes)),
                }
            }
            Node::Float => serializer.serialize_f32(source.float().map_err(wrong)?),
            Node::Double => serializer.serialize_f64(source.double().map_err(wrong)?),
            Node::String => serializer.serialize_str(&source.text().map_err(wrong)?),
            Node::Bytes => serializer.serialize_bytes(&source.bytes().map_err(wrong)?),
            Node::Fixed(size) => serializer.serialize_bytes(&source.fixed(*size).map_err(wrong)?),
            Node::Enum { name, symbols } => {
                let number = source.choice(symbols.len()).map_err(wrong)?;
                let symbol = symbols.get(number).ok_or_else(|| wrong("no such symbol"))?;
                serializer.serialize_unit_variant(name, number as u32, symbol)
            }
            Node::Record(record) => self.record(record, serializer),
            Node::List(item) => {
                let mut out = serializer.serialize_seq(None)?;
                let mut first = true;
                loop {
                    match source.items(first).map_err(wrong)? {
                        0 => return out.end(),
                        count => (0..count).try_for_each(|_| out.serialize_element(&self.of(item)))?,
                    }
                    first = false;
                }
            }
            Node::Map(value) => self.entries(None, value, serializer),
            Node::Pairs(pair) => self.entries(Some(&pair.0), &pair.1, serializer),
            Node::Union(union) => self.union(union, serializer),
        }
    }
}
