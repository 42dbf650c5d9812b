//! Columns of what is printed for people, and its colours.

use super::is_printed;
use crate::shown::shown;
use crate::type_name::short_type_name;
use anstyle::{AnsiColor, Style};
use trevni::Shape;
use trevni::shape::Logical;

/// What is shown for null.
pub const NULL: &str = "null";

/// A column that is printed.
#[derive(Clone, Debug)]
pub struct Heading {
    pub name: String,
    /// Whether it has numbers only.
    pub is_number: bool,
    /// The type of its values in a word; nothing where it is not known.
    pub kind: String,
}

impl Heading {
    /// A column of values of a shape.
    #[must_use]
    pub fn of(name: String, shape: &Shape) -> Self {
        Self { name, is_number: is_number(shape), kind: short_type_name(shape) }
    }

    /// With a name and a type that steer no terminal.
    pub fn safe(&self) -> Self {
        let [name, kind] = [&self.name, &self.kind].map(|text| shown(text).into_owned());
        Self { name, kind, ..*self }
    }
}

/// The colours of a table: plain without colours.
#[derive(Clone, Copy, Debug, Default)]
pub struct Paint {
    pub header: Style,
    pub number: Style,
    pub null: Style,
}

impl Paint {
    /// Those of an output that may have some. None of them is hard to read on a light or on a dark background.
    #[must_use]
    pub fn of(has_colours: bool) -> Self {
        match has_colours {
            true => Self {
                header: Style::new().bold(),
                number: AnsiColor::Cyan.on_default(),
                null: Style::new().dimmed(),
            },
            false => Self::default(),
        }
    }
}

/// Whether values of a shape are numbers, or null.
#[must_use]
pub fn is_number(shape: &Shape) -> bool {
    match shape {
        Shape::Optional(optional) => is_number(&optional.item),
        Shape::Logical(logical) if is_printed(logical) => matches!(logical.logical, Logical::Decimal { .. }),
        shape => is_stored_number(shape),
    }
}

fn is_stored_number(shape: &Shape) -> bool {
    match shape.storage() {
        Shape::Int | Shape::Long | Shape::U64 | Shape::I128 | Shape::U128 => true,
        Shape::Float | Shape::Double | Shape::Null => true,
        Shape::Union(variants) => variants.iter().all(is_number),
        _ => false,
    }
}
