//! How rows of a shape become messages of a type.

use super::matching::{Target, numbers, target, targets, variant};
use crate::Error;
use crate::read::{Known, known};
use crate::slot::Slot;
use prost_reflect::{Kind, MessageDescriptor, OneofDescriptor};
use trevni::Shape;
use trevni::shape::{Form, RecordShape};

/// How a value is written, with its key.
#[derive(Debug)]
pub(super) enum Put {
    /// Not at all.
    Nothing,
    /// One scalar.
    Scalar { number: u32, scalar: Scalar, skips_default: bool },
    /// A message.
    Message { number: u32, is_group: bool, content: Content },
    /// The text of JSON as a message.
    Json { number: u32, message: MessageDescriptor },
    /// The items of a list in one piece.
    Packed { number: u32, scalar: Scalar },
    /// Each item of a list.
    Repeated(Box<Put>),
    /// Each entry of a map.
    Entries { number: u32, key: Box<Put>, value: Box<Put> },
    /// What is there, or nothing.
    Optional { refuses_null: bool, item: Box<Put> },
    /// The variants of a union.
    Union(Vec<(String, Put)>),
    /// The only field of a variant.
    Variant(Box<Put>),
}

/// What is in a message.
#[derive(Debug)]
pub(super) enum Content {
    /// The fields of a record, by their place in it.
    Record(Vec<(usize, String, Put)>),
    /// A value that is no record, in the message's only field.
    Only(Box<Put>),
    Nothing,
}

/// A value of a column, and what it becomes.
#[derive(Debug)]
pub(super) struct Scalar {
    pub(super) shape: Shape,
    pub(super) kind: Kind,
    /// The numbers of symbols.
    pub(super) numbers: Vec<Option<i32>>,
}

/// Makes plans.
pub(super) struct Planner {
    /// Whether the descriptors were made of the shape, so that their parts are in its order.
    pub(super) is_own: bool,
    pub(super) path: Vec<String>,
}

impl Planner {
    fn fail<T>(&self, what: impl std::fmt::Display) -> Result<T, Error> {
        let path = self.path.join(".");
        let path = if path.is_empty() { path } else { format!("{path}: ") };
        Err(Error::Mapping(format!("{path}{what}")))
    }

    /// The content of the message of a row.
    pub(super) fn row(&mut self, shape: &Shape, message: &MessageDescriptor) -> Result<Content, Error> {
        match shape {
            Shape::Record(record) => self.record(record, message),
            shape => self.only(shape, message),
        }
    }

    fn record(&mut self, record: &RecordShape, message: &MessageDescriptor) -> Result<Content, Error> {
        let targets = targets(message);
        let mut taken = Vec::new();
        let mut puts = Vec::with_capacity(record.fields.len());
        for (place, field) in record.fields.iter().enumerate() {
            let found = if self.is_own { targets.get(place).cloned() } else { target(&field.name, &targets) };
            self.path.push(field.name.to_string());
            let Some(found) = found else {
                if field.shape == Shape::Null {
                    self.path.pop();
                    continue;
                }
                return self.fail(format_args!("message {} has no such field", message.full_name()));
            };
            if taken.contains(&found.number()) {
                return self
                    .fail(format_args!("two fields are the same field of message {}", message.full_name()));
            }
            taken.push(found.number());
            let put = self.member(&field.shape, &found, false)?;
            self.path.pop();
            puts.push((found.number(), (place, field.name.to_string(), put)));
        }
        let is_missing = |target: &&Target| {
            matches!(target, Target::Field(slot) if slot.is_required()) && !taken.contains(&target.number())
        };
        if let Some(Target::Field(slot)) = targets.iter().find(is_missing) {
            return self.fail(format_args!(
                "field {} of message {} is required, and rows lack it",
                slot.name(),
                message.full_name()
            ));
        }
        puts.sort_by_key(|(number, _)| *number);
        Ok(Content::Record(puts.into_iter().map(|(_, put)| put).collect()))
    }

    /// A value that is no record, as a message of one field.
    fn only(&mut self, shape: &Shape, message: &MessageDescriptor) -> Result<Content, Error> {
        if *shape == Shape::Null && known(message) == Known::Empty {
            return Ok(Content::Nothing);
        }
        let put = match targets(message).as_slice() {
            [only] => self.member(shape, only, false)?,
            _ => return self.fail(format_args!("message {} is no {}", message.full_name(), shape.kind())),
        };
        Ok(Content::Only(Box::new(put)))
    }

    fn member(&mut self, shape: &Shape, target: &Target, is_one: bool) -> Result<Put, Error> {
        match target {
            Target::Field(slot) => self.value(shape, slot, is_one),
            Target::Oneof(oneof) => self.oneof(shape, oneof),
        }
    }

    fn oneof(&mut self, shape: &Shape, oneof: &OneofDescriptor) -> Result<Put, Error> {
        let variants = match shape {
            Shape::Optional(optional) => {
                let item = Box::new(self.oneof(&optional.item, oneof)?);
                return Ok(Put::Optional { refuses_null: matches!(optional.item, Shape::Optional(_)), item });
            }
            Shape::Union(variants) => variants,
            shape => return self.fail(format_args!("oneof {} is no {}", oneof.full_name(), shape.kind())),
        };
        let mut taken = Vec::new();
        let mut puts = Vec::with_capacity(variants.len());
        for (place, own) in variants.iter().enumerate() {
            let (name, shape, is_inner) = variant_of(own);
            let slot =
                if self.is_own { oneof.fields().nth(place).map(Slot::Own) } else { variant(name, oneof) };
            self.path.push(name.to_owned());
            let Some(slot) = slot else {
                return self.fail(format_args!("oneof {} has no such field", oneof.full_name()));
            };
            if taken.contains(&slot.number()) {
                return self
                    .fail(format_args!("two variants are the same field of oneof {}", oneof.full_name()));
            }
            taken.push(slot.number());
            let put = self.value(shape, &slot, true)?;
            self.path.pop();
            puts.push((name.to_owned(), if is_inner { Put::Variant(Box::new(put)) } else { put }));
        }
        Ok(Put::Union(puts))
    }

