//! The type of Arrow that each shape has.

use super::flat::{At, Field, Flat};
use crate::fault::{Fault, Result};
use trevni::Shape;
use trevni::shape::{EnumShape, Form, Logical, LogicalShape};

/// The numbers of types.
mod number {
    pub(super) const NULL: u8 = 1;
    pub(super) const INT: u8 = 2;
    pub(super) const FLOAT: u8 = 3;
    pub(super) const BINARY: u8 = 4;
    pub(super) const UTF8: u8 = 5;
    pub(super) const BOOL: u8 = 6;
    pub(super) const DECIMAL: u8 = 7;
    pub(super) const DATE: u8 = 8;
    pub(super) const TIME: u8 = 9;
    pub(super) const TIMESTAMP: u8 = 10;
    pub(super) const INTERVAL: u8 = 11;
    pub(super) const LIST: u8 = 12;
    pub(super) const STRUCT: u8 = 13;
    pub(super) const UNION: u8 = 14;
    pub(super) const FIXED: u8 = 15;
    pub(super) const MAP: u8 = 17;
}

/// Units of time, by their numbers.
const MILLIS: i16 = 1;
const MICROS: i16 = 2;
const NANOS: i16 = 3;
/// Digits that any integer of 128 bits has at most.
const WIDE_DIGITS: i32 = 39;
/// The most variants of a union.
const VARIANTS_MAX: usize = 127;

/// A type.
pub(super) enum Type<'s> {
    Null,
    Boolean,
    /// Bits, and whether there is a sign.
    Int(i32, bool),
    Float,
    Double,
    Binary,
    Utf8,
    /// Digits, digits after the point, bits; whether there is no sign.
    Decimal(i32, i32, i32, bool),
    Date,
    /// Unit and bits.
    Time(i16, i32),
    /// Unit, and whether it is in UTC.
    Timestamp(i16, bool),
    Duration,
    List,
    Struct,
    /// A nullable struct around what may itself be null.
    Some,
    /// Whether the first child stands for null.
    Union(bool),
    Fixed(usize),
    Map,
    Enum {
        id: i64,
        symbols: &'s EnumShape,
    },
}

/// A field of a schema.
pub(super) struct Column<'s> {
    name: String,
    pub(super) is_nullable: bool,
    pub(super) kind: Type<'s>,
    pub(super) children: Vec<Self>,
    /// Whether it is what a variant of an enum holds, which is stored as a record of one field.
    pub(super) is_held: bool,
    extension: Option<String>,
}

impl<'s> Column<'s> {
    pub(super) fn of(name: &str, shape: &'s Shape, dictionaries: &mut i64) -> Result<Self> {
        let column = |kind, is_nullable, children| Self {
            name: name.to_owned(),
            is_nullable,
            kind,
            children,
            is_held: false,
            extension: None,
        };
        match shape {
            Shape::Null | Shape::Unknown => Ok(column(Type::Null, true, Vec::new())),
            Shape::Optional(optional) => match &optional.item {
                item @ (Shape::Optional(_) | Shape::Null | Shape::Unknown) => {
                    let some = Self::of("some", item, dictionaries)?;
                    Ok(column(Type::Some, true, vec![some]))
                }
                Shape::Union(variants) => {
                    let null = Self::of("null", &Shape::Null, dictionaries)?;
                    let children = Self::variants(Some(null), variants, dictionaries)?;
                    Ok(column(Type::Union(true), true, children))
                }
                item => Ok(Self { is_nullable: true, ..Self::of(name, item, dictionaries)? }),
            },
            Shape::Union(variants) => {
                let may_be_null = |variant| matches!(held(variant), Shape::Optional(_) | Shape::Null);
                let is_nullable = variants.iter().any(may_be_null);
                let children = Self::variants(None, variants, dictionaries)?;
                Ok(column(Type::Union(false), is_nullable, children))
            }
            Shape::Record(record) => {
                let fields = record.fields.iter();
                let children = fields.map(|field| Self::of(&field.name, &field.shape, dictionaries));
                Ok(column(Type::Struct, false, children.collect::<Result<_>>()?))
            }
            Shape::List(item) => Ok(column(Type::List, false, vec![Self::of("item", item, dictionaries)?])),
            Shape::Map(map) => {
                let parts = [("key", &map.key), ("value", &map.value)];
                let parts = parts.into_iter().map(|(name, shape)| Self::of(name, shape, dictionaries));
                let entries = Self {
                    name: "entries".to_owned(),
                    children: parts.collect::<Result<_>>()?,
                    ..column(Type::Struct, false, Vec::new())
                };
                Ok(column(Type::Map, false, vec![entries]))
            }
            Shape::Enum(symbols) => {
                let id = *dictionaries;
                *dictionaries += 1;
                Ok(column(Type::Enum { id, symbols }, false, Vec::new()))
            }
            Shape::Logical(logical) => {
                let extension = extension(logical);
                Ok(match meaning(logical) {
                    Some(kind) => column(kind, false, Vec::new()),
                    None => Self { extension, ..Self::of(name, &logical.storage, dictionaries)? },
                })
            }
            leaf => Ok(column(plain(leaf)?, false, Vec::new())),
        }
    }

