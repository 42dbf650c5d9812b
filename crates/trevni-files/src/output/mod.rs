//! Where results go: standard output, or a file that has its name when it is whole.

mod columns;

pub use columns::{Columns, Target, column_count};

use crate::drawing::drawing;
use crate::failure::Failure;
use crate::human::bytes;
use crate::input::{is_standard, size};
use crate::interrupt;
use crate::packing::{Packer, Packing};
use crate::progress::note;
use crate::remote::{self, Upload};
use crate::shown::for_terminal;
use std::fmt::Display;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};
use trevni::{AtomicFile, ErrorKind};
use trevni_print::terminal;

/// The name of standard output.
const STANDARD: &str = "standard output";

/// A place for results. What is written to a terminal is shown by it, and does not steer it.
pub enum Output {
    Standard {
        out: BufWriter<io::Stdout>,
        is_terminal: bool,
    },
    /// A file, or a device or pipe, which is written to and never replaced.
    File {
        file: Box<Packer<AtomicFile>>,
        path: PathBuf,
    },
    /// An object of a store.
    Object {
        upload: Box<Packer<Upload>>,
        path: PathBuf,
    },
}

impl Output {
    /// Standard output where there is no path, or it is `-`. A file that is there is kept, unless it is to
    /// be replaced. It is packed as its name ends.
    pub fn new(path: Option<&Path>, replace: bool) -> Result<Self, Failure> {
        let Some(path) = path.filter(|path| !is_standard(path)) else {
            let (out, is_terminal) = (BufWriter::new(io::stdout()), io::stdout().is_terminal());
            return Ok(Self::Standard { out, is_terminal });
        };
        if remote::is_url(path) {
            let upload = Packer::by_name(remote::create(path, replace)?, path);
            let upload = Box::new(upload.map_err(|error| Failure::io(path.display(), &error))?);
            return Ok(Self::Object { upload, path: path.to_owned() });
        }
        let file = match is_device(path) {
            true => AtomicFile::create(path).map_err(|error| unwritten(path, &error)),
            false => create(path, replace),
        };
        let file = Packer::by_name(file?, path).map_err(|error| Failure::io(path.display(), &error))?;
        Ok(Self::File { file: Box::new(file), path: path.to_owned() })
    }

    /// The width of the terminal that this is; none elsewhere.
    pub fn width(&self) -> Option<usize> {
        match self {
            Self::Standard { is_terminal: true, .. } => Some(terminal::width()),
            _ => None,
        }
    }

    /// Whether styles may be written.
    pub fn has_colours(&self) -> bool {
        match self {
            Self::Standard { .. } => terminal::has_colours(),
            Self::File { .. } | Self::Object { .. } => false,
        }
    }

    /// Writes a text that has styles, and nothing else that steers a terminal.
    pub fn write_styled(&mut self, text: &str) -> io::Result<()> {
        interrupt::check()?;
        match self {
            Self::Standard { out, .. } => out.write_all(text.as_bytes()),
            Self::File { file, .. } => file.write_all(text.as_bytes()),
            Self::Object { upload, .. } => upload.write_all(text.as_bytes()),
        }
    }

    /// Whether a progress bar would be mixed with what is written.
    pub fn is_terminal(&self) -> bool {
        self.width().is_some()
    }

    /// Makes all that was written visible.
    pub fn finish(self) -> Result<(), Failure> {
        interrupt::check().map_err(|error| self.failed(&error))?;
        match self {
            Self::Standard { mut out, .. } => out.flush().map_err(|error| Failure::io(STANDARD, &error)),
            Self::File { file, path } => {
                let file = file.finish().map_err(|error| Failure::io(path.display(), &error))?;
                file.commit().map_err(|error| unwritten(&path, &error))
            }
            Self::Object { upload, path } => {
                let upload = upload.finish().map_err(|error| Failure::io(path.display(), &error))?;
                upload.commit().map_err(|error| remote::failed(&error))
            }
        }
    }

    /// The name that failures give it.
    pub fn name(&self) -> String {
        match self {
            Self::Standard { .. } => STANDARD.to_owned(),
            Self::File { path, .. } | Self::Object { path, .. } => path.display().to_string(),
        }
    }

