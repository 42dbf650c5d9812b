//! Commands and their options.

use crate::commands::cat::Rows;
use crate::commands::convert::Convert;
use crate::commands::count::Count;
use crate::commands::dump::Dump;
use crate::commands::info::Info;
use crate::commands::layout::Layout;
use crate::commands::merge::Merge;
use crate::commands::query::Query;
use crate::commands::random::Random;
use crate::commands::recode::Recode;
use crate::commands::sample::Sample;
use crate::commands::schema::Schema;
use crate::commands::size::Size;
use crate::commands::split::Split;
use crate::commands::stats::Stats;
use crate::commands::verify::Verify;
use crate::failure::Failure;
use crate::output::Output;
use crate::rows::Style;
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
    /// Nothing but errors on standard error
    #[arg(short, long, global = true)]
    pub(crate) quiet: bool,
    /// No progress bars
    #[arg(long, global = true)]
    pub(crate) no_progress: bool,
    /// Milliseconds after which a progress bar shows up
    #[arg(long, global = true, value_name = "MILLISECONDS", hide = true)]
    pub(crate) progress_after: Option<u64>,
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
    /// JSON, CSV, TSV and Avro files to Trevni, and back
    #[command(visible_alias = "import", alias = "totrevni")]
    Convert(Box<Convert>),
    /// Rows, columns, bytes, codecs and metadata of files
    #[command(visible_alias = "meta", alias = "trevni_meta")]
    Info(Info),
    /// The schema: a tree, a list, JSON, Avro, or Rust structs
    #[command(alias = "getschema")]
    Schema(Schema),
    /// What the bytes are for: columns, fields, codecs, values and lengths
    #[command(visible_alias = "columns", alias = "column-size")]
    Size(Size),
    /// Where in the file its columns are, and the blocks of a column
    Layout(Layout),
    /// Nulls, different values, min, max, mean and shape of each column
    #[command(visible_alias = "describe")]
    Stats(Stats),
    /// The values of columns as they are stored, or with their levels
    Dump(Dump),
    /// All rows
    #[command(visible_alias = "print", aliases = ["tojson", "trevni_tojson"])]
    Cat(Rows),
    /// The first rows, as a table
    Head(Rows),
    /// The last rows, as a table
    Tail(Rows),
    /// Some rows by chance, as a table
    Sample(Sample),
    /// Number of rows
    #[command(visible_alias = "rowcount", alias = "row-count")]
    Count(Count),
    /// Rows computed, sorted and grouped
    Query(Query),
    /// Reads everything, and says what is damaged
    #[command(visible_alias = "check")]
    Verify(Verify),
    /// Several files in one
    #[command(visible_alias = "concat")]
    Merge(Merge),
    /// One file in several
    Split(Split),
    /// The rows in a new file: another codec, fewer fields, fewer rows
    #[command(visible_alias = "rewrite", alias = "recodec")]
    Recode(Recode),
    /// Random rows of a schema
    #[command(visible_alias = "generate", alias = "trevni_random")]
    Random(Random),
    /// Completions for a shell
    #[command(hide = true)]
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// The manual page, or that of a command
    #[command(hide = true)]
    Man {
        /// The command
        command: Option<String>,
    },
}

/// How rows are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum RowFormat {
    /// A JSON object on each line
    Jsonl,
    /// A JSON array
    Json,
    /// Avro's JSON encoding, one row on each line: unions as {"branch": value}
    AvroJson,
    /// Comma-separated values; lists and maps as JSON
    Csv,
    /// Tab-separated values
    Tsv,
    /// A table
    Table,
}

/// How and where rows are printed.
#[derive(Debug, Args)]
pub(crate) struct Printing {
    /// How to print rows; cat prints jsonl, others a table
    #[arg(short, long, value_enum)]
    pub(crate) format: Option<RowFormat>,
    /// Writes to a file, not to standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Replaces an output that is there
    #[arg(long)]
    force: bool,
    /// The text for null in CSV and TSV
    #[arg(long, value_name = "TEXT", default_value = "")]
    null: String,
    /// No names of fields in CSV and TSV
    #[arg(long)]
    no_header: bool,
}

impl Printing {
    /// Where rows are printed.
    pub(crate) fn output(&self) -> Result<Output, Failure> {
        Output::new(self.output.as_deref(), self.force)
    }

    pub(crate) fn style(&self) -> Style {
        Style { header: !self.no_header, null: self.null.clone() }
    }
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
