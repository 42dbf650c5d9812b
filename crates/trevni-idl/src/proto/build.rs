//! Definitions for a shape.

use super::members::{Named, named, values};
use super::{Enum, Field, File, Label, Message, Part, Type};
use crate::names::{Names, capitalized, identifier, identifier_but, quoted, type_name};
use crate::remark::remark;
use crate::variants::{named_row, variant_of};
use trevni::Shape;
use trevni::shape::{EnumShape, FieldShape, Form, RecordShape};

/// Words that begin something else than the type of a field.
const WORDS: [&str; 33] = [
    "bool",
    "bytes",
    "double",
    "enum",
    "export",
    "extend",
    "extensions",
    "fixed32",
    "fixed64",
    "float",
    "google",
    "group",
    "int32",
    "int64",
    "local",
    "map",
    "message",
    "oneof",
    "option",
    "optional",
    "repeated",
    "required",
    "reserved",
    "returns",
    "rpc",
    "sfixed32",
    "sfixed64",
    "sint32",
    "sint64",
    "stream",
    "string",
    "uint32",
    "uint64",
];

/// The file for rows of a shape.
pub(crate) fn file(name: &str, shape: &Shape) -> File {
    let mut builder = Builder::default();
    match shape {
        Shape::Record(record) => builder.message(&named_row(record), &capitalized(name)),
        shape => {
            let row = RecordShape::new(capitalized(name), vec![FieldShape::new("value", shape.clone())]);
            builder.message(&row, "Row")
        }
    };
    let imports = if builder.has_null { vec!["google/protobuf/struct.proto"] } else { Vec::new() };
    File { imports, messages: builder.messages.into_iter().map(|(_, message)| message).collect() }
}

#[derive(Default)]
struct Builder {
    names: Names,
    messages: Vec<(RecordShape, Message)>,
    has_null: bool,
}

/// A message under construction.
struct Scope {
    names: Names,
    enums: Vec<(EnumShape, Enum)>,
}

/// A field before it has its names.
struct Draft<'s> {
    wanted: String,
    place: Place,
    in_oneof: bool,
    shape: &'s Shape,
}

/// Where a value is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// In a field, and always there.
    Field,
    /// Where it is there or not, and not repeated.
    Once,
    /// Among the items of a list.
    Item,
    /// The map whose entries are the items.
    Entries,
}

impl Builder {
    /// The name of the message of a record.
    fn message(&mut self, record: &RecordShape, hint: &str) -> String {
        if let Some((_, message)) = self.messages.iter().find(|(known, _)| known == record) {
            return message.name.clone();
        }
        let wanted = if record.name.is_empty() || record.form == Form::Tuple { hint } else { &*record.name };
        let wanted = type_name(wanted);
        let name = self.names.claim(&identifier_but(&wanted, &WORDS));
        let comment = (name != wanted).then(|| quoted(&wanted));
        let place = self.messages.len();
        self.messages.push((record.clone(), Message { name: name.clone(), comment, ..Message::default() }));
        let (enums, parts) = self.parts(record, &name);
        if let Some((_, message)) = self.messages.get_mut(place) {
            (message.enums, message.parts) = (enums, parts);
        }
        name
    }

    fn parts(&mut self, record: &RecordShape, message: &str) -> (Vec<Enum>, Vec<Part>) {
        let drafts = drafts(record);
        let mut scope = Scope { names: Names::default(), enums: Vec::new() };
        let wanted: Vec<String> =
            drafts.iter().flat_map(|(_, fields)| fields).map(|field| field.wanted.clone()).collect();
        let mut names = named(&wanted, &mut scope.names).into_iter();
        let mut parts = Vec::with_capacity(drafts.len());
        for (oneof, fields) in drafts {
            let named = names.by_ref().take(fields.len()).collect::<Vec<_>>();
            let fields =
                fields.iter().zip(named).map(|(draft, named)| self.field(draft, named, message, &mut scope));
            let mut fields: Vec<Field> = fields.collect();
            parts.push(match oneof {
                Some(wanted) => {
                    let name = scope.names.claim(&identifier(wanted));
                    Part::Oneof { comment: (name != wanted).then(|| quoted(wanted)), name, fields }
                }
                None => match fields.pop() {
                    Some(field) => Part::Field(field),
                    None => continue,
                },
            });
        }
        (scope.enums.into_iter().map(|(_, shape)| shape).collect(), parts)
    }

    fn field(&mut self, draft: &Draft<'_>, named: Named, message: &str, scope: &mut Scope) -> Field {
        let Named { name, json_name, number } = named;
        let hint = format!("{message}{}", capitalized(&draft.wanted));
        let kind = self.kind(draft.shape, draft.place, &hint, scope);
        let label = match draft.place {
            Place::Item | Place::Entries => Label::Repeated,
            // A message is there or not anyway.
            Place::Once if !draft.in_oneof && !matches!(kind, Type::Message(_)) => Label::Optional,
            Place::Field | Place::Once => Label::Plain,
        };
        Field { label, kind, name, number, json_name, comment: remark(draft.shape) }
    }

