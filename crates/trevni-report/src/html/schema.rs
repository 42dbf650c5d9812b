//! The schema as a tree that opens and closes.

use super::super::schema::tree::{Branch, below};
use super::escape::name;
use crate::ends::Ends;
use crate::human::{count, thousands};
use crate::type_name::{short_type_name, type_name};
use std::io::{self, Write};
use trevni::Shape;

/// Fields that are shown of a record, from the front and from the back.
const FRONT: usize = 300;
const BACK: usize = 30;
/// Fields that are shown in all.
const MOST: usize = 1500;
/// Fields up to which all is open.
const OPEN: usize = 80;

pub(super) fn write(shape: &Shape, out: &mut impl Write) -> io::Result<()> {
    let fields = below(shape);
    writeln!(out, "<section aria-labelledby=\"schema\">\n<h2 id=\"schema\">Schema</h2>")?;
    if !matches!(shape, Shape::Record(_)) {
        writeln!(out, "<p>Each row is {}.</p>", name(&type_name(shape)))?;
    }
    let all = number(&fields);
    if all > fields.len() {
        let (outer, all) = (count(fields.len() as u64, "field"), thousands(all as u64));
        writeln!(out, "<p>{outer}, {all} with those inside.</p>")?;
    }
    let mut tree = Tree { out, left: MOST, open: all <= OPEN };
    tree.fields(&fields, "tree")?;
    writeln!(out, "</section>")
}

/// Fields, and those inside.
fn number(fields: &[Branch<'_>]) -> usize {
    fields.iter().map(|field| 1 + number(&below(field.shape))).sum()
}

struct Tree<'o, W> {
    out: &'o mut W,
    /// Fields that may still be shown.
    left: usize,
    open: bool,
}

impl<W: Write> Tree<'_, W> {
    fn fields(&mut self, fields: &[Branch<'_>], class: &str) -> io::Result<()> {
        if fields.is_empty() {
            return Ok(());
        }
        let front = FRONT.min(self.left.max(1));
        let ends = Ends::of(fields.len(), front, BACK.min(front - 1));
        self.left = self.left.saturating_sub(fields.len() - ends.hidden());
        writeln!(self.out, "<ul class=\"{class}\">")?;
        for place in ends.places() {
            match place.and_then(|place| fields.get(place)) {
                Some(field) => self.field(field)?,
                None => {
                    writeln!(self.out, "<li class=\"more\">{}</li>", ends.more("fields").unwrap_or_default())?
                }
            }
        }
        writeln!(self.out, "</ul>")
    }

    fn field(&mut self, field: &Branch<'_>) -> io::Result<()> {
        let stored =
            stored(field.shape).map_or(String::new(), |stored| format!(" <small>stored as {stored}</small>"));
        let line = format!(
            "<b>{}</b> <span class=\"type\">{}</span>{stored}",
            name(&field.name),
            name(&field.kind())
        );
        let inner = below(field.shape);
        if inner.is_empty() {
            return writeln!(self.out, "<li>{line}</li>");
        }
        let open = if self.open { " open" } else { "" };
        let fields = count(inner.len() as u64, "field");
        writeln!(self.out, "<li><details{open}><summary>{line} <small>{fields}</small></summary>")?;
        self.fields(&inner, "")?;
        writeln!(self.out, "</details></li>")
    }
}

/// How values of a logical type are stored.
fn stored(shape: &Shape) -> Option<String> {
    match shape {
        Shape::Optional(optional) => stored(&optional.item),
        Shape::List(item) => stored(item),
        Shape::Logical(logical) if logical.logical.storage().is_some() => {
            Some(short_type_name(&logical.storage))
        }
        _ => None,
    }
}
