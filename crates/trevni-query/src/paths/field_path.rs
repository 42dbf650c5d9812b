//! The path of a field: exact names, and the text that people write for them.

use std::collections::HashMap;
use std::fmt;
use std::hash::{Hash, Hasher};

/// The names that lead to a field, from the outermost; none for the row.
#[derive(Clone, Debug, Default)]
pub struct FieldPath {
    /// Exact names; variants have their full ones.
    names: Vec<String>,
    /// Names for people; variants have their short ones, where these are unique.
    shown: Vec<String>,
}

impl FieldPath {
    /// The path of something within, by its exact name and the one that is shown.
    pub fn below(&self, name: &str, shown: &str) -> Self {
        let mut below = self.clone();
        below.names.push(name.to_owned());
        below.shown.push(shown.to_owned());
        below
    }

    /// The path of something within this, by its path from here.
    pub fn joined(&self, below: &Self) -> Self {
        let joined = |one: &[String], other: &[String]| [one, other].concat();
        Self { names: joined(&self.names, &below.names), shown: joined(&self.shown, &below.shown) }
    }

    /// The path without its last name.
    pub fn around(&self) -> Self {
        let mut around = self.clone();
        around.names.pop();
        around.shown.pop();
        around
    }

    /// The exact names, from the outermost.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Whether it is the row itself.
    pub fn is_row(&self) -> bool {
        self.names.is_empty()
    }

    /// Whether this is another path, or continues it.
    pub fn is_within(&self, other: &Self) -> bool {
        self.names.starts_with(&other.names)
    }

    /// The text that names this field and no other.
    pub fn escaped(&self) -> String {
        trevni::path::format(&self.shown)
    }
}

impl PartialEq for FieldPath {
    fn eq(&self, other: &Self) -> bool {
        self.names == other.names
    }
}

impl Eq for FieldPath {}

impl Hash for FieldPath {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.names.hash(state);
    }
}

impl AsRef<[String]> for FieldPath {
    fn as_ref(&self) -> &[String] {
        &self.names
    }
}

impl fmt::Display for FieldPath {
    /// The names joined by dots.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown.join("."))
    }
}

/// Names of columns for these paths: the names joined by dots; where that is the same for several, names with dots are in back
/// quotes.
pub fn labels(paths: &[FieldPath]) -> Vec<String> {
    let mut counts: HashMap<String, usize> = HashMap::with_capacity(paths.len());
    for path in paths {
        *counts.entry(path.to_string()).or_default() += 1;
    }
    let label = |path: &FieldPath| match path.to_string() {
        plain if counts.get(&plain).is_some_and(|count| *count > 1) => path.escaped(),
        plain => plain,
    };
    paths.iter().map(label).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_tell_paths_apart() {
        let of =
            |names: &[&str]| names.iter().fold(FieldPath::default(), |path, name| path.below(name, name));
        let paths = [of(&["a", "b"]), of(&["a.b"]), of(&["c.d"]), of(&["!e", "f*"])];
        assert_eq!(labels(&paths), ["a.b", "`a.b`", "c.d", "!e.f*"]);
        assert_eq!(paths[3].escaped(), "`!e`.`f*`");
    }
}
