//! Writes the rows of a file again: with another codec, other blocks, fewer fields, fewer rows, in order.

mod kept;
mod lost;
mod nulls;
mod ordered;

use super::by_name;
use crate::dialect;
use crate::encoding::{Encoding, Written, bytes, check, entry};
use crate::failure::Failure;
use crate::human::count;
use crate::input::{self, Input};
use crate::order;
use crate::output::{self, Columns};
use crate::progress::{self, Progress};
use crate::rows::Mixed;
use crate::selecting::{condition, filtered};
use crate::sorter;
use clap::{Args, ValueEnum};
use std::path::{Path, PathBuf};
use trevni::{Checksum, Dialect, Reader, Shape, WriterBuilder};
use trevni_query::paths::{Pattern, chosen};

/// What is kept of a damaged file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Salvage {
    /// Rows that are whole
    Rows,
    /// Rows whose lost fields may be null, too, with nulls
    Nulls,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  trevni recode -z zstd:9 flights.trv -o smaller.trv
  trevni recode flights.trv --sort-by carrier,-dep_delay -c '!year' -o sorted.trv
  trevni recode flights.trv --dialect redelm -z gzip -o flights.redelm
  trevni recode --salvage damaged.trv -o left.trv
  trevni recode --salvage=nulls damaged.trv -o left.trv

Without -z, columns have the codec that most of them had, or the one most like it. Without --dialect, the file format
stays, unless the name of the output says another. Integers may have a fixed width where some had.
With --salvage, what is lost is on standard error, and the exit code is 3 if anything is.")]
pub(crate) struct Recode {
    /// File; - for standard input
    pub(crate) file: PathBuf,
    /// Output file; - for standard output
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
    #[command(flatten)]
    pub(crate) encoding: Encoding,
    /// Checksum of blocks [default: as in the file]
    #[arg(long, value_enum)]
    pub(crate) checksum: Option<Checksum>,
    /// Sort by fields; -x is descending; nulls are last
    #[arg(long, value_name = "PATHS", allow_hyphen_values = true)]
    pub(crate) sort_by: Vec<String>,
    /// Bytes of rows that sorting keeps in memory; the file is read once for each such part [default: 256MiB]
    #[arg(long, value_name = "BYTES", value_parser = bytes, requires = "sort_by", hide_short_help = true)]
    pub(crate) sort_memory: Option<usize>,
    /// Fields: paths and globs; !x excludes x, `a.b` is a name with a dot; comma-separated
    #[arg(short, long, value_name = "PATHS", allow_hyphen_values = true)]
    pub(crate) columns: Vec<String>,
    /// Keep only rows that match this condition
    #[arg(short = 'w', long = "where", value_name = "EXPRESSION", allow_hyphen_values = true)]
    pub(crate) filter: Option<String>,
    /// Read around damaged blocks and a missing end: keep the rows that are whole, or those too that have lost only fields
    /// that may be null
    #[arg(
        long,
        value_enum,
        value_name = "KEEP",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "rows",
        conflicts_with = "sort_by"
    )]
    pub(crate) salvage: Option<Salvage>,
    /// What values of several types in one field become: union, json, string or error
    #[arg(
        long,
        value_enum,
        default_value_t,
        value_name = "HOW",
        hide_possible_values = true,
        conflicts_with = "salvage"
    )]
    pub(crate) mixed: Mixed,
    /// Add to the metadata of the file
    #[arg(long, value_name = "KEY=VALUE", value_parser = entry)]
    pub(crate) meta: Vec<(String, String)>,
    /// Replace an existing output, which may be the file itself
    #[arg(long)]
    pub(crate) force: bool,
}

