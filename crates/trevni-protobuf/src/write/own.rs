//! The descriptor of the message that describes rows, where none is given.

use crate::Error;
use prost_reflect::prost_types::field_descriptor_proto::{Label as WireLabel, Type as WireType};
use prost_reflect::prost_types::{
    DescriptorProto, EnumDescriptorProto, EnumValueDescriptorProto, FieldDescriptorProto,
    FileDescriptorProto, MessageOptions, OneofDescriptorProto,
};
use prost_reflect::{DescriptorPool, MessageDescriptor};
use trevni::Shape;
use trevni_idl::{Enum, Field, File, Label, Message, Part, Type};

/// The descriptor of messages for rows of a shape: that of the text that [`trevni_idl::proto`] prints for it.
///
/// ```
/// use trevni::Shape;
///
/// let shape = Shape::record("Flight", [("carrier", Shape::String)]);
/// let message = trevni_protobuf::own_message("flights", &shape)?;
/// assert_eq!(message.full_name(), "Flight");
/// assert_eq!(message.get_field(1).unwrap().name(), "carrier");
/// # Ok::<(), trevni_protobuf::Error>(())
/// ```
///
/// # Errors
///
/// Definitions that contradict themselves, which would be a fault of this crate.
pub fn own_message(name: &str, shape: &Shape) -> Result<MessageDescriptor, Error> {
    let definitions = trevni_idl::proto(name, shape);
    let first = definitions.messages.first().map(|message| message.name.clone()).unwrap_or_default();
    let mut pool = DescriptorPool::global();
    pool.add_file_descriptor_proto(file(&definitions))
        .map_err(|error| Error::Descriptors(error.to_string()))?;
    pool.get_message_by_name(&first).ok_or(Error::NoMessage { name: first, others: Vec::new() })
}

fn file(file: &File) -> FileDescriptorProto {
    FileDescriptorProto {
        name: Some("rows.proto".to_owned()),
        syntax: Some("proto3".to_owned()),
        dependency: file.imports.iter().map(|&import| import.to_owned()).collect(),
        message_type: file.messages.iter().map(message).collect(),
        ..FileDescriptorProto::default()
    }
}

fn message(message: &Message) -> DescriptorProto {
    let mut out = DescriptorProto {
        name: Some(message.name.clone()),
        enum_type: message.enums.iter().map(symbols).collect(),
        ..DescriptorProto::default()
    };
    for part in &message.parts {
        match part {
            Part::Field(own) => {
                let field = field(own, &message.name, &mut out);
                out.field.push(field);
            }
            Part::Oneof { name, fields, .. } => {
                let index = out.oneof_decl.len() as i32;
                out.oneof_decl.push(OneofDescriptorProto { name: Some(name.clone()), options: None });
                for own in fields {
                    let field = field(own, &message.name, &mut out);
                    out.field.push(FieldDescriptorProto { oneof_index: Some(index), ..field });
                }
            }
        }
    }
    // A oneof that is made for an optional field comes after all others.
    for field in out.field.iter_mut().filter(|field| field.proto3_optional == Some(true)) {
        field.oneof_index = Some(out.oneof_decl.len() as i32);
        let name = format!("_{}", field.name.as_deref().unwrap_or_default());
        let mut unique = name;
        while out.oneof_decl.iter().any(|oneof| oneof.name.as_deref() == Some(&unique)) {
            unique.insert(0, 'X');
        }
        out.oneof_decl.push(OneofDescriptorProto { name: Some(unique), options: None });
    }
    out
}

fn symbols(shape: &Enum) -> EnumDescriptorProto {
    let value = |(number, (name, _)): (usize, &(String, Option<String>))| EnumValueDescriptorProto {
        name: Some(name.clone()),
        number: i32::try_from(number).ok(),
        options: None,
    };
    EnumDescriptorProto {
        name: Some(shape.name.clone()),
        value: shape.values.iter().enumerate().map(value).collect(),
        ..EnumDescriptorProto::default()
    }
}

/// A field of a message; the entries of maps become messages in it.
fn field(field: &Field, around: &str, message: &mut DescriptorProto) -> FieldDescriptorProto {
    let (mut label, kind) = match field.label {
        Label::Repeated => (WireLabel::Repeated, &field.kind),
        Label::Plain | Label::Optional => (WireLabel::Optional, &field.kind),
    };
    let (wire, name) = match kind {
        Type::Map(key, value) => {
            label = WireLabel::Repeated;
            let name = entry_name(&field.name);
            let part = |name: &str, number, kind: &Type| Field {
                label: Label::Plain,
                kind: kind.clone(),
                name: name.to_owned(),
                number,
                json_name: None,
                comment: None,
            };
            let key = self::field(&part("key", 1, &Type::Scalar(key)), around, message);
            let value = self::field(&part("value", 2, value), around, message);
            message.nested_type.push(DescriptorProto {
                name: Some(name.clone()),
                field: vec![key, value],
                options: Some(MessageOptions { map_entry: Some(true), ..MessageOptions::default() }),
                ..DescriptorProto::default()
            });
            (WireType::Message, Some(format!(".{around}.{name}")))
        }
        Type::Scalar(name) => (scalar(name), None),
        Type::Message(name) => (WireType::Message, Some(format!(".{name}"))),
        Type::Enum(name) => (WireType::Enum, Some(format!(".{around}.{name}"))),
        Type::Null => (WireType::Enum, Some(".google.protobuf.NullValue".to_owned())),
    };
    FieldDescriptorProto {
        name: Some(field.name.clone()),
        number: Some(field.number),
        label: Some(label.into()),
        r#type: Some(wire.into()),
        type_name: name,
        json_name: field.json_name.clone(),
        proto3_optional: (field.label == Label::Optional).then_some(true),
        ..FieldDescriptorProto::default()
    }
}

/// The name that compilers give to the entries of a map.
fn entry_name(field: &str) -> String {
    let mut out = String::with_capacity(field.len() + 5);
    let mut starts = true;
    for letter in field.chars() {
        match letter {
            '_' => starts = true,
            letter if std::mem::take(&mut starts) => out.push(letter.to_ascii_uppercase()),
            letter => out.push(letter),
        }
    }
    out + "Entry"
}

fn scalar(name: &str) -> WireType {
    match name {
        "bool" => WireType::Bool,
        "int32" => WireType::Int32,
        "int64" => WireType::Int64,
        "uint64" => WireType::Uint64,
        "float" => WireType::Float,
        "double" => WireType::Double,
        "string" => WireType::String,
        _ => WireType::Bytes,
    }
}
