//! Commands and their options.

use anstream::ColorChoice;
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Looks into Trevni column files, and makes others of them.
#[derive(Debug, Parser)]
#[command(name = "trevni", version, max_term_width = 100, after_help = EXAMPLES)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
    /// When to use colours
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto, value_name = "WHEN")]
    pub(crate) color: Color,
}

const EXAMPLES: &str = "Examples:
  trevni info flights.trv
  trevni head -n 3 flights.trv -c carrier,dep_delay
  trevni cat flights.trv -w 'carrier = \"AA\" and dep_delay > 60' -f csv";

/// When to use colours.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Color {
    Auto,
    Always,
    Never,
}

impl Color {
    /// Makes this the choice of all output.
    pub(crate) fn write_global(self) {
        match self {
            Self::Auto => ColorChoice::Auto,
            Self::Always => ColorChoice::Always,
            Self::Never => ColorChoice::Never,
        }
        .write_global();
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Rows, columns, bytes, codecs and metadata of files
    #[command(visible_alias = "meta", alias = "trevni_meta")]
    Info(Info),
    /// The schema: a tree, as Avro, or as Rust structs
    #[command(alias = "getschema")]
    Schema(Schema),
    /// Bytes of each column
    #[command(visible_alias = "columns", alias = "column-size")]
    Size(Size),
    /// All rows
    #[command(visible_alias = "print", aliases = ["tojson", "trevni_tojson"])]
    Cat(Rows),
    /// The first rows, as a table
    Head(Rows),
    /// The last rows, as a table
    Tail(Rows),
    /// Number of rows
    #[command(visible_alias = "rowcount", alias = "row-count")]
    Count(Count),
    /// Reads everything, and says what is damaged
    #[command(visible_alias = "check")]
    Verify(Verify),
    /// Several files in one
    #[command(visible_alias = "concat")]
    Merge(Merge),
    /// One file in several
    Split(Split),
    /// Completions for a shell
    #[command(hide = true)]
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// The manual page
    #[command(hide = true)]
    Man,
}

#[derive(Debug, Args)]
#[command(after_help = "Example:\n  trevni info --json *.trv")]
pub(crate) struct Info {
    /// Files; - for standard input
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// One JSON object for each file
    #[arg(long)]
    pub(crate) json: bool,
    /// Only the value of this key of the metadata
    #[arg(long, value_name = "KEY", conflicts_with = "json")]
    pub(crate) key: Option<String>,
}

/// How a schema is shown.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum SchemaFormat {
    /// A tree of fields
    Tree,
    /// Avro's JSON, as it is in the file
    Avro,
    /// Rust structs that read the rows
    Rust,
}

#[derive(Debug, Args)]
#[command(after_help = "Example:\n  trevni schema -f rust flights.trv > flight.rs")]
pub(crate) struct Schema {
    /// File; - for standard input
    pub(crate) file: PathBuf,
    /// How to show it
    #[arg(short, long, value_enum, default_value_t = SchemaFormat::Tree)]
    pub(crate) format: SchemaFormat,
}

#[derive(Debug, Args)]
#[command(after_help = "Example:\n  trevni size -n 10 flights.trv")]
pub(crate) struct Size {
    /// Files; - for standard input
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Only so many columns, the largest
    #[arg(short = 'n', long, value_name = "COLUMNS")]
    pub(crate) number: Option<usize>,
    /// One JSON object for each file
    #[arg(long)]
    pub(crate) json: bool,
}

/// How rows are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum RowFormat {
    /// A JSON object on each line
    Jsonl,
    /// A JSON array
    Json,
    /// Comma-separated values; lists and maps as JSON
    Csv,
    /// Tab-separated values
    Tsv,
    /// A table
    Table,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  trevni head flights.trv -c 'dep_*,!dep_time'
  trevni cat flights.trv -w 'dep_delay > 60 and dest in (\"HNL\", \"SFO\")' -f csv -o late.csv")]
pub(crate) struct Rows {
    /// Files; - for standard input
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Number of rows
    #[arg(short = 'n', long, value_name = "ROWS")]
    pub(crate) number: Option<u64>,
    /// Leaves out so many rows first
    #[arg(long, value_name = "ROWS", default_value_t = 0)]
    pub(crate) skip: u64,
    /// Fields: paths such as sender.host, globs such as dep_*, !x to leave out; comma-separated
    #[arg(short, long, value_name = "PATHS", value_delimiter = ',', allow_hyphen_values = true)]
    pub(crate) columns: Vec<String>,
    /// Only rows for which this is true, such as: delay > 60 and any(stops, item = "JFK")
    #[arg(short = 'w', long = "where", value_name = "EXPRESSION")]
    pub(crate) filter: Option<String>,
    /// How to print rows; cat prints jsonl, head and tail a table
    #[arg(short, long, value_enum)]
    pub(crate) format: Option<RowFormat>,
    /// Writes to a file, not to standard output
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Replaces an output that is there
    #[arg(long)]
    pub(crate) force: bool,
    /// No names of fields in CSV and TSV
    #[arg(long)]
    pub(crate) no_header: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "Example:\n  trevni count -w 'dep_delay is null' *.trv")]
pub(crate) struct Count {
    /// Files; - for standard input
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Only rows for which this is true
    #[arg(short = 'w', long = "where", value_name = "EXPRESSION")]
    pub(crate) filter: Option<String>,
    /// Which blocks that reads
    #[arg(long, requires = "filter", conflicts_with = "json")]
    pub(crate) explain: bool,
    /// One JSON object for each file
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "Example:\n  trevni verify *.trv\n\nExit code 3 if a file is damaged.")]
pub(crate) struct Verify {
    /// Files; - for standard input
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// One JSON object for each file
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "Example:\n  trevni merge january.trv february.trv -o winter.trv")]
pub(crate) struct Merge {
    /// Files of equal schema
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// The result
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// Replaces an output that is there
    #[arg(long)]
    pub(crate) force: bool,
    /// Only rows for which this is true
    #[arg(short = 'w', long = "where", value_name = "EXPRESSION")]
    pub(crate) filter: Option<String>,
}

#[derive(Debug, Args)]
#[command(after_help = "Example:\n  trevni split --rows 1000000 year.trv -o parts/")]
pub(crate) struct Split {
    /// File
    pub(crate) file: PathBuf,
    /// The folder for part-00000.trv, part-00001.trv, …
    #[arg(short, long, value_name = "FOLDER")]
    pub(crate) output: PathBuf,
    /// Rows of a part
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) rows: u64,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn options_do_not_clash() {
        Cli::command().debug_assert();
    }
}