pub(crate) fn run(args: &Recode) -> Result<u8, Failure> {
    let condition = condition(args.filter.as_deref())?;
    if args.salvage == Some(Salvage::Nulls) && args.filter.is_some() {
        let failure = Failure::usage("--salvage=nulls keeps all rows, so --where cannot be used with it");
        return Err(failure.hint("To choose some of them afterwards: trevni recode -w"));
    }
    let Input { name, reader: file, bytes: size } = match args.salvage {
        Some(_) => input::open_damaged(&args.file)?,
        None => input::open_columns(&args.file, Progress::default())?,
    };
    let failed = |error: trevni::Error| Failure::of(Path::new(&name), &error);
    let rows = filtered(&file, &name, condition.as_ref())?;
    let memory = args.sort_memory.unwrap_or(sorter::MEMORY);
    let order = match args.sort_by.as_slice() {
        [] => None,
        fields => Some(order::of(&rows, &name, fields, memory)?),
    };
    let rows = match chosen(file.shape(), &Pattern::all(&args.columns)?)? {
        Some(chosen) => rows.project_paths(chosen).map_err(failed)?,
        None => rows,
    };
    let rows = args.mixed.rows(&rows, &name, u64::MAX)?;
    let all = rows.clone();
    let parts = match args.salvage {
        Some(Salvage::Nulls) => Some(nulls::Parts::of(&rows, &name)?),
        _ => None,
    };
    let rows = if args.salvage == Some(Salvage::Rows) { lost::without_columns(rows, &name)? } else { rows };
    let dialect = args.encoding.formats.dialect(&args.output, file.dialect());
    let shape = parts.as_ref().map_or(rows.shape(), |parts| &parts.shape);
    let written = by_name(&args.output, args.force, &[], |output| {
        let mut columns = Columns::new(builder(args, dialect, &file, shape)?, output, args.force)?;
        match (&parts, order) {
            (Some(parts), _) => parts.write(&mut columns).map_err(failed)?,
            (None, Some(order)) => ordered::write(&rows, &name, order, memory, &mut columns)?,
            (None, None) => write(&rows, &mut columns).map_err(failed)?,
        }
        let written = columns.row_count();
        columns.finish()?;
        Ok(written)
    })?;
    if !args.encoding.has_codec() {
        tell_codec(&file, dialect, &name);
    }
    output::made(&name, &args.output, count(written, "row"), size);
    match (args.salvage, parts) {
        (_, Some(parts)) => parts.report(),
        (Some(_), None) => lost::report(&rows, &all, &name),
        (None, None) => Ok(0),
    }
}

/// How the rows are written: as in the file, except for what is asked for.
fn builder(
    args: &Recode,
    dialect: Dialect,
    file: &Reader<'_>,
    shape: &Shape,
) -> Result<WriterBuilder, Failure> {
    let codec = dialect.nearest_codec(kept::codec(file));
    let (builder, written) = kept::builder(file, shape, Written::new(dialect)?);
    let mut builder = builder.codec(codec);
    let of_checksums = [Dialect::Trevni, Dialect::Levels];
    check("--checksum", args.checksum.is_some(), &of_checksums, dialect)?;
    if let Some(checksum) = args.checksum {
        builder = builder.checksum(checksum);
    }
    let builder = args.encoding.over(builder, written)?;
    Ok(args.meta.iter().fold(builder, |builder, (key, value)| builder.metadata(key, value)))
}

/// Says which codec columns have got, where it is not the one that they had.
fn tell_codec(file: &Reader<'_>, dialect: Dialect, name: &str) {
    let codec = kept::codec(file);
    let nearest = dialect.nearest_codec(codec);
    if nearest != codec {
        let title = dialect::title(dialect);
        progress::note(format_args!("{name}: {title} has no codec {codec}; columns have {nearest}"));
    }
}

fn write(rows: &Reader<'_>, columns: &mut Columns) -> trevni::Result<()> {
    let progress = Progress::rows("writing", rows.row_count());
    for batch in rows.batches()? {
        let batch = batch?;
        columns.write_batch(&batch)?;
        progress.set(batch.first_row() + batch.len() as u64);
    }
    Ok(())
}
