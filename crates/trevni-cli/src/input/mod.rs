//! Opens files, standard input included.

mod files;
mod several;
mod spool;
mod standard;
mod watched;

pub(crate) use files::files;
pub(crate) use several::Several;
pub(crate) use spool::{Spooled, spool};
pub(crate) use standard::StandardInput;

use crate::failure::{DAMAGED, Failure};
use crate::progress::Progress;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use trevni::{ErrorKind, Reader, Source};
use watched::Watched;

/// An open file and its name.
#[derive(Clone)]
pub(crate) struct Input {
    pub(crate) name: String,
    pub(crate) reader: Reader<'static>,
    /// Bytes of the file.
    pub(crate) bytes: u64,
}

/// Opens a file; `-` is standard input, which is kept, because its columns are not read in the order of
/// the file.
pub(crate) fn open(path: &Path) -> Result<Input, Failure> {
    open_with(path, Progress::default())
}

/// As [`open`]; what is read of the file counts as progress.
pub(crate) fn open_with(path: &Path, progress: Progress) -> Result<Input, Failure> {
    if is_standard(path) {
        let name = "standard input".to_owned();
        let spooled = spool(StandardInput::new()).map_err(|error| Failure::io(&name, &error))?;
        return of_spooled(name, spooled, progress);
    }
    if path.is_dir() {
        let folder = Failure::new(format!("{} is a folder", path.display()));
        return Err(folder.hint(format!("Its files: {}", path.join("*.trv").display())));
    }
    let file = File::open(path).map_err(|error| Failure::io(path.display(), &error))?;
    let (name, kind) = (path.display().to_string(), file.metadata());
    if kind.is_ok_and(|kind| !kind.is_file()) {
        // A pipe, such as that of a shell's <(command), which is read only once.
        let spooled = spool(file).map_err(|error| Failure::io(&name, &error))?;
        return of_spooled(name, spooled, progress);
    }
    opened(name, file, progress)
}

/// Opens what was read of a stream.
pub(crate) fn of_spooled(name: String, spooled: Spooled, progress: Progress) -> Result<Input, Failure> {
    match spooled {
        Spooled::Memory(bytes) => opened(name, bytes, progress),
        Spooled::File(file) => opened(name, file, progress),
    }
}

/// Bytes of a file; 0 where that is not known.
pub(crate) fn size(path: &Path) -> u64 {
    std::fs::metadata(path).map_or(0, |file| file.len())
}

/// Whether a path means standard input or output.
pub(crate) fn is_standard(path: &Path) -> bool {
    path.as_os_str() == "-"
}

fn opened(name: String, source: impl Source + 'static, progress: Progress) -> Result<Input, Failure> {
    let bytes = source.len().map_err(|error| Failure::io(&name, &error))?;
    let mut start = vec![0; bytes.min(64) as usize];
    source.read_at(0, &mut start).map_err(|error| Failure::io(&name, &error))?;
    match Reader::builder().threads(0).shared(Watched { source, progress }) {
        Ok(reader) => Ok(Input { name, reader, bytes }),
        Err(error) => Err(not_readable(&name, &error, &start)),
    }
}

/// Why a file that starts with these bytes cannot be read.
fn not_readable(name: &str, error: &trevni::Error, start: &[u8]) -> Failure {
    match error.kind() {
        ErrorKind::Io(error) => Failure::io(name, error),
        _ if start.is_empty() => Failure::new(format!("{name} is empty")).with_code(DAMAGED),
        ErrorKind::NotTrevni { .. } => {
            let kind = looks_like(start).map_or(String::new(), |kind| format!(" (it looks like {kind})"));
            let failure = Failure::new(format!("{name} is not a Trevni file{kind}")).with_code(DAMAGED);
            match looks_like(start) {
                Some("CSV" | "JSON" | "Avro") => failure.hint(format!("To make one: trevni convert {name}")),
                _ => failure,
            }
        }
        _ => Failure::of(Path::new(name), error),
    }
}

/// What else a file may be, by its first bytes.
fn looks_like(start: &[u8]) -> Option<&'static str> {
    let text = std::str::from_utf8(start).or_else(|error| std::str::from_utf8(&start[..error.valid_up_to()]));
    match start {
        [b'P', b'A', b'R', b'1', ..] => Some("Parquet"),
        [b'O', b'b', b'j', 1, ..] => Some("Avro"),
        [0x1f, 0x8b, ..] => Some("gzip"),
        [0x28, 0xb5, 0x2f, 0xfd, ..] => Some("zstd"),
        [b'{' | b'[', ..] => Some("JSON"),
        _ => match text {
            Ok(text) if text.lines().next().is_some_and(|line| line.contains(',')) => Some("CSV"),
            Ok(text) if text.len() + 4 > start.len() => Some("text"),
            _ => None,
        },
    }
}

/// Reads all of a stream into memory, up to a number of bytes.
fn read_up_to(stream: &mut impl Read, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    stream.take(limit).read_to_end(&mut bytes)?;
    Ok(bytes)
}
