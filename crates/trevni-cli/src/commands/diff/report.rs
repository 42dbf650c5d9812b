//! Shows what differs, for people and for programs.

use super::changes::{Change, Changes, Text};
use super::schema::SchemaChange;
use super::side::Sides;
use crate::drawing::drawing;
use crate::human::{count, thousands};
use crate::output::Output;
use crate::shown::shown;
use anstyle::{AnsiColor, Style};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::io::{self, Write};

/// A line, after a mark of what has become of something.
fn line(mark: char, text: &str, out: &mut Output) -> io::Result<()> {
    let style = match mark {
        _ if !out.has_colours() => Style::new(),
        '-' => AnsiColor::Red.on_default(),
        '+' => AnsiColor::Green.on_default(),
        _ => AnsiColor::Yellow.on_default(),
    };
    let text = format!("{mark} {text}");
    out.write_styled(&format!("{style}{}{style:#}\n", shown(&text)))
}

pub(super) fn text(
    sides: &Sides,
    schema: &[SchemaChange],
    changes: &Changes,
    out: &mut Output,
) -> io::Result<()> {
    for change in schema {
        let path = &change.path;
        match (&change.before, &change.after) {
            (Some(before), Some(after)) => {
                line('~', &format!("field {path}: {before} {} {after}", drawing().arrow), out)?
            }
            (Some(before), None) => line('-', &format!("field {path}: {before}"), out)?,
            (None, Some(after)) => line('+', &format!("field {path}: {after}"), out)?,
            (None, None) => {}
        }
    }
    for change in &changes.shown {
        match change {
            Change::Removed(row, cells) => {
                line('-', &format!("row {}: {}", row + 1, object(sides, cells)), out)?;
            }
            Change::Added(row, cells) => {
                line('+', &format!("row {}: {}", row + 1, object(sides, cells)), out)?;
            }
            Change::Changed(changed) => {
                let named = sides.keys.iter().zip(&changed.key);
                let key: Vec<String> =
                    named.map(|(at, value)| format!("{}={}", name(sides, *at), value.get())).collect();
                let which = match (key.is_empty(), changed.rows) {
                    (false, _) => key.join(", "),
                    (true, (one, other)) if one == other => format!("row {}", one + 1),
                    (true, (one, other)) => format!("row {}, {}", one + 1, other + 1),
                };
                line('~', &which, out)?;
                for (at, (before, after)) in &changed.cells {
                    let text = format!(
                        "    {}: {} {} {}",
                        name(sides, *at),
                        before.get(),
                        drawing().arrow,
                        after.get()
                    );
                    writeln!(out, "{}", shown(&text))?;
                }
            }
        }
    }
    let more = changes.differing() - changes.shown.len() as u64;
    if more > 0 {
        writeln!(out, "{} {} more: -n {}", drawing().ellipsis, count(more, "row"), changes.differing())?;
    }
    let counts = [(changes.changed, "changed"), (changes.removed, "removed"), (changes.added, "added")];
    let mut facts: Vec<String> = match schema.len() {
        0 => Vec::new(),
        fields => vec![format!("{} changed", count(fields as u64, "field"))],
    };
    facts.extend([format!("{} equal", count(changes.equal, "row"))]);
    let counts = counts.iter().filter(|(count, _)| *count > 0);
    facts.extend(counts.map(|(count, what)| format!("{} {what}", thousands(*count))));
    writeln!(out, "{}", facts.join(", "))
}

/// Cells by their names.
fn named<'c>(sides: &'c Sides, cells: &'c [Text]) -> BTreeMap<&'c str, &'c Text> {
    sides.names.iter().map(String::as_str).zip(cells).collect()
}

fn name(sides: &Sides, at: usize) -> &str {
    sides.names.get(at).map_or("", String::as_str)
}

/// Cells that are not null, as an object.
fn object(sides: &Sides, cells: &[Text]) -> String {
    let named = sides.names.iter().zip(cells).filter(|(_, cell)| cell.get() != "null");
    let cells: Vec<String> = named.map(|(name, cell)| format!("{}:{}", json!(name), cell.get())).collect();
    format!("{{{}}}", cells.join(","))
}

/// `{"files", "equal", "schema": [{"path", "before", "after"}], "rows": {"equal", "changed", "removed", "added"},
/// "differences": [{"change", "row" or "rows", "key", "cells"}]}`.
pub(super) fn json(
    sides: &Sides,
    schema: &[SchemaChange],
    changes: &Changes,
    out: &mut Output,
) -> io::Result<()> {
    #[derive(serde::Serialize)]
    #[serde(untagged)]
    enum Difference<'c> {
        Row {
            change: &'static str,
            row: u64,
            cells: BTreeMap<&'c str, &'c Text>,
        },
        Rows {
            change: &'static str,
            rows: (u64, u64),
            key: BTreeMap<&'c str, &'c Text>,
            cells: BTreeMap<&'c str, &'c (Text, Text)>,
        },
    }
    let difference = |change| match change {
        &Change::Removed(row, ref own) => {
            Difference::Row { change: "removed", row, cells: named(sides, own) }
        }
        &Change::Added(row, ref own) => Difference::Row { change: "added", row, cells: named(sides, own) },
        Change::Changed(changed) => Difference::Rows {
            change: "changed",
            rows: changed.rows,
            key: sides.keys.iter().map(|at| name(sides, *at)).zip(&changed.key).collect(),
            cells: changed.cells.iter().map(|(at, values)| (name(sides, *at), values)).collect(),
        },
    };
    let field =
        |change: &SchemaChange| json!({"path": change.path, "before": change.before, "after": change.after});
    let mut report = Map::new();
    let mut add = |key: &str, value: Value| report.insert(key.to_owned(), value);
    add("files", json!([sides.before.name, sides.after.name]));
    add("equal", json!(schema.is_empty() && changes.is_none()));
    add("schema", schema.iter().map(field).collect());
    let Changes { equal, changed, removed, added, .. } = changes;
    add("rows", json!({"equal": equal, "changed": changed, "removed": removed, "added": added}));
    // Numbers of 128 bits have no place in a value.
    let head = serde_json::to_string(&report)?;
    let differences: Vec<Difference<'_>> = changes.shown.iter().map(difference).collect();
    let head = head.strip_suffix('}').unwrap_or(&head);
    writeln!(out, "{head},\"differences\":{}}}", serde_json::to_string(&differences)?)
}