    fn variants(null: Option<Self>, variants: &'s [Shape], dictionaries: &mut i64) -> Result<Vec<Self>> {
        let variants = variants.iter().map(|variant| match variant {
            Shape::Record(record) if record.form == Form::NewtypeVariant => {
                Ok(Self { is_held: true, ..Self::of(&record.name, held(variant), dictionaries)? })
            }
            other => Self::of(&other.branch_name(), other, dictionaries),
        });
        let children = null.into_iter().map(Ok).chain(variants).collect::<Result<Vec<_>>>()?;
        match children.len() > VARIANTS_MAX {
            true => Err(Fault::misuse("a union of more than 127 variants: Arrow has no such type")),
            false => Ok(children),
        }
    }

    /// Writes the field.
    pub(super) fn write(&self, flat: &mut Flat) -> At {
        let children: Vec<At> = self.children.iter().map(|child| child.write(flat)).collect();
        let children = flat.list(&children);
        let (number, fields) = self.kind.fields(self.children.len(), flat);
        let kind = flat.table(&fields);
        let dictionary = match &self.kind {
            Type::Enum { id, .. } => {
                let index = flat.table(&[Field::Int(32), Field::Byte(1)]);
                Field::At(flat.table(&[Field::Long(*id), Field::At(index)]))
            }
            _ => Field::None,
        };
        let metadata = self
            .extension
            .as_ref()
            .map_or(Field::None, |name| Field::At(metadata(flat, &[("ARROW:extension:name", name)])));
        let name = flat.string(&self.name);
        flat.table(&[
            Field::At(name),
            Field::Byte(self.is_nullable.into()),
            Field::Byte(number),
            Field::At(kind),
            dictionary,
            Field::At(children),
            metadata,
        ])
    }
}

impl Type<'_> {
    /// The number of the type, and the fields of its table.
    fn fields(&self, children: usize, flat: &mut Flat) -> (u8, Vec<Field>) {
        match self {
            Self::Null => (number::NULL, Vec::new()),
            Self::Boolean => (number::BOOL, Vec::new()),
            Self::Int(bits, signed) => (number::INT, vec![Field::Int(*bits), Field::Byte((*signed).into())]),
            Self::Float => (number::FLOAT, vec![Field::Short(1)]),
            Self::Double => (number::FLOAT, vec![Field::Short(2)]),
            Self::Binary => (number::BINARY, Vec::new()),
            Self::Utf8 | Self::Enum { .. } => (number::UTF8, Vec::new()),
            Self::Decimal(digits, scale, bits, _) => {
                (number::DECIMAL, vec![Field::Int(*digits), Field::Int(*scale), Field::Int(*bits)])
            }
            Self::Date => (number::DATE, vec![Field::Short(0)]),
            Self::Time(unit, bits) => (number::TIME, vec![Field::Short(*unit), Field::Int(*bits)]),
            Self::Timestamp(unit, is_utc) => {
                let zone = if *is_utc { Field::At(flat.string("UTC")) } else { Field::None };
                (number::TIMESTAMP, vec![Field::Short(*unit), zone])
            }
            Self::Duration => (number::INTERVAL, vec![Field::Short(2)]),
            Self::List => (number::LIST, Vec::new()),
            Self::Struct | Self::Some => (number::STRUCT, Vec::new()),
            Self::Union(_) => {
                let ids: Vec<i32> = (0..).take(children).collect();
                (number::UNION, vec![Field::Short(1), Field::At(flat.ints(&ids))])
            }
            Self::Fixed(size) => (number::FIXED, vec![Field::Int(*size as i32)]),
            Self::Map => (number::MAP, vec![Field::Byte(0)]),
        }
    }
}

