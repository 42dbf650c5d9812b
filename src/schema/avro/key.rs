//! The keys that schemas are read by.

use super::{MARK, NAME};

/// What a key is: told once, when the text is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Key {
    Type,
    Name,
    Fields,
    Items,
    Values,
    Namespace,
    Symbols,
    Size,
    LogicalType,
    Precision,
    Scale,
    /// The property [`MARK`].
    Mark,
    /// The property [`NAME`].
    OwnName,
    /// Nothing is read by it.
    Other,
}

impl Key {
    pub(super) fn new(text: &str) -> Self {
        match text {
            "name" => Self::Name,
            "type" => Self::Type,
            "fields" => Self::Fields,
            "items" => Self::Items,
            "values" => Self::Values,
            "namespace" => Self::Namespace,
            "symbols" => Self::Symbols,
            "size" => Self::Size,
            "logicalType" => Self::LogicalType,
            "precision" => Self::Precision,
            "scale" => Self::Scale,
            MARK => Self::Mark,
            NAME => Self::OwnName,
            _ => Self::Other,
        }
    }

    /// Whether a type stands behind it.
    pub(super) fn is_before_type(self) -> bool {
        matches!(self, Self::Type | Self::Items | Self::Values)
    }
}
