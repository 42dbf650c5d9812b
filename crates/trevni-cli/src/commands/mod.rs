//! The list of commands; each has a file or a folder of its own, with its options.

mod cat;
mod convert;
mod count;
mod diff;
mod from_text;
mod help;
mod merge;
mod plot;
mod query;
mod random;
mod recode;
mod sample;
mod split;
#[cfg(feature = "sql")]
pub(crate) mod sql;
mod verify;
mod written;

use crate::failure::Failure;
use cat::PrintRows;
use clap::Subcommand;
use convert::Convert;
pub(crate) use convert::{Foreign, columns};
use convert::{KnownField, by_name, printed};
use count::Count;
use diff::Diff;
use from_text::FromText;
use merge::Merge;
use plot::Plot;
use query::Query;
use random::Random;
use recode::Recode;
use sample::Sample;
use split::Split;
use trevni_report::dump::{self, Dump};
use trevni_report::html::{self, ReportPage};
use trevni_report::info::{self, Info};
use trevni_report::layout::{self, Layout};
use trevni_report::schema::{self, Schema};
use trevni_report::size::{self, Size};
use trevni_report::stats::{self, Stats};
#[cfg(feature = "view")]
use trevni_view::View;
use verify::Verify;

/// Options of the program that commands may need.
#[cfg_attr(not(feature = "sql"), expect(dead_code, reason = "it is for SQL"))]
#[derive(Clone, Debug)]
pub(crate) struct Shared {
    pub(crate) quiet: bool,
    pub(crate) no_progress: bool,
    pub(crate) color: String,
}

/// The commands of the short help, in its order.
const USUAL: [&str; 10] =
    ["convert", "head", "schema", "stats", "query", "sql", "view", "report", "verify", "merge"];

/// The command line whose help has the usual commands.
pub(crate) fn usual(program: clap::Command) -> clap::Command {
    program.mut_subcommands(|command| match USUAL.iter().position(|name| *name == command.get_name()) {
        Some(place) => command.display_order(place),
        None => command.hide(true),
    })
}

/// What developers look at files with.
#[derive(Debug, Subcommand)]
pub(crate) enum Dev {
    /// Show the offsets of columns in the file, and the blocks of a column
    Layout(Layout),
    /// Print the values of columns as stored, or with their levels
    Dump(Dump),
    /// Write random rows of a schema
    #[command(visible_alias = "generate", alias = "trevni_random")]
    Random(Random),
    /// Write the lines of a file with their byte offsets
    FromText(FromText),
}

impl Dev {
    fn run(self) -> Result<u8, Failure> {
        match self {
            Self::Layout(args) => layout::run(&args),
            Self::Dump(args) => dump::run(&args),
            Self::Random(args) => random::run(&args),
            Self::FromText(args) => from_text::run(&args),
        }
    }
}

