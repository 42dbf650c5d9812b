//! Paths that lead nowhere: what to say of them.

use super::find::{Found, anywhere};
use super::{FieldPath, PathPart, Pattern};
use crate::error::Error;
use trevni::path::NamePattern;

/// A path that leads nowhere.
#[derive(Debug, PartialEq)]
pub(crate) struct Lost {
    /// The name that is not there.
    pub(super) name: String,
    /// What there is.
    pub(super) names: Vec<FieldPath>,
}

impl Lost {
    /// The error of a pattern that nothing fits.
    pub(super) fn failure(&self, pattern: &Pattern, row: &Found<'_>) -> Error {
        if pattern.has_globs() {
            let names: Vec<String> = row.children().iter().map(|child| child.path.escaped()).collect();
            return Error::query(format!("no field matches \"{}\"", pattern.text)).with_hint(listed(&names));
        }
        let last = pattern.parts.last().map(PathPart::shown).unwrap_or_default();
        Error::query(self.message(&pattern.text, &last, row))
    }

    /// What is wrong with a path, whose last name is given too; what it may have meant is within `from`.
    pub(crate) fn message(&self, path: &str, last: &str, from: &Found<'_>) -> String {
        if self.name.is_empty() && self.names.len() > 1 {
            let texts: Vec<String> = self.names.iter().map(FieldPath::escaped).collect();
            return format!("\"{path}\" is in several branches: {}", few(&texts));
        }
        let elsewhere = anywhere(from, last);
        let texts: Vec<String> = elsewhere.iter().map(|path| format!("\"{}\"", path.escaped())).collect();
        match texts.is_empty() {
            true => format!("no field \"{path}\"{}", nearest(&self.name, &self.names)),
            false => format!("no field \"{path}\"; did you mean {}?", texts.join(" or ")),
        }
    }
}

/// The name among others that a wrong one may have been meant for.
pub(crate) fn near_name<'n>(name: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    names.filter(|other| is_near(name, other)).max_by_key(|other| likeness(name, other))
}

/// The fields that a wrong name may have meant.
fn nearest(name: &str, paths: &[FieldPath]) -> String {
    let names: Vec<&str> = paths.iter().map(|path| path.names().last().map_or("", String::as_str)).collect();
    let texts: Vec<String> = paths.iter().map(FieldPath::escaped).collect();
    suggestion(name, &names, &texts)
}

/// The names that a wrong one may have meant, as the end of a message: `; did you mean "id"?`.
pub fn near(name: &str, names: &[String]) -> String {
    let own: Vec<&str> = names.iter().map(String::as_str).collect();
    suggestion(name, &own, names)
}

/// The text of the nearest name, or the first strings.
fn suggestion(name: &str, names: &[&str], texts: &[String]) -> String {
    let best = names.iter().zip(texts).max_by_key(|(other, _)| likeness(name, other));
    match best {
        Some((other, text)) if is_near(name, other) => format!("; did you mean \"{text}\"?"),
        Some(_) => format!("; there {} {}", if texts.len() == 1 { "is" } else { "are" }, few(texts)),
        None => String::new(),
    }
}

fn likeness(one: &str, other: &str) -> u32 {
    (strsim::normalized_damerau_levenshtein(one, other) * 100.0) as u32
}

/// Whether one name may have been meant by the other: few letters differ.
fn is_near(one: &str, other: &str) -> bool {
    let letters = one.chars().count();
    likeness(one, other) >= 60
        || (letters > 1 && strsim::damerau_levenshtein(one, other) <= letters.div_ceil(3))
}

/// A hint at the first of the names that there are.
fn listed(names: &[String]) -> String {
    format!("There are {}", few(names))
}

fn few(names: &[String]) -> String {
    let shown = names.get(..12).unwrap_or(names);
    format!("{}{}", shown.join(", "), if names.len() > shown.len() { ", …" } else { "" })
}
