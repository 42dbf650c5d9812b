//! What is done with a bomb: all that reads files.

use serde_json::Value;
use std::path::Path;
use std::time::Duration;
use trevni::dataset::WriteManifest;
use trevni::formats::{RedElmSummary, Trevni};
use trevni::merge::{Merge, Split};
use trevni::verify::Verify;
use trevni::{Category, Limits, Reader, ReaderBuilder, Result, Shape, Writer, col};
use trevni_arrow::ArrowReader;

/// Something that is done with the bytes of a file.
#[derive(Clone, Copy)]
pub struct Work {
    /// What it is called.
    pub name: &'static str,
    run: fn(&File<'_>) -> Result<()>,
}

/// A file, and how it is read.
struct File<'a> {
    bytes: &'a [u8],
    limits: Limits,
    /// Where files may be written.
    folder: &'a Path,
}

impl<'a> File<'a> {
    fn options(&self) -> ReaderBuilder {
        Reader::builder().limits(self.limits)
    }

    fn open(&self) -> Result<Reader<'a>> {
        self.options().source(self.bytes)
    }
}

impl Work {
    /// Does it. The error is one that files may have.
    ///
    /// # Errors
    ///
    /// What the file gives.
    ///
    /// # Panics
    ///
    /// Where an error says that the crate is at fault.
    pub fn run(&self, bytes: &[u8], limits: Limits, folder: &Path) -> Result<()> {
        let result = (self.run)(&File { bytes, limits, folder });
        if let Err(error) = &result {
            assert!(error.category() != Category::Internal, "{error}");
            assert!(!error.to_string().is_empty());
        }
        result
    }
}

/// What is done with files of columns. The first opens the file; where that fails, so do all others but the next two.
#[must_use]
pub fn on_file() -> [Work; 15] {
    let work = |name, run| Work { name, run };
    [
        work("open", |file| file.open().map(drop)),
        work("verify", |file| Verify::new().reader(file.options()).source(file.bytes).map(drop)),
        work("salvage", salvage),
        work("rows", |file| drain(file.open()?.rows::<Value>()?)),
        work("batches", |file| drain(file.open()?.batches()?)),
        work("one column", one_column),
        work("one row", one_row),
        work("filter", filter),
        work("raw columns", raw_columns),
        work("statistics", |file| trevni_cli::summarized(&file.open()?).map(drop)),
        work("recode", recode),
        work("recode to a compact file", compact),
        work("merge", |file| {
            let reader = file.open()?;
            Merge::new().write(&[reader.clone(), reader], std::io::sink()).map(drop)
        }),
        work("split", split),
        work("Arrow", arrow),
    ]
}

/// What is done with the summary of RedElm files.
#[must_use]
pub fn on_summary() -> Work {
    Work { name: "summary", run: |file| RedElmSummary::from_slice(file.bytes).map(drop) }
}

/// What is done with the manifest of a write.
#[must_use]
pub fn on_manifest() -> Work {
    Work { name: "manifest", run: |file| WriteManifest::from_slice(file.bytes).map(drop) }
}

fn drain<T>(items: impl Iterator<Item = Result<T>>) -> Result<()> {
    let mut items = items;
    items.try_for_each(|item| item.map(drop))
}

fn salvage(file: &File<'_>) -> Result<()> {
    let reader = file.options().salvage().source(file.bytes)?;
    reader.lost()?;
    drain(reader.rows::<Value>()?)?;
    drain(reader.without_lost_columns()?.batches()?)
}

/// The first field of the rows, and the last.
fn fields(reader: &Reader<'_>) -> Vec<String> {
    let Shape::Record(record) = reader.shape() else { return Vec::new() };
    let ends = [record.fields.first(), record.fields.last()];
    ends.into_iter().flatten().map(|field| format!("`{}`", field.name)).collect()
}

fn one_column(file: &File<'_>) -> Result<()> {
    let reader = file.open()?;
    for field in fields(&reader) {
        let column = reader.project([field])?;
        drain(column.batches()?)?;
    }
    Ok(())
}

fn one_row(file: &File<'_>) -> Result<()> {
    let reader = file.open()?;
    let last = reader.row_count().saturating_sub(1);
    reader.row::<Value>(0)?;
    reader.row::<Value>(last / 2)?;
    reader.row::<Value>(last).map(drop)
}

fn filter(file: &File<'_>) -> Result<()> {
    let reader = file.open()?;
    for field in fields(&reader) {
        for predicate in [col(&*field).is_null(), col(&*field).gt(3), col(&*field).eq("ab")] {
            // Not all values compare with these.
            if let Ok(filtered) = reader.filter(predicate) {
                filtered.matching()?;
                drain(filtered.batches()?)?;
            }
        }
    }
    Ok(())
}

fn raw_columns(file: &File<'_>) -> Result<()> {
    let reader = file.open()?;
    (0..reader.columns().len().min(50)).try_for_each(|column| reader.raw_column(column).map(drop))
}

fn recode(file: &File<'_>) -> Result<()> {
    let (from, to) = (file.folder.join("in"), file.folder.join("out.trv"));
    std::fs::write(&from, file.bytes)?;
    let (values, memory) = (file.limits.rows_without_bytes.to_string(), file.limits.memory.to_string());
    let arguments = [
        "trevni",
        "--quiet",
        "--no-progress",
        "--max-values",
        &values,
        "--max-memory",
        &memory,
        "recode",
        "--force",
    ];
    let (from, to) = (from.to_string_lossy(), to.to_string_lossy());
    let arguments = arguments.into_iter().chain([&*from, "-o", &*to]);
    let Err(failure) = trevni_cli::run(arguments) else { return Ok(()) };
    let message = failure.message();
    assert!(!message.contains("internal error") && !message.contains("was written"), "{message}");
    Ok(())
}

fn compact(file: &File<'_>) -> Result<()> {
    let reader = file.open()?;
    let options = Writer::builder().format(Trevni::new().compact()).shape(reader.shape());
    let mut writer = options.build(std::io::sink())?;
    for batch in reader.batches()? {
        writer.write_batch(&batch?)?;
    }
    writer.finish().map(drop)
}

fn split(file: &File<'_>) -> Result<()> {
    let reader = file.open()?;
    let half = reader.row_count().div_ceil(2).max(1);
    for part in Split::every(half).readers(&reader)? {
        Merge::new().write(&[part], std::io::sink())?;
    }
    Ok(())
}

fn arrow(file: &File<'_>) -> Result<()> {
    let reader = file.open()?;
    let Ok(batches) = ArrowReader::new(&reader) else { return Ok(()) };
    for batch in batches {
        // The error is Arrow's, with the message of this crate's.
        let Ok(batch) = batch else { return Ok(()) };
        drop(batch);
    }
    Ok(())
}

/// CPU time of all threads of this process, if the system reports it.
#[must_use]
pub fn worked() -> Option<Duration> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    let (_, fields) = stat.rsplit_once(')')?;
    let ticks = fields.split_whitespace().skip(11).take(2).map(str::parse::<u64>);
    let ticks: u64 = ticks.collect::<std::result::Result<Vec<_>, _>>().ok()?.into_iter().sum();
    // A hundred a second, on all systems that have the file.
    Some(Duration::from_millis(ticks * 10))
}