/// Keys and values.
pub(super) fn metadata(flat: &mut Flat, entries: &[(&str, &str)]) -> At {
    let entries: Vec<At> = entries
        .iter()
        .map(|(key, value)| {
            let (key, value) = (flat.string(key), flat.string(value));
            flat.table(&[Field::At(key), Field::At(value)])
        })
        .collect();
    flat.list(&entries)
}

/// The shape of what a variant holds: of an enum's variant with one value, that value.
fn held(variant: &Shape) -> &Shape {
    match variant {
        Shape::Record(record) if record.form == Form::NewtypeVariant => {
            record.fields.first().map_or(variant, |field| &field.shape)
        }
        other => other,
    }
}

/// The type of a shape without children.
fn plain(shape: &Shape) -> Result<Type<'static>> {
    Ok(match shape {
        Shape::Boolean => Type::Boolean,
        Shape::Int => Type::Int(32, true),
        Shape::Long => Type::Int(64, true),
        Shape::U64 => Type::Int(64, false),
        Shape::I128 => Type::Decimal(WIDE_DIGITS, 0, 256, false),
        Shape::U128 => Type::Decimal(WIDE_DIGITS, 0, 256, true),
        Shape::Float => Type::Float,
        Shape::Double => Type::Double,
        Shape::String => Type::Utf8,
        Shape::Bytes => Type::Binary,
        Shape::Fixed(fixed) => i32::try_from(fixed.size).map_or(Type::Binary, |_| Type::Fixed(fixed.size)),
        _ => return Err(Fault::internal("a shape without a type")),
    })
}

/// The type of a logical type; `None` where it is that of the storage.
fn meaning(logical: &LogicalShape) -> Option<Type<'static>> {
    // By name, so that a type is the same whether the library knows it or not.
    Some(match logical.logical.name() {
        "date" => Type::Date,
        "time-millis" => Type::Time(MILLIS, 32),
        "time-micros" => Type::Time(MICROS, 64),
        "time-nanos" => Type::Time(NANOS, 64),
        "timestamp-millis" => Type::Timestamp(MILLIS, true),
        "timestamp-micros" => Type::Timestamp(MICROS, true),
        "timestamp-nanos" => Type::Timestamp(NANOS, true),
        "local-timestamp-millis" => Type::Timestamp(MILLIS, false),
        "local-timestamp-micros" => Type::Timestamp(MICROS, false),
        "local-timestamp-nanos" => Type::Timestamp(NANOS, false),
        "duration" => Type::Duration,
        _ => match logical.logical {
            Logical::Decimal { precision, scale } => {
                let bits = match precision {
                    0..=38 => 128,
                    39..=76 => 256,
                    _ => return None,
                };
                Type::Decimal(precision as i32, i32::try_from(scale).ok()?, bits, false)
            }
            _ => return None,
        },
    })
}

/// The name of the extension type of a logical type that is stored as bytes of a fixed number.
fn extension(logical: &LogicalShape) -> Option<String> {
    let Shape::Fixed(_) = logical.storage else { return None };
    match &logical.logical {
        Logical::Uuid => Some("arrow.uuid".to_owned()),
        own @ (Logical::IpAddress(_) | Logical::IpNetwork(_)) => Some(format!("trevni.{}", own.name())),
        _ => None,
    }
}
