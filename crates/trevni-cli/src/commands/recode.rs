//! Writes the rows of a file anew: with another codec, other blocks, fewer fields, fewer rows, in order.

use crate::dialect;
use crate::encoding::{Encoding, entry};
use crate::failure::Failure;
use crate::human::count;
use crate::input::{self, Input};
use crate::interrupt;
use crate::order;
use crate::output::{self, Columns};
use crate::progress::Progress;
use crate::selecting::{condition, filtered};
use clap::{Args, ValueEnum};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use trevni::{Batch, Codec, Reader, Shape, ValueType, Writer, WriterBuilder};
use trevni_query::paths::{Pattern, chosen};

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  trevni recode -z zstd:9 flights.trv -o smaller.trv
  trevni recode flights.trv --sort-by carrier,-dep_delay -c '!year' -o sorted.trv

Without -z, columns have the codec that most of them had. Integers may have a fixed width where some had.")]
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
    /// Sort by fields; -x is descending; nulls are last. Keeps all rows in memory
    #[arg(long, value_name = "PATHS", allow_hyphen_values = true)]
    pub(crate) sort_by: Vec<String>,
    /// Fields: paths and globs; !x excludes x, \. is a dot in a name; comma-separated
    #[arg(short, long, value_name = "PATHS", allow_hyphen_values = true)]
    pub(crate) columns: Vec<String>,
    /// Keep only rows that match this condition
    #[arg(short = 'w', long = "where", value_name = "EXPRESSION")]
    pub(crate) filter: Option<String>,
    /// Add to the metadata of the file
    #[arg(long, value_name = "KEY=VALUE", value_parser = entry)]
    pub(crate) meta: Vec<(String, String)>,
    /// Replace an existing output, which may be the file itself
    #[arg(long)]
    pub(crate) force: bool,
}

/// Checksum of blocks.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Checksum {
    Crc32,
    #[value(alias = "none")]
    Null,
}

pub(crate) fn run(args: &Recode) -> Result<u8, Failure> {
    let condition = condition(args.filter.as_deref())?;
    let Input { name, reader: file, bytes: size } = input::open(&args.file)?;
    let failed = |error: trevni::Error| Failure::of(Path::new(&name), &error);
    let rows = filtered(&file, &name, condition.as_ref())?;
    let order = match args.sort_by.as_slice() {
        [] => None,
        fields => Some(order::of(&rows, &name, fields)?),
    };
    let rows = match chosen(file.shape(), &Pattern::all(&args.columns))? {
        Some(chosen) => rows.project_paths(chosen).map_err(failed)?,
        None => rows,
    };
    let mut columns = Columns::new(builder(args, &file, rows.shape())?, &args.output, args.force)?;
    match order {
        Some(order) => write_ordered(&rows, &order, &mut columns).map_err(failed)?,
        None => write(&rows, &mut columns).map_err(failed)?,
    }
    let rows = columns.row_count();
    columns.finish()?;
    output::made(&name, &args.output, count(rows, "row"), size);
    Ok(0)
}

/// How the rows are written: as in the file, except for what is asked for.
fn builder(args: &Recode, file: &Reader<'_>, shape: &Shape) -> Result<WriterBuilder, Failure> {
    let codec = most(file.columns().iter().map(|column| column.codec()));
    let codec = Codec::ALL.into_iter().find(|known| Some(known.name()) == codec).unwrap_or_default();
    let is_null = match args.checksum {
        Some(checksum) => matches!(checksum, Checksum::Null),
        None => most(file.columns().iter().map(|column| column.checksum())) == Some("null"),
    };
    let checksum = if is_null { trevni::Checksum::Null } else { trevni::Checksum::Crc32 };
    let mut builder = Writer::builder().threads(0).codec(codec).checksum(checksum);
    let fixed = [ValueType::Fixed32, ValueType::Fixed64];
    if file.columns().iter().any(|column| fixed.contains(&column.value_type())) {
        builder = builder.fixed_integers();
    }
    let mut builder = args.encoding.over(builder)?;
    let schema = trevni_avro::schema_of(file, shape);
    // Where the text has another shape, for want of words, the shape is that of the first batch.
    if Shape::from_avro(&schema).is_ok_and(|known| known == *shape) {
        builder = builder.schema(schema);
    }
    for (key, value) in file.metadata().iter().filter(|(key, _)| !dialect::is_own_key(key)) {
        builder = builder.metadata(key, value);
    }
    for (key, value) in &args.meta {
        builder = builder.metadata(key, value);
    }
    Ok(builder)
}

/// The name that comes most often.
fn most<'n>(names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    names.for_each(|name| *counts.entry(name).or_default() += 1);
    counts.into_iter().max_by_key(|(name, count)| (*count, *name)).map(|(name, _)| name)
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

/// Rows that are brought in order at once, at least.
const ROWS: usize = 4096;
/// How often rows are brought in order, at most: each time looks at all batches.
const TIMES: usize = 512;

fn write_ordered(rows: &Reader<'_>, order: &[usize], columns: &mut Columns) -> trevni::Result<()> {
    let progress = Progress::rows("writing", order.len() as u64);
    let batches: Vec<Batch> = rows.batches()?.collect::<trevni::Result<_>>()?;
    let starts: Vec<usize> = batches
        .iter()
        .scan(0, |next, batch| {
            let start = *next;
            *next += batch.len();
            Some(start)
        })
        .collect();
    // The last batch that begins at the row or before it.
    let place = |row: &usize| {
        let batch = starts.partition_point(|start| start <= row).saturating_sub(1);
        (batch, row - starts.get(batch).copied().unwrap_or(0))
    };
    for rows in order.chunks(ROWS.max(order.len() / TIMES)) {
        interrupt::check()?;
        let places: Vec<(usize, usize)> = rows.iter().map(place).collect();
        columns.write_batch(&Batch::gather(&batches, &places)?)?;
        progress.add(rows.len() as u64);
    }
    Ok(())
}
