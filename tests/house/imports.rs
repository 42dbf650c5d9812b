//! The files of the crate, and what they import.

use std::fs;
use std::path::{Path, PathBuf};

pub(crate) fn source_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../src")
}

/// All source files below a folder, without tests.
pub(crate) fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let is_test = path.file_stem().is_some_and(|name| name == "tests");
        match path.is_dir() {
            _ if is_test => {}
            true => files.extend(sources(&path)),
            false => files.push(path),
        }
    }
    files
}

/// The names of the module in a file.
pub(crate) fn module_of(file: &Path) -> Vec<String> {
    module_within(&source_folder(), file)
}

/// The names of the module in a file of a crate whose sources are in a folder.
pub(crate) fn module_within(folder: &Path, file: &Path) -> Vec<String> {
    let path = file.strip_prefix(folder).unwrap().with_extension("");
    let mut names: Vec<String> = path.iter().map(|name| name.to_str().unwrap().to_owned()).collect();
    if names.last().is_some_and(|name| name == "mod") {
        names.pop();
    }
    names
}

/// The paths from the root that a file uses, each up to the braces of a list.
pub(crate) fn imports(text: &str, module: &[String]) -> Vec<Vec<String>> {
    let text = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
    let lines = text.lines().map(|line| line.split("//").next().unwrap_or_default());
    let code = lines.collect::<Vec<_>>().join("\n");
    let mut paths = Vec::new();
    let mut rest = code.as_str();
    while let Some(at) = rest.find("::") {
        let (before, after) = rest.split_at(at);
        let first = before.rsplit(|letter: char| !is_name(letter)).next().unwrap_or_default();
        rest = &after[2..];
        let mut base = match first {
            "crate" => Vec::new(),
            "super" => module[..module.len().saturating_sub(1)].to_vec(),
            _ => continue,
        };
        while let Some(further) = rest.strip_prefix("super::") {
            base.pop();
            rest = further;
        }
        rest = follow(rest, &base, &mut paths);
    }
    paths
}

/// Follows the names after `crate::` or `super::`, and returns the rest of the text.
fn follow<'t>(mut text: &'t str, base: &[String], paths: &mut Vec<Vec<String>>) -> &'t str {
    let mut path = base.to_vec();
    loop {
        if let Some(list) = text.strip_prefix('{') {
            let (parts, rest) = list_parts(list);
            if path.is_empty() {
                for part in parts {
                    follow(part, &path, paths);
                }
            } else {
                paths.push(path);
            }
            return rest;
        }
        let end = text.find(|letter| !is_name(letter)).unwrap_or(text.len());
        let (name, rest) = text.split_at(end);
        path.push(name.to_owned());
        match rest.strip_prefix("::") {
            Some(further) => text = further,
            None => {
                paths.push(path);
                return rest;
            }
        }
    }
}

/// The parts of a list in braces, and the text after it.
fn list_parts(text: &str) -> (Vec<&str>, &str) {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0, 0);
    for (at, letter) in text.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' if depth == 0 => {
                parts.push(text[start..at].trim());
                parts.retain(|part| !part.is_empty());
                return (parts, &text[at + 1..]);
            }
            '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    panic!("a list without an end: {text}")
}

fn is_name(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}
