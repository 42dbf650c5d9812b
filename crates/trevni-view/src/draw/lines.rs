//! What is over the table, line by line: help, a row as a tree, statistics.

use super::{Paint, put, put_right};
use crate::drawing::{bar, drawing};
use crate::human::{short, thousands};
use crate::shown::shown;
use crate::tree::{NodeKind, Tree};
use ratatui::buffer::Buffer;
use ratatui::style::Style;
use trevni_report::stats::Summary;
use unicode_width::UnicodeWidthStr;

/// What keys do.
const HELP: &[(&str, &str)] = &[
    ("arrows h j k l", "move"),
    ("PgUp PgDn b Space", "a screen up, down"),
    ("g G", "first, last row"),
    ("Home End", "first, last column"),
    (": or digits", "go to a row by number, from 1"),
    ("/", "search in the columns that are shown"),
    ("n N", "next, previous cell that has the text"),
    ("f", "filter, such as: dep_delay > 60 and carrier = 'AA'"),
    ("Tab", "complete a column in the filter"),
    ("s", "sort by the column: up, down, not"),
    ("-  +", "hide the column, show all"),
    ("Enter", "the row, field by field"),
    ("v", "the whole cell"),
    ("i", "statistics of the column"),
    ("c", "count the values of the column"),
    ("z", "freeze the columns up to here"),
    ("y", "copy the cell"),
    ("w", "write the rows shown to a file"),
    ("Esc", "cancel, or back"),
    ("q", "quit"),
    ("mouse", "the wheel scrolls, a click on a name sorts"),
];

/// Draws a title and lines from the first that is on the screen on.
fn each<L>(
    buffer: &mut Buffer,
    title: &str,
    top: usize,
    lines: &[L],
    paint: &Paint,
    draw: impl Fn(&mut Buffer, u16, &L),
) {
    put(buffer, 0, 0, buffer.area.width, title, paint.header);
    let height = usize::from(buffer.area.height.saturating_sub(2));
    let top = top.min(lines.len().saturating_sub(height));
    for (y, line) in lines.iter().skip(top).take(height).enumerate() {
        draw(buffer, y as u16 + 1, line);
    }
}

pub(super) fn help(buffer: &mut Buffer, top: usize, paint: &Paint) {
    let width = buffer.area.width;
    let keys = if width < 50 { 9 } else { 19 };
    each(buffer, "Keys", top, HELP, paint, |buffer, y, (key, what)| {
        put(buffer, 0, y, keys, key, paint.number);
        put(buffer, keys + 1, y, width.saturating_sub(keys + 1), what, Style::new());
    });
}

pub(super) fn tree(buffer: &mut Buffer, tree: &Tree, paint: &Paint) {
    let lines = tree.lines();
    let width = buffer.area.width;
    let left = |depth: usize, name: &str| 2 * depth + 2 + name.width();
    let widest = lines.iter().map(|(_, node)| left(node.depth, &node.name)).max().unwrap_or(0);
    let names = widest.min(usize::from(width) / 2) as u16;
    let numbered: Vec<_> = lines.iter().enumerate().collect();
    each(buffer, &tree.title, tree.top, &numbered, paint, |buffer, y, (line, (number, node))| {
        let indent = (2 * node.depth.min(20)) as u16;
        let folds = drawing().folds[usize::from(!tree.is_folded(*number))];
        if node.kind == NodeKind::Nested {
            put(buffer, indent, y, 1, folds, paint.aside);
        }
        let style = if *line == tree.line { paint.header.patch(paint.cursor) } else { paint.header };
        put(buffer, indent + 2, y, names.saturating_sub(indent + 2).max(4), &node.name, style);
        let style = match node.kind {
            NodeKind::Number => paint.number,
            NodeKind::Text => Style::new(),
            NodeKind::Null | NodeKind::Nested | NodeKind::More => paint.aside,
        };
        let x = names.max(indent + 6) + 2;
        put(buffer, x, y, width.saturating_sub(x), &node.text, style);
    });
}

/// A line of statistics: what it is, the value, and a share that has a bar.
struct Fact {
    name: String,
    value: String,
    share: Option<f64>,
    is_title: bool,
}

