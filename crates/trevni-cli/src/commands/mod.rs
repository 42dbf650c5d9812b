//! The list of commands; each has a file or a folder of its own, with its options.

mod cat;
mod convert;
mod count;
mod dump;
mod help;
mod info;
mod layout;
mod merge;
mod query;
mod random;
mod recode;
mod sample;
mod schema;
mod size;
mod split;
mod stats;
mod verify;

use crate::failure::Failure;
use cat::Rows;
use clap::Subcommand;
use convert::Convert;
use count::Count;
use dump::Dump;
use info::Info;
use layout::Layout;
use merge::Merge;
use query::Query;
use random::Random;
use recode::Recode;
use sample::Sample;
use schema::Schema;
use size::Size;
use split::Split;
use stats::Stats;
use verify::Verify;

/// What the program is asked to do.
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

impl Command {
    /// Runs the command and returns the exit code. `program` is the whole command line, for its help.
    pub(crate) fn run(self, program: clap::Command) -> Result<u8, Failure> {
        match self {
            Self::Convert(args) => convert::run(&args),
            Self::Info(args) => info::run(&args),
            Self::Schema(args) => schema::run(&args),
            Self::Size(args) => size::run(&args),
            Self::Layout(args) => layout::run(&args),
            Self::Stats(args) => stats::run(&args),
            Self::Dump(args) => dump::run(&args),
            Self::Cat(args) => cat::cat(&args),
            Self::Head(args) => cat::head(&args),
            Self::Tail(args) => cat::tail(&args),
            Self::Sample(args) => sample::run(&args),
            Self::Count(args) => count::run(&args),
            Self::Query(args) => query::run(&args),
            Self::Verify(args) => verify::run(&args),
            Self::Merge(args) => merge::run(&args),
            Self::Split(args) => split::run(&args),
            Self::Recode(args) => recode::run(&args),
            Self::Random(args) => random::run(&args),
            Self::Completions { shell } => help::completions(program, shell),
            Self::Man { command } => help::man(program, command.as_deref()),
        }
    }
}
