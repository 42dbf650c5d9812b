//! Names that a language allows, each only once.

use std::collections::HashSet;

/// The names of one scope.
#[derive(Debug, Default)]
pub(crate) struct Names {
    taken: HashSet<String>,
}

impl Names {
    /// Takes a name, with a number at its end where it is taken already.
    pub(crate) fn claim(&mut self, wanted: &str) -> String {
        let mut name = wanted.to_owned();
        let mut number = 2u64;
        while !self.taken.insert(name.clone()) {
            name = format!("{wanted}_{number}");
            number += 1;
        }
        name
    }

    /// Takes a name, if it is free.
    pub(crate) fn take(&mut self, name: &str) -> bool {
        self.taken.insert(name.to_owned())
    }
}

/// The name as an identifier: letters of ASCII, digits and `_`, no digit first.
pub(crate) fn identifier(name: &str) -> String {
    let part = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { '_' };
    let mut out: String = name.chars().map(part).collect();
    if out.starts_with(|first: char| first.is_ascii_digit()) || out.is_empty() {
        out.insert(0, '_');
    }
    out
}

/// The name as an identifier that is not one of some words.
pub(crate) fn identifier_but(name: &str, words: &[&str]) -> String {
    let mut out = identifier(name);
    if words.contains(&out.as_str()) {
        out.push('_');
    }
    out
}

/// The name in camel case with a capital first, for types that have no name.
pub(crate) fn capitalized(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    let mut starts = true;
    for letter in name.chars() {
        if !letter.is_ascii_alphanumeric() {
            starts = true;
        } else if std::mem::take(&mut starts) {
            out.push(letter.to_ascii_uppercase());
        } else {
            out.push(letter);
        }
    }
    if out.is_empty() { "Value".to_owned() } else { identifier(&out) }
}

/// The name of a type: with a capital first, as names of types are.
pub(crate) fn type_name(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters).collect()
}

/// What is left of a name without underscores and capitals: names that differ only in these are alike.
///
/// ```
/// assert_eq!(trevni_idl::normal("PhoneNumber"), trevni_idl::normal("phone_number"));
/// ```
#[must_use]
pub fn normal(name: &str) -> String {
    let letters = name.chars().filter(|letter| letter.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

/// A name in quotes for a comment or a literal: what is not printable is escaped.
pub(crate) fn quoted(name: &str) -> String {
    format!("{name:?}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_are_valid_and_unique() {
        assert_eq!(["a-b", "1", "", "é", "_x"].map(identifier), ["a_b", "_1", "_", "_", "_x"]);
        assert_eq!(identifier_but("string", &["string"]), "string_");
        let mut names = Names::default();
        assert_eq!(["a", "a", "a_2", "a"].map(|name| names.claim(name)), ["a", "a_2", "a_2_2", "a_3"]);
    }

    #[test]
    fn capitals_begin_words() {
        assert_eq!(
            ["first_name", "x", "", "-", "2nd"].map(capitalized),
            ["FirstName", "X", "Value", "Value", "_2nd"]
        );
    }
}
