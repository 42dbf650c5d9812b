//! What the bytes are for: a treemap of fields and their columns, and a table of the same numbers.

use super::super::size::{ColumnSize, Kind};
use super::escape::name;
use super::parts::Part;
use super::treemap::{Tile, tiles};
use crate::human::{bytes, thousands};
use std::io::{self, Write};

/// Columns that have a tile, and that have a line.
const TILES: usize = 150;
const LINES: usize = 100;
/// Lines up to which the table is open.
const OPEN: usize = 12;
/// The width of the treemap by its height.
const RATIO: f64 = 2.4;

const KINDS: [(Kind, &str, &str); 5] = [
    (Kind::Text, "text", "text"),
    (Kind::Integer, "whole", "whole numbers"),
    (Kind::Float, "float", "floats"),
    (Kind::Other, "other", "booleans and bytes"),
    (Kind::Lengths, "lengths", "lengths and nulls"),
];

fn class(kind: Kind) -> &'static str {
    KINDS.iter().find(|known| known.0 == kind).map_or("", |known| known.1)
}

pub(super) fn write(columns: &[ColumnSize], out: &mut impl Write) -> io::Result<()> {
    let mut sizes =
        Sizes { all: columns.iter().map(|column| column.stored).sum(), columns: columns.iter().collect() };
    sizes.columns.sort_by_key(|column| std::cmp::Reverse(column.stored));
    writeln!(out, "<section aria-labelledby=\"sizes\">\n<h2 id=\"sizes\">Sizes</h2>")?;
    if sizes.all > 0 {
        sizes.treemap(out)?;
    }
    sizes.table(out)?;
    writeln!(out, "</section>")
}

struct Sizes<'c> {
    /// Bytes of all columns.
    all: u64,
    /// The largest first.
    columns: Vec<&'c ColumnSize>,
}

