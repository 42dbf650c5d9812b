//! SQL on files of any format: a statement, or a shell. The engine is that of `trevni-sql`.

use super::convert::copied;
use super::written::format;
use super::{Shared, cat};
use crate::encoding::bytes;
use crate::failure::Failure;
use crate::format::Format;
use crate::human::count;
use crate::input::{self, is_standard};
use crate::output::refuse_existing;
use crate::progress::{self, Progress, note};
use crate::rows::Mixed;
use clap::Args;
use datafusion::catalog::{DynamicFileCatalog, TableProvider, UrlTableFactory};
use datafusion::datasource::listing::{ListingOptions, ListingTable, ListingTableConfig, ListingTableUrl};
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::context::SessionState;
use datafusion::prelude::SessionContext;
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use tempfile::TempDir;
use trevni_datafusion::TrevniFormat;

#[derive(Debug, Args)]
#[command(
    after_help = "A file or a folder in quotes is a table, whatever its format. A name in double quotes keeps its capital letters.

Examples:
  trevni sql \"select carrier, count(*) from 'flights.csv' group by carrier\"
  trevni sql \"select * from 'a.csv' join 'b.parquet' using (id)\" -o both.trv
  trevni sql"
)]
pub(crate) struct Sql {
    /// A statement, or several with semicolons [default: a shell, or standard input]
    statements: Option<String>,
    /// Run the statements of a file; - is standard input
    #[arg(short = 'f', long, value_name = "FILE", conflicts_with = "statements")]
    file: Option<PathBuf>,
    /// Write the rows of a query to a file, in the format of its name
    #[arg(short, long, value_name = "FILE", requires = "statements")]
    output: Option<PathBuf>,
    /// Replace an existing output
    #[arg(long, requires = "output")]
    force: bool,
    /// What values of several types in one column of the file become: union, json, string or error
    #[arg(
        long,
        value_enum,
        default_value_t,
        value_name = "HOW",
        hide_possible_values = true,
        requires = "output"
    )]
    mixed: Mixed,
    /// How rows are printed: table, csv, tsv, jsonl, … [default: table]
    #[arg(long, value_name = "FORMAT")]
    format: Option<String>,
    /// Text for null in CSV
    #[arg(long, value_name = "TEXT")]
    null: Option<String>,
    /// Omit column names in CSV
    #[arg(long)]
    no_header: bool,
    /// Memory for sorting, grouping and joining, such as 2GiB; more goes to temporary files [default: no limit]
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    memory_limit: Option<usize>,
    /// Threads that a query runs on [default: as many as there are processors]
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// Neither read nor write the history of statements
    #[arg(long)]
    no_history: bool,
}

pub(crate) fn run(args: &Sql, shared: &Shared) -> std::result::Result<u8, Failure> {
    let Some(output) = args.output.as_deref().filter(|path| !is_standard(path)) else {
        return Ok(shell(args, shared, args.statements.as_deref()));
    };
    refuse_existing(output, args.force)?;
    if format(None, Some(output)).is_none() {
        let failure = Failure::usage(format!("{}: no format has this ending", output.display()));
        return Err(failure.hint(format!("Endings are {}", Format::endings())));
    }
    let folder = tempfile::tempdir().map_err(|error| Failure::io("a temporary file", &error))?;
    let rows = folder.path().join("rows.trv");
    let query = args.statements.as_deref().unwrap_or_default().trim().trim_end_matches(';');
    let place = rows.display().to_string().replace('\'', "''");
    // A comment at the end of the query ends with its line.
    let copy = format!("COPY ({query}\n) TO '{place}' STORED AS TREVNI");
    let quiet = Shared { quiet: true, ..shared.clone() };
    let code = shell(args, &quiet, Some(&copy));
    if code != 0 {
        return Ok(code);
    }
    // The shell was quiet.
    progress::configure(shared.quiet, shared.no_progress, None);
    let mut input = input::open_columns(&rows, Progress::default())?;
    input.reader = args.mixed.rows(&input.reader, &output.display().to_string(), u64::MAX)?;
    let written = copied(input, output, args.force)?;
    note(format_args!("{}: {}", output.display(), count(written, "row")));
    Ok(0)
}

