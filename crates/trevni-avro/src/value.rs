//! A value of a schema, taken from where its parts come one after the other, as serde has it.

use super::kind::{Record, Type, Union};
use serde::ser::{
    Error, Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant,
    SerializeTupleStruct, SerializeTupleVariant, Serializer,
};
use std::borrow::Cow;
use trevni::shape::Form;

/// What is wrong with a value, in a few words.
pub type ValueError = &'static str;

/// Where the parts of values come from, in the order of Avro's binary form: the bytes of a block, or whatever makes
/// values up.
///
/// ```
/// use std::borrow::Cow;
/// use trevni_avro::{Schema, Source, ValueError};
///
/// /// Each number is 7, each text is empty, each list has one item.
/// struct Sevens;
///
/// impl Source for Sevens {
///     fn boolean(&self) -> Result<bool, ValueError> {
///         Ok(true)
///     }
///     fn int(&self) -> Result<i32, ValueError> {
///         Ok(7)
///     }
///     fn long(&self) -> Result<i64, ValueError> {
///         Ok(7)
///     }
///     fn float(&self) -> Result<f32, ValueError> {
///         Ok(7.0)
///     }
///     fn double(&self) -> Result<f64, ValueError> {
///         Ok(7.0)
///     }
///     fn text(&self) -> Result<Cow<'_, str>, ValueError> {
///         Ok("".into())
///     }
///     fn bytes(&self) -> Result<Cow<'_, [u8]>, ValueError> {
///         Ok([].as_slice().into())
///     }
///     fn fixed(&self, size: usize) -> Result<Cow<'_, [u8]>, ValueError> {
///         Ok(vec![7; size].into())
///     }
///     fn choice(&self, _count: usize) -> Result<usize, ValueError> {
///         Ok(0)
///     }
///     fn items(&self, first: bool) -> Result<u64, ValueError> {
///         Ok(first.into())
///     }
/// }
///
/// let schema = Schema::parse(r#"{"type": "array", "items": "int"}"#)?;
/// assert_eq!(serde_json::to_string(&schema.value(&Sevens))?, "[7]");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Source {
    /// A boolean.
    fn boolean(&self) -> Result<bool, ValueError>;
    /// An integer of 32 bits.
    fn int(&self) -> Result<i32, ValueError>;
    /// An integer of 64 bits.
    fn long(&self) -> Result<i64, ValueError>;
    /// A float of 32 bits.
    fn float(&self) -> Result<f32, ValueError>;
    /// A float of 64 bits.
    fn double(&self) -> Result<f64, ValueError>;
    /// A text.
    fn text(&self) -> Result<Cow<'_, str>, ValueError>;
    /// The key of a map.
    fn key(&self) -> Result<Cow<'_, str>, ValueError> {
        self.text()
    }
    /// Bytes of any number.
    fn bytes(&self) -> Result<Cow<'_, [u8]>, ValueError>;
    /// Bytes of a given number.
    fn fixed(&self, size: usize) -> Result<Cow<'_, [u8]>, ValueError>;
    /// The number of a symbol or of a branch, and how many there are.
    fn choice(&self, count: usize) -> Result<usize, ValueError>;
    /// How many items come next in a list or map; 0 at its end.
    fn items(&self, first: bool) -> Result<u64, ValueError>;
    /// As `items`, for maps whose keys are not text.
    fn pairs(&self, first: bool) -> Result<u64, ValueError> {
        self.items(first)
    }
}

/// The next value of a source. Serializing it takes it, so it is serialized once.
#[derive(Debug)]
pub struct Value<'n, S> {
    pub(crate) kind: &'n Type,
    pub(crate) source: &'n S,
}

impl<'n, S: Source> Value<'n, S> {
    fn of(&self, kind: &'n Type) -> Self {
        Self { kind, source: self.source }
    }

    fn record<Z: Serializer>(&self, record: &'n Record, serializer: Z) -> Result<Z::Ok, Z::Error> {
        let Record { namespace, name, fields, .. } = record;
        let count = fields.len();
        let mut fields = fields.iter();
        match record.form {
            Form::Struct => {
                let mut out = serializer.serialize_struct(name, count)?;
                fields.try_for_each(|(name, kind)| out.serialize_field(name, &self.of(kind)))?;
                out.end()
            }
            Form::Tuple => {
                let mut out = serializer.serialize_tuple_struct(name, count)?;
                fields.try_for_each(|(_, kind)| out.serialize_field(&self.of(kind)))?;
                out.end()
            }
            Form::NewtypeVariant => match fields.next() {
                Some((_, kind)) => serializer.serialize_newtype_variant(namespace, 0, name, &self.of(kind)),
                None => Err(Z::Error::custom("a variant without its field")),
            },
            Form::TupleVariant => {
                let mut out = serializer.serialize_tuple_variant(namespace, 0, name, count)?;
                fields.try_for_each(|(_, kind)| out.serialize_field(&self.of(kind)))?;
                out.end()
            }
            Form::StructVariant => {
                let mut out = serializer.serialize_struct_variant(namespace, 0, name, count)?;
                fields.try_for_each(|(name, kind)| out.serialize_field(name, &self.of(kind)))?;
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
        let value = self.of(&branch.kind);
        match branch.name {
            _ if union.is_optional() => serializer.serialize_some(&value),
            Some(name) => serializer.serialize_newtype_variant("", number as u32, name, &value),
            None => value.serialize(serializer),
        }
    }

    /// Entries of a map whose keys are text, where no other kind is given.
    fn entries<Z: Serializer>(
        &self,
        key: Option<&'n Type>,
        value: &'n Type,
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
                    Some(kind) => out.serialize_key(&self.of(kind))?,
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
        let wrong = Z::Error::custom::<ValueError>;
        match self.kind {
            Type::Null => serializer.serialize_unit(),
            Type::Boolean => serializer.serialize_bool(source.boolean().map_err(wrong)?),
            Type::Int => serializer.serialize_i32(source.int().map_err(wrong)?),
            Type::Long => serializer.serialize_i64(source.long().map_err(wrong)?),
            Type::U64 => serializer.serialize_u64(source.long().map_err(wrong)?.cast_unsigned()),
            Type::I128 | Type::U128 => {
                let bytes = source.fixed(16).map_err(wrong)?;
                let bytes = <[u8; 16]>::try_from(&*bytes).map_err(|_| wrong("no 16 bytes"))?;
                match self.kind {
                    Type::I128 => serializer.serialize_i128(i128::from_be_bytes(bytes)),
                    _ => serializer.serialize_u128(u128::from_be_bytes(bytes)),
                }
            }
            Type::Float => serializer.serialize_f32(source.float().map_err(wrong)?),
            Type::Double => serializer.serialize_f64(source.double().map_err(wrong)?),
            Type::String => serializer.serialize_str(&source.text().map_err(wrong)?),
            Type::Bytes => serializer.serialize_bytes(&source.bytes().map_err(wrong)?),
            Type::Fixed(size) => serializer.serialize_bytes(&source.fixed(*size).map_err(wrong)?),
            Type::Enum { name, symbols } => {
                let number = source.choice(symbols.len()).map_err(wrong)?;
                let symbol = symbols.get(number).ok_or_else(|| wrong("no such symbol"))?;
                serializer.serialize_unit_variant(name, number as u32, symbol)
            }
            Type::Record(record) => self.record(record, serializer),
            Type::List(item) => {
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
            Type::Map(value) => self.entries(None, value, serializer),
            Type::Pairs(pair) => self.entries(Some(&pair.0), &pair.1, serializer),
            Type::Union(union) => self.union(union, serializer),
        }
    }
}
