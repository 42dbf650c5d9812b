//! Opens files, standard input included.

mod files;
mod imported;
#[cfg(feature = "parquet")]
mod parquet;
mod several;
mod spool;
mod stream;
mod watched;

pub use files::{DataFile, files};
pub use imported::{Begun, import_with};
#[cfg(feature = "parquet")]
pub use parquet::{ParquetInput, Part, fields_of_rows};
pub use several::{Several, Wanted};
pub use spool::{Spooled, spool};
pub use stream::Stream;
pub use watched::Watched;

use crate::dialect;
use crate::failure::{DAMAGED, Failure};
use crate::progress::Progress;
use crate::reading;
use crate::remote;
use imported::Imported;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use trevni::{ErrorKind, Reader, ReaderBuilder, Source};

/// What to do where Parquet is not known.
#[cfg(not(feature = "parquet"))]
pub const NO_PARQUET: &str =
    "This trevni was built without Parquet; to have it: cargo install trevni-cli --features parquet";

/// Bytes that tell what a file is.
const START: u64 = 64;

/// An open file and its name.
#[derive(Clone)]
pub struct Input {
    /// How messages call it.
    pub name: String,
    /// Its rows.
    pub reader: Reader<'static>,
    /// Bytes of the file.
    pub bytes: u64,
}

/// What a file is.
pub enum Opened {
    Columns(Input),
    #[cfg(feature = "parquet")]
    Parquet(ParquetInput),
}

impl Opened {
    /// The file as columns: a Parquet file is converted.
    pub fn columns(self) -> Result<Input, Failure> {
        match self {
            Self::Columns(input) => Ok(input),
            #[cfg(feature = "parquet")]
            Self::Parquet(file) => file.columns(Part::default()),
        }
    }
}

/// Opens a file; `-` is standard input, which is kept, because its columns are not read in the order of
/// the file.
pub fn open(path: &Path) -> Result<Input, Failure> {
    open_with(path, Progress::default())
}

/// As [`open`]; what is read of the file counts as progress.
pub fn open_with(path: &Path, progress: Progress) -> Result<Input, Failure> {
    open_rows(path, progress)?.columns()
}

/// As [`open_any`], of a file whose rows are wanted, whatever it is: one without columns, such as CSV, is converted.
pub fn open_rows(path: &Path, progress: Progress) -> Result<Opened, Failure> {
    open_rows_with(reading::builder(), path, u64::MAX, progress)
}

/// As [`open_rows`], with these options, for at most a number of rows.
fn open_rows_with(
    options: ReaderBuilder,
    path: &Path,
    rows: u64,
    progress: Progress,
) -> Result<Opened, Failure> {
    match imported::imported(path, rows)? {
        Imported::Columns(file) => opened(options, name_of(path), file, progress),
        Imported::Stream((start, stream)) => {
            let (name, source) = of_stream(name_of(path), &start, stream)?;
            opened(options, name, source, progress)
        }
        Imported::No => open_any_with(options, path, progress),
    }
}

/// As [`open_with`], without making columns of Parquet files.
pub fn open_any(path: &Path, progress: Progress) -> Result<Opened, Failure> {
    open_any_with(reading::builder(), path, progress)
}

/// As [`open_any`], with these options.
fn open_any_with(options: ReaderBuilder, path: &Path, progress: Progress) -> Result<Opened, Failure> {
    let (name, source) = source_of(path)?;
    opened(options, name, source, progress)
}

/// As [`open`], for the types of the rows: of Parquet files, no rows are read.
pub fn without_rows(path: &Path) -> Result<Input, Failure> {
    match open_rows(path, Progress::default())? {
        Opened::Columns(input) => Ok(input),
        #[cfg(feature = "parquet")]
        Opened::Parquet(file) => file.columns(Part { rows: Some(0), ..Part::default() }),
    }
}

/// As [`open_with`], of files whose columns are wanted as they are stored.
pub fn open_columns(path: &Path, progress: Progress) -> Result<Input, Failure> {
    match open_any(path, progress)? {
        Opened::Columns(input) => Ok(input),
        #[cfg(feature = "parquet")]
        Opened::Parquet(file) => Err(file.is_no_column_file()),
    }
}

