//! Splits a file into several.

use super::Merge;
use crate::dataset::folder::{PART_DIGITS, is_data, part_name};
use crate::error::{Error, Result};
use crate::reader::Reader;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Splits a file into several, by rows.
///
/// Blocks are copied unless a cut goes through them, as by [`Merge`].
///
/// ```
/// # let folder = std::env::temp_dir().join(format!("trevni-doc-split-{}", std::process::id()));
/// use trevni::Reader;
/// use trevni::merge::Split;
///
/// let bytes = trevni::to_vec(0..10)?;
/// let reader = Reader::from_slice(&bytes)?;
/// let files = Split::every(4).create(&reader, &folder)?;
/// assert_eq!(files, ["part-00000.trv", "part-00001.trv", "part-00002.trv"].map(|name| folder.join(name)));
/// assert_eq!(Reader::open(&files[2])?.column::<i32>("")?, [8, 9]);
///
/// // Readers of the parts, without writing files.
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
    /// Splits every `rows` rows; the last part may be shorter. An empty file gives one part.
    ///
    /// ```
    /// use trevni::Reader;
    /// use trevni::merge::Split;
    ///
    /// let bytes = trevni::to_vec(0..10)?;
    /// let parts = Split::every(4).readers(&Reader::from_slice(&bytes)?)?;
    /// assert_eq!(parts[2].column::<i32>("")?, [8, 9]);
    /// # Ok::<(), trevni::Error>(())
    /// ```
    pub fn every(rows: u64) -> Self {
        Self { cuts: Cuts::Every(rows), merge: Merge::new() }
    }

    /// Splits at these row numbers, which must ascend and count the rows of the reader. The first part starts at
    /// row 0 in any case.
    ///
    /// ```
    /// use trevni::Reader;
    /// use trevni::merge::Split;
    ///
    /// let bytes = trevni::to_vec(0..10)?;
    /// let parts = Split::at([1, 9]).readers(&Reader::from_slice(&bytes)?)?;
    /// let rows: Vec<usize> = parts.iter().map(|part| part.column::<i32>("").unwrap().len()).collect();
    /// assert_eq!(rows, [1, 8, 1]);
    /// # Ok::<(), trevni::Error>(())
    /// ```
    pub fn at(rows: impl IntoIterator<Item = u64>) -> Self {
        Self { cuts: Cuts::At(rows.into_iter().collect()), merge: Merge::new() }
    }

    /// Sets codec, checksum and verification of the parts. Default: [`Merge::new`], which copies blocks.
    ///
    /// ```
    /// # let folder = std::env::temp_dir().join(format!("trevni-doc-stored-{}", std::process::id()));
    /// # let _ = std::fs::remove_dir_all(&folder);
    /// use trevni::merge::{Merge, Split};
    /// use trevni::{Codec, Reader};
    ///
    /// let bytes = trevni::to_vec(0..10)?;
    /// let stored = Merge::new().codec(Codec::Deflate);
    /// let files = Split::every(5).stored(stored).create(&Reader::from_slice(&bytes)?, &folder)?;
    /// assert_eq!(Reader::open(&files[1])?.columns()[0].codec(), Some(Codec::Deflate));
    /// # std::fs::remove_dir_all(folder)?;
    /// # Ok::<(), trevni::Error>(())
    /// ```
    pub fn stored(mut self, merge: Merge) -> Self {
        self.merge = merge;
        self
    }

    /// Returns readers of the parts. The predicate of a filtered reader is evaluated here, once.
    ///
    /// # Errors
    ///
    /// Parts of 0 rows, row numbers that do not ascend or are out of range, and as [`Reader::matching`].
    pub fn readers<'s>(&self, reader: &Reader<'s>) -> Result<Vec<Reader<'s>>> {
        let rows = reader.seen()?;
        let parts = self.cuts.parts(rows.row_count())?;
        let parts = rows.parts(parts.into_iter().map(|part| part.end));
        Ok(parts.into_iter().map(|rows| reader.of_seen(rows)).collect())
    }

    /// Writes `part-00000.trv`, `part-00001.trv`, … (`.redelm`, where they are of RedElm) to a folder, which is
    /// created if it does not exist, and returns their paths. With more than 100,000 parts, all names have as many
    /// digits as the last one needs. No file is replaced. After an error, the parts written so far are removed, and the folder if it was created.
    ///
    /// # Errors
    ///
    /// A folder that already has parts, and as [`Split::readers`] and [`Merge::create`].
    pub fn create(&self, reader: &Reader<'_>, folder: impl AsRef<Path>) -> Result<Vec<PathBuf>> {
        let folder = folder.as_ref();
        let parts = self.readers(reader)?;
        let mut made = Made::in_folder(folder)?;
        if let Some(name) = existing_part(folder)? {
            return Err(Error::option(format!("{} already has parts: {name}", folder.display())));
        }
        let digits = parts.len().saturating_sub(1).to_string().len().max(PART_DIGITS);
        let dialect = self.merge.target(Some(reader));
        for (number, part) in (0u64..).zip(&parts) {
            let file = folder.join(part_name(number, digits, dialect));
            self.merge.create_new(std::slice::from_ref(part), &file)?;
            made.files.push(file);
        }
        Ok(made.keep())
    }
}

/// What has been made so far, removed when it is dropped.
struct Made {
    files: Vec<PathBuf>,
    /// Folders that were not there before, the outermost first.
    folders: Vec<PathBuf>,
}

impl Made {
    /// Creates a folder, and those around it.
    fn in_folder(folder: &Path) -> Result<Self> {
        let is_missing = |folder: &&Path| !folder.as_os_str().is_empty() && !folder.exists();
        let missing: Vec<&Path> = folder.ancestors().take_while(is_missing).collect();
        let mut made = Self { files: Vec::new(), folders: Vec::new() };
        for folder in missing.into_iter().rev() {
            match fs::create_dir(folder) {
                Ok(()) => made.folders.push(folder.to_owned()),
                // Another program was first.
                Err(_) if folder.is_dir() => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(made)
    }

    fn keep(mut self) -> Vec<PathBuf> {
        self.folders.clear();
        std::mem::take(&mut self.files)
    }
}

impl Drop for Made {
    fn drop(&mut self) {
        for file in &self.files {
            let _ = fs::remove_file(file);
        }
        // One that has got other files stays.
        for folder in self.folders.iter().rev() {
            let _ = fs::remove_dir(folder);
        }
    }
}

impl Cuts {
    /// The ranges of the parts.
    fn parts(&self, rows: u64) -> Result<Vec<Range<u64>>> {
        match self {
            Self::Every(0) => Err(Error::option("a part needs at least one row, not 0")),
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
                        Err(Error::option(format!("cannot cut at row {row}: the reader has {rows} rows")))
                    }
                    Some(part) => Err(Error::option(format!(
                        "cuts must ascend: row {} comes after row {}",
                        part.end, part.start
                    ))),
                    None => Ok(parts),
                }
            }
        }
    }
}

/// The name of a part in a folder, if there is one.
fn existing_part(folder: &Path) -> Result<Option<String>> {
    for entry in fs::read_dir(folder)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if name.starts_with("part-") && is_data(&name) {
            return Ok(Some(name));
        }
    }
    Ok(None)
}
