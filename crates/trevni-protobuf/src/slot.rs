//! A field of a message: one of its own, or an extension.

use prost_reflect::{
    Cardinality, DynamicMessage, ExtensionDescriptor, FieldDescriptor, Kind, MessageDescriptor, Value,
};
use std::borrow::Cow;

/// A field of a message.
#[derive(Clone, Debug)]
pub(crate) enum Slot {
    Own(FieldDescriptor),
    Extension(ExtensionDescriptor),
}

macro_rules! both {
    ($self:ident, $field:ident => $value:expr) => {
        match $self {
            Self::Own($field) => $value,
            Self::Extension($field) => $value,
        }
    };
}

impl Slot {
    pub(crate) fn number(&self) -> u32 {
        both!(self, field => field.number())
    }

    pub(crate) fn kind(&self) -> Kind {
        both!(self, field => field.kind())
    }

    pub(crate) fn is_list(&self) -> bool {
        both!(self, field => field.is_list())
    }

    pub(crate) fn is_map(&self) -> bool {
        both!(self, field => field.is_map())
    }

    pub(crate) fn is_packed(&self) -> bool {
        both!(self, field => field.is_packed())
    }

    pub(crate) fn is_group(&self) -> bool {
        both!(self, field => field.is_group())
    }

    pub(crate) fn is_required(&self) -> bool {
        both!(self, field => field.cardinality() == Cardinality::Required)
    }

    pub(crate) fn supports_presence(&self) -> bool {
        both!(self, field => field.supports_presence())
    }

    /// The message of the field, where it is one.
    pub(crate) fn message(&self) -> Option<MessageDescriptor> {
        self.kind().as_message().cloned()
    }

    /// The name in the definitions; of an extension, its full name in brackets.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::Own(field) => field.name().to_owned(),
            Self::Extension(field) => field.json_name().to_owned(),
        }
    }

    /// The name of the field in a row: the one in JSON, where that does not follow from the name.
    pub(crate) fn column(&self) -> String {
        match self {
            Self::Own(field) if field.json_name() != json(field.name()) => field.json_name().to_owned(),
            field => field.name(),
        }
    }

    pub(crate) fn is_in(&self, message: &DynamicMessage) -> bool {
        match self {
            Self::Own(field) => message.has_field(field),
            Self::Extension(field) => message.has_extension(field),
        }
    }

    pub(crate) fn get<'m>(&self, message: &'m DynamicMessage) -> Cow<'m, Value> {
        match self {
            Self::Own(field) => message.get_field(field),
            Self::Extension(field) => message.get_extension(field),
        }
    }
}

/// The name in JSON that follows from the name of a field.
fn json(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    let mut starts = false;
    for letter in name.chars() {
        match letter {
            '_' => starts = true,
            letter if std::mem::take(&mut starts) => out.push(letter.to_ascii_uppercase()),
            letter => out.push(letter),
        }
    }
    out
}
