//! What a file is: rows, columns, bytes, codecs, metadata.

#[cfg(feature = "parquet")]
mod parquet;

use crate::dialect;
use crate::failure::Failure;
use crate::human::{bytes, count, thousands};
use crate::input::{self, Input, Opened};
use crate::output::Output;
use crate::progress::Progress;
use crate::shown::{cut, shown};
use crate::size;
use clap::Args;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use trevni::Shape;
use trevni::formats::{LevelsInfo, RedElmInfo, TrevniInfo};
use unicode_width::UnicodeWidthStr;

/// Options of `trevni info`.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  trevni info --json *.trv")]
pub struct Info {
    /// Files, or folders of them; - for standard input
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Print one JSON object per file
    #[arg(long)]
    pub(crate) json: bool,
    /// Print only the value of this metadata key
    #[arg(long, value_name = "KEY", conflicts_with = "json")]
    pub(crate) key: Option<String>,
}

/// Metadata that is shown elsewhere.
const KNOWN: [&str; 4] = ["avro.schema", "trevni.codec", "trevni.checksum", "trevni.layout"];

/// Runs `trevni info`; the exit code.
///
/// # Errors
///
/// What cannot be read or written.
pub fn run(args: &Info) -> Result<u8, Failure> {
    let mut out = Output::new(None, false)?;
    for (number, file) in input::files(&args.files)?.iter().enumerate() {
        let gap = if number > 0 && args.key.is_none() && !args.json { "\n" } else { "" };
        out.write_all(gap.as_bytes()).map_err(|error| out.failed(&error))?;
        let written = match input::open_any(file.path(), Progress::default())? {
            Opened::Columns(input) => match &args.key {
                Some(key) => match input.reader.metadata().get(key) {
                    Some(value) => out.write_all(value).and_then(|()| out.write_all(b"\n")),
                    None => {
                        return Err(Failure::new(format!("{}: no key {key:?} in the metadata", input.name)));
                    }
                },
                None if args.json => writeln!(out, "{}", as_json(&input)?),
                None => Facts::of(&input)?.write(&input, &mut out),
            },
            #[cfg(feature = "parquet")]
            Opened::Parquet(file) => match &args.key {
                Some(key) => writeln!(out, "{}", parquet::value(&file, key)?),
                None if args.json => writeln!(out, "{}", parquet::as_json(&file)),
                None => parquet::write(&file, &mut out),
            },
        };
        written.map_err(|error| out.failed(&error))?;
    }
    out.finish().map(|()| 0)
}

/// Names, and how many columns have each.
type Names = BTreeMap<String, usize>;

/// What the columns have in common.
struct Facts {
    codecs: Names,
    checksums: Names,
    blocks: usize,
    /// Row groups, and rows of the largest one, of a format that has them.
    groups: Option<(usize, u32)>,
    /// Bytes of the largest block before the codec.
    largest_block: u32,
    /// Bytes of all blocks before the codec.
    size: u64,
    /// The largest columns, and their shares of the bytes.
    largest: Vec<(String, f64)>,
    schema: Fields,
}

/// Kinds of fields.
#[derive(Default)]
struct Fields {
    outermost: usize,
    all: usize,
    lists: usize,
    maps: usize,
    optional: usize,
    /// Fields that are null in every row.
    null: usize,
}

impl Fields {
    fn count(&mut self, shape: &Shape, depth: usize) {
        match shape {
            Shape::Record(record) => {
                for field in &record.fields {
                    self.all += 1;
                    self.outermost += usize::from(depth == 0);
                    match &field.shape {
                        Shape::Null => self.null += 1,
                        Shape::Optional(optional) if optional.item == Shape::Null => self.null += 1,
                        Shape::Optional(_) => self.optional += 1,
                        _ => {}
                    }
                    self.count(&field.shape, depth + 1);
                }
            }
            Shape::Optional(optional) => self.count(&optional.item, depth),
            Shape::List(item) => {
                self.lists += 1;
                self.count(item, depth);
            }
            Shape::Map(map) => {
                self.maps += 1;
                self.count(&map.key, depth);
                self.count(&map.value, depth);
            }
            Shape::Union(variants) => variants.iter().for_each(|variant| self.count(variant, depth)),
            _ => {}
        }
    }

