//! `Deserialize` of a value by its type: the calls that serde's derive and serde's own types make.

use crate::enums::deserialize_enum;
use crate::model::{Body, Graph, Scalar, Type};
use crate::structs::deserialize_struct;
use crate::value::Value;
use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_bytes::ByteBuf;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::fmt;

/// A type to be read.
#[derive(Clone, Copy)]
pub struct Seed {
    pub graph: &'static Graph,
    pub ty: &'static Type,
}

impl Seed {
    pub fn of(self, ty: &'static Type) -> Self {
        Self { ty, ..self }
    }
}

thread_local! {
    static ROWS: Cell<Option<Seed>> = const { Cell::new(None) };
}

/// A row of the type that this thread reads just now.
#[derive(Debug, PartialEq)]
pub struct Row(pub Value);

impl Row {
    /// Runs something that reads rows of a type.
    pub fn with<T>(graph: &'static Graph, read: impl FnOnce() -> T) -> T {
        ROWS.set(Some(Seed { graph, ty: &graph.row }));
        let read = read();
        ROWS.set(None);
        read
    }
}

impl<'de> Deserialize<'de> for Row {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        ROWS.get().expect("the type of the rows").deserialize(deserializer).map(Row)
    }
}

impl<'de> DeserializeSeed<'de> for Seed {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        match self.ty {
            Type::Scalar(scalar) => deserialize_scalar(*scalar, deserializer),
            Type::Option(item) => deserializer.deserialize_option(OptionOf(self.of(item))),
            Type::List(item) => deserializer.deserialize_seq(ListOf(self.of(item))),
            Type::Tuple(items) => {
                deserializer.deserialize_tuple(items.len(), TupleOf(self, items.iter().collect()))
            }
            Type::Array(item, len) => deserializer.deserialize_tuple(*len, TupleOf(self, vec![item; *len])),
            Type::Map(key, item) => deserializer.deserialize_map(MapOf(self.of(key), self.of(item))),
            Type::Def(id) | Type::Boxed(id) => {
                let def = &self.graph.defs[*id];
                match &def.body {
                    Body::Struct(fields) => deserialize_struct(self.graph, def, fields, deserializer),
                    Body::Enum(tagging, variants) => {
                        deserialize_enum(self.graph, def, *tagging, variants, deserializer)
                    }
                }
            }
        }
    }
}

fn deserialize_scalar<'de, D: Deserializer<'de>>(scalar: Scalar, d: D) -> Result<Value, D::Error> {
    Ok(match scalar {
        Scalar::Bool => Value::Bool(bool::deserialize(d)?),
        Scalar::I8 => Value::Int(i8::deserialize(d)?.into()),
        Scalar::I16 => Value::Int(i16::deserialize(d)?.into()),
        Scalar::I32 => Value::Int(i32::deserialize(d)?.into()),
        Scalar::I64 => Value::Int(i64::deserialize(d)?.into()),
        Scalar::I128 => Value::Int(i128::deserialize(d)?),
        Scalar::U8 => Value::Nat(u8::deserialize(d)?.into()),
        Scalar::U16 => Value::Nat(u16::deserialize(d)?.into()),
        Scalar::U32 => Value::Nat(u32::deserialize(d)?.into()),
        Scalar::U64 => Value::Nat(u64::deserialize(d)?.into()),
        Scalar::U128 => Value::Nat(u128::deserialize(d)?),
        Scalar::F32 => Value::F32(f32::deserialize(d)?.to_bits()),
        Scalar::F64 => Value::F64(f64::deserialize(d)?.to_bits()),
        Scalar::Char => Value::Char(char::deserialize(d)?),
        Scalar::Text => Value::Text(String::deserialize(d)?),
        Scalar::Bytes => Value::Bytes(ByteBuf::deserialize(d)?.into_vec()),
        Scalar::Unit => {
            <()>::deserialize(d)?;
            Value::Unit
        }
    })
}

struct OptionOf(Seed);

impl<'de> Visitor<'de> for OptionOf {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("option")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::None)
    }

    fn visit_none<E: Error>(self) -> Result<Value, E> {
        Ok(Value::None)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        self.0.deserialize(deserializer).map(|value| Value::Some(Box::new(value)))
    }
}

struct ListOf(Seed);

impl<'de> Visitor<'de> for ListOf {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a sequence")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element_seed(self.0)? {
            items.push(item);
        }
        Ok(Value::List(items))
    }
}

/// Items of a tuple, each of its own type.
pub struct TupleOf(pub Seed, pub Vec<&'static Type>);

impl<'de> Visitor<'de> for TupleOf {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a tuple of size {}", self.1.len())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        for ty in &self.1 {
            match seq.next_element_seed(self.0.of(ty))? {
                Some(item) => items.push(item),
                None => return Err(Error::invalid_length(items.len(), &self)),
            }
        }
        Ok(Value::List(items))
    }
}

struct MapOf(Seed, Seed);

impl<'de> Visitor<'de> for MapOf {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut entries = BTreeMap::new();
        while let Some((key, value)) = map.next_entry_seed(self.0, self.1)? {
            entries.insert(key, value);
        }
        Ok(Value::Map(entries.into_iter().collect()))
    }
}
