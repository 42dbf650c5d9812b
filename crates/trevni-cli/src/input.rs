//! Opens files, standard input included.

use crate::failure::{DAMAGED, Failure};
use std::io::{self, Read};
use std::path::Path;
use trevni::{ErrorKind, Reader};

/// An open file and its name.
pub(crate) struct Input {
    pub(crate) name: String,
    pub(crate) reader: Reader<'static>,
    /// Bytes of the file.
    pub(crate) bytes: u64,
}

/// Opens a file; `-` is standard input, which is read into memory, because its columns are not read in
/// the order of the file.
pub(crate) fn open(path: &Path) -> Result<Input, Failure> {
    if path.as_os_str() == "-" {
        let mut bytes = Vec::new();
        let name = "standard input".to_owned();
        io::stdin().lock().read_to_end(&mut bytes).map_err(|error| Failure::writing(&name, &error))?;
        let length = bytes.len() as u64;
        let start = bytes.iter().take(64).copied().collect::<Vec<u8>>();
        let reader = Reader::builder().threads(0).shared(bytes);
        let reader = reader.map_err(|error| not_readable(Path::new(&name), &error, &start))?;
        return Ok(Input { name, reader, bytes: length });
    }
    if path.is_dir() {
        let folder = Failure::new(format!("{} is a folder", path.display()));
        return Err(folder.hint(format!("Its files: {}", path.join("*.trv").display())));
    }
    let reader = Reader::builder().threads(0).open(path).map_err(|error| {
        let mut start = Vec::new();
        if let Ok(file) = std::fs::File::open(path) {
            let _ = file.take(64).read_to_end(&mut start);
        }
        not_readable(path, &error, &start)
    })?;
    let bytes = std::fs::metadata(path).map_or(0, |metadata| metadata.len());
    Ok(Input { name: path.display().to_string(), reader, bytes })
}

/// Why a file that starts with these bytes cannot be read.
fn not_readable(path: &Path, error: &trevni::Error, start: &[u8]) -> Failure {
    let name = path.display();
    match error.kind() {
        ErrorKind::Io(error) => Failure::new(format!("{name}: {error}")),
        _ if start.is_empty() => Failure::new(format!("{name} is empty")).with_code(DAMAGED),
        ErrorKind::NotTrevni { .. } => {
            let kind = looks_like(start).map_or(String::new(), |kind| format!(" (it looks like {kind})"));
            Failure::new(format!("{name} is not a Trevni file{kind}")).with_code(DAMAGED)
        }
        _ => Failure::of(path, error),
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
