//! Plain English: patterns that this project once wrote, and what to write instead.
//!
//! Checked are pages, documentation and help (`///`, `//!`), comments, and messages (strings with a space).

use std::fs;
use std::path::{Path, PathBuf};

/// A word or phrase, and what to write in its place.
const PATTERNS: [(&str, &str); 16] = [
    ("so many", "a number of …, n …"),
    ("is none", "no, not, `None`, or the noun"),
    ("are none", "no, not, `None`, or the noun"),
    ("was none", "no, not, `None`, or the noun"),
    ("none where", "`None` where, empty where"),
    ("none if", "`None` if, empty if"),
    ("has none", "lacks …, has no …"),
    ("have none", "lack …, have no …"),
    ("texts", "strings"),
    ("truths", "results, booleans"),
    ("anew", "again"),
    ("files of others", "foreign files"),
    ("whoever", "the caller, a type that requests …"),
    ("who asks", "the caller, a type that requests …"),
    ("has not the", "does not have the, lacks the"),
    ("have not the", "do not have the, lack the"),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// All pages and sources, by their paths from the root.
fn files() -> Vec<String> {
    let (mut found, mut folders) = (Vec::new(), vec![root()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap();
            let is_ours = !name.starts_with('.') && !["target", "node_modules", "tests"].contains(&name);
            if path.is_dir() && is_ours && !path.is_symlink() {
                folders.push(path);
            } else if name.ends_with(".md") || (name.ends_with(".rs") && name != "tests.rs") {
                found.push(path.strip_prefix(root()).unwrap().to_str().unwrap().to_owned());
            }
        }
    }
    found.sort();
    found
}

/// The prose of a file with the numbers of its lines: of sources the comments and messages, without unit tests. Code, in
/// back quotes or in a block of its own, is left out.
fn prose(path: &str, text: &str) -> Vec<(usize, String)> {
    let is_page = path.ends_with(".md");
    let text = if is_page { text } else { text.split("#[cfg(test)]\nmod tests {").next().unwrap() };
    let (mut found, mut is_code) = (Vec::new(), false);
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim_start();
        let comment = line.strip_prefix("//").map(|rest| rest.trim_start_matches(['/', '!']).trim_start());
        let words = match comment {
            _ if is_page => line,
            Some(comment) => comment,
            None => {
                is_code = false;
                found.extend(messages(line).map(|message| (number, message)));
                continue;
            }
        };
        if words.starts_with("```") {
            is_code = !is_code;
        } else if !is_code {
            found.push((number, words.split('`').step_by(2).collect::<Vec<_>>().join("`")));
        }
    }
    found
}

/// The strings of a line of code that have a space.
fn messages(line: &str) -> impl Iterator<Item = String> {
    let line = line.replace("\\\"", "");
    let strings: Vec<String> = line.split('"').skip(1).step_by(2).map(str::to_owned).collect();
    strings.into_iter().filter(|string| string.contains(' '))
}

/// Whether a line has a pattern as whole words, in any case. "There is none" and "none of" are as they should be.
fn has(line: &str, pattern: &str) -> bool {
    let line = line.to_lowercase();
    let is_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '#');
    line.match_indices(pattern).any(|(at, _)| {
        let (before, after) = (&line[..at], &line[at + pattern.len()..]);
        let is_usual = pattern.ends_with("none") && (before.ends_with("there ") || after.starts_with(" of"));
        !is_usual && !is_word(before.chars().next_back()) && !is_word(after.chars().next())
    })
}

#[test]
fn words_are_plain() {
    let mut found = Vec::new();
    for path in files() {
        let text = fs::read_to_string(root().join(&path)).unwrap();
        for (number, line) in prose(&path, &text) {
            for (pattern, better) in PATTERNS {
                if has(&line, pattern) {
                    found.push(format!("{path}:{number}: \"{pattern}\" (write: {better}): {line}"));
                }
            }
        }
    }
    assert!(found.is_empty(), "{} lines:\n{}", found.len(), found.join("\n"));
}

#[test]
fn prose_is_told_from_code() {
    let text = "//! Docs `so many`.\n/// ```\n/// let texts = 1;\n/// ```\nlet texts = f(\"two words\", \"one\"); // end\n    // Why.\n";
    let found = prose("a.rs", text);
    let expected = [(1, "Docs `."), (5, "two words"), (6, "Why.")];
    assert_eq!(found, expected.map(|(number, line)| (number, line.to_owned())));
    assert!(has("Texts, so", "texts") && !has("contexts", "texts") && !has("Logical#texts", "texts"));
}
