//! Values of logical types in vectors.

use super::{Parsed, Stored, Texts};
use crate::vector::Vector;

/// What became of a value that was to be pushed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pushed {
    Yes,
    /// It is no value of the type.
    No,
    /// There is no room for its bytes.
    Full,
}

impl Texts {
    /// Pushes the value of a text.
    pub(crate) fn push(self, text: &str, vector: &mut Vector) -> Pushed {
        let mut bytes = Vec::new();
        match (self.parse(text, &mut bytes), vector) {
            (Some(Parsed::Int(value)), Vector::Int(values)) => values.push(value),
            (Some(Parsed::Long(value)), Vector::Long(values)) => values.push(value),
            (Some(Parsed::Bytes), Vector::Bytes(values)) => {
                return if values.push(&bytes) { Pushed::Yes } else { Pushed::Full };
            }
            _ => return Pushed::No,
        }
        Pushed::Yes
    }

    /// Pushes the value that an integer is.
    pub(crate) fn push_integer(self, integer: i128, vector: &mut Vector) -> Pushed {
        let mut bytes = Vec::new();
        match vector {
            Vector::Int(values) => match i32::try_from(integer) {
                Ok(value) => values.push(value),
                Err(_) => return Pushed::No,
            },
            Vector::Long(values) => match i64::try_from(integer) {
                Ok(value) => values.push(value),
                Err(_) => return Pushed::No,
            },
            Vector::Bytes(values) if self.bytes_of_integer(integer, &mut bytes) => {
                return if values.push(&bytes) { Pushed::Yes } else { Pushed::Full };
            }
            _ => return Pushed::No,
        }
        Pushed::Yes
    }

    /// Calls with the string of each value of a vector, or `None` where a value has no string; false where the vector is not
    /// one of such values.
    pub(crate) fn each(self, vector: &Vector, mut call: impl FnMut(Option<&str>)) -> bool {
        let mut text = String::with_capacity(self.usual_length());
        let mut one = |value| {
            text.clear();
            let has_text = self.format(value, &mut text);
            call(has_text.then_some(&text));
        };
        match vector {
            Vector::Int(values) => values.iter().for_each(|value| one(Stored::Int(*value))),
            Vector::Long(values) => values.iter().for_each(|value| one(Stored::Long(*value))),
            Vector::Bytes(values) => values.iter().for_each(|value| one(Stored::Bytes(value))),
            _ => return false,
        }
        true
    }
}
