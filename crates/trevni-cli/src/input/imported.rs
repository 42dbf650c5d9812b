//! Files without columns, such as CSV: each is converted once, to a temporary file.

use super::is_standard;
use crate::failure::Failure;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

/// Makes a column file, which goes when it is closed, of a file that has no columns; none where it is of no such kind.
pub(crate) type Importer = fn(&Path) -> Result<Option<File>, Failure>;

static IMPORTER: OnceLock<Importer> = OnceLock::new();
static IMPORTED: Mutex<Vec<(PathBuf, File)>> = Mutex::new(Vec::new());

/// Sets what converts, which is in a higher layer.
pub(crate) fn import_with(importer: Importer) {
    IMPORTER.get_or_init(|| importer);
}

/// The column file of a file that has no columns. Standard input is none: what is no file may have no end.
pub(super) fn imported(path: &Path) -> Result<Option<File>, Failure> {
    let Some(importer) = IMPORTER.get().filter(|_| !is_standard(path)) else {
        return Ok(None);
    };
    let failed = |error| Failure::io("a temporary file", &error);
    let mut known = IMPORTED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, file)) = known.iter().find(|(known, _)| known == path) {
        return file.try_clone().map(Some).map_err(failed);
    }
    let Some(file) = importer(path)? else {
        return Ok(None);
    };
    known.push((path.to_owned(), file.try_clone().map_err(failed)?));
    Ok(Some(file))
}
