//! Values as serde has them.

use super::{ListRef, MapRef, RecordRef, ValueRef};
use crate::shape::Form;
use serde::ser::{Serialize, SerializeMap, Serializer};

impl Serialize for ValueRef<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Some(some) => match some.get() {
                Some(value) => serializer.serialize_some(&value),
                None => serializer.serialize_unit(),
            },
            Self::Boolean(value) => serializer.serialize_bool(*value),
            Self::Int(value) => serializer.serialize_i32(*value),
            Self::Long(value) => serializer.serialize_i64(*value),
            Self::U64(value) => serializer.serialize_u64(*value),
            Self::I128(value) => serializer.serialize_i128(*value),
            Self::U128(value) => serializer.serialize_u128(*value),
            Self::Float(value) => serializer.serialize_f32(*value),
            Self::Double(value) => serializer.serialize_f64(*value),
            Self::String(text) | Self::Symbol(text) => serializer.serialize_str(text),
            Self::Bytes(bytes) => serializer.serialize_bytes(bytes),
            Self::List(list) => list.serialize(serializer),
            Self::Map(map) => map.serialize(serializer),
            Self::Record(record) => record.serialize(serializer),
        }
    }
}

impl Serialize for ListRef<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl Serialize for MapRef<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

impl Serialize for RecordRef<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if !self.shape().form.is_variant() {
            return Content(self).serialize(serializer);
        }
        let mut variant = serializer.serialize_map(Some(1))?;
        variant.serialize_entry(&*self.shape().name, &Content(self))?;
        variant.end()
    }
}

/// What a record holds, without the name of a variant.
struct Content<'r, 'b>(&'r RecordRef<'b>);

impl Serialize for Content<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let record = self.0;
        match record.shape().form {
            Form::NewtypeVariant => match record.field(0) {
                Some(value) => value.serialize(serializer),
                None => serializer.serialize_unit(),
            },
            form if form.is_tuple() => serializer.collect_seq(record.iter().map(|(_, value)| value)),
            _ => serializer.collect_map(record.iter()),
        }
    }
}
