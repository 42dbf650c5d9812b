//! `Serialize` of a value by its type: the calls that serde's derive makes.

use crate::flatten::FlatStruct;
use crate::model::{Body, Def, Fields, Graph, Named, Scalar, Type};
use crate::value::Value;
use crate::variants::serialize_enum;
use serde::ser::{
    Error, Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeTuple, SerializeTupleStruct,
    Serializer,
};

/// A value with its type.
#[derive(Clone, Copy)]
pub struct Typed<'a> {
    pub graph: &'a Graph,
    pub ty: &'a Type,
    pub value: &'a Value,
}

/// The tags of internally tagged enums around a value, from the outside in.
pub type Tags<'a> = &'a [(&'static str, &'static str)];

/// The fields that are written, and a call for those that are skipped.
macro_rules! fields {
    ($of:expr, $named:expr, $state:expr) => {
        for (field, value) in $named.fields.iter().zip(values_of($of.value)) {
            if field.skip && value.is_skipped() {
                $state.skip_field(field.name)?;
            } else {
                $state.serialize_field(field.name, &$of.of(&field.ty, value))?;
            }
        }
    };
}
pub(crate) use fields;

impl<'a> Typed<'a> {
    pub fn of(self, ty: &'a Type, value: &'a Value) -> Self {
        Self { ty, value, ..self }
    }

    pub fn def(self) -> Option<&'a Def> {
        match self.ty {
            Type::Def(id) | Type::Boxed(id) => Some(&self.graph.defs[*id]),
            _ => None,
        }
    }
}

impl Serialize for Typed<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match (self.ty, self.value) {
            (Type::Scalar(scalar), value) => serialize_scalar(*scalar, value, serializer),
            (Type::Option(_), Value::None) => serializer.serialize_none(),
            (Type::Option(item), Value::Some(value)) => serializer.serialize_some(&self.of(item, value)),
            (Type::List(item), Value::List(values)) => {
                let mut seq = serializer.serialize_seq(Some(values.len()))?;
                for value in values {
                    seq.serialize_element(&self.of(item, value))?;
                }
                seq.end()
            }
            (Type::Tuple(items), Value::List(values)) => serialize_tuple(*self, items, values, serializer),
            (Type::Array(item, _), Value::List(values)) => {
                let mut tuple = serializer.serialize_tuple(values.len())?;
                for value in values {
                    tuple.serialize_element(&self.of(item, value))?;
                }
                tuple.end()
            }
            (Type::Map(key, item), Value::Map(entries)) => {
                let entries = entries.iter();
                serializer.collect_map(entries.map(|(k, v)| (self.of(key, k), self.of(item, v))))
            }
            (Type::Def(_) | Type::Boxed(_), value) => match &self.graph_def().body {
                Body::Struct(fields) => serialize_struct(*self, fields, &[], serializer),
                Body::Enum(tagging, _) => serialize_enum(*self, *tagging, value, &[], serializer),
            },
            (ty, value) => unreachable!("{value:?} is no {ty:?}"),
        }
    }
}

impl<'a> Typed<'a> {
    pub fn graph_def(self) -> &'a Def {
        self.def().expect("a definition")
    }
}

fn serialize_scalar<S: Serializer>(scalar: Scalar, value: &Value, serializer: S) -> Result<S::Ok, S::Error> {
    match (scalar, value) {
        (Scalar::Bool, Value::Bool(value)) => serializer.serialize_bool(*value),
        (Scalar::I8, Value::Int(value)) => serializer.serialize_i8(*value as i8),
        (Scalar::I16, Value::Int(value)) => serializer.serialize_i16(*value as i16),
        (Scalar::I32, Value::Int(value)) => serializer.serialize_i32(*value as i32),
        (Scalar::I64, Value::Int(value)) => serializer.serialize_i64(*value as i64),
        (Scalar::I128, Value::Int(value)) => serializer.serialize_i128(*value),
        (Scalar::U8, Value::Nat(value)) => serializer.serialize_u8(*value as u8),
        (Scalar::U16, Value::Nat(value)) => serializer.serialize_u16(*value as u16),
        (Scalar::U32, Value::Nat(value)) => serializer.serialize_u32(*value as u32),
        (Scalar::U64, Value::Nat(value)) => serializer.serialize_u64(*value as u64),
        (Scalar::U128, Value::Nat(value)) => serializer.serialize_u128(*value),
        (Scalar::F32, Value::F32(bits)) => serializer.serialize_f32(f32::from_bits(*bits)),
        (Scalar::F64, Value::F64(bits)) => serializer.serialize_f64(f64::from_bits(*bits)),
        (Scalar::Char, Value::Char(value)) => serializer.serialize_char(*value),
        (Scalar::Text, Value::Text(value)) => serializer.serialize_str(value),
        (Scalar::Bytes, Value::Bytes(value)) => serializer.serialize_bytes(value),
        (Scalar::Unit, Value::Unit) => serializer.serialize_unit(),
        _ => unreachable!("{value:?} is no {scalar:?}"),
    }
}