    /// The kinds in one line.
    fn line(&self) -> String {
        let mut text = count(self.outermost as u64, "field");
        if self.all > self.outermost {
            text.push_str(&format!(", {} with those inside", thousands(self.all as u64)));
        }
        let kinds = [
            (self.lists, "list"),
            (self.maps, "map"),
            (self.optional, "optional"),
            (self.null, "always null"),
        ];
        for (count, kind) in kinds.into_iter().filter(|(count, _)| *count > 0) {
            let many = if count > 1 && (kind == "list" || kind == "map") { "s" } else { "" };
            text.push_str(&format!(", {} {kind}{many}", thousands(count as u64)));
        }
        text
    }
}

/// Columns that are named as the largest.
const LARGEST: usize = 3;

impl Facts {
    fn of(input: &Input) -> Result<Self, Failure> {
        let (codecs, checksums, mut schema) = (Names::new(), Names::new(), Fields::default());
        schema.count(input.reader.shape(), 0);
        let largest = size::largest(input, LARGEST)?;
        let mut groups = input.reader.info::<RedElmInfo>().map(|info| info.footer).map(|_| (0, 0));
        let (blocks, largest_block, size) = (0, 0, 0);
        let mut facts = Self { codecs, checksums, blocks, groups, largest_block, size, largest, schema };
        for (number, column) in input.reader.columns().iter().enumerate() {
            *facts.codecs.entry(column.codec_name().to_owned()).or_default() += 1;
            *facts.checksums.entry(dialect::checksum_of(&input.reader, column).to_owned()).or_default() += 1;
            let blocks = input.reader.blocks(number);
            let blocks = blocks.map_err(|error| Failure::of(Path::new(&input.name), &error))?;
            // A column has a block in each.
            groups = groups.map(|_| (blocks.len(), blocks.iter().map(|block| block.rows).max().unwrap_or(0)));
            facts.blocks += blocks.len();
            facts.size += blocks.iter().map(|block| u64::from(block.size)).sum::<u64>();
            facts.largest_block = blocks.iter().map(|block| block.size).fold(facts.largest_block, u32::max);
        }
        Ok(Self { groups, ..facts })
    }

    fn write(&self, input: &Input, out: &mut Output) -> io::Result<()> {
        let reader = &input.reader;
        let columns = reader.columns().len();
        let (rows, size) = (count(reader.row_count(), "row"), bytes(input.bytes));
        let listed_columns = count(columns as u64, "column");
        let (dialect, version) = (
            dialect::title(reader.dialect()),
            reader.info::<TrevniInfo>().map_or(1, |info| info.version.number()),
        );
        let compact =
            if reader.info::<TrevniInfo>().is_some_and(|info| info.is_compact) { ", compact" } else { "" };
        writeln!(
            out,
            "{}  {dialect} {version}{compact}, {rows}, {listed_columns}, {size}",
            shown(&input.name)
        )?;
        writeln!(out, "schema    {}", self.schema.line())?;
        if columns > 0 {
            writeln!(out, "codec     {}", listed(&self.codecs))?;
            writeln!(out, "checksum  {}", listed(&self.checksums))?;
        }
        if let Some(layout) = reader.info::<LevelsInfo>().map(|info| info.layout) {
            writeln!(out, "layout    {}", layout.name())?;
        }
        if let Some(footer) = reader.info::<RedElmInfo>().map(|info| info.footer) {
            writeln!(out, "footer    {}", dialect::footer_names(footer).1)?;
        }
        if let Some((groups, most)) = self.groups {
            let most = count(u64::from(most), "row");
            writeln!(out, "groups    {}, of {most} at most", count(groups as u64, "row group"))?;
        }
        let most = bytes(u64::from(self.largest_block));
        let most =
            if self.blocks > 0 { format!(", of {most} at most before the codec") } else { String::new() };
        writeln!(out, "blocks    {}{most}", thousands(self.blocks as u64))?;
        if self.blocks > 0 {
            let named = self.largest.iter();
            let named = named.map(|(name, share)| format!("{} {:.1}%", shown(name), 100.0 * share));
            writeln!(out, "largest   {}", named.collect::<Vec<_>>().join(", "))?;
        }
        for (key, value) in reader.metadata().iter().filter(|(key, _)| !KNOWN.contains(key)) {
            writeln!(out, "metadata  {}={}", shown(key), value_of(value, out))?;
        }
        Ok(())
    }
}