impl Sizes<'_> {
    fn share(&self, bytes: u64) -> f64 {
        bytes as f64 / self.all.max(1) as f64
    }

    /// A number of bytes and its share.
    fn text(&self, size: u64) -> String {
        format!("{}, {:.1}%", bytes(size), 100.0 * self.share(size))
    }

    fn treemap(&self, out: &mut impl Write) -> io::Result<()> {
        let shown = self.columns.get(..TILES).unwrap_or(&self.columns);
        let rest = self.columns.get(TILES..).unwrap_or_default().iter().filter(|column| column.stored > 0);
        let (rest, rest_bytes) =
            rest.fold((0, 0), |(count, bytes), column| (count + 1, bytes + column.stored));
        let parts = Part::fields(shown);
        let mut areas: Vec<f64> = parts.iter().map(|part| part.bytes as f64).collect();
        areas.extend(Some(rest_bytes as f64).filter(|_| rest > 0));
        let places = tiles(&areas, RATIO);
        writeln!(
            out,
            "<div class=\"treemap\" role=\"img\" aria-label=\"The bytes of fields and their columns as areas; the table of \
             sizes has the numbers\">"
        )?;
        for (part, place) in parts.iter().zip(&places) {
            self.part(part, "", place, RATIO, out)?;
        }
        if let Some(place) = places.get(parts.len()) {
            let more = format!("{} more", thousands(rest));
            self.tile([&more, &more], "lengths", rest_bytes, place, out)?;
        }
        writeln!(out, "</div>\n<ul class=\"legend\">")?;
        for (kind, class, title) in KINDS {
            let of_kind = self.columns.iter().filter(|column| column.kind == kind);
            let bytes: u64 = of_kind.map(|column| column.stored).sum();
            if bytes > 0 {
                writeln!(
                    out,
                    "<li><i class=\"{class}\"></i>{title} <small>{}</small></li>",
                    self.text(bytes)
                )?;
            }
        }
        writeln!(out, "</ul>")
    }

    /// A field with the parts inside, or a column. `around` is the path of what it is in, which labels do not repeat.
    fn part(
        &self,
        part: &Part<'_>,
        around: &str,
        place: &Tile,
        ratio: f64,
        out: &mut impl Write,
    ) -> io::Result<()> {
        let within =
            |path: &str| match path.strip_prefix(around).map(|rest| rest.trim_start_matches(['.', '/'])) {
                Some("[]") => "lengths".to_owned(),
                Some("?") => "nulls".to_owned(),
                rest => rest.filter(|rest| !rest.is_empty()).unwrap_or(path).to_owned(),
            };
        if let [column] = part.columns[..] {
            return self.tile(
                [&within(&column.name), &column.name],
                class(column.kind),
                column.stored,
                place,
                out,
            );
        }
        let (title, label) = (name(&part.path), name(&within(&part.path)));
        writeln!(
            out,
            "<div class=\"group\"{} title=\"{title}: {}\"><b>{label}</b><div>",
            style(place),
            self.text(part.bytes)
        )?;
        let parts = part.inner();
        let areas: Vec<f64> = parts.iter().map(|part| part.bytes as f64).collect();
        let ratio = (ratio * place.width / place.height.max(f64::MIN_POSITIVE)).clamp(0.01, 100.0);
        for (inner, place) in parts.iter().zip(&tiles(&areas, ratio)) {
            self.part(inner, &part.path, place, ratio, out)?;
        }
        writeln!(out, "</div></div>")
    }

    /// A column, with its label and its name.
    fn tile(
        &self,
        [label, title]: [&str; 2],
        class: &str,
        bytes: u64,
        place: &Tile,
        out: &mut impl Write,
    ) -> io::Result<()> {
        let (text, share) = (self.text(bytes), 100.0 * self.share(bytes));
        let (label, title, place) = (name(label), name(title), style(place));
        writeln!(
            out,
            "<div class=\"tile {class}\"{place} title=\"{title}: {text}\"><b>{label}</b><span>{share:.1}%</span></div>"
        )
    }

    fn table(&self, out: &mut impl Write) -> io::Result<()> {
        let open = if self.columns.len() <= OPEN { " open" } else { "" };
        write!(
            out,
            "<details{open}>\n<summary>Table of sizes</summary>\n<div class=\"wide\" role=\"region\" aria-label=\"Table of sizes\" tabindex=\"0\">\n\
             <table class=\"bars\">\n<thead><tr><th scope=\"col\">Column</th><th scope=\"col\" class=\"number\">Bytes</th>\
             <th scope=\"col\" class=\"number\">Share</th><th scope=\"col\" class=\"number\">Ratio</th>\
             <th scope=\"col\">Codec</th><td></td></tr></thead>\n<tbody>\n"
        )?;
        let most = self.columns.first().map_or(1, |column| column.stored).max(1) as f64;
        for column in self.columns.iter().take(LINES) {
            let ratio = match column.stored {
                0 => "–".to_owned(),
                stored => format!("{:.2}×", column.size as f64 / stored as f64),
            };
            writeln!(
                out,
                "<tr><th scope=\"row\">{}</th><td class=\"number\">{}</td><td class=\"number\">{:.1}%</td>\
                 <td class=\"number\">{ratio}</td><td>{}</td><td class=\"bar\"><span style=\"width:{:.1}%\"></span></td></tr>",
                name(&column.name),
                bytes(column.stored),
                100.0 * self.share(column.stored),
                name(&column.codec),
                100.0 * column.stored as f64 / most,
            )?;
        }
        let rest = self.columns.get(LINES..).unwrap_or_default();
        if !rest.is_empty() {
            let size = rest.iter().map(|column| column.stored).sum();
            let (more, share) = (thousands(rest.len() as u64), 100.0 * self.share(size));
            writeln!(
                out,
                "<tr><th scope=\"row\">… {more} more</th><td class=\"number\">{}</td><td class=\"number\">{share:.1}%</td>\
                 <td></td><td></td><td></td></tr>",
                bytes(size),
            )?;
        }
        writeln!(out, "</tbody>\n</table>\n</div>\n</details>")
    }
}

/// The place of a tile, in percent; a narrow page turns the picture by its diagonal.
fn style(tile: &Tile) -> String {
    let Tile { left, top, width, height } = tile;
    format!(" style=\"--x:{left:.2}%;--y:{top:.2}%;--w:{width:.2}%;--h:{height:.2}%\"")
}
