//! Counts rows.

use crate::failure::Failure;
use crate::human::thousands;
use crate::input::{self, Opened};
use crate::output::Output;
use crate::progress::Progress;
use crate::selecting::{condition, deciding, filtered, matching_count};
use crate::shown::shown;
use clap::Args;
use serde_json::json;
use std::io::Write;
use std::path::{Path, PathBuf};
#[cfg(feature = "parquet")]
use trevni_query::Binder;

#[derive(Debug, Args)]
#[command(after_help = "Example:\n  trevni count -w 'dep_delay is null' *.trv")]
pub(crate) struct Count {
    /// Files, or folders of them; - for standard input
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Keep only rows that match this condition
    #[arg(short = 'w', long = "where", value_name = "EXPRESSION", allow_hyphen_values = true)]
    pub(crate) filter: Option<String>,
    /// Show which blocks are read
    #[arg(long, requires = "filter", conflicts_with = "json")]
    pub(crate) explain: bool,
    /// Print one JSON object per file
    #[arg(long)]
    pub(crate) json: bool,
}

pub(crate) fn run(args: &Count) -> Result<u8, Failure> {
    let condition = condition(args.filter.as_deref())?;
    let mut out = Output::new(None, false)?;
    let mut counts = Vec::new();
    for file in &input::files(&args.files)? {
        let input = match file.open(Progress::default())? {
            Opened::Columns(input) => input,
            #[cfg(feature = "parquet")]
            Opened::Parquet(file) => match &condition {
                // The footer has it.
                None => {
                    counts.push((file.name.clone(), file.file.row_count()));
                    continue;
                }
                Some(_) if args.explain => {
                    let failure = Failure::usage(format!("{} is Parquet, which has no blocks", file.name));
                    return Err(failure.hint("To see what a column file skips: trevni convert"));
                }
                Some(condition) => {
                    let fields = file.needed(|shape| {
                        condition.check(&Binder::new(shape))?;
                        Ok(Some(condition.fields(shape)))
                    })?;
                    file.columns(input::Part { fields, ..input::Part::default() })?
                }
            },
        };
        let failed = |error: trevni::Error| Failure::of(Path::new(&input.name), &error);
        let rows = match &condition {
            None => input.reader.row_count(),
            Some(condition) => {
                let found = filtered(&input.reader, &input.name, Some(condition))?;
                let rows = matching_count(&found).map_err(failed)?;
                if args.explain {
                    let deciding = deciding(&input.reader, &input.name, condition)?;
                    let mut explain = deciding.explain().map_err(failed)?;
                    // What is computed leaves less than what the file finds itself.
                    explain.matching = rows;
                    for column in &mut explain.columns {
                        column.name = shown(&column.name).into_owned();
                    }
                    writeln!(out, "{}\n{explain}", shown(&input.name)).map_err(|error| out.failed(&error))?;
                    continue;
                }
                rows
            }
        };
        counts.push((input.name, rows));
    }
    let total: u64 = counts.iter().map(|(_, rows)| rows).sum();
    let several = counts.len() > 1;
    let width = thousands(total).len();
    for (name, rows) in counts {
        let written = match (args.json, several) {
            (true, _) => writeln!(out, "{}", json!({"file": name, "rows": rows})),
            (false, true) => writeln!(out, "{:>width$}  {}", thousands(rows), shown(&name)),
            (false, false) => writeln!(out, "{rows}"),
        };
        written.map_err(|error| out.failed(&error))?;
    }
    if several && !args.json {
        writeln!(out, "{:>width$}  total", thousands(total)).map_err(|error| out.failed(&error))?;
    }
    out.finish().map(|()| 0)
}
