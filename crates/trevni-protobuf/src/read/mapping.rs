//! From the descriptor of a message to the shape of its rows, and how each field is read.

use super::known::{Known, known};
use super::options::{Enums, Options};
use crate::Error;
use crate::slot::Slot;
use prost_reflect::{EnumDescriptor, Kind, MessageDescriptor};
use std::collections::HashMap;
use std::sync::Arc;
use trevni::shape::{EnumShape, FieldShape, Form, RecordShape};
use trevni::{Batch, Shape, Vector};

/// The most fields that rows may have, all levels counted: messages within messages may make very many.
const MOST_FIELDS: usize = 10_000;

/// A type of messages, and the shape of the rows that they become.
///
/// ```
/// # use prost_reflect::{DescriptorPool, prost_types};
/// use trevni_protobuf::{Mapping, Options};
///
/// let pool = DescriptorPool::global();
/// let timestamp = pool.get_message_by_name("google.protobuf.Timestamp").unwrap();
/// let mapping = Mapping::new(&timestamp, &Options::new())?;
/// assert_eq!(mapping.shape().to_string(), "record Timestamp\n  seconds: long\n  nanos: int");
/// # Ok::<(), trevni_protobuf::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Mapping {
    pub(super) descriptor: MessageDescriptor,
    pub(super) message: Arc<Message>,
    pub(super) shape: Arc<Shape>,
}

/// How a message is read: its members, in the order of the shape's fields.
#[derive(Debug)]
pub(super) struct Message {
    pub(super) members: Vec<Member>,
    /// Fields that have no column, because they would be one level too deep.
    pub(super) cut: Vec<Slot>,
}

#[derive(Debug)]
pub(super) enum Member {
    Field(Field),
    /// The fields of a oneof, in the order of the variants.
    Oneof(Vec<Field>),
}

#[derive(Debug)]
pub(super) struct Field {
    pub(super) slot: Slot,
    pub(super) name: String,
    pub(super) presence: Presence,
    pub(super) content: Content,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Presence {
    /// Always a value, where none was sent the default.
    Implicit,
    Required,
    Optional,
    List,
    Map,
}

/// What a value is in its column.
#[derive(Debug)]
pub(super) enum Content {
    /// A number, a boolean, text or bytes.
    Plain,
    /// The ordinals of the numbers of an enum.
    Enum(HashMap<i32, i32>),
    Message(Box<Message>),
    /// The field `value` of a wrapper.
    Wrapped(Slot, Box<Content>),
    /// The text of JSON.
    Json,
    Null,
    /// Key and value of a map's entry.
    Entry(Box<(Content, Content)>),
}

impl Mapping {
    /// The mapping of a type of messages.
    ///
    /// # Errors
    ///
    /// A message that contains messages of its own type, unless [`Options::recursion`] says how deep; more fields than
    /// columns can be made for.
    pub fn new(descriptor: &MessageDescriptor, options: &Options) -> Result<Self, Error> {
        let mut builder = Builder { options, stack: Vec::new(), path: Vec::new(), fields: 0 };
        let (message, shape) = builder.message(descriptor)?;
        let shape = Arc::new(shape);
        // What no file can have is refused before the first message.
        Batch::try_new(Arc::clone(&shape), Vector::new(&shape))
            .map_err(|error| Error::Mapping(error.to_string()))?;
        Ok(Self { descriptor: descriptor.clone(), message: Arc::new(message), shape })
    }

    /// The shape of the rows.
    #[must_use]
    pub fn shape(&self) -> &Shape {
        &self.shape
    }
}

struct Builder<'o> {
    options: &'o Options,
    /// The full names of the messages around.
    stack: Vec<String>,
    /// The names of the fields around.
    path: Vec<String>,
    fields: usize,
}

