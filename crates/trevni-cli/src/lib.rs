//! The command line of trevni, as a library for its own tests: it promises no interface.
//!
//! # Design
//!
//! Data flows one way:
//!
//! ```text
//! files ── input ──▶ Reader ── selecting, trevni-query ──▶ batches ── rows ──▶ output
//! JSON, CSV ── text ──▶ chunks ── counts ──▶ plan ──▶ Writer (output::columns)
//! ```
//!
//! Imports point down (`tests/layers.rs`). A command is a file or folder of `commands`. Below them are crates, each of
//! which uses those after it: `trevni-view` (rows on a full screen), `trevni-report` (what a file holds), `trevni-files`
//! (one source, one sink, rows), `trevni-infer` (JSON and CSV to typed columns), `trevni-print`.
//!
//! * **No value is copied.** Rows are printed, compared and computed with as `ValueRef`s over the vectors of a batch.
//!   Several threads make the output, which is written in order.
//! * **JSON and CSV are read twice.** `counts` makes a tree of counts that does not depend on how threads cut the input;
//!   `plan` makes a shape of it. The second reading goes from the parser to the writer. `plan/compare.rs` knows
//!   neither, so `--check` does not repeat their errors.
//! * **Whole numbers among floats are floats**, and `convert` says how many. A union would keep `2` and `2.0` apart,
//!   but takes a tag for each value, has no zone map, and Arrow, Parquet and serde structs want one type.
//! * **Memory is bounded.** Blocks wait in 64 MiB, a quarter of the library's limit (1.2 GB of CSV take 115 MiB instead
//!   of 313, in the same time). `sorter` sorts rows and keys as bytes that compare as the values do, and merges
//!   temporary files.
//! * **Nothing half done remains.** Outputs get their names when whole. Signals make the next read or write fail, so all
//!   is taken down the usual way; streams have a thread of their own, so that a blocked read ends too.
//! * **Parquet needs no second way to read**: what wants rows gets a column file without a name, with the fields that it
//!   asks for. Rows that become Parquet wait in one too, since a row group needs memory and the shape may grow to its end.
//! * **One source and one sink.** What has no columns, such as CSV, becomes a column file without a name
//!   (`convert/foreign.rs`), and rows become a column file before they become another format (`by_name`).
//! * **A URL is a path to all commands.** Without the feature `stores`, the types of `remote` have no values.
//! * **Dates in cells come back as they were** (`counts/dates.rs`): only those are found whose strings a style of the library
//!   gives back, so detection loses nothing.
//! * **SQL is the engine of `trevni-sql`** (`commands/sql.rs`, feature `sql`): files without columns are tables by way of
//!   temporary column files, and what a query gives is one before it becomes another format.
//! * **Input steers no terminal**: names, cells and messages pass `trevni_print::shown`. Output is
//!   the same on every terminal, except for colours, cut cells, progress bars and the middle of long reports.
//! * **The viewer is state, events and a buffer** (`trevni-view`: `model`, `update`, `draw`), so tests need no terminal.

#![cfg_attr(
    not(feature = "parquet"),
    allow(clippy::infallible_destructuring_match, reason = "files are of one kind more with Parquet")
)]

mod commands;
mod encoding;
mod guesses;
mod order;

use anstream::ColorChoice;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, FromArgMatches, Parser, ValueEnum};
use commands::{Command, Foreign, Shared};
use reading::ReadingOptions;
use std::ffi::OsString;
use std::io::{self, Write as _};
use std::process::ExitCode;
pub use trevni_files::failure::Failure;
#[cfg(feature = "parquet")]
use trevni_files::parquet;
use trevni_files::{
    dialect, failure, format, input, interrupt, limits, output, parallel, reading, remote, rows, schema_text,
    selecting, sorter, text,
};
use trevni_print::{drawing, human, progress, shown, type_name};

/// Convert, look at and query files of rows: CSV, JSON, Avro, Parquet and Trevni.
#[derive(Debug, Parser)]
#[command(name = "trevni", version, max_term_width = 100, after_help = format!("{EXAMPLES}{STORES}"), disable_help_subcommand = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    /// When to use colours
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto, value_name = "WHEN")]
    color: Color,
    /// Print only errors on standard error
    #[arg(short, long, global = true)]
    quiet: bool,
    /// Show no progress bars
    #[arg(long, global = true, hide_short_help = true)]
    no_progress: bool,
    /// Print help with all options
    #[arg(long, global = true)]
    help_all: bool,
    /// Milliseconds before a progress bar appears
    #[arg(long, global = true, value_name = "MILLISECONDS", hide = true)]
    progress_after: Option<u64>,
    #[command(flatten)]
    reading: ReadingOptions,
    #[command(flatten)]
    foreign: Foreign,
}

const EXAMPLES: &str =
    "More commands: cat, tail, sample, count, info, size, plot, diff, split, recode, completions, man
For developers: trevni dev (layout, dump, random, from-text); all of them: trevni help all

Examples:
  trevni convert sales.csv -o sales.parquet
  trevni head -n 3 flights.csv -c carrier,dep_delay
  trevni cat flights.trv -w 'carrier = \"AA\" and dep_delay > 60' -o late.csv
  trevni query 'flights/*.trv' -b carrier -a 'count()'
  trevni help query
  trevni help expressions";

