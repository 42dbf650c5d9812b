//! Several files in one table; blocks are copied where that is possible.

use super::by_name;
use crate::dialect;
use crate::drawing::drawing;
use crate::failure::Failure;
use crate::human::{count, thousands};
use crate::input;
use crate::output::{Output, refuse_existing, refuse_packed, unwritten};
use crate::progress::{self, Progress};
use crate::remote;
use crate::rows::{Mixed, refused};
use crate::selecting::{condition, filtered};
use clap::Args;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use trevni::merge::Merged;
use trevni::{Dialect, ErrorKind, Reader, Shape};
use trevni_query::paths::FieldPath;
use trevni_report::schema::flat::types;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  trevni merge january.trv february.trv -o winter.trv
  trevni merge parts/ -o year.trv
  trevni merge part-m-0000*.redelm -o all.trv")]
pub(crate) struct Merge {
    /// Files, or folders of them: fields get a type that has the values of all, and are null where a file lacks them
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Output file
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// Replace an existing output
    #[arg(long)]
    pub(crate) force: bool,
    /// File format: trevni, levels or redelm [default: by the name of the output, or that of the first file]
    #[arg(long, value_name = "DIALECT", hide_short_help = true)]
    pub(crate) dialect: Option<Dialect>,
    /// What a field becomes whose types in the files have no other in common: union, json, string or error
    #[arg(long, value_enum, default_value_t, value_name = "HOW", hide_possible_values = true)]
    pub(crate) mixed: Mixed,
    /// Keep only rows that match this condition
    #[arg(short = 'w', long = "where", value_name = "EXPRESSION", allow_hyphen_values = true)]
    pub(crate) filter: Option<String>,
}

pub(crate) fn run(args: &Merge) -> Result<u8, Failure> {
    refuse_existing(&args.output, args.force)?;
    let condition = condition(args.filter.as_deref())?;
    let files = files(args)?;
    let sizes = files.iter().map(|path| input::size(path));
    let progress = Progress::bytes("merging", sizes.sum());
    let mut readers: Vec<Reader<'static>> = Vec::new();
    for path in &files {
        let input = input::open_with(path, progress.clone())?;
        readers.push(filtered(&input.reader, &input.name, condition.as_ref())?);
    }
    let first = readers.first().map(Reader::dialect).unwrap_or_default();
    let dialect = args.dialect.unwrap_or_else(|| dialect::of_output(&args.output, first));
    let joined = merge(dialect).shape(&readers);
    let joined =
        joined.map_err(|error| differ(&files, &error).unwrap_or_else(|| unwritten(&args.output, &error)))?;
    let widened = widened(&readers, &joined);
    if let (Mixed::Error, Some(field)) = (args.mixed, widened.iter().find(|field| field.is_union)) {
        let types = field.before.iter().map(|(kind, file)| format!("{kind} in {}", files[*file].display()));
        return Err(refused(&field.path, types));
    }
    args.mixed.shape(&joined, &FieldPath::default())?;
    let merged = by_name(&args.output, args.force, &[], |output| {
        if !args.mixed.makes_strings(&joined) {
            return in_one(&readers, &files, dialect, output, args.force);
        }
        let folder = tempfile::tempdir().map_err(|error| Failure::io("a temporary folder", &error))?;
        let whole = folder.path().join("whole.trv");
        in_one(&readers, &files, dialect, &whole, false)?;
        let whole = input::open_columns(&whole, Progress::default())?;
        let strings = args.mixed.rows(&whole.reader, &whole.name, u64::MAX)?;
        in_one(&[strings], &files, dialect, output, args.force)
    })?;
    drop((progress, readers));
    progress::note(format_args!(
        "{}: {} of {}, {} copied, {} written again",
        args.output.display(),
        count(merged.rows, "row"),
        count(files.len() as u64, "file"),
        count(merged.blocks_copied, "block"),
        thousands(merged.blocks_recoded + merged.blocks_rewritten)
    ));
    if !widened.is_empty() {
        let fields: Vec<String> = widened.iter().take(SHOWN).map(Widened::to_string).collect();
        let more = match widened.len().saturating_sub(SHOWN) {
            0 => String::new(),
            more => format!("; and {}", count(more as u64, "more field")),
        };
        progress::note(format_args!("{}: types differ: {}{more}", args.output.display(), fields.join("; ")));
    }
    Ok(0)
}

