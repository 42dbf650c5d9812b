//! The options of convert.

use crate::commands::written::Written;
use crate::encoding::entry;
use crate::failure::Failure;
use crate::infer::Mixed;
use crate::infer::wanted::WantedType;
use crate::output::Target;
use crate::text::Format;
use clap::{Args, ValueEnum};
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "Examples:
  trevni convert movies.jsonl
  trevni convert flights.csv --null NA -z zstd:9 -o flights.trv
  zcat log.jsonl.gz | trevni convert - --from jsonl -t user.id=string -o log.trv
  trevni convert sales.csv -t '*=auto' -t 'price=decimal(9,2)'
  trevni convert people.pb people.trv --descriptor d.binpb --message my.Person";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Convert {
    /// Files, which may be compressed by gzip or zstd; - for standard input
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Output file or folder; - for standard output [default: NAME.trv]
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Replace an existing output
    #[arg(long)]
    pub(crate) force: bool,
    /// Input format: jsonl, json, csv, tsv, … [default: by name or content]
    #[arg(long, value_name = "FORMAT", hide_possible_values = true)]
    pub(crate) from: Option<Format>,
    /// Output format [default: trv]
    #[arg(long, value_name = "FORMAT", hide_possible_values = true)]
    pub(crate) to: Option<Format>,
    #[command(flatten)]
    pub(crate) written: Written,
    /// Metadata to add to the file
    #[arg(long, value_name = "KEY=VALUE", value_parser = entry, hide_short_help = true)]
    pub(crate) meta: Vec<(String, String)>,
    /// Fields to keep: paths and globs; !x excludes x, `a.b` is a name with a dot; comma-separated
    #[arg(short, long, value_name = "PATHS", allow_hyphen_values = true)]
    pub(crate) columns: Vec<String>,
    /// Convert only the first ROWS rows
    #[arg(short = 'n', long, value_name = "ROWS")]
    pub(crate) number: Option<u64>,
    /// Print the inferred types and write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Print them as one JSON object per file
    #[arg(long, requires = "dry_run", hide_short_help = true)]
    pub(crate) json: bool,
    /// Compare what was written with the source, value by value
    #[arg(long, conflicts_with = "dry_run")]
    pub(crate) check: bool,
    /// What to do with rows that cannot be read: fail or skip
    #[arg(
        long,
        value_enum,
        default_value_t,
        value_name = "WHAT",
        hide_possible_values = true,
        hide_short_help = true
    )]
    pub(crate) on_error: OnError,
    #[cfg(feature = "protobuf")]
    #[command(flatten)]
    pub(crate) messages: super::messages::MessageOptions,
    #[command(flatten)]
    pub(crate) types: Types,
    #[command(flatten)]
    pub(crate) cells: CellOptions,
}

/// What the types of fields are. By default, all rows are read to find out.
#[derive(Debug, Args)]
#[command(next_help_heading = "Types")]
pub(crate) struct Types {
    /// Set the type of a field: string, int64, json, timestamp, auto, …
    ///
    /// The types are string, int64, int32, float64, float32, boolean, json, map, struct.
    ///
    /// Texts of logical types: date, time, timestamp, local-timestamp (microseconds, or with a unit: time-millis,
    /// timestamp-nanos), decimal(9,2), uuid, duration; where the unit is named, whole numbers are what it counts.
    ///
    /// auto finds the logical type that all texts have, *=auto everywhere: all cells come back as they were.
    #[arg(short = 't', long = "type", value_name = "PATH=TYPE", value_parser = kind)]
    pub(crate) types: Vec<(String, WantedType)>,
    /// Use a schema for the rows: Avro's, or a message { }
    #[arg(short, long, value_name = "FILE", conflicts_with_all = ["types", "infer_rows"])]
    pub(crate) schema: Option<PathBuf>,
    /// Infer types from the first ROWS rows only
    #[arg(long, value_name = "ROWS", value_parser = clap::value_parser!(u64).range(1..), hide_short_help = true)]
    pub(crate) infer_rows: Option<u64>,
    /// Read these objects as maps
    #[arg(long, value_name = "PATH", hide_short_help = true)]
    pub(crate) map: Vec<String>,
    /// Read these objects as structs, however many keys they have
    #[arg(long = "struct", value_name = "PATH", hide_short_help = true)]
    pub(crate) structs: Vec<String>,
    /// Read objects with more distinct keys than this as maps
    #[arg(long, value_name = "KEYS", default_value_t = 200, hide_short_help = true)]
    pub(crate) map_keys: usize,
    /// How to store values of several types in one field: union, json, string or error
    #[arg(long, value_enum, default_value_t, value_name = "HOW", hide_possible_values = true)]
    pub(crate) mixed: Mixed,
}

/// How cells are read.
#[derive(Debug, Args)]
#[command(next_help_heading = "CSV and TSV")]
pub(crate) struct CellOptions {
    /// Separator of cells, such as ; or \t
    #[arg(short, long, value_name = "CHARACTER", value_parser = delimiter)]
    pub(crate) delimiter: Option<u8>,
    /// Text of null cells, such as NA; can be repeated [default: empty]
    #[arg(long, value_name = "TEXT")]
    pub(crate) null: Vec<String>,
    /// Treat the first row as data; columns are column_1, column_2, …
    #[arg(long)]
    pub(crate) no_header: bool,
    /// Read all cells as text
    #[arg(long, hide_short_help = true)]
    pub(crate) all_strings: bool,
}

/// What to do with rows that cannot be read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum OnError {
    #[default]
    Fail,
    Skip,
}

impl Convert {
    /// What rows are written as that become columns, or Parquet by way of columns.
    pub(super) fn target(&self, output: &Path) -> Result<Target, Failure> {
        self.written.target(self.to, output)
    }
}

fn kind(text: &str) -> Result<(String, WantedType), String> {
    let (path, kind) = text.rsplit_once('=').ok_or("PATH=TYPE expected")?;
    Ok((path.to_owned(), WantedType::parse(kind)?))
}

fn delimiter(text: &str) -> Result<u8, String> {
    match text.as_bytes() {
        br"\t" => Ok(b'\t'),
        [b'"' | b'\r' | b'\n'] => Err("cells cannot be separated by this".to_owned()),
        [byte] if byte.is_ascii() => Ok(*byte),
        _ => Err("one ASCII character expected, or \\t".to_owned()),
    }
}
