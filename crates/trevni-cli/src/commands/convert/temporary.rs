//! Column files on the way from one format to another: of files whose rows are read, and of outputs of other formats.

use super::{Convert, export, import};
use crate::failure::Failure;
use crate::input::{self, Input, is_standard};
use crate::output::refuse_existing;
use crate::progress::{self, Progress};
use crate::remote;
use crate::text::{Format, TextSource, guess};
use clap::Parser;
use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Instant;
use tempfile::TempDir;

/// The options of `convert`, as they are where none is given.
#[derive(Debug, Parser)]
struct Defaults {
    #[command(flatten)]
    convert: Convert,
}

impl Defaults {
    fn of(path: &Path) -> Result<Convert, Failure> {
        let args = [OsStr::new("convert"), OsStr::new("--"), path.as_os_str()];
        let parsed = Self::try_parse_from(args).map_err(|error| Failure::usage(error.to_string()))?;
        Ok(parsed.convert)
    }
}

/// The place of a column file, which goes with it.
struct Temporary {
    path: PathBuf,
    _folder: TempDir,
}

fn failed(error: &io::Error) -> Failure {
    Failure::io("a temporary file", error)
}

impl Temporary {
    fn new() -> Result<Self, Failure> {
        let folder = tempfile::tempdir().map_err(|error| failed(&error))?;
        Ok(Self { path: folder.path().join("rows.trv"), _folder: folder })
    }

    /// The columns of a file that has none.
    fn of(args: &Convert, source: TextSource, format: Format) -> Result<Self, Failure> {
        let temporary = Self::new()?;
        match format {
            Format::Avro => import::avro::to_temporary(args, &source, &temporary.path)?,
            format => import::to_temporary(args, source, format, &temporary.path)?,
        }
        Ok(temporary)
    }
}

/// Whether a format has rows and no columns, and its files need no other to be read.
pub(super) fn has_rows(format: Format) -> bool {
    matches!(format, Format::Jsonl | Format::Json | Format::Csv | Format::Tsv | Format::Avro)
}

/// Converts a file to a column file, if it is JSON, CSV, TSV or Avro.
pub(crate) fn columns(path: &Path) -> Result<Option<File>, Failure> {
    let by_name = Format::of_name(path);
    // A pipe can be read only once, and an object needs a request.
    let may_have_rows = by_name.map_or(!remote::is_url(path), has_rows);
    if !may_have_rows || (!remote::is_url(path) && !path.is_file()) {
        return Ok(None);
    }
    let begun = Instant::now();
    let source = TextSource::open(path)?;
    let Some(format) = guess(path, &source.start).filter(|format| has_rows(*format)) else {
        return Ok(None);
    };
    let temporary = Temporary::of(&Defaults::of(path)?, source, format)?;
    let name = path.display();
    progress::note(format_args!(
        "{name}: {format}, converted in {:.1} s to be read; to do so once: trevni convert {name}",
        begun.elapsed().as_secs_f64()
    ));
    // The folder goes now, and the file when it is closed.
    File::open(&temporary.path).map(Some).map_err(|error| failed(&error))
}

/// Converts rows to a format without columns.
pub(super) fn convert(
    args: &Convert,
    source: TextSource,
    from: Format,
    to: Format,
    output: &Path,
) -> Result<(), Failure> {
    let (name, bytes) = (source.name.clone(), source.size());
    let temporary = Temporary::of(args, source, from)?;
    let Input { reader, bytes: written, .. } = input::open_columns(&temporary.path, Progress::default())?;
    export::run(args, Input { name, reader, bytes: bytes.unwrap_or(written) }, to, output)
}

/// Runs `make`, which writes a column file. If the name of the output ends in another format, which is not in `made`, the formats that `make`
/// writes itself, the rows are converted to it.
pub(crate) fn by_name<T>(
    output: &Path,
    force: bool,
    made: &[Format],
    make: impl FnOnce(&Path) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let is_made = |format: &Format| *format == Format::Trv || made.contains(format);
    let to = Format::of_name(output).filter(|format| !is_made(format) && !is_standard(output));
    let Some(to) = to else {
        return make(output);
    };
    #[cfg(not(feature = "parquet"))]
    if to == Format::Parquet {
        return Err(Failure::usage(format!("{} cannot be written", output.display())).hint(input::NO_PARQUET));
    }
    refuse_existing(output, force)?;
    let temporary = Temporary::new()?;
    let result = make(&temporary.path)?;
    let args = Convert { force, ..Defaults::of(&temporary.path)? };
    let input = input::open_columns(&temporary.path, Progress::default())?;
    match to {
        #[cfg(feature = "parquet")]
        Format::Parquet => export::parquet::quietly(&args, input, output).map(drop)?,
        to if export::can_be(to) => export::quietly(&args, input, to, output).map(drop)?,
        to => return Err(Failure::usage(format!("{}: {to} cannot be written", output.display()))),
    }
    Ok(result)
}
