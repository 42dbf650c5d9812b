//! The options of convert.

use crate::commands::written::Written;
use crate::encoding::entry;
use crate::failure::Failure;
use crate::format::Format;
use crate::output::Target;
use crate::rows::Mixed;
use clap::{Args, ValueEnum};
use encoding_rs::Encoding;
use std::path::{Path, PathBuf};
use trevni_infer::counts::dates::DateFormat;
use trevni_infer::counts::wanted::WantedType;
use trevni_infer::numbers::{Cell, Numbers, Spelling};
use trevni_infer::text::Dialect;

const EXAMPLES: &str = "Examples:
  trevni convert january.csv february.csv -o winter.trv
  trevni convert flights.csv --null NA -z zstd:9 -o flights.trv
  zcat log.jsonl.gz | trevni convert - --from jsonl -t user.id=string -o log.trv
  trevni convert sales.csv -t '*=auto' -t 'price=decimal(9,2)'
  trevni convert people.pb people.trv --descriptor d.binpb --message my.Person";

#[derive(Clone, Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Convert {
    /// Files, also in .gz, .zst, .xz or .bz2, or folders; - for standard input
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
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Types")]
pub(crate) struct Types {
    /// Set the type of a field: string, int64, json, timestamp, auto, …
    ///
    /// The types are string, int64, int32, float64, float32, boolean, bytes (hexadecimal digits), json, map, struct.
    ///
    /// Strings of logical types: date, time, timestamp, local-timestamp (microseconds, or with a unit: time-millis,
    /// timestamp-nanos), decimal(9,2), uuid, duration; where the unit is named, whole numbers are what it counts.
    /// timestamp-seconds: seconds since 1970, maybe with a fraction. A format, as in C: born=%d.%m.%Y.
    ///
    /// auto finds the logical type that all strings have, *=auto everywhere: all cells come back as they were.
    ///
    /// any: the values whose JSON the strings of an outermost field are, as --mixed json and string write them.
    #[arg(short = 't', long = "type", value_name = "PATH=TYPE", value_parser = kind)]
    pub(crate) types: Vec<(String, WantedType)>,
    /// Use a schema for the rows: Avro's, or a message { }
    #[arg(short, long, value_name = "FILE", conflicts_with_all = ["types", "infer_rows", "mixed"])]
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
    /// What values of several types in one field become: union, json, string or error
    #[arg(long, value_enum, default_value_t, value_name = "HOW", hide_possible_values = true)]
    pub(crate) mixed: Mixed,
}

/// How cells are read.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "CSV and TSV")]
pub(crate) struct CellOptions {
    /// Separator of cells, such as ; or \t
    #[arg(short, long, value_name = "CHARACTER", value_parser = delimiter)]
    pub(crate) delimiter: Option<u8>,
    /// Quote around cells [default: "]
    #[arg(long, value_name = "CHARACTER", value_parser = character, hide_short_help = true)]
    pub(crate) quote: Option<u8>,
    /// Escape before a quote within quotes, such as \; two quotes are always one
    #[arg(long, value_name = "CHARACTER", value_parser = character, hide_short_help = true)]
    pub(crate) escape: Option<u8>,
    /// Skip lines that begin with this, such as #
    #[arg(long, value_name = "CHARACTER", value_parser = character, hide_short_help = true)]
    pub(crate) comment: Option<u8>,
    /// Skip the first LINES lines
    #[arg(long, value_name = "LINES", default_value_t, hide_default_value = true, hide_short_help = true)]
    pub(crate) skip_lines: u64,
    /// Trim spaces around cells and names; those around numbers are always ignored
    #[arg(long, hide_short_help = true)]
    pub(crate) trim: bool,
    /// Encoding of the input, such as latin1 [default: UTF-8; UTF-16 with a byte order mark]
    #[arg(long, value_name = "NAME", value_parser = encoding, hide_short_help = true)]
    pub(crate) encoding: Option<&'static Encoding>,
    /// Text of null cells, such as NA; can be repeated [default: empty]
    #[arg(long, value_name = "TEXT")]
    pub(crate) null: Vec<String>,
    /// Treat the first row as data; columns are column_1, column_2, …
    #[arg(long)]
    pub(crate) no_header: bool,
    /// Take the names of columns from the first row, also where it has numbers
    #[arg(long, conflicts_with = "no_header", hide_short_help = true)]
    pub(crate) header: bool,
    /// Fill short rows with null, and drop empty cells at the end of long rows
    #[arg(long, hide_short_help = true)]
    pub(crate) pad: bool,
    /// Which cells are numbers: value (.5, 1.0E-5, NaN, spaces around), exact (all digits come back) or comma (1.234,5)
    #[arg(
        long,
        value_enum,
        default_value_t,
        value_name = "WHICH",
        hide_possible_values = true,
        hide_short_help = true
    )]
    pub(crate) numbers: NumberCells,
    /// Words for true and false, such as yes/no, in any case; can be repeated
    #[arg(long, value_name = "TRUE/FALSE", value_parser = booleans, hide_short_help = true)]
    pub(crate) booleans: Vec<(String, String)>,
    /// Format of dates, such as %d.%m.%Y; can be repeated; "none" reads dates as strings [default: ISO 8601]
    #[arg(long, value_name = "FORMAT", hide_short_help = true)]
    pub(crate) date_format: Vec<DateFormat>,
    /// Read all cells as text
    #[arg(long, hide_short_help = true)]
    pub(crate) all_strings: bool,
}

