//! Files without columns, such as CSV: each is converted once, to a temporary file.

use super::{Stream, is_standard, is_stream, name_of};
use crate::failure::Failure;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

/// A stream, and the bytes that were taken from it.
pub type Begun = (Vec<u8>, Stream);

/// Makes a column file, which goes when it is closed, of a file or stream without columns; `None` if it is of no such
/// kind. `most` rows are wanted.
pub(crate) type Importer = fn(&Path, Option<Begun>, u64) -> Result<Option<File>, Failure>;

static IMPORTER: OnceLock<Importer> = OnceLock::new();
static IMPORTED: Mutex<Vec<(PathBuf, File)>> = Mutex::new(Vec::new());

/// Sets what converts, which is in a higher layer.
pub fn import_with(importer: Importer) {
    IMPORTER.get_or_init(|| importer);
}

/// What a path leads to.
pub(super) enum Imported {
    /// The column file of a file that has no columns.
    Columns(File),
    /// A stream that begins as files of columns do.
    Stream(Begun),
    /// Nothing that is looked at here.
    No,
}

/// Converts what has no columns.
pub(super) fn imported(path: &Path, rows: u64) -> Result<Imported, Failure> {
    let Some(importer) = IMPORTER.get() else {
        return Ok(Imported::No);
    };
    let failed = |error| Failure::io("a temporary file", &error);
    let mut known = IMPORTED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, file)) = known.iter().find(|(known, _)| known == path) {
        return file.try_clone().map(Imported::Columns).map_err(failed);
    }
    let file = match is_stream(path) {
        false => importer(path, None, rows)?,
        true => {
            let mut stream = if is_standard(path) { Stream::standard() } else { Stream::file(path) };
            let start = stream.start().map_err(|error| Failure::io(name_of(path), &error))?;
            match super::begins(&start) {
                Ok(()) => return Ok(Imported::Stream((start, stream))),
                Err(error) => {
                    let refused = super::not_readable(&name_of(path), &error, &start);
                    let file =
                        if start.is_empty() { None } else { importer(path, Some((start, stream)), rows)? };
                    Some(file.ok_or(refused)?)
                }
            }
        }
    };
    let Some(file) = file else {
        return Ok(Imported::No);
    };
    known.push((path.to_owned(), file.try_clone().map_err(failed)?));
    Ok(Imported::Columns(file))
}
