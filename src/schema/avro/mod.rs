//! Avro schemas: the text under `avro.schema`, and shapes.

mod json;
mod key;
mod names;
mod parse;
pub(crate) mod tree;
mod write;

pub(crate) use names::{Named, PathName};
pub(crate) use parse::{
    Parsed, most_nodes, most_nodes_alone, parse, parse_names, parse_within, repeated_too_often,
};
pub(crate) use write::{Schema, write};

use crate::error::{Error, Result};
use crate::shape::Shape;

/// Shapes as text, in the words of Avro.
impl Shape {
    /// The text of the Avro schema for rows of this shape, as it stands in files under `avro.schema`:
    /// compact JSON, in which all named types have names that Avro allows, and each a name of its own.
    /// What Avro has no words for is marked with properties, which other implementations pass over.
    #[must_use]
    pub fn to_avro(&self) -> String {
        write(&super::names::resolve(self.clone()))
    }

    /// The shape that the text of an Avro schema describes. Defaults, documentation and properties of
    /// others are left aside.
    ///
    /// ```
    /// let shape = trevni::Shape::from_avro(r#"["null", {"type": "array", "items": "long"}]"#)?;
    /// assert_eq!(shape.to_avro(), r#"["null",{"type":"array","items":"long"}]"#);
    /// # Ok::<(), trevni::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Text that is no JSON or no Avro schema, recursive types, and types nested too deep or repeated out
    /// of all proportion.
    pub fn from_avro(text: &str) -> Result<Self> {
        parse(text).map_err(Error::given)
    }
}

/// Property of a type or field for what Avro has no words for.
const MARK: &str = "serde";
/// Property for a name or symbols that Avro does not allow.
const NAME: &str = "serde.name";

/// Values of the property [`MARK`].
mod mark {
    use crate::shape::{Form, StringStyle};

    pub(super) const U64: &str = "u64";
    pub(super) const I128: &str = "i128";
    pub(super) const U128: &str = "u128";
    pub(super) const UNIT: &str = "unit";
    pub(super) const SOME: &str = "some";
    pub(super) const ABSENT: &str = "absent";
    /// Of a null in whose place no value has been seen, and of a field that no row has.
    pub(super) const UNSEEN: &str = "unseen";
    /// Of a map that takes objects as entries.
    pub(super) const OPEN: &str = "open";
    /// Of instants and times: how their strings are written, where not as ISO 8601.
    pub(super) const STYLES: [(StringStyle, &str); 4] = [
        (StringStyle::Time, "time"),
        (StringStyle::Space, "space"),
        (StringStyle::Minutes, "minutes"),
        (StringStyle::Millis, "millis"),
    ];

    const FORMS: [(Form, &str); 4] = [
        (Form::Tuple, "tuple"),
        (Form::NewtypeVariant, "newtype variant"),
        (Form::TupleVariant, "tuple variant"),
        (Form::StructVariant, "struct variant"),
    ];

    pub(super) fn of_form(form: Form) -> Option<&'static str> {
        FORMS.into_iter().find(|(other, _)| *other == form).map(|(_, mark)| mark)
    }

    pub(super) fn form(mark: &str) -> Form {
        FORMS.into_iter().find(|(_, other)| *other == mark).map_or(Form::Struct, |(form, _)| form)
    }
}

#[cfg(test)]
mod tests;
