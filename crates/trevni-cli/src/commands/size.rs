//! Bytes of each column.

use crate::failure::Failure;
use crate::human::{bar, bytes, thousands};
use crate::input::{self, Input};
use crate::output::Output;
use clap::Args;
use serde_json::json;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

#[derive(Debug, Args)]
#[command(after_help = "Example:\n  trevni size -n 10 flights.trv")]
pub(crate) struct Size {
    /// Files, or folders of them; - for standard input
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Only so many columns, the largest
    #[arg(short = 'n', long, value_name = "COLUMNS")]
    pub(crate) number: Option<usize>,
    /// One JSON object for each file
    #[arg(long)]
    pub(crate) json: bool,
}

/// Characters of the longest bar.
const BAR: usize = 24;

/// A column and its bytes.
struct Column {
    name: String,
    codec: String,
    blocks: usize,
    /// Bytes of the blocks in the file.
    stored: u64,
    /// Bytes of the values before the codec.
    size: u64,
}

pub(crate) fn run(args: &Size) -> Result<u8, Failure> {
    let mut out = Output::new(None, false)?;
    for (number, path) in input::files(&args.files)?.iter().enumerate() {
        let input = input::open(path)?;
        let mut columns = columns(&input)?;
        columns.sort_by_key(|column| std::cmp::Reverse(column.stored));
        let gap = if number > 0 && !args.json { out.write_all(b"\n") } else { Ok(()) };
        let written = gap.and_then(|()| match args.json {
            true => writeln!(out, "{}", as_json(&input, &columns, args.number)),
            false => write(&input, &columns, args.number, &mut out),
        });
        written.map_err(|error| out.failed(&error))?;
    }
    out.finish().map(|()| 0)
}

fn columns(input: &Input) -> Result<Vec<Column>, Failure> {
    let column = |(number, info): (usize, &trevni::ColumnInfo)| {
        let blocks = input.reader.blocks(number)?;
        let checksum = if info.checksum() == "null" { 0 } else { 4 };
        Ok(Column {
            name: info.name().to_owned(),
            codec: info.codec().to_owned(),
            blocks: blocks.len(),
            stored: blocks.iter().map(|block| u64::from(block.compressed_size) + checksum).sum(),
            size: blocks.iter().map(|block| u64::from(block.size)).sum(),
        })
    };
    let columns = input.reader.columns().iter().enumerate().map(column).collect::<Result<_, trevni::Error>>();
    columns.map_err(|error| Failure::of(Path::new(&input.name), &error))
}

fn ratio(size: u64, stored: u64) -> String {
    if stored == 0 { "–".to_owned() } else { format!("{:.2}×", size as f64 / stored as f64) }
}

fn write(input: &Input, columns: &[Column], number: Option<usize>, out: &mut Output) -> io::Result<()> {
    let (stored, size): (u64, u64) =
        (columns.iter().map(|c| c.stored).sum(), columns.iter().map(|c| c.size).sum());
    let rows = thousands(input.reader.row_count());
    writeln!(
        out,
        "{}  {rows} rows  {} columns  {} from {} ({})",
        input.name,
        columns.len(),
        bytes(stored),
        bytes(size),
        ratio(size, stored)
    )?;
    let shown = columns.get(..number.unwrap_or(usize::MAX).min(columns.len())).unwrap_or_default();
    let width = shown.iter().map(|column| column.name.chars().count()).chain([7]).max().unwrap_or(7);
    writeln!(out, "{:width$}  {:>10}  {:>6}  {:>7}  codec", "column", "bytes", "share", "ratio")?;
    let largest = columns.first().map_or(1, |column| column.stored.max(1));
    for column in shown {
        let share = column.stored as f64 / stored.max(1) as f64;
        let line = format!(
            "{:width$}  {:>10}  {:>5.1}%  {:>7}  {:9}  {}",
            column.name,
            bytes(column.stored),
            share * 100.0,
            ratio(column.size, column.stored),
            column.codec,
            bar(column.stored as f64 / largest as f64, BAR)
        );
        writeln!(out, "{}", line.trim_end())?;
    }
    let rest = &columns[shown.len()..];
    if !rest.is_empty() {
        let more: u64 = rest.iter().map(|column| column.stored).sum();
        let (count, share) = (rest.len(), 100.0 * more as f64 / stored.max(1) as f64);
        writeln!(out, "{:width$}  {:>10}  {share:>5.1}%", format!("{count} more"), bytes(more))?;
    }
    Ok(())
}

fn as_json(input: &Input, columns: &[Column], number: Option<usize>) -> serde_json::Value {
    let column = |column: &Column| {
        json!({
            "name": column.name,
            "bytes": column.stored,
            "uncompressed_bytes": column.size,
            "blocks": column.blocks,
            "codec": column.codec,
        })
    };
    let shown = columns.iter().take(number.unwrap_or(usize::MAX));
    json!({
        "file": input.name,
        "rows": input.reader.row_count(),
        "bytes": columns.iter().map(|column| column.stored).sum::<u64>(),
        "columns": shown.map(column).collect::<Vec<_>>(),
    })
}
