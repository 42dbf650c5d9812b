//! Files into one, with defaults.

use super::{Merge, Merged};
use crate::error::Result;
use std::path::Path;

/// Concatenates files into one, with [`Merge`]'s defaults.
///
/// ```
/// # let folder = std::env::temp_dir().join(format!("trevni-doc-merge-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder)?;
/// # let [may, june, all] = ["may.trv", "june.trv", "all.trv"].map(|name| folder.join(name));
/// # std::fs::write(&may, trevni::to_vec([1, 2])?)?;
/// # std::fs::write(&june, trevni::to_vec([3])?)?;
/// let merged = trevni::merge([may, june], &all)?;
/// assert_eq!((merged.rows, merged.blocks_copied), (3, 2));
/// # assert_eq!(trevni::from_slice::<Vec<i32>>(&std::fs::read(&all)?)?, [1, 2, 3]);
/// # std::fs::remove_dir_all(folder)?;
/// # Ok::<(), trevni::Error>(())
/// ```
///
/// # Errors
///
/// As [`Merge::files`].
pub fn merge<P: AsRef<Path>>(files: impl IntoIterator<Item = P>, path: impl AsRef<Path>) -> Result<Merged> {
    Merge::new().files(files, path)
}
