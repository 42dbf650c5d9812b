//! What went wrong, for humans: categories of failures, and a case as source with its rows.

use crate::checks::{Case, Failure};
use crate::render;
use crate::serialize::Typed;
use std::fmt::Write;

/// Failures of one cause, more or less: the check, and its message without names and numbers.
pub fn category(failure: &Failure) -> String {
    let line = failure.message.lines().next().unwrap_or_default();
    let mut text = String::new();
    let mut quote = None;
    for letter in line.chars() {
        match (quote, letter) {
            (Some(end), letter) => {
                if letter == end {
                    text.push('…');
                    text.push(letter);
                    quote = None;
                }
            }
            (None, '"' | '`') => {
                text.push(letter);
                quote = Some(letter);
            }
            (None, '0'..='9') if text.ends_with('#') => {}
            (None, '0'..='9') => text.push('#'),
            _ => text.push(letter),
        }
    }
    // What the place is called, what values there are and what was expected is of one type only.
    match text.split_once(" is ") {
        Some(("wrong data: row #", _)) => text = "wrong data".to_owned(),
        Some((_, parts)) if parts.contains(" here, ") => text = "a place is of another kind here".to_owned(),
        _ => text.truncate(text.find(", expected").unwrap_or(text.len())),
    }
    format!("{}: {text}", failure.check)
}

/// The type as source and the rows.
pub fn describe_type(case: &Case) -> String {
    let mut text = render::graph(case.graph);
    let _ = writeln!(text, "// {} rows:", case.rows.len());
    for value in case.rows.iter().take(8) {
        let row = Typed { graph: case.graph, ty: &case.graph.row, value };
        let _ = match serde_json::to_string(&row) {
            Ok(json) => writeln!(text, "//   {json}    {value:?}"),
            Err(_) => writeln!(text, "//   {value:?}"),
        };
    }
    text
}

/// The same, with the failure.
pub fn describe(case: &Case, failure: &Failure) -> String {
    let mut text = describe_type(case);
    for line in format!("{} failed: {}", failure.check, failure.message).lines() {
        let _ = writeln!(text, "// {line}");
    }
    text
}