/// Codecs or checksums, and how many columns have each where they differ.
fn listed(names: &Names) -> String {
    let known = |name: &str| shown(name).into_owned();
    match names.len() {
        1 => names.keys().map(|name| known(name)).collect(),
        _ => names
            .iter()
            .map(|(name, columns)| format!("{} {}", known(name), count(*columns as u64, "column")))
            .collect::<Vec<_>>()
            .join(", "),
    }
}

/// Characters of a value of the metadata on a terminal.
const VALUE: usize = 300;

/// A value of the metadata: text where it is some; of a long one, a terminal shows the start.
fn value_of(value: &[u8], out: &Output) -> String {
    match std::str::from_utf8(value) {
        Ok(text) if text.contains(|c: char| c.is_control()) => count(value.len() as u64, "byte"),
        Ok(text) if out.is_terminal() && text.width() > VALUE => {
            format!("{} ({}; all: --key)", cut(&shown(text), VALUE), bytes(value.len() as u64))
        }
        Ok(text) => shown(text).into_owned(),
        Err(_) => count(value.len() as u64, "byte"),
    }
}

/// `{"file", "format", "version", "rows", "columns", …}`: numbers of columns, blocks, bytes and kinds of fields; `layout`,
/// `footer` and `row_groups` of the formats that have them, else null;
/// `codecs` and `checksums` say how many columns have each, `largest` names columns and their share of the bytes.
fn as_json(input: &Input) -> Result<Value, Failure> {
    let facts = Facts::of(input)?;
    let metadata: Map<String, Value> = input
        .reader
        .metadata()
        .iter()
        .map(|(key, value)| (key.to_owned(), String::from_utf8_lossy(value).into_owned().into()))
        .collect();
    Ok(json!({
        "file": input.name,
        "format": input.reader.dialect().name(),
        "version": input.reader.info::<TrevniInfo>().map_or(1, |info| info.version.number()),
        "compact": input.reader.info::<TrevniInfo>().is_some_and(|info| info.is_compact),
        "layout": input.reader.info::<LevelsInfo>().map(|info| info.layout).map(trevni::formats::Layout::name),
        "footer": input.reader.info::<RedElmInfo>().map(|info| info.footer).map(|footer| dialect::footer_names(footer).0),
        "row_groups": facts.groups.map(|(groups, _)| groups),
        "rows": input.reader.row_count(),
        "columns": input.reader.columns().len(),
        "blocks": facts.blocks,
        "bytes": input.bytes,
        "uncompressed_bytes": facts.size,
        "largest_block_bytes": facts.largest_block,
        "fields": facts.schema.outermost,
        "all_fields": facts.schema.all,
        "lists": facts.schema.lists,
        "maps": facts.schema.maps,
        "optional": facts.schema.optional,
        "always_null": facts.schema.null,
        "codecs": facts.codecs,
        "checksums": facts.checksums,
        "largest": facts.largest.iter().map(|(name, share)| json!({"name": name, "share": share})).collect::<Vec<_>>(),
        "metadata": metadata,
    }))
}
