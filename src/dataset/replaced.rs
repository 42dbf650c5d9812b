//! Files whose rows another file of their folder has: a part that was completed, or parts that were compacted.
//!
//! A new file takes its name in one step, and readers pass over those that it replaces from then on, whether these are
//! there still or not. So rows are never missing and never there twice, wherever a writer stops.

use super::CommittedParts;
use super::folder::named;
use super::part_name::PartName;
use crate::error::{Error, Result};
use crate::storage::temporary::TemporaryFile;
use std::collections::{BTreeMap, HashSet};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How often a folder is listed in which files go.
const LISTS_MAX: usize = 100;

/// Of files, leaves those that no other file of the same folder replaces: `part-00003.to-00009.trv` replaces
/// `part-00007.trv`, which replaces `part-00007.tail-00002.trv`. Other files stay.
///
/// ```
/// use std::path::Path;
///
/// let mut names = vec!["a/part-00000.to-00002.trv", "a/part-00001.trv", "a/part-00003.trv", "part-00001.trv"];
/// trevni::dataset::retain_current(&mut names, |name| Path::new(*name));
/// assert_eq!(names, ["a/part-00000.to-00002.trv", "a/part-00003.trv", "part-00001.trv"]);
/// ```
pub fn retain_current<F>(files: &mut Vec<F>, path: impl Fn(&F) -> &Path) {
    let replaced: Vec<bool> = covers(files, &path).into_iter().map(|cover| cover.is_some()).collect();
    if replaced.contains(&true) {
        let mut replaced = replaced.into_iter();
        files.retain(|_| !replaced.next().unwrap_or_default());
    }
}

/// For each file, the place of one that replaces it.
fn covers<F>(files: &[F], path: impl Fn(&F) -> &Path) -> Vec<Option<usize>> {
    let mut folders: BTreeMap<Option<&Path>, Vec<(PartName, usize)>> = BTreeMap::new();
    for (place, file) in files.iter().enumerate() {
        if let Some(name) = PartName::from_path(path(file)) {
            folders.entry(path(file).parent()).or_default().push((name, place));
        }
    }
    let mut covers = vec![None; files.len()];
    for mut names in folders.into_values() {
        names.sort_by_key(|(name, _)| name.key());
        // What reaches farthest so far: of complete parts, and of the pieces of one.
        let mut farthest: [Option<(PartName, usize)>; 2] = [None; 2];
        for (name, place) in names {
            let around = farthest.iter().flatten().find(|(around, _)| around.replaces(&name));
            let reach = |name: &PartName| (name.parts.1, name.pieces.map(|pieces| pieces.1));
            if let (Some(cover), Some((_, by))) = (covers.get_mut(place), around) {
                *cover = Some(*by);
            } else if let Some(last) = farthest.get_mut(usize::from(name.pieces.is_some()))
                && last.as_ref().is_none_or(|(other, _)| reach(other) < reach(&name))
            {
                *last = Some((name, place));
            }
        }
    }
    covers
}

/// The files of a list that count. A folder is not listed at one moment, so it is listed until nothing is missing that was
/// there before, but for what was replaced, and no number is missing that was not missing before: so what is there has
/// all that was there when the last list began, and nothing that came later without what came before it.
///
/// # Errors
///
/// As `list`; manifests that cannot be read, or are damaged.
pub(super) fn settled<F>(
    folder: &Path,
    mut list: impl FnMut() -> Result<Vec<F>>,
    path: impl Fn(&F) -> &Path,
) -> Result<Vec<F>> {
    let mut files = list()?;
    for _ in 0..LISTS_MAX {
        let mut before: Vec<PathBuf> = files.iter().map(|file| path(file).to_owned()).collect();
        let committed = CommittedParts::read(folder, &before)?;
        if committed.is_empty() && !before.iter().any(|path| PartName::from_path(path).is_some()) {
            break;
        }
        // What is committed between the first two lists is whole in the second one.
        files = list()?;
        files.retain(|file| committed.counts(path(file)));
        retain_current(&mut files, &path);
        before.retain(|path| committed.counts(path));
        retain_current(&mut before, PathBuf::as_path);
        let before: Vec<&Path> = before.iter().map(PathBuf::as_path).collect();
        let now: Vec<&Path> = files.iter().map(&path).collect();
        if are_kept(&before, &now) && gaps(&now).is_subset(&gaps(&before)) {
            break;
        }
    }
    Ok(files)
}

/// Whether the rows of all files are in files of now, of the same name or of one that replaces it.
fn are_kept(before: &[&Path], now: &[&Path]) -> bool {
    let names: HashSet<&Path> = now.iter().copied().collect();
    let mut all: Vec<&Path> = before.iter().copied().filter(|path| !names.contains(path)).collect();
    let missing = all.len();
    all.extend(now);
    covers(&all, |path| path).iter().take(missing).all(Option::is_some)
}

/// The files before which a number is missing.
fn gaps<'p>(files: &[&'p Path]) -> HashSet<&'p Path> {
    let named = files.iter().filter_map(|path| Some((PartName::from_path(path)?, *path)));
    let mut named: Vec<(PartName, &Path)> = named.collect();
    named.sort_by_key(|(name, path)| (path.parent(), name.key()));
    let mut last: Option<(PartName, &Path)> = None;
    let mut follows = |(name, path): &(PartName, &'p Path)| {
        let before = last.replace((*name, path)).filter(|(_, other)| other.parent() == path.parent());
        before.map_or(name.pieces.is_none_or(|(first, _)| first == 0), |(before, _)| before.is_before(name))
    };
    named.retain(|name| !follows(name));
    named.into_iter().map(|(_, path)| path).collect()
}

/// Removes the files of a folder that another one has replaced for so long.
///
/// # Errors
///
/// A folder that cannot be read.
pub(super) fn remove_replaced(folder: &Path, kept: Duration) -> Result<Vec<PathBuf>> {
    let files = named(folder)?;
    let is_old = |file: &Path| {
        let age = file.metadata().and_then(|file| file.modified()).map(|time| time.elapsed());
        kept.is_zero() || age.is_ok_and(|age| age.is_ok_and(|age| age >= kept))
    };
    let mut removed = Vec::new();
    for (file, cover) in files.iter().zip(covers(&files, |file| file)) {
        let cover = cover.and_then(|cover| files.get(cover));
        if cover.is_some_and(|cover| is_old(cover)) && std::fs::remove_file(file).is_ok() {
            removed.push(file.clone());
        }
    }
    Ok(removed)
}

/// Removes the files that a file replaces, then the file, and says whether that was there. Pieces of a part stay while its
/// writer is open.
///
/// # Errors
///
/// A folder that cannot be read, a file that cannot be removed.
pub(super) fn remove_with_replaced(path: &Path) -> Result<bool> {
    let mut _claim = None;
    if let (Some(folder), Some(name)) = (path.parent(), PartName::from_path(path)) {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        if name.pieces.is_some() {
            _claim = TemporaryFile::claim(&folder.join("part"), name.parts.0)?;
            if _claim.is_none() {
                return Ok(false);
            }
        }
        let mut replaced = named(folder)?;
        replaced.retain(|file| PartName::from_path(file).is_some_and(|other| name.replaces(&other)));
        for file in replaced {
            remove_if_there(&file)?;
        }
    }
    remove_if_there(path)
}

/// Removes a file that another program may have removed already; whether it was there.
fn remove_if_there(path: &Path) -> Result<bool> {
    match std::fs::remove_file(path) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(Error::from(error).in_file(path)),
    }
}
