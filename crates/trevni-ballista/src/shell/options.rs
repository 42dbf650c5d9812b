//! The options of the program.

use super::printer::Format;
use clap::{ArgMatches, Parser, ValueEnum};
use std::path::PathBuf;
use trevni_print::human::bytes_of;

/// SQL on Trevni column files: a shell, and statements for scripts.
#[derive(Debug, Parser)]
#[command(name = "trevni-sql", version, max_term_width = 100, after_help = EXAMPLES)]
pub(super) struct Options {
    /// Run statements, separated by semicolons, and end
    #[arg(short, long, value_name = "SQL")]
    pub(super) command: Vec<String>,
    /// Run the statements of a file and end; - is standard input
    #[arg(short, long, value_name = "FILE")]
    pub(super) file: Vec<PathBuf>,
    /// Run queries on the cluster of a scheduler, and not in this process
    #[arg(short, long, value_name = "HOST:PORT")]
    pub(super) scheduler: Option<String>,
    /// Use TLS for the cluster, with cert.pem, key.pem and ca.pem of this folder (or of the variable TREVNI_TLS)
    #[arg(long, value_name = "FOLDER", requires = "scheduler")]
    pub(super) tls: Option<PathBuf>,
    /// Load tables and views from this file, and save new ones to it
    #[arg(long, value_name = "FILE")]
    pub(super) tables: Option<PathBuf>,
    /// How rows are printed
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub(super) format: Format,
    /// Text for null in CSV
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub(super) null: String,
    /// Omit column names in CSV
    #[arg(long)]
    pub(super) no_header: bool,
    /// Memory that sorting, grouping and joining may take, such as 2GiB; more goes to temporary files [default: no limit]
    #[arg(long, value_name = "BYTES", value_parser = bytes_of, conflicts_with = "scheduler")]
    pub(super) memory_limit: Option<usize>,
    /// Threads that a query runs on [default: as many as there are processors]
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u16).range(1..))]
    pub(super) threads: Option<u16>,
    /// Neither read nor write the history of statements
    #[arg(long)]
    pub(super) no_history: bool,
    /// Print only errors on standard error
    #[arg(short, long)]
    pub(super) quiet: bool,
    /// Show no progress bars
    #[arg(long)]
    pub(super) no_progress: bool,
    /// Milliseconds before a progress bar appears
    #[arg(long, value_name = "MILLISECONDS", hide = true)]
    pub(super) progress_after: Option<u64>,
    /// When to use colours
    #[arg(long, value_enum, default_value_t = Color::Auto, value_name = "WHEN")]
    pub(super) color: Color,
}

const EXAMPLES: &str = "Examples:
  trevni-sql
  trevni-sql -c \"SELECT count(*) FROM 'flights.trv'\"
  trevni-sql --format csv -c \"SELECT * FROM 'flights/*.trv' WHERE dep_delay > 60\" > late.csv
  trevni-sql -c \"CREATE EXTERNAL TABLE f STORED AS TREVNI LOCATION 'flights/'; DESCRIBE f\"
  trevni-sql --memory-limit 2GiB -f report.sql
  trevni-sql --scheduler 127.0.0.1:50050";

/// When to use colours.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum Color {
    Auto,
    Always,
    Never,
}

impl Color {
    /// Makes this the choice of all output.
    pub(super) fn write_global(self) {
        match self {
            Self::Auto => anstream::ColorChoice::Auto,
            Self::Always => anstream::ColorChoice::Always,
            Self::Never => anstream::ColorChoice::Never,
        }
        .write_global();
    }
}

/// Where statements come from, if not from standard input.
#[derive(Debug, PartialEq)]
pub(super) enum Source {
    Text(String),
    File(PathBuf),
}

impl Options {
    /// Strings and files with statements, in the order of the arguments.
    pub(super) fn sources(&self, arguments: &ArgMatches) -> Vec<Source> {
        let places = |name| arguments.indices_of(name).into_iter().flatten();
        let texts = self.command.iter().map(|text| Source::Text(text.clone()));
        let files = self.file.iter().map(|path| Source::File(path.clone()));
        let mut sources: Vec<(usize, Source)> =
            places("command").zip(texts).chain(places("file").zip(files)).collect();
        sources.sort_by_key(|(place, _)| *place);
        sources.into_iter().map(|(_, source)| source).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::{CommandFactory, FromArgMatches};

    #[test]
    fn options_do_not_clash() {
        Options::command().debug_assert();
    }

    #[test]
    fn statements_come_in_the_order_of_the_arguments() {
        let arguments = ["trevni-sql", "-c", "SELECT 1", "-f", "a.sql", "-q", "-c", "SELECT 2"];
        let arguments = Options::command().get_matches_from(arguments);
        let sources = Options::from_arg_matches(&arguments).unwrap().sources(&arguments);
        let text = |text: &str| Source::Text(text.to_owned());
        assert_eq!(sources, [text("SELECT 1"), Source::File("a.sql".into()), text("SELECT 2")]);
    }
}
