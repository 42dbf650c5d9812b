//! Snapshots: all parts of a folder that count, as one file. docs/datasets.md, "Snapshots".

use super::manifest::WriteId;
use crate::error::{Error, Result};
use crate::reader::Reader;
use std::collections::{HashMap, HashSet};
use std::io::ErrorKind;
use std::path::Path;

/// The folder of snapshots, beside the parts or above them.
const FOLDER: &str = "_trevni_table";
/// How the name of a snapshot ends.
const END: &str = ".snapshot";
/// The digits of its number.
const DIGITS: usize = 20;
/// Keys of its metadata: writes that began before are in it or never count; those that it has since.
const SINCE: &str = "table.since";
const WRITES: &str = "table.writes";

/// Which files of a folder count: those that a snapshot has, and those of writes that it does not have. Snapshots are numbered, and the
/// last one counts. Each is a Trevni file with a row for each part.
///
/// ```
/// use trevni::dataset::Snapshot;
///
/// assert_eq!(Snapshot::name(7), "_trevni_table/00000000000000000007.snapshot");
/// assert_eq!(Snapshot::number("00000000000000000007.snapshot"), Some(7));
/// assert_eq!(Snapshot::number("7.snapshot"), None);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Snapshot {
    since: u64,
    writes: HashSet<WriteId>,
    parts: HashMap<String, usize>,
}

impl Snapshot {
    /// The key of the metadata that has the columns of the table: a file without rows.
    pub const SCHEMA: &'static str = "table.schema";

    /// The path of a snapshot in the folder of a dataset, with `/`.
    #[must_use]
    pub fn name(number: u64) -> String {
        format!("{FOLDER}/{number:0DIGITS$}{END}")
    }

    /// The number of a snapshot, by the name of its file.
    #[must_use]
    pub fn number(name: &str) -> Option<u64> {
        let digits = name.strip_suffix(END)?;
        let is_number = digits.len() == DIGITS && digits.bytes().all(|byte| byte.is_ascii_digit());
        if is_number { digits.parse().ok() } else { None }
    }

    /// Metadata of a snapshot that has all writes that began before some time (milliseconds since 1970) and count, and these writes.
    #[must_use]
    pub fn metadata<'w>(
        since: u64,
        writes: impl IntoIterator<Item = &'w WriteId>,
    ) -> [(&'static str, String); 2] {
        let writes: Vec<String> = writes.into_iter().map(ToString::to_string).collect();
        [(SINCE, since.to_string()), (WRITES, writes.join("\n"))]
    }

    /// What a snapshot says.
    ///
    /// # Errors
    ///
    /// A file that is no snapshot.
    pub fn from_reader(reader: &Reader<'_>) -> Result<Self> {
        let damaged = || Error::metadata("this is not the snapshot of a table");
        let text = |key: &str| {
            let bytes = reader.metadata().get(key).ok_or_else(damaged)?;
            std::str::from_utf8(bytes).map_err(|_| damaged())
        };
        let since = text(SINCE)?.parse().map_err(|_| damaged())?;
        let write = |text: &str| WriteId::parse(text).ok_or_else(damaged);
        let writes = text(WRITES)?.lines().map(write).collect::<Result<_>>()?;
        let parts = reader.column::<String>("path")?.into_iter().zip(0..).collect();
        Ok(Self { since, writes, parts })
    }

    /// The row of a part, by its path within the folder of the dataset, with `/`; `None` if the snapshot does not have it.
    #[must_use]
    pub fn row(&self, part: &str) -> Option<usize> {
        self.parts.get(part).copied()
    }

    /// The writes that it has, of those that began since [`since`](Self::since).
    #[must_use]
    pub fn writes(&self) -> &HashSet<WriteId> {
        &self.writes
    }

    /// Writes that began before this time are in it, or never count: milliseconds since 1970.
    #[must_use]
    pub fn since(&self) -> u64 {
        self.since
    }

    /// Whether the manifest of a write no longer matters: the snapshot has its parts, or they do not count.
    #[must_use]
    pub fn has(&self, write: &WriteId) -> bool {
        write.millis() < self.since || self.writes.contains(write)
    }

    /// The last snapshot of a folder and its number, if it has any.
    ///
    /// # Errors
    ///
    /// A folder or a file that cannot be read; a file that is no snapshot.
    pub fn last_of(root: &Path) -> Result<Option<(u64, Self)>> {
        let folder = root.join(FOLDER);
        let entries = match std::fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
                return Ok(None);
            }
            Err(error) => return Err(Error::from(error).in_file(&folder)),
        };
        let mut last = None;
        for entry in entries {
            let name = entry.map_err(|error| Error::from(error).in_file(&folder))?.file_name();
            last = last.max(name.to_str().and_then(Self::number));
        }
        let Some(last) = last else { return Ok(None) };
        let path = root.join(Self::name(last));
        let read = Reader::open(&path).and_then(|reader| Self::from_reader(&reader));
        read.map(|snapshot| Some((last, snapshot))).map_err(|error| error.in_file(&path))
    }
}
