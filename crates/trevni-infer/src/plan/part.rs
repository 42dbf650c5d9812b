//! Places in rows of strings, as paths that options take.

use trevni::path::format;

/// A part of a path.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Part {
    /// The items of a list, which are written `[]`.
    Items,
    Name(String),
}

/// A path as it is written; empty for the row.
pub(crate) fn shown<'p>(parts: impl IntoIterator<Item = &'p Part>) -> String {
    let mut path = String::new();
    for part in parts {
        match part {
            Part::Items => path.push_str("[]"),
            Part::Name(name) => {
                path.push_str(if path.is_empty() { "" } else { "." });
                path.push_str(&format([name]));
            }
        }
    }
    path
}
