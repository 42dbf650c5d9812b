//! What is said of the file as a whole.

use super::super::size::ColumnSize;
use super::escape::{Escaped, name};
use crate::dialect;
use crate::human::{bytes, count, thousands};
use crate::input::Opened;
use crate::shown::cut;
use std::fs::Metadata;
use std::io::{self, Write};
use std::time::UNIX_EPOCH;
use trevni::formats::TrevniInfo;
use trevni_query::{Moment, MomentKind};

/// The file as a whole.
pub(super) struct Facts {
    format: String,
    pub(super) rows: u64,
    columns: u64,
    bytes: u64,
    /// Names and what they are, in the order in which they are shown.
    more: Vec<(&'static str, String)>,
    metadata: Vec<(String, String)>,
}

/// Metadata that is shown elsewhere.
const KNOWN: [&str; 5] = ["avro.schema", "trevni.codec", "trevni.checksum", "trevni.layout", "ARROW:schema"];
/// Keys of the metadata that are shown.
const KEYS: usize = 50;
/// Characters of a value of the metadata.
const VALUE: usize = 300;

impl Facts {
    pub(super) fn of(opened: &Opened) -> Self {
        match opened {
            Opened::Columns(input) => {
                let reader = &input.reader;
                let text = |value: &[u8]| String::from_utf8_lossy(value).into_owned();
                let metadata = reader.metadata().iter().map(|(key, value)| (key.to_owned(), text(value)));
                Self {
                    format: format!(
                        "{} {}",
                        dialect::title(reader.dialect()),
                        reader.info::<TrevniInfo>().map_or(1, |info| info.version.number())
                    ),
                    rows: reader.row_count(),
                    columns: reader.columns().len() as u64,
                    bytes: input.bytes,
                    more: Vec::new(),
                    metadata: metadata.collect(),
                }
            }
            #[cfg(feature = "parquet")]
            Opened::Parquet(file) => {
                let pairs = file.file.key_values();
                let metadata =
                    pairs.map(|(key, value)| (key.to_owned(), value.unwrap_or_default().to_owned()));
                let groups = thousands(file.file.row_group_count() as u64);
                let program = file.file.created_by().map(|program| ("Written by", program.to_owned()));
                Self {
                    format: format!("Parquet {}", file.file.version()),
                    rows: file.file.row_count(),
                    columns: file.file.columns().len() as u64,
                    bytes: file.bytes,
                    more: program.into_iter().chain([("Row groups", groups)]).collect(),
                    metadata: metadata.collect(),
                }
            }
        }
    }

    /// Adds what the columns have in common.
    pub(super) fn add_sizes(&mut self, sizes: &[ColumnSize]) {
        let (stored, size) = sizes.iter().fold((0u64, 0u64), |(stored, size), column| {
            (stored.saturating_add(column.stored), size.saturating_add(column.size))
        });
        let mut codecs: Vec<&str> = sizes.iter().map(|column| &*column.codec).collect();
        codecs.sort_unstable();
        codecs.dedup();
        if !codecs.is_empty() {
            self.more.push(("Codec", codecs.join(", ")));
            let blocks = sizes.iter().map(|column| column.blocks as u64).sum();
            self.more.push(("Blocks", thousands(blocks)));
        }
        if stored > 0 && size > 0 {
            let ratio = size as f64 / stored as f64;
            self.more.push(("Compressed", format!("{} to {} ({ratio:.1}×)", bytes(size), bytes(stored))));
        }
    }

    /// Adds when the source was last written, and its size where it is no column file.
    pub(super) fn add_source(&mut self, source: &Metadata) {
        if source.is_file() && source.len() != self.bytes {
            self.more.insert(0, ("Source", bytes(source.len())));
        }
        let written = source.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        if let Some(written) = written {
            let nanos = i128::from(written.as_secs()) * 1_000_000_000;
            let moment = Moment { kind: MomentKind::Instant, nanos }.to_string();
            self.more.insert(0, ("Modified", moment.replace('T', " ").replace('Z', " UTC")));
        }
    }

    /// Adds how many files the rows are from.
    pub(super) fn add_files(&mut self, files: usize) {
        self.more.insert(0, ("Files", thousands(files as u64)));
    }

    /// The file in a line.
    pub(super) fn line(&self) -> String {
        let Self { format, rows, columns, bytes: size, .. } = self;
        format!("{format}, {}, {}, {}", count(*rows, "row"), count(*columns, "column"), bytes(*size))
    }

    pub(super) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let main = [
            (if self.rows == 1 { "Row" } else { "Rows" }, thousands(self.rows)),
            (if self.columns == 1 { "Column" } else { "Columns" }, thousands(self.columns)),
            ("Size", bytes(self.bytes)),
            ("Format", self.format.clone()),
        ];
        writeln!(out, "<dl class=\"facts\">")?;
        for (title, value) in main.iter().chain(&self.more) {
            writeln!(out, "<div><dt>{title}</dt><dd>{}</dd></div>", Escaped(&cut(value, VALUE)))?;
        }
        writeln!(out, "</dl>")?;
        let all: Vec<_> = self.metadata.iter().filter(|(key, _)| !KNOWN.contains(&&**key)).collect();
        if all.is_empty() {
            return Ok(());
        }
        write!(
            out,
            "<details>\n<summary>Metadata: {}</summary>\n<div class=\"wide\" role=\"region\" aria-label=\"Metadata\" tabindex=\"0\">\n\
             <table>\n<thead><tr><th scope=\"col\">Key</th><th scope=\"col\">Value</th></tr></thead>\n<tbody>\n",
            count(all.len() as u64, "key"),
        )?;
        for (key, value) in all.iter().take(KEYS) {
            let value = cut(value, VALUE);
            writeln!(out, "<tr><th scope=\"row\">{}</th><td>{}</td></tr>", name(key), Escaped(&value))?;
        }
        if let Some(more) = all.len().checked_sub(KEYS).filter(|more| *more > 0) {
            writeln!(out, "<tr><td colspan=\"2\">… {} more</td></tr>", thousands(more as u64))?;
        }
        writeln!(out, "</tbody>\n</table>\n</div>\n</details>")
    }
}