    /// A failure to write here.
    pub fn failed(&self, error: &io::Error) -> Failure {
        Failure::io(self.name(), error)
    }
}

/// Reports what a file was made of: `from → to: facts, 2.0 MiB → 672.0 KiB (3.0×)`, with the ratio only if it became
/// smaller. Nothing for standard output.
pub fn made(from: &str, to: &Path, facts: impl Display, before: u64) {
    if is_standard(to) {
        return;
    }
    let after = if remote::is_url(to) { remote::size(to) } else { size(to) };
    let smaller = match before as f64 / after.max(1) as f64 {
        ratio if ratio > 1.0 => format!(" ({ratio:.1}{})", drawing().times),
        _ => String::new(),
    };
    let (to, before, after) = (to.display(), bytes(before), bytes(after));
    let arrow = drawing().arrow;
    note(format_args!("{from} {arrow} {to}: {facts}, {before} {arrow} {after}{smaller}"));
}

/// A file that gets its name, or replaces the one that has it, when it is whole.
fn create(path: &Path, replace: bool) -> Result<AtomicFile, Failure> {
    refuse_existing(path, replace)?;
    let file = if replace { AtomicFile::create(path) } else { AtomicFile::create_new(path) };
    file.map_err(|error| unwritten(path, &error))
}

/// Why a file cannot be written; another program may have taken its name.
pub fn unwritten(path: &Path, error: &trevni::Error) -> Failure {
    match error.kind() {
        ErrorKind::Io(error) if error.kind() == io::ErrorKind::AlreadyExists => exists(path),
        _ => Failure::of(path, error),
    }
}

fn exists(path: &Path) -> Failure {
    Failure::new(format!("{} already exists", path.display())).hint("To replace it: --force")
}

/// Whether a path is a device, a pipe or the like: a file in its place would break it.
fn is_device(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir())
}

/// An error where the name of a file of columns says that it is packed: its blocks are.
pub fn refuse_packed(path: &Path) -> Result<(), Failure> {
    match Packing::of_name(path) {
        None => Ok(()),
        Some(_) => {
            let failure =
                Failure::usage(format!("{}: column files are not compressed as a whole", path.display()));
            Err(failure.hint("Their columns are compressed, with the codec of -z"))
        }
    }
}

/// An error where an output already exists and is not to be replaced.
pub fn refuse_existing(path: &Path, replace: bool) -> Result<(), Failure> {
    if is_device(path) {
        let failure = Failure::new(format!("{} is not a file, so it is not replaced", path.display()));
        return Err(failure.hint(format!("To write there: -o - > {}", path.display())));
    }
    match std::fs::metadata(path) {
        Ok(found) if found.is_dir() => Err(Failure::new(format!("{} is a folder", path.display()))),
        Ok(_) if !replace => Err(exists(path)),
        _ => Ok(()),
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        interrupt::check()?;
        match self {
            // What was read from files must not steer a terminal, whatever the format.
            Self::Standard { out, is_terminal: true } => {
                out.write_all(&for_terminal(bytes))?;
                Ok(bytes.len())
            }
            Self::Standard { out, .. } => out.write(bytes),
            Self::File { file, .. } => file.write(bytes),
            Self::Object { upload, .. } => upload.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Standard { out, .. } => out.flush(),
            Self::File { file, .. } => file.flush(),
            Self::Object { upload, .. } => upload.flush(),
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::net::UnixListener;

    #[test]
    fn what_is_no_file_is_never_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let (socket, file) = (folder.path().join("socket"), folder.path().join("file"));
        let _listener = UnixListener::bind(&socket).unwrap();
        std::fs::write(&file, "text").unwrap();
        assert!(is_device(&socket) && !is_device(&file) && !is_device(&folder.path().join("none")));
        assert!(refuse_existing(&socket, true).is_err() && refuse_existing(&file, true).is_ok());
        assert!(Output::new(Some(&socket), true).is_err() && is_device(&socket));
    }
}
