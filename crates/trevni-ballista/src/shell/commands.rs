//! Commands of the shell, which begin with a backslash, or with a point as those of SQLite.

use super::failure::Failure;
use super::printer::Format;
use super::run::{Ended, Runner};
use super::statements::statements;
use clap::ValueEnum;
use datafusion::arrow::array::{ArrayRef, RecordBatch, StringArray, UInt64Array};
use datafusion::arrow::datatypes::{Field, Schema};
use datafusion::common::TableReference;
use datafusion::error::DataFusionError;
use datafusion::prelude::SessionContext;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;
use trevni::Shape;
use trevni_arrow::shape_of_schema;
use trevni_print::progress::note;
use trevni_print::type_name::short_type_name;

const HELP: &str = "\
Statements end with a semicolon and may have several lines.
  SELECT * FROM 'flights.trv' LIMIT 5;
  SELECT count(*) FROM 'flights/*.trv';
  CREATE EXTERNAL TABLE flights STORED AS TREVNI LOCATION 'flights/';
  COPY (SELECT 1 AS one) TO 'one.trv';
Commands:
  \\d            tables; so does .tables
  \\d NAME       the columns of a table, or of a file: \\d 'flights.trv'; so does .schema NAME
  \\i FILE       run the statements of a file; so does .read FILE
  \\timing       say how long each statement takes, or no longer; so does .timer
  \\x            print each row over several lines, or no longer
  \\o FILE       print rows to a file, as its name ends (.csv, .json, .parquet, .arrow); \\o alone ends that; so does .output
  .mode FORMAT  print rows as a table, json, csv, parquet or arrow
  \\?            this help; so does .help
  \\q            end; so do .quit, Ctrl-D, and Ctrl-C twice
SUMMARIZE NAME, or SUMMARIZE and a query, prints counts, least and greatest values of each column.
CALL compact('flights/') puts small files together, CALL snapshots('flights/') lists moments of a table,
CALL clean('flights/') removes files that no moment of the last week has.
Ctrl-C stops a statement. Tab completes names, keywords, and paths in quotes.
";

/// Whether a statement is a word that ends the shell.
pub(super) fn ends(statement: &str) -> bool {
    ["exit", "quit"].iter().any(|word| statement.trim_end_matches(';').trim().eq_ignore_ascii_case(word))
}

/// Runs a command; it breaks where the shell is to end.
pub(super) async fn run(command: &str, runner: &mut Runner) -> Result<ControlFlow<()>, Failure> {
    let text = command.trim().trim_end_matches(';').trim_end();
    let (name, argument) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    match (name, argument.trim()) {
        ("\\q" | ".quit" | ".exit", "") => return Ok(ControlFlow::Break(())),
        ("\\?" | "\\h" | ".help", "") => help(runner)?,
        ("\\d" | "\\dt" | ".tables", "") => {
            let tables = tables(&runner.session).await;
            print(runner, &tables)?;
        }
        ("\\d" | ".schema", name) if !name.is_empty() => {
            let columns = columns(&runner.session, name).await;
            print(runner, &columns)?;
        }
        ("\\i" | ".read", file) if !file.is_empty() => return include(file, runner).await,
        ("\\timing" | ".timer", choice) => {
            runner.is_timed = switched(runner.is_timed, choice)?;
            note(format_args!("timing is {}", if runner.is_timed { "on" } else { "off" }));
        }
        ("\\x", choice) => {
            runner.style.is_expanded = switched(runner.style.is_expanded, choice)?;
            let how = if runner.style.is_expanded { "a line for each column" } else { "a table" };
            note(format_args!("rows are printed as {how}"));
        }
        ("\\o" | ".output", file) => output(file, runner)?,
        (".mode", format) => {
            runner.style.format = Format::from_str(format, true).map_err(|_| {
                Failure::usage(format!("there is no format {format:?}: table, json, csv, parquet, arrow"))
            })?;
        }
        _ => {
            return Err(Failure::usage(format!("there is no command {text}")).hint("\\? lists them"));
        }
    }
    Ok(ControlFlow::Continue(()))
}

/// Runs the statements of a file, whose name may be in quotes and begin with `~/`.
async fn include(file: &str, runner: &mut Runner) -> Result<ControlFlow<()>, Failure> {
    let text = super::read(&at_home(file.trim_matches('\'')))?;
    let found = statements(&text).map_err(|error| Failure::of_text(&text, &error))?;
    // A file may have commands of its own.
    let all: Pin<Box<dyn Future<Output = _> + '_>> = Box::pin(runner.all(found));
    Ok(match all.await? {
        Ended::Quit => ControlFlow::Break(()),
        Ended::Done | Ended::Interrupted(_) => ControlFlow::Continue(()),
    })
}

