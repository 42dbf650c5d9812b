//! Where results go: standard output, or a file that has its name when it is whole.

use crate::failure::Failure;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// A place for results.
pub(crate) enum Output {
    Standard(BufWriter<io::StdoutLock<'static>>),
    File { file: BufWriter<File>, temporary: PathBuf, path: PathBuf },
}

impl Output {
    /// Standard output where there is no path, or it is `-`. A file that is there is kept, unless it is to
    /// be replaced.
    pub(crate) fn new(path: Option<&Path>, replace: bool) -> Result<Self, Failure> {
        let Some(path) = path.filter(|path| path.as_os_str() != "-") else {
            return Ok(Self::Standard(BufWriter::new(io::stdout().lock())));
        };
        refuse_existing(path, replace)?;
        let mut name = std::ffi::OsString::from(".");
        name.push(path.file_name().unwrap_or_default());
        name.push(format!(".{}.tmp", std::process::id()));
        let temporary = path.with_file_name(name);
        let file = File::create_new(&temporary).map_err(|error| Failure::writing(path.display(), &error))?;
        Ok(Self::File { file: BufWriter::new(file), temporary, path: path.to_owned() })
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
            Self::Standard(_) => Failure::writing("standard output", error),
            Self::File { path, .. } => Failure::writing(path.display(), error),
        }
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
