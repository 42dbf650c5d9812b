//! Checksums of this crate over what Trevni leaves without: the header, block tables, and which blocks a column has.

use crate::bytes::reader::{Bytes, Part};
use crate::error::{Error, ErrorKind, Result};
use crate::metadata::{self, ALL_COLUMN_SUMS, COLUMN_SUMS, Entries, HEADER_BYTES, HEADER_SUM, Metadata};
use crate::storage::blocks::{SealedBlock, Store};
use crate::storage::checksum::{Checksum, RunningSum};
use std::ops::Range;

/// What is done with these checksums.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Sums {
    #[default]
    Compared,
    /// They may be wrong: what can be read is.
    Ignored,
}

/// The checksums of a column in its metadata.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ColumnSums {
    /// Of its block table as it is in the file.
    pub(crate) table: u32,
    /// Of the stored checksums of all blocks, one after the other.
    pub(crate) order: u32,
}

impl ColumnSums {
    /// The checksums of a column whose block count and descriptors are `table`, and whose blocks have been sealed.
    pub(crate) fn from_blocks(table: &[u8], blocks: &[SealedBlock], sum: Checksum, store: &Store) -> Self {
        let mut order = RunningSum::default();
        if sum != Checksum::Null {
            blocks.iter().for_each(|block| order.update(&store.sum(block.id)));
        }
        Self { table: RunningSum::of(table), order: order.value() }
    }

    /// Bytes of the checksums of a column.
    pub(crate) const BYTES: usize = 8;

    /// The checksums that the metadata of a column have.
    ///
    /// # Errors
    ///
    /// A value of another size.
    pub(crate) fn from_column(column: Entries<'_>) -> Result<Option<Self>> {
        let Some(value) = column.get(COLUMN_SUMS) else {
            return Ok(None);
        };
        let bytes = value.try_into().map_err(|_| wrong_size(COLUMN_SUMS, value.len(), Self::BYTES))?;
        Ok(Some(Self::decode(bytes)))
    }

    /// The checksums of one column in the value that its file has for all columns.
    ///
    /// # Errors
    ///
    /// A value of another size.
    pub(crate) fn from_all(value: &[u8], number: usize, columns: usize) -> Result<Self> {
        let (all, rest) = value.as_chunks();
        match all.get(number) {
            Some(bytes) if all.len() == columns && rest.is_empty() => Ok(Self::decode(*bytes)),
            _ => Err(wrong_size(ALL_COLUMN_SUMS, value.len(), columns.saturating_mul(Self::BYTES))),
        }
    }

    fn decode(bytes: [u8; Self::BYTES]) -> Self {
        let [table @ .., a, b, c, d] = bytes;
        Self { table: u32::from_be_bytes(table), order: u32::from_be_bytes([a, b, c, d]) }
    }

    /// The value in the metadata.
    pub(crate) fn encode(self) -> Vec<u8> {
        [self.table.to_be_bytes(), self.order.to_be_bytes()].concat()
    }

    /// Compares the checksum of a block table with its bytes.
    ///
    /// # Errors
    ///
    /// Other bytes.
    pub(crate) fn check_table(self, table: &[u8]) -> Result<()> {
        compare("the block table", self.table, RunningSum::of(table))
    }
}

/// Where a header has the parts of its checksum, which are written last.
pub(crate) struct HeaderSum {
    sum: Range<usize>,
    bytes: Range<usize>,
}

/// Appends the metadata of a file: between the two keys of the header's checksum, if it has one.
pub(crate) fn encode_file_metadata(file: &Metadata, has_sum: bool, out: &mut Vec<u8>) -> Option<HeaderSum> {
    if !has_sum {
        file.encode(out);
        return None;
    }
    metadata::encode_count(file.len() + 2, out);
    metadata::encode_entry(HEADER_SUM, &[0; 4], out);
    let sum = out.len() - 4..out.len();
    file.iter().for_each(|(key, value)| metadata::encode_entry(key, value, out));
    metadata::encode_entry(HEADER_BYTES, &[0; 8], out);
    let bytes = out.len() - 8..out.len();
    Some(HeaderSum { sum, bytes })
}