#[cfg(feature = "stores")]
const STORES: &str = "

In the place of files: s3://bucket/key (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION, AWS_ENDPOINT_URL),
https://… and http://…; -o takes s3://bucket/key";
#[cfg(not(feature = "stores"))]
const STORES: &str = "";

/// When to use colours.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Color {
    Auto,
    Always,
    Never,
}

impl Color {
    /// Makes this the choice of all output.
    fn write_global(self) {
        match self {
            Self::Auto => ColorChoice::Auto,
            Self::Always => ColorChoice::Always,
            Self::Never => ColorChoice::Never,
        }
        .write_global();
    }
}

/// The whole program: parses the arguments of the process, runs the command, and prints what went wrong.
#[must_use]
pub fn main() -> ExitCode {
    drawing::follow_locale();
    #[cfg(feature = "parquet")]
    parquet::silence_panics();
    let cli = match Cli::parsed(std::env::args_os()) {
        Ok(cli) => cli,
        Err(error) => match mistaken(&error) {
            Some(failure) => {
                failure.print();
                return ExitCode::from(failure.code());
            }
            None => return told(&error),
        },
    };
    cli.color.write_global();
    // The shell of SQL listens itself.
    if !cli.command.is_sql() {
        interrupt::listen();
    }
    match cli.run() {
        Ok(code) => ExitCode::from(code),
        Err(failure) => match interrupt::code() {
            Some(code) => ExitCode::from(code),
            // The reader of the output has seen enough.
            None if failure.is_closed_pipe() => ExitCode::SUCCESS,
            None => {
                failure.print();
                ExitCode::from(failure.code())
            }
        },
    }
}

/// Prints help, the version, or what is wrong with arguments.
fn told(error: &clap::Error) -> ExitCode {
    let written = error.print().and_then(|()| io::stdout().flush());
    match written {
        Err(failure) if !error.use_stderr() && failure.kind() != io::ErrorKind::BrokenPipe => {
            let failure = Failure::io("standard output", &failure);
            failure.print();
            ExitCode::from(failure.code())
        }
        _ => u8::try_from(error.exit_code()).map_or(ExitCode::FAILURE, ExitCode::from),
    }
}

/// What is said of arguments for which the usual message would mislead: it takes a number below 0 for an option.
fn mistaken(error: &clap::Error) -> Option<Failure> {
    if let Some(ContextValue::String(command)) = error.get(ContextKind::InvalidSubcommand) {
        return guesses::guessed(command);
    }
    let Some(ContextValue::String(argument)) = error.get(ContextKind::InvalidArg) else {
        return None;
    };
    let digits = argument.strip_prefix('-')?;
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let failure = || Failure::usage(format!("unexpected argument {argument}: numbers of rows are 0 or more"));
    (is_number && error.kind() == ErrorKind::UnknownArgument)
        .then(|| failure().hint(format!("For {digits} rows: -n {digits}")))
}

/// Runs a command in this process; the first argument is the name of the program. The exit code, or a failure that is
/// not printed.
///
/// # Errors
///
/// Arguments that cannot be parsed, and any failure of the command.
pub fn run<A: Into<OsString> + Clone>(arguments: impl IntoIterator<Item = A>) -> Result<u8, Failure> {
    drawing::follow_locale();
    let parsed = Cli::parsed(arguments);
    parsed.map_err(|error| Failure::usage(error.to_string()))?.run()
}

/// Computes the statistics that `trevni stats` prints, and returns the number of columns.
///
/// # Errors
///
/// Values that cannot be read.
pub fn summarized(reader: &trevni::Reader<'_>) -> trevni::Result<usize> {
    trevni_report::stats::summarized(reader)
}

impl Cli {
    /// The command line, with the options that all commands have; its help has all commands and options, or those that
    /// most people want.
    fn program(has_all: bool) -> clap::Command {
        let program = Foreign::shared(Self::command(), has_all);
        if has_all { program } else { commands::usual(reading::hidden(program)) }
    }

    fn parsed<A: Into<OsString> + Clone>(
        arguments: impl IntoIterator<Item = A>,
    ) -> Result<Self, clap::Error> {
        let mut arguments: Vec<OsString> = arguments.into_iter().map(Into::into).collect();
        let is_all = |argument: &OsString| argument == "--help-all";
        let asked = arguments.iter().take_while(|argument| *argument != "--").position(is_all);
        if let Some(asked) = asked {
            arguments[asked] = "--help".into();
        }
        let mut program = Self::program(asked.is_some());
        let matches = program.try_get_matches_from_mut(arguments)?;
        Self::from_arg_matches(&matches).map_err(|error| error.format(&mut program))
    }

    fn run(self) -> Result<u8, Failure> {
        progress::configure(self.quiet, self.no_progress, self.progress_after);
        self.reading.configure()?;
        input::import_with(commands::columns);
        self.foreign.configure();
        let color =
            self.color.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned());
        let shared = Shared { quiet: self.quiet, no_progress: self.no_progress, color };
        self.command.run(Self::program, &shared)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_do_not_clash() {
        Cli::program(true).debug_assert();
        Cli::program(false).debug_assert();
    }
}
