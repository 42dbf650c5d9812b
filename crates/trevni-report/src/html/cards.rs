//! The values of each field: a card with nulls, different values, histogram or frequent values, and their order along the
//! rows.

use super::super::stats::{Order, Percentile, Summary};
use super::escape::{Escaped, breaking_name, name};
use super::picture;
use crate::ends::Ends;
use crate::human::{count, short, thousands};
use crate::report_value::ReportValue;
use crate::shown::cut;
use std::io::{self, Write};

/// Cards from the front and from the back.
const FRONT: usize = 120;
const BACK: usize = 30;
/// Characters of a value.
const VALUE: usize = 40;
/// Cards from which on there is a search.
const MANY: usize = 8;

pub(super) fn write(columns: &[Summary], out: &mut impl Write) -> io::Result<()> {
    let ends = Ends::of(columns.len(), FRONT, BACK);
    write!(
        out,
        "<section aria-labelledby=\"columns\">\n<h2 id=\"columns\">Columns</h2>\n\
         <p class=\"note\">Bars count values from the least to the greatest. The box below is the rows from first to last: dark is the range of \
         values in each 64th of the rows, light the range that zone maps give for blocks. Values that rise with the rows are a thin line, \
         mixed ones fill the box.</p>\n"
    )?;
    if columns.len() > MANY {
        writeln!(
            out,
            "<p class=\"search\" hidden><label>Find a column <input type=\"search\" data-in=\"cards\"></label> <output></output></p>"
        )?;
    }
    writeln!(out, "<div class=\"cards\" id=\"cards\">")?;
    for place in ends.places() {
        match place.and_then(|place| columns.get(place)) {
            Some(column) => card(column, out)?,
            None => {
                let more = ends.more("columns").unwrap_or_default();
                writeln!(out, "<p class=\"card more\">{more}; to see them: trevni report -c</p>")?;
            }
        }
    }
    writeln!(out, "</div>\n</section>")
}

fn card(column: &Summary, out: &mut impl Write) -> io::Result<()> {
    let lengths = if column.lengths { ", lengths" } else { "" };
    writeln!(
        out,
        "<article class=\"card\">\n<h3>{}</h3>\n<p class=\"type\">{}{lengths}</p>",
        breaking_name(&column.path),
        name(&column.kind)
    )?;
    facts(column, out)?;
    if let Some(histogram) = &column.histogram {
        writeln!(out, "{}", picture::histogram(histogram))?;
    }
    if let (Some(min), Some(max)) = (&column.min, &column.max) {
        writeln!(out, "<p class=\"ends\"><span>{}</span><span>{}</span></p>", value(min), value(max))?;
    }
    percentiles(column, out)?;
    if let Some(spread) = column.spread.as_ref().filter(|spread| spread.order != Order::Constant) {
        let word = picture::order(spread.order);
        writeln!(out, "{}\n<p class=\"order\">{word} along the rows</p>", picture::spread(spread))?;
    }
    frequent(column, out)?;
    writeln!(out, "</article>")
}

/// Nulls, different values, mean.
fn facts(column: &Summary, out: &mut impl Write) -> io::Result<()> {
    let mut facts = vec![("nulls", column.share_of_nulls())];
    if let Some(distinct) = column.distinct {
        let mark = if distinct.exact { "" } else { "~" };
        facts.push(("distinct", format!("{mark}{}", thousands(distinct.count))));
    }
    let mean = column.mean(false);
    if column.mean.is_some() && !mean.is_empty() {
        facts.push(("mean", mean));
    }
    if let Some(deviation) = column.deviation {
        facts.push(("deviation", short(deviation)));
    }
    if let Some(nan) = column.nan.filter(|nan| *nan > 0) {
        facts.push(("NaN", thousands(nan)));
    }
    if let Some(empty) = column.empty.filter(|empty| *empty > 0) {
        facts.push(("empty", thousands(empty)));
    }
    write!(out, "<dl>")?;
    for (title, text) in facts {
        write!(out, "<div><dt>{title}</dt><dd>{}</dd></div>", Escaped(&text))?;
    }
    writeln!(out, "</dl>")?;
    let (nulls, entries) = (column.nulls.unwrap_or(0), column.entries.unwrap_or(0));
    match nulls > 0 {
        // What is there can be seen.
        true => {
            let width = (100.0 * nulls as f64 / entries.max(1) as f64).max(0.5);
            writeln!(out, "<div class=\"nulls\"><span style=\"width:{width:.1}%\"></span></div>")
        }
        false => Ok(()),
    }
}

/// The values up to which parts of all values are.
fn percentiles(column: &Summary, out: &mut impl Write) -> io::Result<()> {
    if column.percentiles.is_empty() {
        return Ok(());
    }
    write!(out, "<dl class=\"percentiles\">")?;
    for Percentile { percent, value: own } in &column.percentiles {
        write!(out, "<div><dt>{percent}%</dt><dd>{}</dd></div>", value(own))?;
    }
    writeln!(out, "</dl>")
}

/// The most frequent values, with bars.
fn frequent(column: &Summary, out: &mut impl Write) -> io::Result<()> {
    let there = column.entries.unwrap_or(0).saturating_sub(column.nulls.unwrap_or(0));
    let exact = column.distinct.filter(|distinct| distinct.exact);
    if there > 1 && exact.is_some_and(|distinct| distinct.count == there) {
        return writeln!(out, "<p class=\"order\">all {} are different</p>", count(there, "value"));
    }
    let top: Vec<_> = column.top.iter().filter(|top| top.count > 1).collect();
    if top.is_empty() {
        return Ok(());
    }
    writeln!(out, "<ol class=\"top\">")?;
    for top in &top {
        let width = 100.0 * top.count as f64 / there.max(1) as f64;
        writeln!(
            out,
            "<li><i style=\"width:{width:.1}%\"></i><span>{} <small>{}</small></span></li>",
            value(&top.value),
            thousands(top.count)
        )?;
    }
    writeln!(out, "</ol>")
}

/// A value that is not too long; quotes where there would be nothing to see.
fn value(value: &ReportValue) -> String {
    if let ReportValue::Double(number) = value {
        return short(*number);
    }
    match value.to_string() {
        blank if blank.trim().is_empty() => Escaped(&format!("{:?}", cut(&blank, VALUE))).to_string(),
        text => Escaped(&cut(&text, VALUE)).to_string(),
    }
}