/// As [`open`], of a file that may be damaged, whose rows are read as far as they are whole.
pub fn open_damaged(path: &Path) -> Result<Input, Failure> {
    let (name, source) = source_of(path)?;
    #[cfg(feature = "parquet")]
    {
        let (bytes, start) = beginning(&name, &source)?;
        if crate::parquet::is_start(&start) {
            return Err(ParquetInput::open(name, source, bytes)?.is_no_column_file());
        }
    }
    opened_by(reading::builder().salvage(), name, source, Progress::default())
}

/// A file of one of the formats that can be read, by its first bytes; it may be damaged.
pub enum Unopened<S> {
    /// The name and the bytes.
    Columns(String, S),
    #[cfg(feature = "parquet")]
    Parquet(ParquetInput),
}

/// A file that is not read yet. What is read of it counts as progress.
pub fn unopened(path: &Path, progress: Progress) -> Result<Unopened<impl Source>, Failure> {
    let (name, source) = source_of(path)?;
    let (_bytes, start) = beginning(&name, &source)?;
    #[cfg(feature = "parquet")]
    if crate::parquet::is_start(&start) {
        return ParquetInput::open(name, Watched { source, progress }, _bytes).map(Unopened::Parquet);
    }
    match begins(&start) {
        Ok(()) => Ok(Unopened::Columns(name, Watched { source, progress })),
        Err(error) => Err(not_readable(&name, &error, &start)),
    }
}

/// The name and the bytes of a file, or of what was read of a stream.
fn source_of(path: &Path) -> Result<(String, Box<dyn Source>), Failure> {
    if remote::is_url(path) {
        let object = remote::open(path)?;
        return Ok((object.url().to_owned(), Box::new(object)));
    }
    if path.is_dir() {
        let folder = Failure::new(format!("{} is a folder", path.display()));
        let files = files(&[path.to_owned()]).unwrap_or_default();
        return Err(match files.first() {
            Some(file) => folder.hint(format!("One of its files: {}", file.path().display())),
            None => folder.hint(format!("Its files: {}", path.join("*.trv").display())),
        });
    }
    let name = name_of(path);
    if is_stream(path) {
        let mut stream = if is_standard(path) { Stream::standard() } else { Stream::file(path) };
        let start = stream.start().map_err(|error| Failure::io(&name, &error))?;
        if let Err(error) = begins(&start) {
            return Err(not_readable(&name, &error, &start));
        }
        return of_stream(name, &start, stream);
    }
    let file = File::open(path).map_err(|error| Failure::io(&name, &error))?;
    Ok((name, Box::new(file)))
}

/// The bytes of a stream, which is kept.
fn of_stream(name: String, start: &[u8], stream: Stream) -> Result<(String, Box<dyn Source>), Failure> {
    let kept = spool(start.chain(stream)).map_err(|error| Failure::io(&name, &error))?;
    let source: Box<dyn Source> = match kept {
        Spooled::Memory(bytes) => Box::new(bytes),
        Spooled::File(file) => Box::new(file),
    };
    Ok((name, source))
}

/// How messages call a file.
pub fn name_of(path: &Path) -> String {
    if is_standard(path) { "standard input".to_owned() } else { path.display().to_string() }
}

/// Whether a path is standard input, or a pipe, such as that of a shell's `<(command)`, which are read only once.
pub fn is_stream(path: &Path) -> bool {
    let is_pipe = || std::fs::metadata(path).is_ok_and(|kind| !kind.is_file() && !kind.is_dir());
    is_standard(path) || !remote::is_url(path) && is_pipe()
}

/// An error where a file that starts with these bytes is of none of the formats that can be read.
pub fn begins(start: &[u8]) -> trevni::Result<()> {
    #[cfg(feature = "parquet")]
    if crate::parquet::is_start(start) {
        return Ok(());
    }
    match Reader::from_slice(start) {
        Err(error) if start.is_empty() || matches!(error.kind(), ErrorKind::NotTrevni { .. }) => Err(error),
        // More bytes will tell.
        _ => Ok(()),
    }
}

/// Opens an object of a store.
pub fn of_object(object: &remote::Object, progress: Progress) -> Result<Opened, Failure> {
    opened(reading::builder(), object.url().to_owned(), object.clone(), progress)
}

