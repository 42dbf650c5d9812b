//! Reads the header.

use super::super::version::Version;
use super::super::{ColumnHeader, Header};
use crate::bytes::reader::{Bytes, Malformed};
use crate::error::{Error, ErrorKind, Result};
use crate::metadata::{self, Metadata};
use crate::schema::columns::ColumnSpec;
use crate::source::Source;
use crate::value_type::ValueType;
use std::collections::HashMap;

/// What is read at first; most headers are smaller.
const FIRST_READ: u64 = 16 * 1024;

/// Reads the header of a source of `len` bytes.
///
/// # Errors
///
/// A source that fails, is no Trevni file, or whose header is cut short or contradicts itself.
pub(super) fn read(source: &dyn Source, len: u64) -> Result<Header> {
    if let Some(all) = usize::try_from(len).ok().and_then(|len| source.slice(0, len)) {
        return decode(all, len);
    }
    let mut data = Vec::new();
    let mut wanted = FIRST_READ.min(len);
    loop {
        let have = data.len();
        data.resize(usize::try_from(wanted).unwrap_or(usize::MAX), 0);
        source.read_at(have as u64, data.get_mut(have..).unwrap_or_default())?;
        match decode(&data, len) {
            Err(error) if continues(&error) => wanted = wanted.saturating_mul(4).min(len),
            result => return result,
        }
    }
}

/// Whether bytes are missing that the file has: `available` counts to its end.
pub(super) fn continues(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::Truncated { needed, available, .. } if needed <= available)
}

/// Decodes a header from the start of a file of `len` bytes.
fn decode(data: &[u8], len: u64) -> Result<Header> {
    let mut bytes = Bytes::new(data);
    let version = match data.get(..4) {
        Some(magic) => Version::from_magic(magic)?,
        None => return Err(short_magic(data)),
    };
    bytes.advance(4);
    let mut read = Reader { bytes, behind: len.saturating_sub(data.len() as u64) };
    let rows = read.at(Bytes::fixed64, "the row count")?;
    let count = u64::from(read.at(Bytes::fixed32, "the column count")?);
    // Each column has a byte of metadata and eight for its start.
    let left = len.saturating_sub(read.bytes.position() as u64);
    if count > left / 9 {
        return Err(truncated("the header", count * 9, left).at_offset(12));
    }
    let file = read.metadata("the file's metadata")?;
    let mut columns: Vec<ColumnHeader> = Vec::new();
    let mut arrays = HashMap::new();
    for number in 0..count as usize {
        let metadata = read.metadata("a column's metadata")?;
        let column = column(metadata, &columns, &arrays)?;
        match arrays.get_mut(&*column.spec.name) {
            Some(array) => *array = column.spec.array.then_some(number),
            None if column.spec.array => {
                arrays.insert(column.spec.name.clone(), Some(number));
            }
            None => {}
        }
        columns.push(column);
    }
    for column in &mut columns {
        column.start = read.at(Bytes::fixed64, "the starts of the columns")?;
    }
    Ok(Header { version, rows, metadata: file, columns })
}

#[cold]
fn short_magic(data: &[u8]) -> Error {
    if b"Trv".starts_with(data) || data.starts_with(b"Trv") {
        return truncated("the header", 4, data.len() as u64).at_offset(0);
    }
    Error::from(ErrorKind::NotTrevni { found: data.to_vec() }).at_offset(0)
}

#[cold]
fn truncated(what: &'static str, needed: u64, available: u64) -> Error {
    ErrorKind::Truncated { what, needed, available }.into()
}

struct Reader<'a> {
    bytes: Bytes<'a>,
    /// Bytes of the file behind those that have been read.
    behind: u64,
}

impl<'a> Reader<'a> {
    fn at<T>(
        &mut self,
        read: impl FnOnce(&mut Bytes<'a>) -> Result<T, Malformed>,
        what: &'static str,
    ) -> Result<T> {
        let position = self.bytes.position() as u64;
        read(&mut self.bytes).map_err(|error| error.before(self.behind).of(what).at_offset(position))
    }

    fn metadata(&mut self, what: &'static str) -> Result<Metadata> {
        let count = self.at(Bytes::long, what)?;
        let mut pairs = Vec::new();
        // A negative count is no entries, as Java has it.
        for _ in 0..count.max(0) {
            let key = self.at(Bytes::text, what)?;
            pairs.push((key, self.at(Bytes::prefixed, what)?));
        }
        Ok(Metadata::from_pairs(pairs))
    }
}

/// What a column's metadata says; `arrays` has the names of the columns before it that had lengths
/// once, and the numbers of those that still have.
fn column(
    metadata: Metadata,
    before: &[ColumnHeader],
    arrays: &HashMap<String, Option<usize>>,
) -> Result<ColumnHeader> {
    let name = metadata.get_str(metadata::NAME).unwrap_or_default().to_owned();
    let wrong = |message: String| {
        let label = if name.is_empty() { format!("#{}", before.len()) } else { name.clone() };
        Error::metadata(message).in_column(&label)
    };
    let value_type = match metadata.get_str(metadata::TYPE) {
        Some(text) => ValueType::from_name(text).ok_or_else(|| wrong(format!("unknown type {text:?}")))?,
        None => return Err(wrong("the column has no type".to_owned())),
    };
    let array = metadata.contains(metadata::ARRAY);
    let first_values = metadata.contains(metadata::VALUES);
    let parent = match metadata.get_str(metadata::PARENT) {
        Some(parent) => match arrays.get(parent) {
            Some(Some(number)) if !first_values => Some(*number),
            Some(Some(_)) => return Err(wrong("a column with a parent has first values".to_owned())),
            None if !before.iter().any(|column| column.spec.name == parent) => {
                return Err(wrong(format!("no column before it has the name of its parent, {parent:?}")));
            }
            _ => return Err(wrong(format!("the parent {parent:?} has no lengths"))),
        },
        None => None,
    };
    Ok(ColumnHeader {
        spec: ColumnSpec { name, value_type, array, parent },
        first_values,
        metadata,
        start: 0,
    })
}
