//! One file into several.

use super::Merge;
use crate::error::{Error, Result};
use crate::reader::Reader;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Takes a file apart into several, each of some rows.
///
/// Blocks are copied where no cut goes through them; see [`Merge`], of which this is the reverse.
///
/// ```
/// # let folder = std::env::temp_dir().join(format!("trevni-doc-split-{}", std::process::id()));
/// use trevni::{Reader, Split};
///
/// let bytes = trevni::to_vec(0..10)?;
/// let reader = Reader::from_slice(&bytes)?;
/// let files = Split::every(4).create(&reader, &folder)?;
/// assert_eq!(files, ["part-00000.trv", "part-00001.trv", "part-00002.trv"].map(|name| folder.join(name)));
/// assert_eq!(Reader::open(&files[2])?.column::<i32>("")?, [8, 9]);
///
/// // Without files: readers of the parts.
/// let parts = Split::at([1, 9]).readers(&reader)?;
/// assert_eq!(parts.iter().map(|part| part.column::<i32>("").unwrap().len()).collect::<Vec<_>>(), [1, 8, 1]);
/// # std::fs::remove_dir_all(folder)?;
/// # Ok::<(), trevni::Error>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct Split {
    cuts: Cuts,
    merge: Merge,
}

#[derive(Clone, Debug)]
enum Cuts {
    Every(u64),
    At(Vec<u64>),
}

impl Split {
    /// Parts of this many rows each, the last one of what is left; one part where there are no rows.
    pub fn every(rows: u64) -> Self {
        Self { cuts: Cuts::Every(rows), merge: Merge::new() }
    }

    /// A part begins at each of these rows, which must ascend; counted among the rows that the reader
    /// sees. The first part begins at row 0, whether that is given or not.
    pub fn at(rows: impl IntoIterator<Item = u64>) -> Self {
        Self { cuts: Cuts::At(rows.into_iter().collect()), merge: Merge::new() }
    }

    /// How the parts are stored: the options of [`Merge`]. Default: as in the file.
    pub fn stored(mut self, merge: Merge) -> Self {
        self.merge = merge;
        self
    }

    /// Readers of the parts. The predicate of a filtered reader is evaluated here, once.
    ///
    /// # Errors
    ///
    /// Parts of no rows each, rows that do not ascend, and rows behind the last; as
    /// [`Reader::matching`].
    pub fn readers<'s>(&self, reader: &Reader<'s>) -> Result<Vec<Reader<'s>>> {
        let rows = reader.seen()?;
        let parts = self.cuts.parts(rows.row_count())?;
        Ok(parts.into_iter().map(|part| reader.of_seen(rows.part(part))).collect())
    }

    /// Creates `part-00000.trv`, `part-00001.trv`, … in a folder, which is created if it is not there;
    /// returns their paths. With more than 100,000 parts, all names have as many digits as the last one
    /// needs. After an error the parts before it are removed.
    ///
    /// # Errors
    ///
    /// A folder that has parts already, and as [`Split::readers`] and [`Merge::create`].
    pub fn create(&self, reader: &Reader<'_>, folder: impl AsRef<Path>) -> Result<Vec<PathBuf>> {
        let folder = folder.as_ref();
        let parts = self.readers(reader)?;
        fs::create_dir_all(folder)?;
        if let Some(name) = existing_part(folder)? {
            return Err(Error::option(format!("{} has parts already: {name}", folder.display())));
        }
        let digits = parts.len().saturating_sub(1).to_string().len().max(5);
        let mut files: Vec<PathBuf> = Vec::with_capacity(parts.len());
        for (number, part) in parts.iter().enumerate() {
            let file = folder.join(format!("part-{number:0digits$}.trv"));
            if let Err(error) = self.merge.create(std::slice::from_ref(part), &file) {
                for file in files {
                    let _ = fs::remove_file(file);
                }
                return Err(error);
            }
            files.push(file);
        }
        Ok(files)
    }
}

impl Cuts {
    /// The parts of some rows.
    fn parts(&self, rows: u64) -> Result<Vec<Range<u64>>> {
        match self {
            Self::Every(0) => Err(Error::option("parts of no rows cannot be: split every 1 row or more")),
            Self::Every(count) => {
                let starts = (0..rows.div_ceil(*count).max(1)).map(|number| number * count);
                Ok(starts.map(|start| start..rows.min(start.saturating_add(*count))).collect())
            }
            Self::At(cuts) => {
                let cuts = cuts.strip_prefix(&[0]).unwrap_or(cuts);
                let starts: Vec<u64> = std::iter::once(0).chain(cuts.iter().copied()).collect();
                let ends = cuts.iter().copied().chain([rows]);
                let parts: Vec<Range<u64>> =
                    starts.iter().zip(ends).map(|(start, end)| *start..end).collect();
                let wrong = parts.iter().find(|part| part.end < part.start || part.end > rows);
                match wrong {
                    Some(part) if part.end > rows || part.start > rows => {
                        let row = part.end.max(part.start);
                        Err(Error::option(format!("no cut at row {row}: there are {rows}")))
                    }
                    Some(part) => {
                        Err(Error::option(format!("a cut at row {} after one at {}", part.end, part.start)))
                    }
                    None => Ok(parts),
                }
            }
        }
    }
}

/// A part that is in a folder.
fn existing_part(folder: &Path) -> Result<Option<String>> {
    for entry in fs::read_dir(folder)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if name.starts_with("part-") && name.ends_with(".trv") {
            return Ok(Some(name));
        }
    }
    Ok(None)
}