/// Runs statements, or a shell where there are none.
fn shell(args: &Sql, shared: &Shared, statements: Option<&str>) -> u8 {
    let mut words: Vec<OsString> = vec!["trevni sql".into()];
    let mut option = |name: &str, value: Option<&OsStr>| {
        words.extend(value.map(|value| {
            let mut word = OsString::from(format!("--{name}="));
            word.push(value);
            word
        }));
    };
    let number = |number: Option<u64>| number.map(|number| OsString::from(number.to_string()));
    option("command", statements.map(OsStr::new));
    option("file", args.file.as_ref().map(|file| file.as_os_str()));
    option("format", args.format.as_ref().map(OsStr::new));
    option("null", args.null.as_ref().map(OsStr::new));
    option("memory-limit", number(args.memory_limit.map(|bytes| bytes as u64)).as_deref());
    option("threads", number(args.threads.map(u64::from)).as_deref());
    option("color", Some(OsStr::new(&shared.color)));
    for (flag, is_given) in [
        ("--no-header", args.no_header),
        ("--no-history", args.no_history),
        ("--quiet", shared.quiet),
        ("--no-progress", shared.no_progress),
    ] {
        words.extend(is_given.then(|| flag.into()));
    }
    trevni_ballista::shell::main_with(words, prepare)
}

/// Makes files that have no columns tables of a session.
fn prepare(session: &SessionContext) -> Result<()> {
    let catalogs = Arc::clone(session.state().catalog_list());
    // The session owns the files, which go with it: they do not own the session.
    let state = session.state_weak_ref();
    let state = Box::new(move || Some(state.upgrade()?.read().clone()));
    let files = Arc::new(ForeignFiles { state, made: Mutex::default() });
    session.register_catalog_list(Arc::new(DynamicFileCatalog::new(catalogs, files)));
    Ok(())
}

/// Makes tables of files that are no column files, by way of temporary ones.
struct ForeignFiles {
    /// The state of the session, as long as there is one.
    state: Box<dyn Fn() -> Option<SessionState> + Send + Sync>,
    /// Tables by the names of files, with the folders that they are in.
    made: Mutex<Vec<(String, PathBuf, TempDir)>>,
}

impl fmt::Debug for ForeignFiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ForeignFiles")
    }
}

impl ForeignFiles {
    /// The column file of a file.
    fn made(&self, url: &str) -> Result<PathBuf> {
        let known = |made: &Vec<(String, PathBuf, TempDir)>| {
            made.iter().find(|(name, ..)| name == url).map(|(_, path, _)| path.clone())
        };
        if let Some(path) = self.made.lock().ok().and_then(|made| known(&made)) {
            return Ok(path);
        }
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("rows.trv");
        cat::to_file(Path::new(url), &path).map_err(|failure| {
            let hints: String = failure.hints().iter().map(|hint| format!("; {hint}")).collect();
            DataFusionError::Execution(format!("{}{hints}", failure.message()))
        })?;
        if let Ok(mut made) = self.made.lock() {
            made.push((url.to_owned(), path.clone(), folder));
        }
        Ok(path)
    }
}

/// Whether a path leads to files that the engine is not to read itself.
fn is_foreign(url: &str) -> bool {
    let path = Path::new(url);
    // RedElm too: the engine knows files by the other ending alone.
    let is_own = |path: &Path| path.extension().is_some_and(|ending| ending == TrevniFormat::EXTENSION);
    let of_name = |path: &Path| Format::of_name(path).is_some() && !is_own(path);
    match path.is_dir() {
        false => path.is_file() && of_name(path),
        true => input::files(&[path.to_owned()])
            .is_ok_and(|files| files.first().is_some_and(|file| of_name(file.path()))),
    }
}

#[async_trait::async_trait]
impl UrlTableFactory for ForeignFiles {
    async fn try_new(&self, url: &str) -> Result<Option<Arc<dyn TableProvider>>> {
        if !is_foreign(url) {
            return Ok(None);
        }
        let path = self.made(url)?;
        let path = ListingTableUrl::parse(path.to_string_lossy())?;
        let state =
            (self.state)().ok_or_else(|| DataFusionError::Execution("the session has ended".to_owned()))?;
        let options = ListingOptions::new(Arc::new(TrevniFormat::default())).with_file_extension(".trv");
        let config = ListingTableConfig::new(path).with_listing_options(options);
        let config = config.infer_schema(&state).await?;
        Ok(Some(Arc::new(ListingTable::try_new(config)?)))
    }
}
