//! `Serialize` of a flattened value: its entries go into the map of the struct around it.

use crate::model::{Body, Fields, Named, Scalar, Tagging, Type};
use crate::serialize::{Typed, values_of};
use crate::value::Value;
use crate::variants::Contents;
use serde::ser::{Error, SerializeMap};

/// A struct with named fields, some of them flattened.
pub struct FlatStruct<'a> {
    pub of: Typed<'a>,
    pub named: &'a Named,
}

impl FlatStruct<'_> {
    pub fn entries<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        for (field, value) in self.named.fields.iter().zip(values_of(self.of.value)) {
            let of = self.of.of(&field.ty, value);
            if field.flatten {
                flatten(of, map)?;
            } else if !(field.skip && value.is_skipped()) {
                map.serialize_entry(field.name, &of)?;
            }
        }
        Ok(())
    }
}

/// The entries of a value.
pub fn flatten<M: SerializeMap>(of: Typed<'_>, map: &mut M) -> Result<(), M::Error> {
    match (of.ty, of.value) {
        (Type::Scalar(Scalar::Unit), _) | (Type::Option(_), Value::None) => Ok(()),
        (Type::Option(item), Value::Some(value)) => flatten(of.of(item, value), map),
        (Type::Map(key, item), Value::Map(entries)) => {
            for (k, v) in entries {
                map.serialize_entry(&of.of(key, k), &of.of(item, v))?;
            }
            Ok(())
        }
        (Type::Def(_) | Type::Boxed(_), value) => match &of.def().expect("a definition").body {
            Body::Struct(fields) => flatten_fields(of, fields, map),
            Body::Enum(tagging, variants) => {
                let Value::Variant(number, values) = value else { unreachable!("{value:?} is no variant") };
                let variant = &variants[*number];
                match (tagging, &variant.fields) {
                    (Tagging::External, Fields::Unit) => map.serialize_entry(variant.name, &()),
                    (Tagging::External, Fields::Newtype(ty)) => {
                        map.serialize_entry(variant.name, &of.of(ty, &values[0]))
                    }
                    (Tagging::External, fields) => {
                        map.serialize_entry(variant.name, &Contents { of, name: variant.name, fields })
                    }
                    (Tagging::Internal(tag), fields) => {
                        map.serialize_entry(tag, variant.name)?;
                        flatten_fields(of, fields, map)
                    }
                    (Tagging::Untagged, fields) => flatten_fields(of, fields, map),
                    (Tagging::Adjacent(..), _) => Err(Error::custom("not modelled: flattened adjacent tags")),
                }
            }
        },
        _ => Err(Error::custom("can only flatten structs and maps")),
    }
}

fn flatten_fields<M: SerializeMap>(of: Typed<'_>, fields: &Fields, map: &mut M) -> Result<(), M::Error> {
    match fields {
        Fields::Unit => Ok(()),
        Fields::Newtype(ty) => flatten(of.of(ty, &values_of(of.value)[0]), map),
        Fields::Tuple(_) => Err(Error::custom("can only flatten structs and maps")),
        Fields::Named(named) => FlatStruct { of, named }.entries(map),
    }
}
