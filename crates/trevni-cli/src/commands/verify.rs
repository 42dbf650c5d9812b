//! Reads everything, and says what is damaged.

use crate::failure::{DAMAGED, Failure};
use crate::human::thousands;
use crate::input::{self, Input};
use crate::output::Output;
use crate::progress::Progress;
use crate::shown::shown;
use clap::Args;
use serde_json::{Value, json};
use std::io::Write;
use std::path::{Path, PathBuf};
use unicode_width::UnicodeWidthStr;

#[derive(Debug, Args)]
#[command(after_help = "Example:\n  trevni verify *.trv\n\nExit code 3 if a file is damaged.")]
pub(crate) struct Verify {
    /// Files, or folders of them; - for standard input
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Print one JSON object per file
    #[arg(long)]
    pub(crate) json: bool,
}

/// Something that is damaged.
struct Damage {
    message: String,
    /// Rows that cannot be read, where that is known: the first, and the one after the last.
    rows: Option<(u64, u64)>,
}

pub(crate) fn run(args: &Verify) -> Result<u8, Failure> {
    let mut out = Output::new(None, false)?;
    let mut code = 0;
    let files = input::files(&args.files)?;
    let width = files.iter().map(|path| shown(&path.display().to_string()).width()).max().unwrap_or(0);
    for path in &files {
        let (blocks, rows, damage) = match input::open_with(path, progress(path)) {
            Ok(input) => {
                let (blocks, damage) = check(&input);
                (blocks, input.reader.row_count(), damage)
            }
            Err(failure) if failure.code() == DAMAGED => {
                (0, 0, vec![Damage { message: failure.message().to_owned(), rows: None }])
            }
            Err(failure) => return Err(failure),
        };
        if !damage.is_empty() {
            code = DAMAGED;
        }
        let name = path.display().to_string();
        let (safe, gap) = (shown(&name), width.saturating_sub(shown(&name).width()));
        let gap = " ".repeat(gap);
        let written = if args.json {
            writeln!(out, "{}", as_json(&name, blocks, rows, &damage))
        } else if damage.is_empty() {
            let (blocks, rows) = (thousands(blocks as u64), thousands(rows));
            writeln!(out, "ok       {safe}{gap}  {blocks} blocks, {rows} rows")
        } else {
            damage.iter().try_for_each(|damage| {
                writeln!(out, "damaged  {safe}{gap}  {}", shown(&damage.message))?;
                match damage.rows {
                    Some((first, end)) => {
                        let (first, last) = (thousands(first), thousands(end - 1));
                        writeln!(out, "         {:width$}  rows {first} to {last} cannot be read", "")
                    }
                    None => Ok(()),
                }
            })
        };
        written.map_err(|error| out.failed(&error))?;
    }
    out.finish().map(|()| code)
}

/// Bytes are read twice: as columns, and as rows.
fn progress(path: &Path) -> Progress {
    Progress::bytes("verifying", input::size(path) * 2)
}

/// Reads each column by itself, and all rows; returns the number of blocks and what is damaged.
fn check(input: &Input) -> (usize, Vec<Damage>) {
    let (mut all, mut damaged) = (0, Vec::new());
    for number in 0..input.reader.columns().len() {
        match input.reader.blocks(number) {
            Ok(blocks) => {
                all += blocks.len();
                if let Err(error) = input.reader.raw_column(number) {
                    let block = error.location().block.and_then(|block| blocks.get(block));
                    let rows = block.map(|block| (block.first_row, block.first_row + u64::from(block.rows)));
                    damaged.push(Damage { message: error.to_string(), rows });
                }
            }
            Err(error) => damaged.push(Damage { message: error.to_string(), rows: None }),
        }
    }
    if damaged.is_empty() {
        // The columns fit each other, and the values the schema.
        let rows =
            input.reader.batches().and_then(|mut batches| batches.try_for_each(|batch| batch.map(drop)));
        damaged.extend(rows.err().map(|error| Damage { message: error.to_string(), rows: None }));
    }
    (all, damaged)
}

fn as_json(name: &str, blocks: usize, rows: u64, damage: &[Damage]) -> Value {
    let one = |damage: &Damage| match damage.rows {
        Some((first, end)) => json!({"message": damage.message, "first_row": first, "rows": end - first}),
        None => json!({"message": damage.message}),
    };
    let damage: Vec<Value> = damage.iter().map(one).collect();
    json!({"file": Path::new(name), "ok": damage.is_empty(), "blocks": blocks, "rows": rows, "damage": damage})
}
