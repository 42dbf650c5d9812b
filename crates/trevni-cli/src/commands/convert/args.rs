//! The options of convert.

use crate::encoding::{Encoding, entry};
use crate::infer::Mixed;
use crate::infer::wishes::Kind;
use crate::text::Format;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

const EXAMPLES: &str = "Examples:
  trevni convert movies.jsonl
  trevni convert flights.csv --null NA -z zstd:9 -o flights.trv
  zcat log.jsonl.gz | trevni convert - --from jsonl -t user.id=string -o log.trv";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Convert {
    /// Files; - for standard input; packed by gzip or zstd too
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// The result, or a folder for several; - for standard output [default: NAME.trv]
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Replaces an output that is there
    #[arg(long)]
    pub(crate) force: bool,
    /// Format of the files: jsonl, json, csv, tsv, …; by default by name or content
    #[arg(long, value_name = "FORMAT", hide_possible_values = true)]
    pub(crate) from: Option<Format>,
    /// Format of the result [default: trv]
    #[arg(long, value_name = "FORMAT", hide_possible_values = true)]
    pub(crate) to: Option<Format>,
    #[command(flatten)]
    pub(crate) encoding: Encoding,
    /// Metadata of the file
    #[arg(long, value_name = "KEY=VALUE", value_parser = entry, hide_short_help = true)]
    pub(crate) meta: Vec<(String, String)>,
    /// Fields to keep: paths, globs, !x leaves out, \. for a dot in a name; comma-separated
    #[arg(short, long, value_name = "PATHS", allow_hyphen_values = true)]
    pub(crate) columns: Vec<String>,
    /// Only so many rows, the first
    #[arg(short = 'n', long, value_name = "ROWS")]
    pub(crate) number: Option<u64>,
    /// Says what would become of the fields, and writes nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// That as a JSON object for each file
    #[arg(long, requires = "dry_run", hide_short_help = true)]
    pub(crate) json: bool,
    /// Compares what was written with the source, value by value
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
    #[command(flatten)]
    pub(crate) types: Types,
    #[command(flatten)]
    pub(crate) cells: Cells,
}

/// What the types of fields are. By default, all rows are read to find out.
#[derive(Debug, Args)]
#[command(next_help_heading = "Types")]
pub(crate) struct Types {
    /// Type of a field: string, int64, int32, float64, float32, boolean, json, map, struct
    #[arg(short = 't', long = "type", value_name = "PATH=TYPE", value_parser = kind)]
    pub(crate) types: Vec<(String, Kind)>,
    /// An Avro schema for the rows
    #[arg(short, long, value_name = "FILE", conflicts_with_all = ["types", "infer_rows"])]
    pub(crate) schema: Option<PathBuf>,
    /// Looks only at so many rows to find types
    #[arg(long, value_name = "ROWS", value_parser = clap::value_parser!(u64).range(1..), hide_short_help = true)]
    pub(crate) infer_rows: Option<u64>,
    /// Objects that are maps
    #[arg(long, value_name = "PATH", hide_short_help = true)]
    pub(crate) map: Vec<String>,
    /// Objects that are structs, however many keys they have
    #[arg(long = "struct", value_name = "PATH", hide_short_help = true)]
    pub(crate) structs: Vec<String>,
    /// Objects of more different keys are maps
    #[arg(long, value_name = "KEYS", default_value_t = 200, hide_short_help = true)]
    pub(crate) map_keys: usize,
    /// Values of several types in one field: union, json, string or error
    #[arg(long, value_enum, default_value_t, value_name = "HOW", hide_possible_values = true)]
    pub(crate) mixed: Mixed,
}

/// How cells are read.
#[derive(Debug, Args)]
#[command(next_help_heading = "CSV and TSV")]
pub(crate) struct Cells {
    /// What separates cells, such as ; or \t
    #[arg(short, long, value_name = "CHARACTER", value_parser = delimiter)]
    pub(crate) delimiter: Option<u8>,
    /// A cell that is null, such as NA, in place of the empty one; can be repeated
    #[arg(long, value_name = "TEXT")]
    pub(crate) null: Vec<String>,
    /// The first row is data; columns are column_1, column_2, …
    #[arg(long)]
    pub(crate) no_header: bool,
    /// All cells are text
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

fn kind(text: &str) -> Result<(String, Kind), String> {
    let (path, kind) = text.rsplit_once('=').ok_or("PATH=TYPE expected")?;
    let found = Kind::from_str(kind, true).map_err(|_| {
        let kinds = Kind::value_variants().iter().filter_map(|kind| kind.to_possible_value());
        let names: Vec<String> = kinds.map(|kind| kind.get_name().to_owned()).collect();
        format!("there is no type {kind:?}; there are {}", names.join(", "))
    })?;
    Ok((path.to_owned(), found))
}

fn delimiter(text: &str) -> Result<u8, String> {
    match text.as_bytes() {
        br"\t" => Ok(b'\t'),
        [b'"' | b'\r' | b'\n'] => Err("cells cannot be separated by this".to_owned()),
        [byte] if byte.is_ascii() => Ok(*byte),
        _ => Err("one ASCII character expected, or \\t".to_owned()),
    }
}