pub fn serialize_tuple<S: Serializer>(
    of: Typed<'_>,
    items: &[Type],
    values: &[Value],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let mut tuple = serializer.serialize_tuple(items.len())?;
    for (item, value) in items.iter().zip(values) {
        tuple.serialize_element(&of.of(item, value))?;
    }
    tuple.end()
}

pub fn values_of(value: &Value) -> &[Value] {
    match value {
        Value::List(values) | Value::Variant(_, values) => values,
        _ => unreachable!("{value:?} has no fields"),
    }
}

fn serialize_struct<S: Serializer>(
    of: Typed<'_>,
    fields: &Fields,
    tags: Tags<'_>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let values = values_of(of.value);
    let name = of.graph_def().name;
    match fields {
        Fields::Unit if tags.is_empty() => serializer.serialize_unit_struct(name),
        Fields::Unit => serialize_tags(tags, serializer),
        Fields::Newtype(ty) if tags.is_empty() => {
            serializer.serialize_newtype_struct(name, &of.of(ty, &values[0]))
        }
        Fields::Newtype(ty) => serialize_tagged(of.of(ty, &values[0]), tags, serializer),
        Fields::Tuple(_) if !tags.is_empty() => Err(Error::custom("a tuple struct cannot be tagged")),
        Fields::Tuple(types) => {
            let mut tuple = serializer.serialize_tuple_struct(name, types.len())?;
            for (ty, value) in types.iter().zip(values) {
                tuple.serialize_field(&of.of(ty, value))?;
            }
            tuple.end()
        }
        Fields::Named(named) => serialize_named(of, name, named, tags, serializer),
    }
}

pub fn written(of: Typed<'_>, named: &Named) -> usize {
    let fields = named.fields.iter().zip(values_of(of.value));
    fields.filter(|(field, value)| !(field.skip && value.is_skipped())).count()
}

pub fn serialize_named<S: Serializer>(
    of: Typed<'_>,
    name: &'static str,
    named: &Named,
    tags: Tags<'_>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    if named.is_flat() {
        let mut map = serializer.serialize_map(None)?;
        for (tag, variant) in tags {
            map.serialize_entry(tag, variant)?;
        }
        FlatStruct { of, named }.entries(&mut map)?;
        return map.end();
    }
    let mut state = serializer.serialize_struct(name, written(of, named) + tags.len())?;
    for (tag, variant) in tags {
        state.serialize_field(tag, variant)?;
    }
    fields!(of, named, state);
    state.end()
}

/// A value inside internally tagged newtype variants.
pub fn serialize_tagged<S: Serializer>(
    of: Typed<'_>,
    tags: Tags<'_>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    if tags.is_empty() {
        return of.serialize(serializer);
    }
    match (of.ty, of.value) {
        (Type::Scalar(Scalar::Unit), _) => serialize_tags(tags, serializer),
        (Type::Map(key, item), Value::Map(entries)) => {
            let mut map = serializer.serialize_map(Some(entries.len() + tags.len()))?;
            for (tag, variant) in tags {
                map.serialize_entry(tag, variant)?;
            }
            for (k, v) in entries {
                map.serialize_entry(&of.of(key, k), &of.of(item, v))?;
            }
            map.end()
        }
        (Type::Def(_) | Type::Boxed(_), value) => match &of.graph_def().body {
            Body::Struct(fields) => serialize_struct(of, fields, tags, serializer),
            Body::Enum(tagging, _) => serialize_enum(of, *tagging, value, tags, serializer),
        },
        _ => Err(Error::custom("this cannot be tagged")),
    }
}

pub fn serialize_tags<S: Serializer>(tags: Tags<'_>, serializer: S) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(tags.len()))?;
    for (tag, variant) in tags {
        map.serialize_entry(tag, variant)?;
    }
    map.end()
}
