//! Names of fields, variants and types in Rust, made of names of any form.

use std::collections::HashSet;
use unicode_ident::{is_xid_continue, is_xid_start};

/// Words that are no names of fields: strict and reserved keywords of all editions up to 2024.
const KEYWORDS: [&str; 52] = [
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate", "do", "dyn",
    "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop",
    "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return", "self", "static",
    "struct", "super", "trait", "true", "try", "type", "typeof", "unsafe", "unsized", "use", "virtual",
    "where", "while", "yield", "_",
];

/// Names of types that the text uses.
const USED: [&str; 3] = ["Option", "String", "Vec"];

/// The name of a field: `snake_case`, and no keyword.
pub(super) fn snake(name: &str) -> String {
    let text = words(name).join("_").to_lowercase();
    match text.chars().next() {
        None => "field".to_owned(),
        Some(first) if !is_xid_start(first) => format!("_{text}"),
        Some(_) if KEYWORDS.contains(&text.as_str()) => format!("{text}_"),
        Some(_) => text,
    }
}

/// The name of a variant: `CamelCase`, and no keyword.
pub(super) fn camel(name: &str) -> String {
    let mut text = String::new();
    for word in words(name) {
        let mut chars = word.chars();
        text.extend(chars.next().map(|first| first.to_uppercase().to_string()));
        text.push_str(chars.as_str());
    }
    match text.chars().next() {
        Some(first) if is_xid_start(first) && text != "Self" => text,
        _ => format!("T{text}"),
    }
}

/// The name of a type: as that of a variant, but not one that the text uses.
pub(super) fn of_type(name: &str) -> String {
    let own = camel(name);
    if USED.contains(&own.as_str()) { format!("{own}_") } else { own }
}

/// A name that is not used yet, with a number after it where needed.
pub(super) fn unique(wanted: String, between: &str, used: &mut HashSet<String>) -> String {
    let between = if wanted.ends_with(between) { "" } else { between };
    let numbered = (2..).map(|number| format!("{wanted}{between}{number}"));
    let name = std::iter::once(wanted.clone()).chain(numbered).find(|name| !used.contains(name));
    let name = name.unwrap_or(wanted);
    used.insert(name.clone());
    name
}

/// Parts of a name: at characters that no name in Rust has, and where a small letter meets a large one.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before = ' ';
    for c in name.chars() {
        let is_part = c != '_' && is_xid_continue(c);
        if !is_part || before.is_lowercase() && c.is_uppercase() {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| is_part) {
            word.push(c);
        }
        before = c;
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_rust() {
        let cases = [("dep_time", "DepTime", "dep_time"), ("imdbRating", "ImdbRating", "imdb_rating")];
        let more = [("type", "Type", "type_"), ("5.5", "T55", "_5_5"), ("ID", "ID", "id")];
        let odd = [("", "T", "field"), ("_", "T", "field"), ("__", "T", "field"), ("self", "TSelf", "self_")];
        let foreign = [("ⓐ½", "T", "field"), ("größe", "Größe", "größe"), ("a\u{202e}b", "AB", "a_b")];
        for (name, camel_case, snake_case) in cases.into_iter().chain(more).chain(odd).chain(foreign) {
            assert_eq!((camel(name).as_str(), snake(name).as_str()), (camel_case, snake_case), "{name:?}");
        }
        assert_eq!([of_type("option"), of_type("Strings"), of_type("vec")], ["Option_", "Strings", "Vec_"]);
    }

    #[test]
    fn no_name_is_a_keyword() {
        for keyword in KEYWORDS.into_iter().chain(["Self"]) {
            for name in [keyword.to_owned(), keyword.to_uppercase(), format!("-{keyword}-")] {
                for made in [snake(&name), camel(&name), of_type(&name)] {
                    assert!(syn::parse_str::<syn::Ident>(&made).is_ok(), "{name}: {made}");
                }
            }
        }
    }

    #[test]
    fn every_name_becomes_one_of_rust() {
        let mut random = fastrand::Rng::with_seed(1);
        for _ in 0..20_000 {
            let name: String = (0..random.usize(0..6)).map(|_| random.char(..)).collect();
            for made in [snake(&name), camel(&name), of_type(&name)] {
                assert!(syn::parse_str::<syn::Ident>(&made).is_ok(), "{name:?}: {made:?}");
            }
        }
    }
}