/// Fields that are named whose types differ.
const SHOWN: usize = 8;

/// What is said of a file that lacks a field.
const LACKING: &str = "no field";

/// A field that has another type in the result than in some file.
struct Widened {
    path: String,
    /// Its types, each with the number of the first file that has it.
    before: Vec<(String, usize)>,
    after: String,
    is_union: bool,
}

impl std::fmt::Display for Widened {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let before: Vec<&str> = self.before.iter().map(|(kind, _)| kind.as_str()).collect();
        write!(f, "{}: {} {} {}", self.path, before.join(", "), drawing().arrow, self.after)
    }
}

/// The fields that have another type together than in some file.
fn widened(readers: &[Reader<'static>], joined: &Shape) -> Vec<Widened> {
    // A file without rows may know no fields.
    let known = readers.iter().enumerate().filter(|(_, reader)| *reader.shape() != Shape::Null);
    let known: Vec<(usize, HashMap<String, String>)> =
        known.map(|(number, reader)| (number, nullable(reader.shape()).collect())).collect();
    let field = |(path, after): (String, String)| {
        let mut before: Vec<(String, usize)> = Vec::new();
        for (number, types) in &known {
            let kind = types.get(&path).map_or(LACKING, String::as_str);
            if !before.iter().any(|(own, _)| own == kind) {
                before.push((kind.to_owned(), *number));
            }
        }
        let changes = before.iter().any(|(kind, _)| *kind != after && kind != LACKING);
        let is_union = after.contains("union<");
        changes.then_some(Widened { path, before, after, is_union })
    };
    nullable(joined).filter_map(field).collect()
}

/// The paths and types of fields; null and absent are one.
fn nullable(shape: &Shape) -> impl Iterator<Item = (String, String)> {
    types(shape).into_iter().map(|(path, kind)| (path, kind.replace("??", "?")))
}

/// How files are merged.
fn merge(dialect: Dialect) -> trevni::merge::Merge {
    trevni::merge::Merge::new().promote().dialect(dialect)
}

/// Writes the rows of readers to one column file. The names are those that errors have.
pub(super) fn in_one(
    readers: &[Reader<'static>],
    names: &[PathBuf],
    dialect: Dialect,
    output: &Path,
    force: bool,
) -> Result<Merged, Failure> {
    refuse_packed(output)?;
    let merge = merge(dialect);
    let merged = match (remote::is_url(output), force) {
        (true, force) => {
            let mut out = Output::new(Some(output), force)?;
            let merged = merge.write(readers, &mut out);
            if merged.is_ok() {
                out.finish()?;
            }
            merged
        }
        (false, true) => merge.create(readers, output),
        (false, false) => merge.create_new(readers, output),
    };
    merged.map_err(|error| differ(names, &error).unwrap_or_else(|| unwritten(output, &error)))
}

/// What is said of files that differ, by their names: the library knows readers by their numbers.
fn differ(files: &[PathBuf], error: &trevni::Error) -> Option<Failure> {
    let ErrorKind::PartMismatch { reason, other } = error.kind() else {
        return None;
    };
    let path = |name: &str| files.get(name.strip_prefix("file ")?.parse::<usize>().ok()?);
    let own = path(&error.location().file.as_ref()?.display().to_string())?;
    let (own, other) = (own.display(), path(other)?.display());
    Some(Failure::usage(format!("{own} cannot be merged with {other}: {reason}")))
}

/// The files; what an earlier merge wrote into a folder is not among them.
fn files(args: &Merge) -> Result<Vec<PathBuf>, Failure> {
    let files = input::files(&args.files)?;
    if let Some(file) = files.iter().find(|file| file.is_in_partition()) {
        let failure = format!(
            "{} is in a folder of a partition, whose keys are not in the file",
            file.path().display()
        );
        return Err(Failure::usage(failure).hint("To have them in the rows: trevni cat FOLDER -o all.trv"));
    }
    let mut files: Vec<PathBuf> = files.into_iter().map(|file| file.path().to_owned()).collect();
    if let Ok(output) = args.output.canonicalize() {
        files.retain(|file| args.files.contains(file) || file.canonicalize().ok().as_ref() != Some(&output));
    }
    Ok(files)
}