pub(super) fn statistics(buffer: &mut Buffer, name: &str, summaries: &[Summary], top: usize, paint: &Paint) {
    let facts: Vec<Fact> = summaries.iter().flat_map(|summary| facts(summary, summaries.len() > 1)).collect();
    let width = buffer.area.width;
    if facts.is_empty() {
        put(buffer, 0, 1, width, "no rows", paint.aside);
    }
    let widest = |of: fn(&Fact) -> &str, most: u16| {
        let widths = facts.iter().filter(|fact| !fact.is_title).map(|fact| of(fact).width());
        (widths.max().unwrap_or(0) as u16).min(most)
    };
    let names = widest(|fact| &fact.name, width / 2);
    let bars = facts.iter().any(|fact| fact.share.is_some());
    let values = widest(|fact| &fact.value, if bars { width / 4 } else { width });
    let title = format!("{name}: statistics of the rows shown");
    each(buffer, &title, top, &facts, paint, |buffer, y, fact| {
        if fact.is_title {
            return put(buffer, 0, y, width, &fact.name, paint.header);
        }
        put(buffer, 0, y, names, &fact.name, paint.aside);
        match fact.share {
            Some(share) => {
                put_right(buffer, names + 2, y, values, &fact.value, Style::new());
                let x = names + values + 4;
                let room = width.saturating_sub(x).min(50);
                put(buffer, x, y, room, &bar(share, room.into()), paint.bar);
            }
            None => put(buffer, names + 2, y, width.saturating_sub(names + 2), &fact.value, Style::new()),
        }
    });
}

/// How often values occur, each with a bar.
pub(super) fn frequent(
    buffer: &mut Buffer,
    title: &str,
    counts: &[(String, u64)],
    top: usize,
    paint: &Paint,
) {
    let width = buffer.area.width;
    let most = counts.first().map_or(1, |(_, count)| *count).max(1) as f64;
    let names = counts.iter().map(|(name, _)| name.width()).max().unwrap_or(0) as u16;
    let names = names.min(width / 2);
    let numbers = thousands(most as u64).width() as u16;
    each(buffer, title, top, counts, paint, |buffer, y, (name, count)| {
        put(buffer, 0, y, names, name, Style::new());
        put_right(buffer, names + 2, y, numbers, &thousands(*count), paint.number);
        let x = names + numbers + 4;
        let room = width.saturating_sub(x).min(50);
        put(buffer, x, y, room, &bar(*count as f64 / most, room.into()), paint.bar);
    });
}

fn facts(summary: &Summary, has_title: bool) -> Vec<Fact> {
    let mut facts = Vec::new();
    let fact =
        |name: &str, value: String| Fact { name: name.to_owned(), value, share: None, is_title: false };
    if has_title {
        let name = format!("{}  {}", shown(&summary.path), shown(&summary.kind));
        facts.push(Fact { is_title: true, ..fact(&name, String::new()) });
    } else {
        facts.push(fact("type", shown(&summary.kind).into_owned()));
    }
    let values = if summary.lengths { "lists" } else { "values" };
    facts.extend(summary.entries.map(|entries| fact(values, thousands(entries))));
    facts.extend(
        summary
            .nulls
            .map(|nulls| fact("nulls", format!("{} ({})", thousands(nulls), summary.share_of_nulls()))),
    );
    facts.extend(summary.nan.filter(|nan| *nan > 0).map(|nan| fact("NaN", thousands(nan))));
    facts.extend(summary.distinct.map(|distinct| {
        fact("distinct", format!("{}{}", if distinct.exact { "" } else { "~" }, thousands(distinct.count)))
    }));
    let of = if summary.lengths { " items" } else { "" };
    let bounds = [("min", &summary.min), ("max", &summary.max)];
    facts.extend(bounds.into_iter().filter_map(|(name, bound)| {
        bound.as_ref().map(|bound| fact(name, format!("{}{of}", shown(&bound.to_string()))))
    }));
    facts.extend(summary.mean.map(|mean| fact("mean", format!("{}{of}", short(mean)))));
    let bars = |counts: Vec<(String, u64)>| {
        let most = counts.iter().map(|(_, count)| *count).max().unwrap_or(0).max(1) as f64;
        let bar = move |(name, count): (String, u64)| {
            let share = Some(count as f64 / most);
            Fact { name, value: thousands(count), share, is_title: false }
        };
        counts.into_iter().map(bar)
    };
    if let Some(histogram) = &summary.histogram {
        let name = if histogram.is_sampled() { "histogram of a sample" } else { "histogram, from" };
        facts.push(fact(name, String::new()));
        facts.extend(bars(histogram.labels().into_iter().zip(histogram.counts.iter().copied()).collect()));
    }
    if !summary.top.is_empty() {
        facts.push(fact("most frequent", String::new()));
        let top = summary.top.iter().map(|top| (shown(&top.value.to_string()).into_owned(), top.count));
        facts.extend(bars(top.collect()));
    }
    facts
}