impl HeaderSum {
    /// Puts the checksum of a header that is complete into it.
    pub(crate) fn fill(self, header: &mut [u8]) {
        let len = header.len() as u64;
        if let Some(bytes) = header.get_mut(self.bytes) {
            bytes.copy_from_slice(&len.to_le_bytes());
        }
        let sum = RunningSum::of(header);
        if let Some(bytes) = header.get_mut(self.sum) {
            bytes.copy_from_slice(&sum.to_be_bytes());
        }
    }
}

/// Checks that nothing follows the header of a file without columns, which ends there: a damaged number of columns, or of
/// the file's metadata, would hide all that there is.
///
/// # Errors
///
/// A file of more bytes.
pub(crate) fn check_end(columns: u64, end: usize, len: u64) -> Result<()> {
    let (end, count) = (end as u64, len.saturating_sub(end as u64));
    if columns > 0 || count == 0 {
        return Ok(());
    }
    let message = format!("{count} bytes follow the header, which says that there are no columns");
    Err(Error::metadata(message).at_offset(end))
}

/// Compares a header, to the end of the starts, with its checksum; `file` is where the file's metadata are. Whether
/// there is one.
///
/// # Errors
///
/// Another header, and a checksum of which a part is missing.
pub(crate) fn check_header(header: &[u8], file: &Range<usize>) -> Result<bool> {
    let mut bytes = Bytes::at(header.part(..file.end)?, file.start);
    let (mut sum, mut len) = (None, None);
    while let Ok((key, value)) = metadata::next_entry(&mut bytes) {
        let place = || bytes.position() - value.len()..bytes.position();
        let (name, before) = match key {
            key if key == HEADER_SUM.as_bytes() => (HEADER_SUM, sum.replace(place())),
            key if key == HEADER_BYTES.as_bytes() => (HEADER_BYTES, len.replace(place())),
            _ => continue,
        };
        if before.is_some() {
            return Err(Error::metadata(format!("the file's metadata have {name} twice")));
        }
    }
    let (sum, len) = match (sum, len) {
        (None, None) => return Ok(false),
        (Some(sum), Some(len)) => (sum, len),
        (Some(_), None) => return Err(alone(HEADER_SUM, HEADER_BYTES)),
        (None, Some(_)) => return Err(alone(HEADER_BYTES, HEADER_SUM)),
    };
    let stored: [u8; 4] = exactly(HEADER_SUM, &header[sum.clone()])?;
    let len: [u8; 8] = exactly(HEADER_BYTES, &header[len])?;
    if u64::from_le_bytes(len) != header.len() as u64 {
        let (len, found) = (u64::from_le_bytes(len), header.len());
        return Err(Error::metadata(format!("the header has {found} bytes, and says that it has {len}")));
    }
    let mut computed = RunningSum::default();
    computed.update(&header[..sum.start]);
    computed.update(&[0; 4]);
    computed.update(&header[sum.end..]);
    compare("the header", u32::from_be_bytes(stored), computed.value()).map(|()| true)
}

fn exactly<const N: usize>(key: &'static str, value: &[u8]) -> Result<[u8; N]> {
    value.try_into().map_err(|_| wrong_size(key, value.len(), N))
}

fn compare(what: &'static str, stored: u32, computed: u32) -> Result<()> {
    if stored == computed { Ok(()) } else { Err(ErrorKind::PartChecksum { what, stored, computed }.into()) }
}

#[cold]
fn wrong_size(key: &str, found: usize, expected: usize) -> Error {
    Error::metadata(format!("{key} has {found} bytes, and should have {expected}"))
}

#[cold]
fn alone(found: &str, missing: &str) -> Error {
    Error::metadata(format!("the file's metadata have {found} without {missing}"))
}
