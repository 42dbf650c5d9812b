//! Writes the rows of a file in another format: text, or Avro.

use crate::args::RowFormat;
use crate::avro::{self, Compression};
use crate::expression;
use crate::failure::Failure;
use crate::human::{bytes, thousands};
use crate::input::{self, Input};
use crate::output::Output;
use crate::paths;
use crate::progress::{self, Progress};
use crate::rows::{Printer, Style, View};
use clap::{Args, ValueEnum};
use std::io;
use std::path::{Path, PathBuf};
use trevni::{Batch, Reader};

/// A format beside Trevni.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// A JSON object on each line
    Jsonl,
    /// A JSON array
    Json,
    /// Comma-separated values
    Csv,
    /// Tab-separated values
    Tsv,
    /// An Avro file
    Avro,
}

impl Format {
    /// The format that the name of a file tells.
    pub(crate) fn of_name(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "jsonl" | "ndjson" => Some(Self::Jsonl),
            "json" => Some(Self::Json),
            "csv" => Some(Self::Csv),
            "tsv" | "tab" => Some(Self::Tsv),
            "avro" => Some(Self::Avro),
            _ => None,
        }
    }

    /// How rows are printed, where this is text.
    fn text(self) -> Option<RowFormat> {
        match self {
            Self::Jsonl => Some(RowFormat::Jsonl),
            Self::Json => Some(RowFormat::Json),
            Self::Csv => Some(RowFormat::Csv),
            Self::Tsv => Some(RowFormat::Tsv),
            Self::Avro => None,
        }
    }
}

#[derive(Debug, Args)]
#[command(after_help = "Example:\n  trevni export flights.trv -o flights.avro -z zstd")]
pub(crate) struct Export {
    /// File; - for standard input
    pub(crate) file: PathBuf,
    /// The result; - for standard output
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    pub(crate) output: PathBuf,
    /// The format [default: what the name of the output tells]
    #[arg(long, value_enum)]
    pub(crate) to: Option<Format>,
    /// Codec of an Avro file: none, deflate, snappy, zstd or bzip2 [default: deflate]
    #[arg(short = 'z', long)]
    pub(crate) codec: Option<String>,
    /// Number of rows
    #[arg(short = 'n', long, value_name = "ROWS")]
    pub(crate) number: Option<u64>,
    /// Fields: paths, globs, !x to leave out; comma-separated
    #[arg(short, long, value_name = "PATHS", value_delimiter = ',', allow_hyphen_values = true)]
    pub(crate) columns: Vec<String>,
    /// Only rows for which this is true
    #[arg(short = 'w', long = "where", value_name = "EXPRESSION")]
    pub(crate) filter: Option<String>,
    /// The text for null in CSV and TSV
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub(crate) null: String,
    /// No names of fields in CSV and TSV
    #[arg(long)]
    pub(crate) no_header: bool,
    /// Replaces an output that is there
    #[arg(long)]
    pub(crate) force: bool,
}

pub(crate) fn run(args: &Export) -> Result<u8, Failure> {
    let format = args.to.or_else(|| Format::of_name(&args.output)).ok_or_else(|| {
        let failure = Failure::usage(format!("{} has no format in its name", args.output.display()));
        failure.hint("Name one: --to jsonl, json, csv, tsv or avro")
    })?;
    let filter = args.filter.as_deref().map(expression::parse).transpose()?;
    let Input { name, reader, bytes: size } = input::open(&args.file)?;
    let failed = |error: trevni::Error| Failure::of(Path::new(&name), &error);
    let chosen = paths::chosen(reader.shape(), &args.columns)?;
    let mut rows = reader.clone();
    if let Some(chosen) = &chosen {
        rows = rows.project(chosen).map_err(failed)?;
    }
    rows = match (filter, args.number) {
        (Some(filter), _) => rows.filter(filter).map_err(failed)?,
        (None, Some(number)) => rows.select(0..number.min(rows.row_count())).map_err(failed)?,
        (None, None) => rows,
    };
    let mut out = Output::new(Some(&args.output), args.force)?;
    let mut sink = match format.text() {
        Some(format) => {
            let style = Style { header: !args.no_header, null: args.null.clone() };
            Sink::Text(Box::new(Printer::new(format, rows.shape(), chosen.as_deref(), &style)))
        }
        None => Sink::avro(args, &reader, &rows, &mut out)?,
    };
    let progress = match out.is_terminal() {
        true => Progress::default(),
        false => Progress::rows("writing", rows.row_count()),
    };
    let mut count = 0;
    for batch in rows.batches().map_err(failed)? {
        let batch = batch.map_err(failed)?;
        let left = args.number.unwrap_or(u64::MAX) - count;
        for index in 0..batch.len().min(usize::try_from(left).unwrap_or(usize::MAX)) {
            sink.row(&batch, index, &mut out).map_err(|error| out.failed(&error))?;
            count += 1;
        }
        progress.add(batch.len() as u64);
        if args.number == Some(count) {
            break;
        }
    }
    sink.finish(&mut out).map_err(|error| out.failed(&error))?;
    drop(progress);
    out.finish()?;
    if !input::is_standard(&args.output) {
        let written = std::fs::metadata(&args.output).map_or(0, |file| file.len());
        let (rows, output) = (thousands(count), args.output.display());
        progress::note(format_args!("{name} → {output}: {rows} rows, {} → {}", bytes(size), bytes(written)));
    }
    Ok(0)
}

/// What rows are written with.
enum Sink {
    Text(Box<Printer>),
    Avro(Box<avro::Writer>),
}

impl Sink {
    fn avro(args: &Export, whole: &Reader<'_>, rows: &Reader<'_>, out: &mut Output) -> Result<Self, Failure> {
        let name = args.codec.as_deref().unwrap_or("deflate");
        let codec = Compression::named(name).ok_or_else(|| {
            let failure = Failure::usage(format!("Avro has no codec {name:?}"));
            failure.hint("There are none, deflate, snappy, zstd and bzip2")
        })?;
        let schema = avro::schema_of(whole, rows.shape());
        let own = |key: &str| !key.starts_with("avro.") && !key.starts_with("trevni.");
        let metadata: Vec<(&str, &[u8])> = whole.metadata().iter().filter(|(key, _)| own(key)).collect();
        let writer = avro::Writer::new(&schema, codec, &metadata, out);
        let writer = writer.map_err(|error| Failure::new(format!("{}: {error}", args.file.display())))?;
        Ok(Self::Avro(Box::new(writer.map_err(|error| out.failed(&error))?)))
    }

    fn row(&mut self, batch: &Batch, index: usize, out: &mut Output) -> io::Result<()> {
        match self {
            Self::Text(printer) => printer.row(View::row(batch, index), out),
            Self::Avro(writer) => writer.row(batch, index, out),
        }
    }

    fn finish(self, out: &mut Output) -> io::Result<()> {
        match self {
            Self::Text(printer) => printer.finish(out),
            Self::Avro(writer) => writer.finish(out),
        }
    }
}