/// Opens what was read of a stream.
pub fn of_spooled(name: String, spooled: Spooled, progress: Progress) -> Result<Opened, Failure> {
    match spooled {
        Spooled::Memory(bytes) => opened(reading::builder(), name, bytes, progress),
        Spooled::File(file) => opened(reading::builder(), name, file, progress),
    }
}

/// Bytes of a file; 0 where that is not known.
pub fn size(path: &Path) -> u64 {
    std::fs::metadata(path).map_or(0, |file| file.len())
}

/// Whether a path means standard input or output.
pub fn is_standard(path: &Path) -> bool {
    path.as_os_str() == "-"
}

fn opened(
    options: ReaderBuilder,
    name: String,
    source: impl Source + 'static,
    progress: Progress,
) -> Result<Opened, Failure> {
    #[cfg(feature = "parquet")]
    {
        let (bytes, start) = beginning(&name, &source)?;
        if crate::parquet::is_start(&start) {
            let file = ParquetInput::open(name, Watched { source, progress }, bytes)?;
            return Ok(Opened::Parquet(file));
        }
    }
    opened_by(options, name, source, progress).map(Opened::Columns)
}

fn opened_by(
    options: ReaderBuilder,
    name: String,
    source: impl Source + 'static,
    progress: Progress,
) -> Result<Input, Failure> {
    let (bytes, start) = beginning(&name, &source)?;
    match options.shared(Watched { source, progress }) {
        Ok(reader) => Ok(Input { name, reader, bytes }),
        Err(error) => Err(not_readable(&name, &error, &start)),
    }
}

/// The number of bytes of a file, and the first of them.
fn beginning(name: &str, source: &impl Source) -> Result<(u64, Vec<u8>), Failure> {
    let failed = |error: io::Error| Failure::io(name, &error);
    let bytes = source.size().map_err(failed)?;
    let mut start = vec![0; bytes.min(START) as usize];
    source.read_at(0, &mut start).map_err(failed)?;
    Ok((bytes, start))
}

/// Why a file that starts with these bytes cannot be read.
fn not_readable(name: &str, error: &trevni::Error, start: &[u8]) -> Failure {
    match error.kind() {
        ErrorKind::Io(error) => Failure::io(name, error),
        _ if start.is_empty() => Failure::new(format!("{name} is empty")).with_code(DAMAGED),
        ErrorKind::NotTrevni { .. } if reading::states_layout() && dialect::is_start(start) => {
            let failure = Failure::new(format!("{name} has no levels")).with_code(DAMAGED);
            failure.hint("--read-layout is for files with levels that do not say their layout")
        }
        ErrorKind::NotTrevni { .. } => {
            let looks_like = error.kind().other_format().or_else(|| text_format(start));
            let kind = looks_like.map_or(String::new(), |kind| format!(" (it looks like {kind})"));
            let failure = Failure::new(format!("{name} is not a Trevni file{kind}")).with_code(DAMAGED);
            match looks_like {
                Some("CSV" | "JSON" | "Avro") => failure.hint(format!("To make one: trevni convert {name}")),
                #[cfg(not(feature = "parquet"))]
                Some("Parquet") => failure.hint(NO_PARQUET),
                _ => failure,
            }
        }
        // No row of the user is too deep: the file is.
        ErrorKind::TooDeep { .. } => Failure::of(Path::new(name), error).with_code(DAMAGED),
        _ => Failure::of(Path::new(name), error),
    }
}

/// Detects the format of a text file by its first bytes.
fn text_format(start: &[u8]) -> Option<&'static str> {
    let text = std::str::from_utf8(start).or_else(|error| std::str::from_utf8(&start[..error.valid_up_to()]));
    match text {
        Ok(text) if text.lines().next().is_some_and(|line| line.contains(',')) => Some("CSV"),
        Ok(text) if text.len() + 4 > start.len() => Some("text"),
        _ => None,
    }
}

/// Reads all of a stream into memory, up to a number of bytes.
fn read_up_to(stream: &mut impl Read, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    stream.take(limit).read_to_end(&mut bytes)?;
    Ok(bytes)
}