impl Builder<'_> {
    fn message(&mut self, descriptor: &MessageDescriptor) -> Result<(Message, Shape), Error> {
        self.stack.push(descriptor.full_name().to_owned());
        let mut message = Message { members: Vec::new(), cut: Vec::new() };
        let mut fields = Vec::new();
        let mut oneofs: HashMap<String, usize> = HashMap::new();
        let own = descriptor.fields().map(Slot::Own);
        for slot in own.chain(descriptor.extensions().map(Slot::Extension)) {
            if self.is_too_deep(&slot)? {
                message.cut.push(slot);
                continue;
            }
            let (field, shape) = self.field(slot)?;
            match oneof(&field.slot) {
                None => {
                    fields.push(FieldShape::new(field.name.clone(), shape));
                    message.members.push(Member::Field(field));
                }
                Some(name) => {
                    let place = *oneofs.entry(name.clone()).or_insert(fields.len());
                    let variant = variant(&name, &field.name, shape);
                    match (
                        fields.get_mut(place).map(|field| &mut field.shape),
                        message.members.get_mut(place),
                    ) {
                        (Some(Shape::Optional(optional)), Some(Member::Oneof(known))) => {
                            if let Shape::Union(variants) = &mut optional.item {
                                variants.push(variant);
                            }
                            known.push(field);
                        }
                        _ => {
                            fields.push(FieldShape::new(name, Shape::optional(Shape::Union(vec![variant]))));
                            message.members.push(Member::Oneof(vec![field]));
                        }
                    }
                }
            }
        }
        self.stack.pop();
        let is_tuple = !fields.is_empty()
            && fields.iter().enumerate().all(|(place, own)| own.name == format!("_{place}"));
        let record = RecordShape::new(descriptor.name().to_owned(), fields);
        let form = if is_tuple { Form::Tuple } else { Form::Struct };
        Ok((message, Shape::Record(record.with_form(form))))
    }

    /// Whether a field has a message that is within itself as often as it may be.
    fn is_too_deep(&self, slot: &Slot) -> Result<bool, Error> {
        let message = match slot.message() {
            Some(entry) if slot.is_map() => entry.map_entry_value_field().kind().as_message().cloned(),
            message => message,
        };
        let Some(message) = message.filter(|message| known(message) == Known::Message) else {
            return Ok(false);
        };
        let around = self.stack.iter().filter(|name| *name == message.full_name()).count();
        match self.options.recursion {
            Some(levels) => Ok(around > levels as usize),
            None if around > 0 => Err(Error::Recursive {
                path: self.shown(&slot.name()),
                message: message.full_name().to_owned(),
            }),
            None => Ok(false),
        }
    }

    fn shown(&self, last: &str) -> String {
        self.path.iter().map(String::as_str).chain([last]).collect::<Vec<_>>().join(".")
    }

    fn field(&mut self, slot: Slot) -> Result<(Field, Shape), Error> {
        self.fields += 1;
        if self.fields > MOST_FIELDS {
            return Err(Error::Mapping(format!(
                "messages of more than {MOST_FIELDS} fields, all levels counted"
            )));
        }
        let name = slot.column();
        self.path.push(name.clone());
        let (content, shape) = match slot.message().filter(|_| slot.is_map()) {
            Some(entry) => {
                let (key, key_shape) = self.content(&entry.map_entry_key_field().kind())?;
                let (value, value_shape) = self.content(&entry.map_entry_value_field().kind())?;
                (Content::Entry(Box::new((key, value))), Shape::map(key_shape, value_shape))
            }
            None => self.content(&slot.kind())?,
        };
        self.path.pop();
        let in_oneof = oneof(&slot).is_some();
        let (presence, shape) = match shape {
            shape @ Shape::Map(_) => (Presence::Map, shape),
            shape if slot.is_list() => (Presence::List, Shape::list(shape)),
            shape if slot.is_required() => (Presence::Required, shape),
            // A variant is there.
            shape if in_oneof => (Presence::Implicit, shape),
            shape if slot.supports_presence() => (Presence::Optional, Shape::optional(shape)),
            shape => (Presence::Implicit, shape),
        };
        Ok((Field { slot, name, presence, content }, shape))
    }

    fn content(&mut self, kind: &Kind) -> Result<(Content, Shape), Error> {
        let shape = match kind {
            Kind::Bool => Shape::Boolean,
            Kind::Int32 | Kind::Sint32 | Kind::Sfixed32 => Shape::Int,
            Kind::Int64 | Kind::Sint64 | Kind::Sfixed64 | Kind::Uint32 | Kind::Fixed32 => Shape::Long,
            Kind::Uint64 | Kind::Fixed64 => Shape::U64,
            Kind::Float => Shape::Float,
            Kind::Double => Shape::Double,
            Kind::String => Shape::String,
            Kind::Bytes => Shape::Bytes,
            Kind::Enum(descriptor) => return Ok(self.symbols(descriptor)),
            Kind::Message(message) => {
                return match known(message) {
                    Known::Wrapper => {
                        let slot = message.get_field_by_name("value").map(Slot::Own);
                        let slot =
                            slot.ok_or_else(|| Error::Descriptors(format!("{message:?} without a value")))?;
                        let (content, shape) = self.content(&slot.kind())?;
                        Ok((Content::Wrapped(slot, Box::new(content)), shape))
                    }
                    Known::Json => Ok((Content::Json, Shape::String)),
                    Known::Empty => Ok((Content::Null, Shape::Null)),
                    Known::Message => {
                        let (message, shape) = self.message(message)?;
                        Ok((Content::Message(Box::new(message)), shape))
                    }
                };
            }
        };
        Ok((Content::Plain, shape))
    }

    fn symbols(&self, descriptor: &EnumDescriptor) -> (Content, Shape) {
        if descriptor.full_name() == "google.protobuf.NullValue" {
            return (Content::Null, Shape::Null);
        }
        if self.options.enums == Enums::Numbers {
            return (Content::Plain, Shape::Int);
        }
        let mut ordinals = HashMap::new();
        let mut symbols = Vec::new();
        for value in &descriptor.enum_descriptor_proto().value {
            // Of several names of one number, the first counts.
            ordinals.entry(value.number()).or_insert_with(|| {
                symbols.push(value.name().to_owned());
                symbols.len() as i32 - 1
            });
        }
        (Content::Enum(ordinals), Shape::Enum(EnumShape::new(descriptor.name().to_owned(), symbols)))
    }
}

/// The name of the oneof that a field is in; `optional` alone makes none.
fn oneof(slot: &Slot) -> Option<String> {
    match slot {
        Slot::Own(field) => field
            .containing_oneof()
            .filter(|oneof| !oneof.is_synthetic())
            .map(|oneof| oneof.name().to_owned()),
        Slot::Extension(_) => None,
    }
}

/// The variant of a oneof: as serde has that of an enum with the name of the oneof.
fn variant(oneof: &str, name: &str, shape: Shape) -> Shape {
    let record = RecordShape::new(name.to_owned(), vec![FieldShape::new("_0", shape)]);
    Shape::Record(record.with_form(Form::NewtypeVariant).with_namespace(oneof.to_owned()))
}
