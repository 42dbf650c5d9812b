//! Columns of what is printed for people, and its colours.

use crate::output::Output;
use crate::shown::shown;
use anstyle::{AnsiColor, Style};

/// What is shown for null.
pub(super) const NULL: &str = "null";

/// A column that is printed.
#[derive(Clone, Debug)]
pub(crate) struct Heading {
    pub(crate) name: String,
    /// Whether it has numbers only.
    pub(crate) is_number: bool,
    /// The type of its values in a word; nothing where it is not known.
    pub(crate) kind: String,
}

impl Heading {
    /// With a name and a type that steer no terminal.
    pub(crate) fn safe(&self) -> Self {
        let [name, kind] = [&self.name, &self.kind].map(|text| shown(text).into_owned());
        Self { name, kind, ..*self }
    }
}

/// The colours of a table: plain where there are none.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Paint {
    pub(super) header: Style,
    pub(super) number: Style,
    pub(super) null: Style,
}

impl Paint {
    /// Those of an output. None of them is hard to read on a light or on a dark background.
    pub(crate) fn of(out: &Output) -> Self {
        match out.has_colours() {
            true => Self {
                header: Style::new().bold(),
                number: AnsiColor::Cyan.on_default(),
                null: Style::new().dimmed(),
            },
            false => Self::default(),
        }
    }
}
