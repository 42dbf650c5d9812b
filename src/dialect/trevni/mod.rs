//! Avro's Trevni: versions 0, 1 and 2.

use crate::bytes::reader::Part;
use crate::error::{Error, ErrorKind, Result};
use crate::vector::Offsets;

pub(crate) mod columns;
pub(crate) mod compact;
#[cfg(feature = "files")]
pub(crate) mod copy;
pub(crate) mod decode;
pub(crate) mod encode;
pub(crate) mod format;

/// A file of more columns is wide: its header is written in fewer bytes.
const WIDE_COLUMNS: usize = 256;

/// The most bytes, table and blocks, of a column that has no zone map in a wide file: to find its zone map, readers pass
/// over those of all columns, which takes longer than to read the column.
const SMALL_COLUMN_BYTES: u64 = 1024;

/// What a block's rows mean in entries: how many values or lengths there are up to the end of each
/// row.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Ends<'a> {
    /// Each of this many rows is one entry.
    Each(usize),
    /// The number of entries up to the end of each row.
    At(&'a [u32]),
}

impl Ends<'_> {
    pub(crate) fn rows(&self) -> usize {
        match self {
            Self::Each(rows) => *rows,
            Self::At(ends) => ends.len(),
        }
    }

    /// Entries up to the end of the first `rows` rows.
    #[inline]
    pub(crate) fn entries(&self, rows: usize) -> usize {
        match self {
            Self::Each(_) => rows,
            Self::At(ends) => match rows.checked_sub(1) {
                Some(last) => ends.get(last).map_or(0, |end| *end as usize),
                None => 0,
            },
        }
    }

    /// The ends of the items of lists that have these ends and offsets.
    ///
    /// # Errors
    ///
    /// None: there are as many lists as the last end says.
    pub(crate) fn through(&self, offsets: &Offsets) -> Result<Vec<u32>> {
        let starts = offsets.as_slice();
        Ok(match self {
            Self::Each(_) => starts[1..].to_vec(),
            Self::At(ends) => {
                let starts = starts.part(..=self.entries(ends.len()))?;
                // The last end is the greatest.
                ends.iter().map(|end| starts[*end as usize]).collect()
            }
        })
    }
}

/// A version of the format.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Version {
    /// Flat columns only; never released. Read, not written.
    V0,
    /// Array columns, each length written out: Avro 1.7.2 to 1.7.4.
    V1,
    /// Runs of equal lengths: Avro 1.7.5 and later.
    #[default]
    V2,
}

/// The first bytes of every file.
pub(crate) const MAGIC: [u8; 3] = *b"Trv";

impl Version {
    /// The byte after `Trv`.
    #[must_use]
    pub fn number(self) -> u8 {
        match self {
            Self::V0 => 0,
            Self::V1 => 1,
            Self::V2 => 2,
        }
    }

    /// Whether lengths of 0 and 1 are joined into runs.
    pub(crate) fn has_length_runs(self) -> bool {
        self == Self::V2
    }

    /// Whether columns may have lengths.
    pub(crate) fn has_arrays(self) -> bool {
        self != Self::V0
    }

    pub(crate) fn from_magic(magic: &[u8]) -> Result<Self> {
        match magic.strip_prefix(&MAGIC) {
            Some([0]) => Ok(Self::V0),
            Some([1]) => Ok(Self::V1),
            Some([2]) => Ok(Self::V2),
            Some([version]) => Err(Error::from(ErrorKind::Version { version: *version }).at_offset(3)),
            _ => Err(Error::from(ErrorKind::NotTrevni { found: magic.to_vec() }).at_offset(0)),
        }
    }
}
