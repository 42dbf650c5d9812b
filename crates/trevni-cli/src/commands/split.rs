//! One file in several; blocks are copied where that is possible.

use crate::failure::Failure;
use crate::human::thousands;
use crate::input;
use crate::output::Output;
use crate::progress::{self, Progress};
use clap::{ArgGroup, Args};
use serde_json::json;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use trevni::Reader;

#[derive(Debug, Args)]
#[command(
    group = ArgGroup::new("size").required(true),
    after_help = "Examples:
  trevni split --rows 1000000 year.trv -o parts/
  trevni split --parts 4 year.trv -o quarters/ --json"
)]
pub(crate) struct Split {
    /// File; - for standard input
    pub(crate) file: PathBuf,
    /// Folder for part-00000.trv, part-00001.trv, …
    #[arg(short, long, value_name = "FOLDER")]
    pub(crate) output: PathBuf,
    /// Rows per part
    #[arg(long, group = "size", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) rows: Option<u64>,
    /// Number of parts of equal size
    #[arg(long, group = "size", value_parser = clap::value_parser!(u64).range(1..=100_000))]
    pub(crate) parts: Option<u64>,
    /// Replace existing parts
    #[arg(long)]
    pub(crate) force: bool,
    /// Print one JSON object per part
    #[arg(long)]
    pub(crate) json: bool,
}

pub(crate) fn run(args: &Split) -> Result<u8, Failure> {
    let size = input::size(&args.file);
    let input = input::open_with(&args.file, Progress::bytes("splitting", size))?;
    let rows = input.reader.row_count();
    let split = match (args.rows, args.parts.unwrap_or(1)) {
        (Some(rows), _) => trevni::Split::every(rows),
        (None, parts) => trevni::Split::at((0..parts).map(|part| start(part, parts, rows))),
    };
    let parts = match has_parts(&args.output) {
        true if args.force => replace(&split, &input.reader, &args.output)?,
        true => {
            let failure = Failure::new(format!("{} has parts already", args.output.display()));
            return Err(failure.hint("To replace them: --force"));
        }
        false => {
            let parts = split.create(&input.reader, &args.output);
            parts.map_err(|error| Failure::of(&args.output, &error))?
        }
    };
    drop(input);
    if args.json {
        let mut out = Output::new(None, false)?;
        for path in &parts {
            let (rows, bytes) = facts(path)?;
            let part = json!({"file": path, "rows": rows, "bytes": bytes});
            writeln!(out, "{part}").map_err(|error| out.failed(&error))?;
        }
        out.finish()?;
    }
    let (rows, count) = (thousands(rows), parts.len());
    progress::note(format_args!("{}: {rows} rows in {count} parts", args.output.display()));
    Ok(0)
}

/// The first row of one of several parts whose sizes differ by one row at most.
fn start(part: u64, parts: u64, rows: u64) -> u64 {
    (u128::from(rows) * u128::from(part) / u128::from(parts)) as u64
}

fn facts(path: &Path) -> Result<(u64, u64), Failure> {
    let reader = Reader::open(path).map_err(|error| Failure::of(path, &error))?;
    let bytes = fs::metadata(path).map_err(|error| Failure::io(path.display(), &error))?.len();
    Ok((reader.row_count(), bytes))
}

fn is_part(path: &Path) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    name.starts_with("part-") && name.ends_with(".trv")
}

fn has_parts(folder: &Path) -> bool {
    fs::read_dir(folder).is_ok_and(|mut entries| entries.any(|entry| entry.is_ok_and(|e| is_part(&e.path()))))
}

/// Makes the parts in a folder within the folder, and moves them where the old ones were when all are there.
fn replace(split: &trevni::Split, reader: &Reader<'_>, folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let failed = |error| Failure::io(folder.display(), &error);
    let new = tempfile::Builder::new().prefix(".split-").tempdir_in(folder).map_err(failed)?;
    let parts = split.create(reader, new.path()).map_err(|error| Failure::of(folder, &error))?;
    let exchange = || -> io::Result<Vec<PathBuf>> {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if is_part(&path) {
                fs::remove_file(path)?;
            }
        }
        let mut moved = Vec::with_capacity(parts.len());
        for part in &parts {
            let path = folder.join(part.file_name().unwrap_or_default());
            fs::rename(part, &path)?;
            moved.push(path);
        }
        Ok(moved)
    };
    exchange().map_err(failed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_as_large_as_each_other() {
        let starts = |parts, rows| (0..parts).map(|part| start(part, parts, rows)).collect::<Vec<_>>();
        assert_eq!(starts(3, 10), [0, 3, 6]);
        assert_eq!(starts(4, 2), [0, 0, 1, 1]);
        assert_eq!(starts(2, u64::MAX), [0, u64::MAX / 2]);
    }
}
