//! What is notable of the columns, before each is looked at.

use super::super::stats::{Order, Summary};
use super::escape::{Escaped, breaking_name};
use crate::human::thousands;
use crate::shown::cut;
use std::io::{self, Write};

/// Columns that are named of each kind.
const NAMED: usize = 6;
/// Characters of a value.
const VALUE: usize = 24;

pub(super) fn write(columns: &[Summary], rows: u64, out: &mut impl Write) -> io::Result<()> {
    let plain = |column: &Summary| breaking_name(&column.path);
    let kinds = [
        named("Always null", columns, is_null, plain),
        named("Mostly null", columns, is_mostly_null, |column| {
            format!("{} <small>{}</small>", breaking_name(&column.path), Escaped(&column.share_of_nulls()))
        }),
        named(
            "One value",
            columns,
            |column| is_constant(column, rows),
            |column| {
                let value = column.min.as_ref().map_or(String::new(), |value| cut(&value.to_string(), VALUE));
                format!("{} <small>{}</small>", breaking_name(&column.path), Escaped(&value))
            },
        ),
        named("All different", columns, |column| is_unique(column, rows), plain),
        named("Ascending", columns, |column| has_order(column, rows, Order::Ascending), plain),
        named("Descending", columns, |column| has_order(column, rows, Order::Descending), plain),
        named("Clustered", columns, |column| has_order(column, rows, Order::Clustered), plain),
    ];
    if kinds.iter().all(Option::is_none) {
        return Ok(());
    }
    writeln!(
        out,
        "<section aria-labelledby=\"glance\">\n<h2 id=\"glance\">At a glance</h2>\n<dl class=\"glance\">"
    )?;
    for kind in kinds.into_iter().flatten() {
        writeln!(out, "{kind}")?;
    }
    writeln!(out, "</dl>\n</section>")
}

/// A line that names the columns of a kind; `None` where there are none.
fn named(
    title: &str,
    columns: &[Summary],
    is: impl Fn(&Summary) -> bool,
    show: impl Fn(&Summary) -> String,
) -> Option<String> {
    let found: Vec<&Summary> = columns.iter().filter(|column| is(column)).collect();
    let shown: Vec<String> =
        found.iter().take(NAMED).map(|column| format!("<span>{}</span>", show(column))).collect();
    let more = match found.len() - shown.len() {
        0 => String::new(),
        more => format!(" <span>and {} more</span>", thousands(more as u64)),
    };
    let number = thousands(found.len() as u64);
    let line = format!("<div><dt>{title} <b>{number}</b></dt><dd>{}{more}</dd></div>", shown.join(" "));
    (!found.is_empty()).then_some(line)
}

/// Values that are there.
fn values(column: &Summary) -> Option<u64> {
    column.entries?.checked_sub(column.nulls?)
}

fn is_null(column: &Summary) -> bool {
    column.entries.is_some_and(|entries| entries > 0) && values(column) == Some(0)
}

fn is_mostly_null(column: &Summary) -> bool {
    let entries = column.entries.unwrap_or_default();
    values(column).is_some_and(|values| values > 0 && values < entries / 2)
}

/// Whether there are enough values that what they have in common tells something.
fn is_filled(column: &Summary, rows: u64) -> bool {
    values(column).is_some_and(|values| values > 1 && values >= rows / 2)
}

fn is_constant(column: &Summary, rows: u64) -> bool {
    let only = column.distinct.is_some_and(|distinct| distinct.exact && distinct.count == 1);
    only && is_filled(column, rows) && column.nan.unwrap_or_default() == 0
}

fn is_unique(column: &Summary, rows: u64) -> bool {
    let all = |count| Some(count) == values(column);
    is_filled(column, rows) && column.distinct.is_some_and(|distinct| distinct.exact && all(distinct.count))
}

fn has_order(column: &Summary, rows: u64, order: Order) -> bool {
    let has = column.spread.as_ref().is_some_and(|spread| spread.order == order);
    has && is_filled(column, rows) && !column.lengths
}
