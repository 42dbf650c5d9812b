//! What differs between two files: their schemas, and their rows, by position or by a key.

mod by_key;
mod by_position;
mod changes;
mod encode;
mod report;
mod schema;
mod side;

use crate::failure::{Failure, USAGE};
use crate::output::Output;
use crate::selecting::condition;
use changes::Changes;
use clap::Args;
use side::Sides;
use std::path::PathBuf;

/// Exit code for files that differ; as `diff` has it, what goes wrong has a greater one.
const DIFFER: u8 = 1;

#[derive(Debug, Args)]
#[command(
    after_help = "The exit code is 0 where nothing differs, 1 where something does, 2 or more for failures.
Rows are compared by position and take little memory; with --key, the keys of the first file stay in memory.
Values are compared, not types: 2 equals 2.0, and null what is absent.

Examples:
  trevni diff monday.trv tuesday.trv
  trevni diff old.trv new.trv --key id -c '!updated'
  trevni diff old.trv new.trv --key 'carrier,flight' --json"
)]
pub(crate) struct Diff {
    /// The file before
    pub(crate) before: PathBuf,
    /// The file after
    pub(crate) after: PathBuf,
    /// Compare rows that have the same values in these fields, wherever they are
    #[arg(short, long, value_name = "PATHS")]
    pub(crate) key: Vec<String>,
    /// Fields: paths such as sender.host and globs such as dep_*; !x excludes x, `a.b` is a name with a dot
    #[arg(short, long, value_name = "PATHS", allow_hyphen_values = true)]
    pub(crate) columns: Vec<String>,
    /// Compare only rows that match this condition
    #[arg(short = 'w', long = "where", value_name = "EXPRESSION", allow_hyphen_values = true)]
    pub(crate) filter: Option<String>,
    /// Print at most this many rows that differ; all are counted
    #[arg(short = 'n', long, value_name = "ROWS", default_value_t = 20)]
    pub(crate) number: u64,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

pub(crate) fn run(args: &Diff) -> Result<u8, Failure> {
    // What goes wrong is no difference.
    differ(args).map_err(|failure| match failure.code() {
        code if code < USAGE => failure.with_code(USAGE),
        _ => failure,
    })
}

fn differ(args: &Diff) -> Result<u8, Failure> {
    let condition = condition(args.filter.as_deref())?;
    let sides = Sides::open(args, condition.as_ref())?;
    let schema = schema::differences(&sides);
    let changes: Changes = match sides.keys.is_empty() {
        true => by_position::changes(&sides, args.number)?,
        false => by_key::changes(&sides, args.number)?,
    };
    let mut out = Output::new(None, false)?;
    let written = match args.json {
        true => report::json(&sides, &schema, &changes, &mut out),
        false => report::text(&sides, &schema, &changes, &mut out),
    };
    written.map_err(|error| out.failed(&error))?;
    out.finish()?;
    let is_same = schema.is_empty() && changes.is_none();
    Ok(if is_same { 0 } else { DIFFER })
}
