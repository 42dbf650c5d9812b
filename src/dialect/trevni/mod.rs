//! Avro's Trevni: versions 0, 1 and 2.

pub(crate) mod columns;
pub(crate) mod compact;
#[cfg(feature = "files")]
pub(crate) mod copy;
pub(crate) mod decode;
pub(crate) mod encode;
pub(crate) mod format;
pub(crate) mod version;

use crate::bytes::part::Part;
use crate::error::Result;
use crate::vector::Offsets;

/// Bytes of a block descriptor without first value.
const DESCRIPTOR_BYTES: u64 = 12;

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
