//! Definitions of Protocol Buffers.

mod build;
mod members;
mod print;

pub(crate) use build::file;

/// A file of definitions. Its `Display` is the text of a `.proto`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// The files that it imports.
    pub imports: Vec<&'static str>,
    /// The messages, that of a row first.
    pub messages: Vec<Message>,
}

/// A message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Message {
    /// Its name, unique in the file.
    pub name: String,
    /// A comment of one line.
    pub comment: Option<String>,
    /// The enums that its fields have.
    pub enums: Vec<Enum>,
    /// Fields and oneofs, in order.
    pub parts: Vec<Part>,
}

/// An enum within a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Enum {
    /// Its name, unique in the file.
    pub name: String,
    /// A comment of one line.
    pub comment: Option<String>,
    /// Names of values, numbered from 0, with a comment of one line.
    pub values: Vec<(String, Option<String>)>,
}

/// A part of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// A field of its own.
    Field(Field),
    /// Some fields of which one is set, or none.
    Oneof {
        /// The name, unique in the message.
        name: String,
        /// A comment of one line.
        comment: Option<String>,
        /// The fields.
        fields: Vec<Field>,
    },
}

/// A field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// How often it may occur.
    pub label: Label,
    /// What it holds.
    pub kind: Type,
    /// Its name, unique in the message.
    pub name: String,
    /// Its number.
    pub number: i32,
    /// Its name in JSON, where that is not the one that follows from its name: the name in the shape.
    pub json_name: Option<String>,
    /// A comment of one line.
    pub comment: Option<String>,
}

/// How often a field may occur.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Label {
    /// Once, or never for its default; messages and fields of a oneof: at most once.
    Plain,
    /// At most once.
    Optional,
    /// Any number of times.
    Repeated,
}

/// What a field holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    /// A type of the language, such as `int32`.
    Scalar(&'static str),
    /// A message of the file, by its name.
    Message(String),
    /// An enum of the message that the field is in, by its name.
    Enum(String),
    /// `google.protobuf.NullValue`.
    Null,
    /// A map; the key is a type of the language, the value neither a map nor repeated.
    Map(&'static str, Box<Type>),
}
