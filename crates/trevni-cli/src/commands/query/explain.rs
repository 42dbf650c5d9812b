//! What a query reads: which columns, and how much of them.

use super::Query;
use super::plan::QueryPlan;
use super::source::QueryFile;
use crate::failure::Failure;
use crate::human::{self, bytes, count, thousands};
use crate::output::Output;
use crate::shown::shown;
use serde_json::{Value, json};
use std::io::Write;

/// Prints for each file what is read of it.
pub(super) fn print(
    args: &Query,
    sources: &[QueryFile],
    plan: &QueryPlan,
    out: &mut Output,
) -> Result<(), Failure> {
    for source in sources {
        if args.json {
            writeln!(out, "{}", as_json(source, plan)?).map_err(|error| out.failed(&error))?;
            continue;
        }
        let text = explain(source, plan)?;
        let name = if sources.len() > 1 { format!("{}\n", shown(&source.name)) } else { String::new() };
        write!(out, "{name}{text}").map_err(|error| out.failed(&error))?;
    }
    Ok(())
}

/// The same as an object. What is computed of a condition leaves fewer rows than match what zone maps tell of it.
fn as_json(source: &QueryFile, plan: &QueryPlan) -> Result<Value, Failure> {
    let explain = source.reader.explain().map_err(|error| source.failed(&error))?;
    let column = |column: &trevni::reader::ExplainColumn| {
        json!({
            "name": column.name,
            "condition": column.predicate,
            "blocks": column.blocks,
            "blocks_read": column.blocks_read,
            "bytes": column.bytes,
            "bytes_read": column.bytes_read,
        })
    };
    let columns: Vec<Value> = explain.columns.iter().map(column).collect();
    Ok(json!({
        "file": source.name,
        "file_bytes": source.bytes,
        "file_columns": source.reader.columns().len(),
        "condition": plan.condition.as_ref().map(|condition| condition.text()),
        "computed": source.computes(),
        "rows": explain.rows,
        "candidates": explain.candidates,
        "matching": explain.matching,
        "columns": columns,
    }))
}

fn explain(source: &QueryFile, plan: &QueryPlan) -> Result<String, Failure> {
    let explain = source.reader.explain().map_err(|error| source.failed(&error))?;
    let all = source.reader.columns().len();
    let column = |column: &trevni::reader::ExplainColumn| {
        format!("{} {}", shown(&column.name), bytes(column.bytes_read))
    };
    let columns: Vec<String> = explain.columns.iter().map(column).collect();
    let share = match explain.bytes_read() as f64 * 100.0 / source.bytes.max(1) as f64 {
        share if share < 1.0 => "less than 1".to_owned(),
        share => format!("{share:.0}"),
    };
    let mut text = match columns.len() {
        0 => format!("reads none of {}\n", human::count(all as u64, "column")),
        count => {
            let all = human::count(all as u64, "column");
            format!("reads {count} of {all}: {} ({share} % of the file)\n", columns.join(", "))
        }
    };
    let blocks: usize = explain.columns.iter().map(|column| column.blocks).sum();
    let skipped = match explain.blocks_skipped() {
        0 => "none skipped".to_owned(),
        count => format!("{} skipped ({})", thousands(count as u64), bytes(explain.bytes_skipped())),
    };
    text += &format!("blocks: {}, {skipped}", thousands(blocks as u64));
    if let Some(condition) = &plan.condition {
        let (may, rows) = (thousands(explain.candidates), count(explain.rows, "row"));
        let found = thousands(explain.matching);
        text += &format!(": {} may hold in {may} of {rows}", shown(condition.text()));
        text += &match source.computes() {
            true => format!(", and is computed for {found}"),
            false => format!(", and holds in {found}"),
        };
    }
    text.push('\n');
    Ok(text)
}