    /// The type of what a field holds; of each item, where it is repeated.
    fn kind(&mut self, shape: &Shape, place: Place, hint: &str, scope: &mut Scope) -> Type {
        match shape.storage() {
            Shape::Boolean => Type::Scalar("bool"),
            Shape::Int => Type::Scalar("int32"),
            Shape::Long => Type::Scalar("int64"),
            Shape::U64 => Type::Scalar("uint64"),
            Shape::Float => Type::Scalar("float"),
            Shape::Double => Type::Scalar("double"),
            Shape::String => Type::Scalar("string"),
            Shape::Bytes | Shape::Fixed(_) | Shape::I128 | Shape::U128 => Type::Scalar("bytes"),
            Shape::Enum(shape) => Type::Enum(self.symbols(shape, hint, scope)),
            Shape::Record(record) => Type::Message(self.message(record, hint)),
            Shape::Map(map) => match (place, key(&map.key)) {
                (Place::Field, Some(key)) => {
                    Type::Map(key, Box::new(self.kind(&map.value, Place::Once, hint, scope)))
                }
                (Place::Entries, None) => {
                    let fields = vec![
                        FieldShape::new("key", map.key.clone()),
                        FieldShape::new("value", map.value.clone()),
                    ];
                    Type::Message(self.message(&RecordShape::new(format!("{hint}Entry"), fields), hint))
                }
                _ => self.within(shape, "Entries", "entries", hint),
            },
            Shape::List(_) => self.within(shape, "Items", "items", hint),
            Shape::Optional(_) => self.within(shape, "Option", "value", hint),
            Shape::Union(_) => self.within(shape, "Choice", "value", hint),
            _ => {
                self.has_null = true;
                Type::Null
            }
        }
    }

    /// A message around what cannot be where it is.
    fn within(&mut self, shape: &Shape, suffix: &str, field: &'static str, hint: &str) -> Type {
        let fields = vec![FieldShape::new(field, shape.clone())];
        Type::Message(self.message(&RecordShape::new(format!("{hint}{suffix}"), fields), hint))
    }

    fn symbols(&mut self, shape: &EnumShape, hint: &str, scope: &mut Scope) -> String {
        if let Some((_, known)) = scope.enums.iter().find(|(known, _)| known == shape) {
            return known.name.clone();
        }
        let wanted = type_name(if shape.name.is_empty() { hint } else { &shape.name });
        let name = self.names.claim(&identifier_but(&wanted, &WORDS));
        // Fields and values of a message share their names with its enums.
        let name = if scope.names.take(&name) { name } else { self.names.claim(&format!("{name}Enum")) };
        let values = values(&name, shape.symbols.iter().map(|symbol| &**symbol), &mut scope.names);
        let comment = (name != wanted).then(|| quoted(&wanted));
        scope.enums.push((shape.clone(), Enum { name: name.clone(), comment, values }));
        name
    }
}

/// The fields of a record: the name of a oneof, if it is one, and its fields.
fn drafts(record: &RecordShape) -> Vec<(Option<&str>, Vec<Draft<'_>>)> {
    let mut taken: Names = Names::default();
    for field in &record.fields {
        taken.take(&field.name);
    }
    let mut out = Vec::with_capacity(record.fields.len());
    for field in &record.fields {
        let (item, is_optional) = match &field.shape {
            Shape::Optional(optional) => (&optional.item, true),
            shape => (shape, false),
        };
        if let Shape::Union(variants) = item {
            let draft = |variant| {
                let (name, shape) = variant_of(variant);
                let wanted = if taken.take(name) {
                    name.to_owned()
                } else {
                    taken.claim(&format!("{}_{name}", field.name))
                };
                Draft { wanted, place: Place::Once, in_oneof: true, shape }
            };
            out.push((Some(&*field.name), variants.iter().map(draft).collect()));
            continue;
        }
        let (place, shape) = match item {
            _ if is_optional => (Place::Once, item),
            Shape::List(item) => (Place::Item, &**item),
            Shape::Map(map) if key(&map.key).is_none() => (Place::Entries, item),
            item => (Place::Field, item),
        };
        out.push((None, vec![Draft { wanted: field.name.to_string(), place, in_oneof: false, shape }]));
    }
    out
}

/// The type of the keys of a map, where a map can have them.
fn key(shape: &Shape) -> Option<&'static str> {
    Some(match shape.storage() {
        Shape::Boolean => "bool",
        Shape::Int => "int32",
        Shape::Long => "int64",
        Shape::U64 => "uint64",
        Shape::String => "string",
        _ => return None,
    })
}
