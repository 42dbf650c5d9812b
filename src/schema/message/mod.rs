//! Schemas as text: `message … { }`, the words of Protocol Buffers that RedElm and the Dremel paper use.

use crate::error::Result;
use crate::shape::Shape;

mod parse;
mod shape;
#[cfg(test)]
mod tests;

pub(crate) use parse::parse;

/// A record type as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Message {
    pub(crate) name: String,
    pub(crate) fields: Vec<Field>,
}

/// A field of a message or group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Field {
    pub(crate) name: String,
    pub(crate) repetition: Repetition,
    pub(crate) kind: Kind,
}

/// How many values a field has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Repetition {
    /// One.
    Required,
    /// None or one.
    Optional,
    /// Any number.
    Repeated,
}

/// What a field holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Group(Vec<Field>),
    Leaf(Primitive),
}

/// The type of a leaf.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Primitive {
    String,
    Int64,
    Int32,
    Boolean,
    Binary,
    Float,
    Double,
}

/// The most groups in one another: the deepest shape has a group for each node, and one for its fields.
const GROUPS_MAX: usize = 2 * crate::shape::MAX_DEPTH;

impl Repetition {
    const ALL: [Self; 3] = [Self::Required, Self::Optional, Self::Repeated];

    /// The word in a schema.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Required => "required",
            Self::Optional => "optional",
            Self::Repeated => "repeated",
        }
    }
}

impl Primitive {
    const ALL: [Self; 7] =
        [Self::String, Self::Int64, Self::Int32, Self::Boolean, Self::Binary, Self::Float, Self::Double];

    /// The word in a schema.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::String => "string",
            Self::Int64 => "int64",
            Self::Int32 => "int32",
            Self::Boolean => "boolean",
            Self::Binary => "binary",
            Self::Float => "float",
            Self::Double => "double",
        }
    }

    /// The type of this name, ignoring case.
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name().eq_ignore_ascii_case(name))
    }
}

impl Kind {
    /// The fields of a group; none of a leaf.
    pub(crate) fn fields(&self) -> &[Field] {
        match self {
            Self::Group(fields) => fields,
            Self::Leaf(_) => &[],
        }
    }
}

/// Whether a letter ends a name.
fn is_separator(letter: char) -> bool {
    matches!(letter, ' ' | '\n' | '\t' | ';' | '{' | '}')
}

/// Shapes as text, in the words of RedElm.
impl Shape {
    /// The shape that the text of a message describes: optional fields are options, repeated ones lists, groups
    /// records of the field's name.
    ///
    /// ```
    /// use trevni::{Shape, Writer};
    ///
    /// let shape = Shape::from_message(
    ///     "message Document {
    ///        required int64 DocId;
    ///        optional group Links { repeated int64 Backward; repeated int64 Forward; }
    ///      }",
    /// )?;
    /// let mut writer = Writer::builder().shape(&shape).build(Vec::new())?;
    /// writer.write(&serde_json::json!({"DocId": 10, "Links": {"Backward": [], "Forward": [20, 40, 60]}}))?;
    /// # writer.finish()?;
    /// # Ok::<(), trevni::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Text that is not a message, two fields of one name, groups that are empty or nested too deep.
    pub fn from_message(text: &str) -> Result<Self> {
        parse(text).map(Message::into_shape)
    }

    /// The text of a message for rows of this shape, as a RedElm file has it.
    ///
    /// What one field cannot say becomes a group: the items of a list of options, a map (a list of `key` and
    /// `value`), a union (an option for each variant). Rows that are no records have a field `value`. What has no
    /// values, such as `()`, is an optional boolean that is never there. Separators in names are written as `%20` and
    /// so on.
    ///
    /// ```
    /// use trevni::Shape;
    ///
    /// let shape = Shape::record("Word", [("text", Shape::String), ("counts", Shape::list(Shape::Int))]);
    /// assert_eq!(shape.to_message(), "message Word {\n  required string text;\n  repeated int32 counts;\n}\n");
    /// ```
    #[must_use]
    pub fn to_message(&self) -> String {
        write(&Message::from_shape(self))
    }
}

/// The text of a message: one line a field, two spaces for each group around it.
pub(crate) fn write(message: &Message) -> String {
    let mut text = format!("message {} {{\n", message.name);
    fields(&message.fields, 1, &mut text);
    text.push_str("}\n");
    text
}

fn fields(fields: &[Field], depth: usize, text: &mut String) {
    for field in fields {
        indent(depth, text);
        text.push_str(field.repetition.name());
        match &field.kind {
            Kind::Leaf(leaf) => text.extend([" ", leaf.name(), " ", &field.name, ";\n"]),
            Kind::Group(below) => {
                text.extend([" group ", &field.name, " {\n"]);
                self::fields(below, depth + 1, text);
                indent(depth, text);
                text.push_str("}\n");
            }
        }
    }
}

fn indent(depth: usize, text: &mut String) {
    (0..depth).for_each(|_| text.push_str("  "));
}