/// Prints rows to a file, in the format that its name says; without one, to standard output again.
fn output(file: &str, runner: &mut Runner) -> Result<(), Failure> {
    if let Some(format) = runner.format_before.take() {
        runner.style.format = format;
    }
    let path = at_home(file.trim_matches('\''));
    let path = Some(path).filter(|_| !file.is_empty());
    runner.screen.redirect(path.as_deref()).map_err(|error| Failure::io(file, &error))?;
    if let Some(format) = path.as_deref().and_then(Format::of_file) {
        runner.format_before = Some(std::mem::replace(&mut runner.style.format, format));
    }
    Ok(())
}

/// A path whose `~/` is the folder of the user.
pub(super) fn at_home(path: &str) -> PathBuf {
    match (path.strip_prefix("~/"), std::env::home_dir()) {
        (Some(rest), Some(home)) => home.join(rest),
        _ => path.into(),
    }
}

/// What a switch is after `on`, `off`, or nothing.
fn switched(is_on: bool, choice: &str) -> Result<bool, Failure> {
    match choice {
        "" => Ok(!is_on),
        "on" => Ok(true),
        "off" => Ok(false),
        other => Err(Failure::usage(format!("{other:?} is neither on nor off"))),
    }
}

fn help(runner: &mut Runner) -> Result<(), Failure> {
    let screen = &mut runner.screen;
    screen.write_all(HELP.as_bytes()).and_then(|()| screen.flush()).map_err(|error| Failure::output(&error))
}

fn print(runner: &mut Runner, rows: &Result<RecordBatch, DataFusionError>) -> Result<(), Failure> {
    let failed = |error: &DataFusionError| match error {
        DataFusionError::IoError(error) => Failure::output(error),
        error => Failure::from(error),
    };
    let rows = rows.as_ref().map_err(failed)?;
    runner.rows(rows).map_err(|error| failed(&error))
}

/// The tables of a session, each with the number of its columns.
async fn tables(session: &SessionContext) -> Result<RecordBatch, DataFusionError> {
    let (mut names, mut counts) = (Vec::new(), Vec::new());
    for (name, columns) in known(session).await {
        names.push(name);
        counts.push(columns.len() as u64);
    }
    let columns: [(&str, ArrayRef); 2] =
        [("table", Arc::new(StringArray::from(names))), ("columns", Arc::new(UInt64Array::from(counts)))];
    Ok(RecordBatch::try_from_iter(columns)?)
}

/// The tables that statements have made, in order, with the names of their columns.
pub(super) async fn known(session: &SessionContext) -> Vec<(String, Vec<String>)> {
    let mut found = Vec::new();
    for catalog in session.catalog_names() {
        let Some(schemas) = session.catalog(&catalog) else { continue };
        for schema in schemas.schema_names() {
            if schema == "information_schema" {
                continue;
            }
            let Some(tables) = schemas.schema(&schema) else { continue };
            for table in tables.table_names() {
                let name = if schema == "public" { table.clone() } else { format!("{schema}.{table}") };
                let reference = TableReference::full(catalog.as_str(), schema.as_str(), table.as_str());
                let Ok(provider) = session.table_provider(reference).await else { continue };
                found.push((
                    name,
                    provider.schema().fields().iter().map(|field| field.name().clone()).collect(),
                ));
            }
        }
    }
    found.sort();
    found
}

/// The columns of a table or of files, each with its type.
async fn columns(session: &SessionContext, name: &str) -> Result<RecordBatch, DataFusionError> {
    let is_path = name.len() > 1 && name.starts_with('\'') && name.ends_with('\'');
    let reference = match is_path {
        true => TableReference::bare(name.trim_matches('\'').replace("''", "'")),
        false => TableReference::from(name),
    };
    let schema = session.table_provider(reference).await?.schema();
    let (mut names, mut types) = (Vec::new(), Vec::new());
    for field in schema.fields() {
        names.push(field.name().clone());
        types.push(type_of(field));
    }
    let columns: [(&str, ArrayRef); 2] =
        [("column", Arc::new(StringArray::from(names))), ("type", Arc::new(StringArray::from(types)))];
    Ok(RecordBatch::try_from_iter(columns)?)
}

/// The type of a column as reports have it; the engine's where Trevni has no type.
fn type_of(field: &Arc<Field>) -> String {
    let shape = shape_of_schema(&Schema::new(vec![Arc::clone(field)]));
    let Ok(Shape::Record(record)) = shape else { return field.data_type().to_string() };
    record.fields.first().map_or(String::new(), |field| short_type_name(&field.shape))
}