impl CellOptions {
    /// An error where one character has two meanings.
    pub(crate) fn differ(&self) -> Result<(), Failure> {
        let quote = Some(self.quote.unwrap_or(b'"'));
        let all = [
            ("--delimiter", self.delimiter),
            ("--quote", quote),
            ("--escape", self.escape),
            ("--comment", self.comment),
        ];
        for (at, (one, character)) in all.iter().enumerate().filter(|(_, (_, character))| character.is_some())
        {
            if let Some((other, _)) = all.iter().skip(at + 1).find(|(_, other)| other == character) {
                return Err(Failure::usage(format!("{one} and {other} are the same character")));
            }
        }
        Ok(())
    }

    /// How cells are separated, at this delimiter if none is given.
    pub(crate) fn dialect(&self, delimiter: u8) -> Dialect {
        Dialect {
            delimiter: self.delimiter.unwrap_or(delimiter),
            quote: self.quote.unwrap_or(b'"'),
            escape: self.escape,
            comment: self.comment,
            trim: self.trim,
            header: false,
        }
    }

    /// How numbers and booleans are written.
    pub(crate) fn spelling(&self) -> Spelling {
        Spelling { numbers: self.numbers.into(), booleans: self.booleans.clone() }
    }

    /// Whether the first row has the names of the columns, where this is said.
    pub(crate) fn has_header(&self) -> Option<bool> {
        (self.header || self.no_header).then_some(self.header)
    }
}

/// Which cells are numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum NumberCells {
    /// Those with the value of one: .5, 1.0E-5, NaN, spaces around, True
    #[default]
    Value,
    /// Those whose digits all come back
    Exact,
    /// Those with the value of one, with a comma for the point: 0,5, 1.234,5
    Comma,
}

impl From<NumberCells> for Numbers {
    fn from(cells: NumberCells) -> Self {
        match cells {
            NumberCells::Value => Self::Value,
            NumberCells::Exact => Self::Exact,
            NumberCells::Comma => Self::Comma,
        }
    }
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

fn booleans(text: &str) -> Result<(String, String), String> {
    let (yes, no) = text.split_once('/').ok_or("two words expected, such as yes/no")?;
    if [yes, no].iter().any(|word| !matches!(Cell::of(word, &Spelling::default()), Cell::Text(_))) {
        return Err("these are not words; for a column of 1 and 0: -t PATH=boolean".to_owned());
    }
    match yes.is_empty() || no.is_empty() || yes.eq_ignore_ascii_case(no) {
        true => Err("two different words expected, such as yes/no".to_owned()),
        false => Ok((yes.to_owned(), no.to_owned())),
    }
}

fn delimiter(text: &str) -> Result<u8, String> {
    match text {
        "\r" | "\n" => Err("an end of a line cannot separate cells".to_owned()),
        _ => character(text),
    }
}

fn character(text: &str) -> Result<u8, String> {
    match text.as_bytes() {
        br"\t" => Ok(b'\t'),
        [b'\r' | b'\n'] => Err("an end of a line cannot be used".to_owned()),
        [byte] if byte.is_ascii() => Ok(*byte),
        _ => Err("one ASCII character expected, or \\t".to_owned()),
    }
}

fn encoding(text: &str) -> Result<&'static Encoding, String> {
    let found = Encoding::for_label(text.as_bytes());
    found.ok_or_else(|| {
        "there is no such encoding; some are latin1, windows-1252, utf-16le, shift_jis, gbk".to_owned()
    })
}
