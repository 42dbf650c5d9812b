//! Files that are named, and the files of named folders.

use crate::dialect;
use crate::failure::Failure;
use crate::remote;
use std::fs;
use std::path::{Path, PathBuf};
use trevni::CommittedParts;

/// The files that are named; in place of a folder, its files of the extension `trv` by name, and in place of a pattern of
/// objects in a bucket, those.
pub(crate) fn files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut out = Vec::with_capacity(paths.len());
    for path in paths {
        if remote::is_url(path) {
            let found = remote::matching(path)?;
            out.extend(found.unwrap_or_else(|| vec![path.clone()]));
            continue;
        }
        match path.is_dir() {
            true => out.extend(within(path)?),
            false => out.push(path.clone()),
        }
    }
    Ok(out)
}

fn within(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut found = named(folder)?;
    let committed = CommittedParts::of(folder, &found).map_err(|error| Failure::of(folder, &error))?;
    if !committed.is_empty() {
        found = named(folder)?;
        found.retain(|path| committed.counts(path));
    }
    if found.is_empty() {
        let failure = Failure::new(format!("{} is a folder without .trv files", folder.display()));
        return Err(failure.hint("Of a folder, its own files *.trv are read, not those of folders in it"));
    }
    found.sort();
    Ok(found)
}

/// The files of a folder, by their names.
fn named(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let failed = |error| Failure::io(folder.display(), &error);
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let is_hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
        if dialect::has_ending(&path) && !is_hidden && path.is_file() {
            found.push(path);
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_stand_for_their_files() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        assert!(files(&[folder.path().to_owned()]).unwrap_err().message().ends_with("without .trv files"));
        for name in ["b.trv", "a.trv", ".c.trv", "d.csv"] {
            fs::write(at(name), "").unwrap();
        }
        fs::create_dir(at("e.trv")).unwrap();
        let given = [at("z"), folder.path().to_owned(), PathBuf::from("-")];
        assert_eq!(files(&given).unwrap(), [at("z"), at("a.trv"), at("b.trv"), PathBuf::from("-")]);
    }
}
