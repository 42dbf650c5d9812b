//! The page: head, sections in order, foot.

use super::super::size::ColumnSize;
use super::super::stats::Summary;
use super::escape::name;
use super::facts::Facts;
use super::first_rows::FirstRows;
use super::{cards, glance, schema, sizes};
use std::io::{self, Write};
use trevni::Shape;

const STYLE: &str = include_str!("style.css");
/// Hides what does not have the text that is searched for.
const SEARCH: &str = include_str!("search.js");

/// What is on the page.
pub(super) struct Page<'p> {
    pub(super) name: &'p str,
    pub(super) facts: Facts,
    pub(super) shape: &'p Shape,
    /// The columns, in the order of the file.
    pub(super) sizes: Vec<ColumnSize>,
    /// The values of fields.
    pub(super) columns: Vec<Summary>,
    pub(super) rows: FirstRows,
}

impl Page<'_> {
    pub(super) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        self.head(out)?;
        glance::write(&self.columns, self.facts.rows, out)?;
        schema::write(self.shape, out)?;
        sizes::write(&self.sizes, out)?;
        cards::write(&self.columns, out)?;
        self.rows.write(out)?;
        write!(
            out,
            "</main>\n<footer>Made by trevni {}. This page is one file and needs no network.</footer>\n\
             <script>\n{SEARCH}</script>\n</body>\n</html>\n",
            env!("CARGO_PKG_VERSION"),
        )
    }

    fn head(&self, out: &mut impl Write) -> io::Result<()> {
        let (name, line) = (name(self.name), name(&self.facts.line()));
        write!(
            out,
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n\
             <meta name=\"description\" content=\"{line}\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n\
             <title>{name}</title>\n<style>\n{STYLE}{}</style>\n</head>\n<body>\n\
             <a class=\"skip\" href=\"#main\">Skip to the content</a>\n<header>\n<h1>{name}</h1>\n",
            self.rows.style(),
        )?;
        self.facts.write(out)?;
        writeln!(
            out,
            "<nav aria-label=\"Sections\"><a href=\"#schema\">Schema</a> <a href=\"#sizes\">Sizes</a> \
             <a href=\"#columns\">Columns</a> <a href=\"#rows\">Rows</a></nav>\n</header>\n<main id=\"main\" tabindex=\"-1\">"
        )
    }
}
