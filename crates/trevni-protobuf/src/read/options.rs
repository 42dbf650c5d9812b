//! What a caller decides of the mapping.

/// How messages become rows.
#[derive(Clone, Debug, Default)]
pub struct Options {
    pub(super) recursion: Option<u32>,
    pub(super) enums: Enums,
}

/// What a value of an enum is in a row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Enums {
    /// Its name; a number without a name is an error.
    #[default]
    Names,
    /// Its number.
    Numbers,
}

impl Options {
    /// The defaults: names of enums, and no message that contains messages of its own type.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Reads a message that contains messages of its own type to this depth; one that is there beyond
    /// that is an error. Each level has columns of its own.
    #[must_use]
    pub fn recursion(self, levels: u32) -> Self {
        Self { recursion: Some(levels), ..self }
    }

    /// What a value of an enum is: by default its name.
    #[must_use]
    pub fn enums(self, enums: Enums) -> Self {
        Self { enums, ..self }
    }
}
