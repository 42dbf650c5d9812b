//! One file in several; blocks are copied where that is possible.

use super::convert::written;
use crate::failure::Failure;
use crate::format::Format;
use crate::human::count;
use crate::input::{self, Input};
use crate::interrupt;
use crate::output::Output;
use crate::progress::{self, Progress};
use crate::remote;
use crate::rows::Mixed;
use clap::{ArgGroup, Args};
use serde_json::json;
use std::collections::HashSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use trevni::{Dialect, Reader};

#[derive(Debug, Args)]
#[command(
    group = ArgGroup::new("size").required(true),
    after_help = "Examples:
  trevni split --rows 1000000 year.trv -o parts/
  trevni split --parts 4 year.trv -o quarters/ --json
  trevni split --rows 100000 year.trv --to parquet -o parts/"
)]
pub(crate) struct Split {
    /// File; - for standard input
    pub(crate) file: PathBuf,
    /// Folder for part-00000.trv, part-00001.trv, … (.redelm for RedElm, .csv for CSV, …)
    #[arg(short, long, value_name = "FOLDER")]
    pub(crate) output: PathBuf,
    /// Format of the parts: trv, parquet, csv, jsonl, … [default: trv]
    #[arg(long, value_name = "FORMAT", hide_possible_values = true, conflicts_with = "dialect")]
    pub(crate) to: Option<Format>,
    /// What values of several types in one field become: union, json, string or error
    #[arg(long, value_enum, default_value_t, value_name = "HOW", hide_possible_values = true)]
    pub(crate) mixed: Mixed,
    /// Rows per part
    #[arg(long, group = "size", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) rows: Option<u64>,
    /// Number of parts of equal size
    #[arg(long, group = "size", value_parser = clap::value_parser!(u64).range(1..=100_000))]
    pub(crate) parts: Option<u64>,
    /// File format: trevni, levels or redelm [default: that of the file]
    #[arg(long, value_name = "DIALECT", hide_short_help = true)]
    pub(crate) dialect: Option<Dialect>,
    /// Replace existing parts
    #[arg(long)]
    pub(crate) force: bool,
    /// Print one JSON object per part
    #[arg(long)]
    pub(crate) json: bool,
}

pub(crate) fn run(args: &Split) -> Result<u8, Failure> {
    if remote::is_url(&args.output) {
        let failure = Failure::usage(format!(
            "{} is not a folder: parts are written to folders",
            args.output.display()
        ));
        return Err(failure);
    }
    let size = input::size(&args.file);
    let mut input = input::open_with(&args.file, Progress::bytes("splitting", size))?;
    input.reader = args.mixed.rows(&input.reader, &input.name, u64::MAX)?;
    let rows = input.reader.row_count();
    let split = match (args.rows, args.parts.unwrap_or(1)) {
        (Some(rows), _) => trevni::merge::Split::every(rows),
        (None, parts) => trevni::merge::Split::at((0..parts).map(|part| start(part, parts, rows))),
    };
    let split = match args.dialect {
        Some(dialect) => split.stored(trevni::merge::Merge::new().dialect(dialect)),
        None => split,
    };
    let failed = |error| Failure::of(&args.output, &error);
    let readers = split.readers(&input.reader).map_err(failed)?;
    let counts = readers.iter().map(|part| part.matching_count());
    let counts = counts.collect::<Result<Vec<u64>, _>>().map_err(failed)?;
    let to = args.to.filter(|to| *to != Format::Trv);
    let create = |folder: &Path| match to {
        Some(to) => others(&readers, &input, to, folder),
        None => split.create(&input.reader, folder).map_err(|error| Failure::of(folder, &error)),
    };
    let parts = match (has_parts(&args.output), to) {
        (true, _) if !args.force => return Err(already(&args.output)),
        (false, None) => create(&args.output).map_err(|failure| {
            // Its own are gone: these are those of another program, which was first.
            if has_parts(&args.output) { already(&args.output) } else { failure }
        })?,
        _ => replace(create, &args.output)?,
    };
    if args.json {
        let mut out = Output::new(None, false)?;
        for (path, rows) in parts.iter().zip(counts) {
            let bytes = input::size(path);
            let part = json!({"file": path, "rows": rows, "bytes": bytes});
            writeln!(out, "{part}").map_err(|error| out.failed(&error))?;
        }
        out.finish()?;
    }
    let (rows, parts) = (count(rows, "row"), count(parts.len() as u64, "part"));
    progress::note(format_args!("{}: {rows} in {parts}", args.output.display()));
    Ok(0)
}

