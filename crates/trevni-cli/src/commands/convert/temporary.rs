//! Column files on the way from one format to another: of files whose rows are read, and of outputs of other formats.

use super::import::KnownField;
use super::{Convert, export, import};
use crate::commands::merge::in_one;
use crate::failure::Failure;
use crate::format::Format;
use crate::human::count;
use crate::input::{self, Input, is_standard};
use crate::output::{self, Output, refuse_existing};
use crate::progress::Progress;
use crate::text::TextSource;
use clap::Parser;
use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use tempfile::TempDir;
use trevni::Dialect;
use trevni_infer::counts::wanted::WantedType;

/// The options of `convert`, as they are where none is given.
#[derive(Debug, Parser)]
pub(super) struct Defaults {
    #[command(flatten)]
    convert: Convert,
}

impl Defaults {
    pub(super) fn of(path: &Path) -> Result<Convert, Failure> {
        let args = [OsStr::new("convert"), OsStr::new("--"), path.as_os_str()];
        let parsed = Self::try_parse_from(args).map_err(|error| Failure::usage(error.to_string()))?;
        Ok(parsed.convert)
    }
}

/// The place of a column file, which goes with it.
pub(super) struct Temporary {
    pub(super) path: PathBuf,
    _folder: TempDir,
}

fn failed(error: &io::Error) -> Failure {
    Failure::io("a temporary file", error)
}

impl Temporary {
    pub(super) fn new() -> Result<Self, Failure> {
        let folder = tempfile::tempdir().map_err(|error| failed(&error))?;
        Ok(Self { path: folder.path().join("rows.trv"), _folder: folder })
    }

    /// The file. The folder goes now, and the file when it is closed.
    pub(super) fn open(&self) -> Result<File, Failure> {
        File::open(&self.path).map_err(|error| failed(&error))
    }

    /// The rows of files in one column file: the types of cells fit all of them, and other files are joined.
    pub(super) fn of(args: &Convert, mut sources: Vec<(TextSource, Format)>) -> Result<Self, Failure> {
        let temporary = Self::new()?;
        let path = &temporary.path;
        let is_cells = |format: Format| matches!(format, Format::Csv | Format::Tsv);
        let first = sources.first().map_or(Format::Trv, |(_, format)| *format);
        if sources.iter().all(|(_, format)| format.is_text() && is_cells(*format) == is_cells(first)) {
            import::to_temporary(args, sources, path)?;
            return Ok(temporary);
        }
        match (sources.len(), first) {
            (1, Format::Avro) => import::avro::to_temporary(args, &sources.remove(0).0, path)?,
            #[cfg(feature = "parquet")]
            (1, Format::Arrow) => import::of_arrow(args, &sources.remove(0).0, path).map(drop)?,
            _ => {
                let (mut parts, mut readers, mut names) = (Vec::new(), Vec::new(), Vec::new());
                let args = Convert { columns: Vec::new(), ..args.clone() };
                for (source, format) in sources {
                    names.push(PathBuf::from(&source.name));
                    let input = match has_rows(format) {
                        true => {
                            let part = Self::of(&args, vec![(source, format)])?;
                            let input = input::open_columns(&part.path, Progress::default())?;
                            parts.push(part);
                            input
                        }
                        false => source.opened(Progress::default())?.columns()?,
                    };
                    readers.push(input.reader);
                }
                in_one(&readers, &names, Dialect::default(), path, false)?;
            }
        }
        Ok(temporary)
    }
}

/// Whether a format has rows and no columns, and its files need no other to be read.
pub(super) fn has_rows(format: Format) -> bool {
    format.is_text() || format == Format::Avro || cfg!(feature = "parquet") && format == Format::Arrow
}

/// Converts the rows of files to one file, by way of a column file.
pub(super) fn convert(
    args: &Convert,
    sources: Vec<(TextSource, Format)>,
    to: Format,
    output: &Path,
) -> Result<(), Failure> {
    let name = import::several(sources.iter().map(|(source, _)| &*source.name));
    let bytes: Option<u64> = sources.iter().map(|(source, _)| source.size()).sum();
    let temporary = Temporary::of(args, sources)?;
    let Input { reader, bytes: written, .. } = input::open_columns(&temporary.path, Progress::default())?;
    let input = Input { name, reader, bytes: bytes.unwrap_or(written) };
    if export::can_be(to) {
        return export::run(args, input, to, output);
    }
    let rows = import::copy(args, &input, output)?;
    output::made(&input.name, output, count(rows, "row"), input.bytes);
    Ok(())
}

/// Runs `make`, which writes a column file. If the name of the output ends in another format, which is not in `made`, the
/// formats that `make` writes itself, the rows are converted to it.
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
    written(input::open_columns(&temporary.path, Progress::default())?, to, output, force)?;
    Ok(result)
}

/// Writes rows in a format. Returns their number.
pub(crate) fn written(input: Input, to: Format, output: &Path, force: bool) -> Result<u64, Failure> {
    let args = Convert { force, ..Defaults::of(output)? };
    match to {
        #[cfg(feature = "parquet")]
        Format::Parquet => export::parquet::quietly(&args, input, output),
        to if export::can_be(to) => export::quietly(&args, input, to, output),
        to => Err(Failure::usage(format!("{}: {to} cannot be written", output.display()))),
    }
}

/// Writes rows in the format of the output's name, a column file too. Returns their number.
#[cfg(feature = "sql")]
pub(crate) fn copied(input: Input, output: &Path, force: bool) -> Result<u64, Failure> {
    match Format::of_name(output) {
        None | Some(Format::Trv) => {
            let args = Convert { force, ..Defaults::of(output)? };
            import::copy(&args, &input, output)
        }
        Some(to) => written(input, to, output, force),
    }
}

/// Writes rows that are printed as JSON lines to a file of columns, or to what its name says. What prints them says what
/// is known of their fields.
pub(crate) fn printed(
    output: &Path,
    force: bool,
    print: impl FnOnce(&mut Output) -> Result<Vec<KnownField>, Failure>,
) -> Result<(), Failure> {
    by_name(output, force, &[], |output| {
        let temporary = Temporary::new()?;
        let rows = temporary.path.with_extension("jsonl");
        let mut out = Output::new(Some(&rows), false)?;
        let fields = print(&mut out)?;
        out.finish()?;
        let mut args = Convert { force, ..Defaults::of(&rows)? };
        args.types.types.push(("*".to_owned(), WantedType::Auto));
        import::known(&args, TextSource::open(&rows)?, fields, output)
    })
}