    /// A value in a field; `is_one` where it is an item, a variant, or within an optional, so that the field holds it
    /// once and always.
    fn value(&mut self, shape: &Shape, slot: &Slot, is_one: bool) -> Result<Put, Error> {
        let number = slot.number();
        let message = slot.message();
        match (shape.storage(), message) {
            (Shape::Optional(optional), _) if !is_one && !slot.is_list() && !slot.is_map() => {
                let item = Box::new(self.value(&optional.item, slot, true)?);
                let refuses_null = slot.is_required() || !slot.supports_presence();
                Ok(Put::Optional { refuses_null, item })
            }
            (Shape::Optional(optional), None) => {
                let item = Box::new(self.value(&optional.item, slot, is_one)?);
                Ok(Put::Optional { refuses_null: true, item })
            }
            (Shape::Optional(optional), Some(_)) if !is_one => {
                let item = Box::new(self.value(&optional.item, slot, false)?);
                Ok(Put::Optional { refuses_null: true, item })
            }
            (Shape::List(item), _) if !is_one && slot.is_list() => match self.value(item, slot, true)? {
                Put::Scalar { number, scalar, .. } if slot.is_packed() => Ok(Put::Packed { number, scalar }),
                item => Ok(Put::Repeated(Box::new(item))),
            },
            (Shape::Map(map), Some(entry)) if !is_one && (slot.is_map() || slot.is_list()) => {
                let targets = targets(&entry);
                let (Some(key), Some(value)) = (target("key", &targets), target("value", &targets)) else {
                    return self.fail(format_args!("message {} has no key and value", entry.full_name()));
                };
                let key = Box::new(self.member(&map.key, &key, slot.is_map())?);
                let value = Box::new(self.member(&map.value, &value, slot.is_map())?);
                Ok(Put::Entries { number, key, value })
            }
            (Shape::String, Some(message)) if known(&message) == Known::Json => {
                Ok(Put::Json { number, message })
            }
            _ if !is_one && (slot.is_list() || slot.is_map()) => {
                self.fail(format_args!("a {} for repeated field {}", shape.kind(), slot.name()))
            }
            (Shape::Record(record), Some(message)) => {
                let content = self.record(record, &message)?;
                Ok(Put::Message { number, is_group: slot.is_group(), content })
            }
            (storage, Some(message)) => {
                let done = self.path.len();
                match self.only(storage, &message) {
                    Ok(content) => Ok(Put::Message { number, is_group: slot.is_group(), content }),
                    // A null that no message can be is refused where it comes.
                    Err(error) => match storage {
                        Shape::Optional(optional) => {
                            self.path.truncate(done);
                            let item = Box::new(self.value(&optional.item, slot, is_one).map_err(|_| error)?);
                            Ok(Put::Optional { refuses_null: true, item })
                        }
                        _ => Err(error),
                    },
                }
            }
            (storage, None) => self.scalar(storage, slot, is_one),
        }
    }

    fn scalar(&self, shape: &Shape, slot: &Slot, is_one: bool) -> Result<Put, Error> {
        let kind = slot.kind();
        let is_integer = matches!(shape, Shape::Int | Shape::Long | Shape::U64 | Shape::I128 | Shape::U128);
        let fits = match &kind {
            Kind::Bool => *shape == Shape::Boolean,
            Kind::Float | Kind::Double => matches!(shape, Shape::Float | Shape::Double),
            Kind::String => matches!(shape, Shape::String | Shape::Enum(_)),
            Kind::Bytes => matches!(shape, Shape::Bytes | Shape::Fixed(_) | Shape::I128 | Shape::U128),
            Kind::Enum(_) => matches!(shape, Shape::Enum(_) | Shape::Int | Shape::Null),
            Kind::Message(_) => false,
            _ => is_integer,
        };
        let numbers = match (&kind, shape) {
            (Kind::Enum(_), Shape::Null) if !is_one => return Ok(Put::Nothing),
            _ if !fits => {
                return self.fail(format_args!(
                    "a {} for field {} of type {kind:?}",
                    shape.kind(),
                    slot.name()
                ));
            }
            (Kind::Enum(descriptor), Shape::Enum(own)) if self.is_own => {
                let count = descriptor.values().len();
                (0..own.symbols.len())
                    .map(|number| i32::try_from(number).ok().filter(|_| number < count))
                    .collect()
            }
            (Kind::Enum(descriptor), Shape::Enum(own)) => {
                numbers(own.symbols.iter().map(|symbol| &**symbol), descriptor)
            }
            _ => Vec::new(),
        };
        let skips_default = !is_one && !slot.supports_presence() && !slot.is_required();
        Ok(Put::Scalar {
            number: slot.number(),
            scalar: Scalar { shape: shape.clone(), kind, numbers },
            skips_default,
        })
    }
}

/// The name of a variant, what it holds, and whether that is its only field.
fn variant_of(variant: &Shape) -> (&str, &Shape, bool) {
    match variant {
        Shape::Record(record) => match (record.form, record.fields.as_slice()) {
            (Form::NewtypeVariant, [field]) => (&record.name, &field.shape, true),
            _ => (&record.name, variant, false),
        },
        Shape::Enum(shape) => (&shape.name, variant, false),
        Shape::Fixed(fixed) => (&fixed.name, variant, false),
        other => (other.kind(), other, false),
    }
}
