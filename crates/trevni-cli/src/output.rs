//! Where results go: standard output, or a file that has its name when it is whole.

use crate::failure::Failure;
use crate::input::is_standard;
use crate::interrupt;
use serde::Serialize;
use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};
use trevni::{AtomicFile, Batch, Writer, WriterBuilder};

/// A place for results.
pub(crate) enum Output {
    Standard(BufWriter<io::StdoutLock<'static>>),
    File { file: BufWriter<File>, temporary: PathBuf, path: PathBuf },
}

impl Output {
    /// Standard output where there is no path, or it is `-`. A file that is there is kept, unless it is to
    /// be replaced.
    pub(crate) fn new(path: Option<&Path>, replace: bool) -> Result<Self, Failure> {
        let Some(path) = path.filter(|path| !is_standard(path)) else {
            return Ok(Self::Standard(BufWriter::new(io::stdout().lock())));
        };
        refuse_existing(path, replace)?;
        let mut name = std::ffi::OsString::from(".");
        name.push(path.file_name().unwrap_or_default());
        name.push(format!(".{}.tmp", std::process::id()));
        let temporary = path.with_file_name(name);
        let file = File::create_new(&temporary).map_err(|error| Failure::io(path.display(), &error))?;
        Ok(Self::File { file: BufWriter::new(file), temporary, path: path.to_owned() })
    }

    /// The width of the terminal that this is; none elsewhere.
    pub(crate) fn width(&self) -> Option<usize> {
        match self {
            Self::Standard(_) if io::stdout().is_terminal() => {
                let asked = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
                let found = || terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
                Some(asked.or_else(found).unwrap_or(80))
            }
            _ => None,
        }
    }

    /// Whether a progress bar would stand among what is written.
    pub(crate) fn is_terminal(&self) -> bool {
        self.width().is_some()
    }

    /// Makes all that was written visible.
    pub(crate) fn finish(mut self) -> Result<(), Failure> {
        let done = match &mut self {
            Self::Standard(out) => out.flush(),
            Self::File { file, temporary, path } => {
                file.flush().and_then(|()| std::fs::rename(temporary, path))
            }
        };
        done.map_err(|error| self.failed(&error))
    }

    /// A failure to write here.
    pub(crate) fn failed(&self, error: &io::Error) -> Failure {
        match self {
            Self::Standard(_) => Failure::io("standard output", error),
            Self::File { path, .. } => Failure::io(path.display(), error),
        }
    }
}

/// A Trevni file that is being written: to standard output, or to a file that has its name when it is whole.
pub(crate) struct Columns {
    sink: Sink,
    name: PathBuf,
}

enum Sink {
    Standard(Box<Writer<BufWriter<io::StdoutLock<'static>>>>),
    File(Box<Writer<AtomicFile>>),
}

impl Columns {
    /// Standard output where the path is `-`. A file that is there is kept, unless it is to be replaced.
    pub(crate) fn new(builder: WriterBuilder, path: &Path, replace: bool) -> Result<Self, Failure> {
        let name = path.to_owned();
        let sink = if is_standard(path) {
            builder.build(BufWriter::new(io::stdout().lock())).map(|writer| Sink::Standard(Box::new(writer)))
        } else {
            refuse_existing(path, replace)?;
            builder.create(path).map(|writer| Sink::File(Box::new(writer)))
        };
        match sink {
            Ok(sink) => Ok(Self { sink, name }),
            Err(error) => Err(Failure::of(path, &error)),
        }
    }

    /// Appends the rows of a batch.
    pub(crate) fn write_batch(&mut self, batch: &Batch) -> trevni::Result<()> {
        match &mut self.sink {
            Sink::Standard(writer) => writer.write_batch(batch),
            Sink::File(writer) => writer.write_batch(batch),
        }
    }

    /// Appends a row.
    #[inline]
    pub(crate) fn write(&mut self, row: &impl Serialize) -> trevni::Result<()> {
        match &mut self.sink {
            Sink::Standard(writer) => writer.write(row),
            Sink::File(writer) => writer.write(row),
        }
    }

    /// Number of rows so far.
    pub(crate) fn row_count(&self) -> u64 {
        match &self.sink {
            Sink::Standard(writer) => writer.row_count(),
            Sink::File(writer) => writer.row_count(),
        }
    }

    /// Writes the end of the file, and gives it its name.
    pub(crate) fn finish(self) -> Result<(), Failure> {
        interrupt::check().map_err(|error| Failure::io(self.name.display(), &error))?;
        let done = match self.sink {
            Sink::Standard(writer) => writer.finish().and_then(|mut out| Ok(out.flush()?)),
            Sink::File(writer) => writer.finish().map(drop),
        };
        done.map_err(|error| Failure::of(&self.name, &error))
    }
}

/// An error where an output is there already and is not to be replaced.
pub(crate) fn refuse_existing(path: &Path, replace: bool) -> Result<(), Failure> {
    if path.exists() && !replace {
        let failure = Failure::new(format!("{} is there already", path.display()));
        return Err(failure.hint("To replace it: --force"));
    }
    Ok(())
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        interrupt::check()?;
        match self {
            Self::Standard(out) => out.write(bytes),
            Self::File { file, .. } => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Standard(out) => out.flush(),
            Self::File { file, .. } => file.flush(),
        }
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        if let Self::File { temporary, .. } = self {
            // Gone already where it has its name.
            let _ = std::fs::remove_file(temporary);
        }
    }
}