/// What the program is asked to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    #[cfg_attr(not(feature = "parquet"), doc = "Convert JSON, CSV, TSV and Avro files to Trevni, and back")]
    #[cfg_attr(
        feature = "parquet",
        doc = "Convert JSON, CSV, TSV, Avro and Parquet files to Trevni, and back"
    )]
    #[command(visible_alias = "import", alias = "totrevni")]
    Convert(Box<Convert>),
    /// Show rows, columns, bytes, codecs and metadata of files
    #[command(visible_alias = "meta", alias = "trevni_meta")]
    Info(Info),
    /// Show the schema as a tree, a list, JSON, Avro, a message or Rust structs
    #[command(alias = "getschema")]
    Schema(Schema),
    /// Show the bytes used by columns, fields, codecs, values and lengths
    #[command(visible_alias = "columns", alias = "column-size")]
    Size(Size),
    /// Show nulls, distinct values, min, max, mean and shape of columns
    #[command(visible_alias = "describe")]
    Stats(Stats),
    /// Print all rows
    #[command(visible_alias = "print", aliases = ["tojson", "trevni_tojson"])]
    Cat(PrintRows),
    /// Print the first rows as a table; all of them: cat
    Head(PrintRows),
    /// Print the last rows as a table
    Tail(PrintRows),
    /// Print randomly chosen rows as a table
    Sample(Sample),
    /// Look at rows on a full screen: scroll, search, filter, sort
    #[cfg(feature = "view")]
    View(View),
    /// Count rows
    #[command(visible_alias = "rowcount", alias = "row-count")]
    Count(Count),
    /// Compute, sort and group rows
    Query(Query),
    /// Ask in SQL, of files of any format; a shell without a statement
    #[cfg(feature = "sql")]
    Sql(sql::Sql),
    /// Draw the values of a column as bars, or two columns as points
    Plot(Plot),
    /// Read everything and report damage
    #[command(visible_alias = "check")]
    Verify(Verify),
    /// Compare the schemas and rows of two files
    #[command(visible_alias = "compare")]
    Diff(Diff),
    /// Concatenate files into one; one into several: split
    #[command(visible_alias = "concat")]
    Merge(Merge),
    /// Split a file into several
    Split(Split),
    /// Rewrite a file with another codec or format, fewer fields or rows
    #[command(visible_alias = "rewrite", alias = "recodec")]
    Recode(Recode),
    /// Make a page about a file: sizes, columns and first rows
    Report(ReportPage),
    /// Print completions for a shell
    #[command(
        after_help = "Example:\n  trevni completions bash > ~/.local/share/bash-completion/completions/trevni"
    )]
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page of the program or of a command
    #[command(after_help = "Example:\n  trevni man query | man -l -")]
    Man {
        /// The command
        command: Option<String>,
    },
    /// For developers: look at what is stored, make files for tests
    #[command(subcommand)]
    Dev(Dev),
    /// The same without `dev`.
    #[command(flatten)]
    WithoutDev(Dev),
    /// Print help on a command, on all, or on: expressions
    Help {
        /// The command or topic
        topic: Option<String>,
    },
}

impl Command {
    /// Whether this is `trevni sql`.
    pub(crate) fn is_sql(&self) -> bool {
        #[cfg(feature = "sql")]
        return matches!(self, Self::Sql(_));
        #[cfg(not(feature = "sql"))]
        false
    }

    /// Runs the command and returns the exit code. `program` gives the command line for its help, with all commands or the usual ones.
    #[cfg_attr(not(feature = "sql"), expect(unused_variables, reason = "they are for SQL"))]
    pub(crate) fn run(self, program: impl Fn(bool) -> clap::Command, shared: &Shared) -> Result<u8, Failure> {
        match self {
            Self::Convert(args) => convert::run(&args),
            Self::Info(args) => info::run(&args),
            Self::Schema(args) => schema::run(&args),
            Self::Size(args) => size::run(&args),
            Self::Stats(args) => stats::run(&args),
            Self::Cat(args) => cat::cat(&args),
            Self::Head(args) => cat::head(&args),
            Self::Tail(args) => cat::tail(&args),
            Self::Sample(args) => sample::run(&args),
            #[cfg(feature = "view")]
            Self::View(args) => trevni_view::run(&args, cat::to_named),
            Self::Count(args) => count::run(&args),
            Self::Plot(args) => plot::run(&args),
            Self::Query(args) => query::run(&args),
            #[cfg(feature = "sql")]
            Self::Sql(args) => sql::run(&args, shared),
            Self::Verify(args) => verify::run(&args),
            Self::Diff(args) => diff::run(&args),
            Self::Merge(args) => merge::run(&args),
            Self::Split(args) => split::run(&args),
            Self::Recode(args) => recode::run(&args),
            Self::Report(args) => html::run(&args, cat::to_file),
            Self::Dev(dev) | Self::WithoutDev(dev) => dev.run(),
            Self::Completions { shell } => help::completions(program(true), shell),
            Self::Help { topic } if topic.as_deref() == Some("all") => help::help(program(true), None),
            Self::Help { topic } => help::help(program(false), topic.as_deref()),
            Self::Man { command } => help::man(program(true), command.as_deref()),
        }
    }
}
