//! Avro schemas: the text under `avro.schema`, and shapes.

mod parse;
mod write;

pub(crate) use parse::{parse, parse_within};
pub(crate) use write::write;

/// Property of a type or field for what Avro has no words for.
const MARK: &str = "serde";
/// Property for a name or symbols that Avro does not allow.
const NAME: &str = "serde.name";

/// Values of the property [`MARK`].
mod mark {
    use crate::shape::Form;

    pub(super) const U64: &str = "u64";
    pub(super) const I128: &str = "i128";
    pub(super) const U128: &str = "u128";
    pub(super) const UNIT: &str = "unit";
    pub(super) const SOME: &str = "some";
    pub(super) const ABSENT: &str = "absent";

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