fn already(folder: &Path) -> Failure {
    Failure::new(format!("{} has parts already", folder.display())).hint("To replace them: --force")
}

/// The first row of one of several parts whose sizes differ by one row at most.
fn start(part: u64, parts: u64, rows: u64) -> u64 {
    (u128::from(rows) * u128::from(part) / u128::from(parts)) as u64
}

/// Writes parts in a format that is not of columns.
fn others(
    parts: &[Reader<'static>],
    input: &Input,
    to: Format,
    folder: &Path,
) -> Result<Vec<PathBuf>, Failure> {
    let digits = parts.len().saturating_sub(1).to_string().len().max(5);
    let one = |(number, reader): (usize, &Reader<'static>)| {
        let path = folder.join(format!("part-{number:0digits$}.{}", to.ending()));
        written(Input { reader: reader.clone(), ..input.clone() }, to, &path, false)?;
        Ok(path)
    };
    parts.iter().enumerate().map(one).collect()
}

fn is_part(path: &Path) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    name.starts_with("part-") && Format::of_name(path).is_some()
}

fn has_parts(folder: &Path) -> bool {
    fs::read_dir(folder).is_ok_and(|mut entries| entries.any(|entry| entry.is_ok_and(|e| is_part(&e.path()))))
}

/// Makes the parts in a folder within the folder, and moves them to the places of the old ones when all are there.
fn replace(
    create: impl FnOnce(&Path) -> Result<Vec<PathBuf>, Failure>,
    folder: &Path,
) -> Result<Vec<PathBuf>, Failure> {
    let failed = |error| Failure::io(folder.display(), &error);
    fs::create_dir_all(folder).map_err(failed)?;
    remove_abandoned(folder);
    let new = tempfile::Builder::new().prefix(START).tempdir_in(folder).map_err(failed)?;
    // Locked as long as this process lives.
    let lock = File::create(new.path().join(LOCK)).map_err(failed)?;
    let _ = lock.try_lock();
    let parts = create(new.path())?;
    interrupt::check().map_err(failed)?;
    let exchange = || -> io::Result<Vec<PathBuf>> {
        let places = parts.iter().map(|part| folder.join(part.file_name().unwrap_or_default()));
        let places: Vec<PathBuf> = places.collect();
        for (part, place) in parts.iter().zip(&places) {
            fs::rename(part, place)?;
        }
        let new: HashSet<&PathBuf> = places.iter().collect();
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if is_part(&path) && !new.contains(&path) {
                fs::remove_file(path)?;
            }
        }
        sync_folder(folder)?;
        Ok(places)
    };
    exchange().map_err(failed)
}

/// How the name of a folder of new parts begins.
const START: &str = ".split-";
/// The file in it that is locked.
const LOCK: &str = "lock";

/// Removes folders of new parts whose programs are gone. What cannot be removed stays.
fn remove_abandoned(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let is_own = entry.file_name().to_string_lossy().starts_with(START);
        let lock = is_own.then(|| OpenOptions::new().write(true).open(entry.path().join(LOCK)));
        if let Some(Ok(lock)) = lock
            && lock.try_lock().is_ok()
        {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// Waits until the names in a folder are on disk, where that can be.
fn sync_folder(folder: &Path) -> io::Result<()> {
    if !cfg!(unix) {
        return Ok(());
    }
    match File::open(folder)?.sync_all() {
        Err(error) if matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported) => {
            Ok(())
        }
        done => done,
    }
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
