//! The page: facts, sizes, columns, first rows.

use super::FirstRows;
use super::escape::Escaped;
use crate::commands::stats::Summary;
use crate::dialect;
use crate::human::{bytes, count, thousands};
use crate::input::Input;
use crate::shown::cut;
use std::io::{self, Write};

const STYLE: &str = include_str!("style.css");
/// Hides the rows that do not have a text.
const SEARCH: &str = include_str!("search.js");
/// Characters of a value that is named, and of a cell.
const VALUE: usize = 32;
const CELL: usize = 200;
/// Values that are named of a column.
const TOP: usize = 8;

/// What is on the page.
pub(super) struct Page<'p> {
    pub(super) input: &'p Input,
    pub(super) columns: Vec<Summary>,
    /// Columns and their shares of the bytes, the largest first.
    pub(super) sizes: Vec<(String, f64)>,
    pub(super) rows: FirstRows,
}

impl Page<'_> {
    pub(super) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let name = Escaped(&self.input.name);
        write!(
            out,
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n\
             <title>{name}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n"
        )?;
        self.facts(out)?;
        self.sizes(out)?;
        self.columns(out)?;
        self.rows(out)?;
        write!(out, "<script>\n{SEARCH}</script>\n</body>\n</html>\n")
    }

    fn facts(&self, out: &mut impl Write) -> io::Result<()> {
        let reader = &self.input.reader;
        let (rows, columns) = (reader.row_count(), reader.columns().len() as u64);
        let format = format!("{} {}", dialect::title(reader.dialect()), reader.version().number());
        write!(
            out,
            "<header>\n<h1>{}</h1>\n<p>{format}, {}, {}, {}</p>\n\
             <nav><a href=\"#sizes\">Sizes</a> <a href=\"#columns\">Columns</a> <a href=\"#rows\">Rows</a></nav>\n</header>\n<main>\n",
            Escaped(&self.input.name),
            count(rows, "row"),
            count(columns, "column"),
            bytes(self.input.bytes),
        )
    }

    fn sizes(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(
            out,
            "<section id=\"sizes\">\n<h2>Sizes</h2>\n<div class=\"wide\">\n<table class=\"bars\">"
        )?;
        let most = self.sizes.first().map_or(1.0, |(_, share)| *share).max(f64::MIN_POSITIVE);
        for (name, share) in &self.sizes {
            let (percent, width) = (100.0 * share, 100.0 * share / most);
            writeln!(
                out,
                "<tr><th scope=\"row\">{}</th><td class=\"number\">{percent:.1}%</td>\
                 <td class=\"bar\"><span style=\"width:{width:.1}%\"></span></td></tr>",
                Escaped(name)
            )?;
        }
        writeln!(out, "</table>\n</div>\n<p>Shares of the bytes of all columns.</p>\n</section>")
    }

    fn columns(&self, out: &mut impl Write) -> io::Result<()> {
        write!(
            out,
            "<section id=\"columns\">\n<h2>Columns</h2>\n<div class=\"wide\">\n<table>\n<thead><tr><th>column</th><th>type</th>\
             <th>nulls</th><th>distinct</th><th>min</th><th>max</th><th>mean</th><th>shape</th><th>most frequent</th></tr></thead>\n<tbody>\n"
        )?;
        for column in &self.columns {
            let distinct = column.distinct.map_or(String::new(), |distinct| {
                format!("{}{}", if distinct.exact { "" } else { "~" }, thousands(distinct.count))
            });
            let value = |value: &dyn std::fmt::Display| Escaped(&cut(&value.to_string(), VALUE)).to_string();
            let bound = |bound: &Option<crate::report_value::ReportValue>| {
                bound.as_ref().map_or(String::new(), |bound| value(bound))
            };
            let top: Vec<String> = column
                .top
                .iter()
                .filter(|top| top.count > 1)
                .take(TOP)
                .map(|top| format!("{} <small>{}</small>", value(&top.value), thousands(top.count)))
                .collect();
            writeln!(
                out,
                "<tr><th scope=\"row\">{}</th><td>{}</td><td class=\"number\">{}</td><td class=\"number\">{distinct}</td>\
                 <td class=\"number\">{}</td><td class=\"number\">{}</td><td class=\"number\">{}</td><td>{}</td><td>{}</td></tr>",
                Escaped(&column.path),
                Escaped(&column.kind),
                column.share_of_nulls(),
                bound(&column.min),
                bound(&column.max),
                column.mean(false),
                column.histogram.as_ref().map_or(String::new(), |histogram| picture(&histogram.counts)),
                top.join(", "),
            )?;
        }
        writeln!(out, "</tbody>\n</table>\n</div>\n</section>")
    }

    fn rows(&self, out: &mut impl Write) -> io::Result<()> {
        let rows = &self.rows.rows;
        let shown = match rows.len() as u64 == self.input.reader.row_count() {
            true => "Rows".to_owned(),
            false => format!("First {}", count(rows.len() as u64, "row")),
        };
        write!(
            out,
            "<section id=\"rows\">\n<h2>{shown}</h2>\n<p><label>Search <input id=\"search\" type=\"search\"></label> \
             <output id=\"found\" for=\"search\"></output></p>\n<div class=\"wide\">\n<table>\n<thead><tr>"
        )?;
        for name in &self.rows.names {
            write!(out, "<th>{}</th>", Escaped(name))?;
        }
        write!(out, "</tr></thead>\n<tbody id=\"cells\">\n")?;
        for row in rows {
            write!(out, "<tr>")?;
            for cell in row {
                match cell {
                    Some(text) => write!(out, "<td>{}</td>", Escaped(&cut(text, CELL)))?,
                    None => write!(out, "<td class=\"null\">null</td>")?,
                }
            }
            writeln!(out, "</tr>")?;
        }
        write!(out, "</tbody>\n</table>\n</div>\n</section>\n</main>\n")
    }
}

/// Bars for the parts of a histogram.
fn picture(counts: &[u64]) -> String {
    let most = counts.iter().copied().max().unwrap_or(0).max(1) as f64;
    let width = 6 * counts.len();
    let bar = |(at, count): (usize, &u64)| {
        // What is there can be seen.
        let height = if *count == 0 { 0.0 } else { (24.0 * *count as f64 / most).max(1.0) };
        let (x, y) = (6 * at, 24.0 - height);
        format!(
            "<rect x=\"{x}\" y=\"{y:.1}\" width=\"5\" height=\"{height:.1}\"><title>{}</title></rect>",
            thousands(*count)
        )
    };
    let bars: String = counts.iter().enumerate().map(bar).collect();
    format!("<svg role=\"img\" aria-label=\"histogram\" width=\"{width}\" height=\"24\">{bars}</svg>")
}
