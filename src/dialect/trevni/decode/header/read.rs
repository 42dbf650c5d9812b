//! Reads the header of a file (specification, "File Format").

use super::super::super::Version;
use super::Names;
use super::{ColumnEntry, Header};
use crate::bytes::reader::Part;
use crate::bytes::reader::{Bytes, Malformed, Read};
use crate::dialect::beginning::{Beginning, check_columns};
use crate::dialect::sums::{self, Sums};
use crate::error::{Error, ErrorKind, Result};
use crate::metadata;
use crate::storage::value_type::ValueType;
use std::ops::Range;
use std::sync::OnceLock;

/// The most bytes of a zone map that are kept with the header: they grow with the file, and are read once more
/// where they are wanted.
const KEPT_ZONE_MAP_BYTES: usize = 1 << 10;

/// Reads the header of a file.
///
/// # Errors
///
/// A source that fails, is no Trevni file, or whose header is cut short or contradicts itself.
pub(in super::super) fn read(beginning: &mut Beginning<'_>, sums: Sums) -> Result<Header> {
    let (len, memory) = (beginning.len(), beginning.memory());
    beginning.decode(|data| decode(data, len, memory, sums))
}

/// Decodes a header from the start of a file of `len` bytes; its columns may take `memory` bytes.
fn decode(data: &[u8], len: u64, memory: u64, sums: Sums) -> Result<Header> {
    let mut bytes = Bytes::new(data);
    let version = match data.get(..4) {
        Some(magic) => Version::from_magic(magic)?,
        None => return Err(short_magic(data)),
    };
    bytes.advance(4);
    let behind = len.saturating_sub(data.len() as u64);
    let mut read = Reader { data, bytes, behind, kept: Vec::new(), kept_to: 0 };
    let rows = read.at(Bytes::fixed64, "the row count")?;
    let count = u64::from(read.at(Bytes::fixed32, "the column count")?);
    // Each column has a byte of metadata and eight for its start.
    let left = len.saturating_sub(read.bytes.position() as u64);
    if count > left / 9 {
        return Err(truncated("the header", count * 9, left).at_offset(12));
    }
    check_columns(count, memory)?;
    let file = read.entries("the file's metadata", |_, _, _| {})?;
    let room = (count as usize).min(data.len() / 9);
    let mut columns = Vec::with_capacity(room);
    let mut names = Names::with_capacity(room);
    for _ in 0..count {
        columns.push(read.column(&columns, &mut names)?);
    }
    let end = read.bytes.position();
    for column in &mut columns {
        column.start = read.at(Bytes::fixed64, "the starts of the columns")?;
    }
    let end_of_all = read.bytes.position();
    let has_sum = match sums {
        Sums::Compared => {
            sums::check_end(count, end_of_all, len)?;
            sums::check_header(&data[..end_of_all], &file)?
        }
        Sums::Ignored => false,
    };
    let bytes = read.into_kept(end)?;
    let (metadata, inherited) = (OnceLock::new(), OnceLock::new());
    Ok(Header {
        version,
        rows,
        bytes,
        file,
        has_sum,
        end: end_of_all as u64,
        names: names.into_text()?,
        columns,
        metadata,
        inherited,
    })
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

/// What a key of a column's metadata means to the header.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Key {
    Name,
    Type,
    Parent,
    Array,
    Values,
    ZoneMap,
    Other,
}

impl Key {
    #[inline]
    fn new(key: &[u8]) -> Self {
        let is = |known: &str| key == known.as_bytes();
        match () {
            () if is(metadata::NAME) => Self::Name,
            () if is(metadata::TYPE) => Self::Type,
            () if is(metadata::PARENT) => Self::Parent,
            () if is(metadata::ARRAY) => Self::Array,
            () if is(metadata::VALUES) => Self::Values,
            () if is(metadata::ZONE_MAP) => Self::ZoneMap,
            () => Self::Other,
        }
    }
}

#[inline]
fn is_utf8(text: &[u8]) -> bool {
    text.is_ascii() || std::str::from_utf8(text).is_ok()
}

struct Reader<'a> {
    data: &'a [u8],
    bytes: Bytes<'a>,
    /// Bytes of the file after the part that has been read.
    behind: u64,
    /// The bytes that are kept, of those up to `kept_to`.
    kept: Vec<u8>,
    kept_to: usize,
}

impl<'a> Reader<'a> {
    #[inline]
    fn at<T>(&mut self, read: impl FnOnce(&mut Bytes<'a>) -> Read<T>, what: &'static str) -> Result<T> {
        let position = self.bytes.position();
        read(&mut self.bytes).map_err(|error| self.failed(error, what, position))
    }

    #[cold]
    fn failed(&self, error: Malformed, what: &'static str, position: usize) -> Error {
        error.before(self.behind).of(what).at_offset(position as u64)
    }

    /// Passes over metadata; returns where its entries are. Calls with what each key means, its value, and where
    /// both stand.
    #[inline]
    fn entries(
        &mut self,
        what: &'static str,
        mut call: impl FnMut(Key, &'a [u8], Range<usize>),
    ) -> Result<Range<usize>> {
        let count = self.at(Bytes::long, what)?;
        let mut bytes = self.bytes;
        let start = bytes.position();
        // A negative count is no entries, as Java has it.
        for _ in 0..count.max(0) {
            let begin = bytes.position();
            let key = bytes.prefixed().map_err(|error| self.failed(error, what, begin))?;
            let known = Key::new(key);
            if known == Key::Other && !is_utf8(key) {
                return Err(self.failed(Malformed::Utf8, what, begin));
            }
            let position = bytes.position();
            let value = bytes.prefixed().map_err(|error| self.failed(error, what, position))?;
            call(known, value, begin..bytes.position());
        }
        self.bytes = bytes;
        Ok(start..bytes.position())
    }

    /// Where something that has been read is among the bytes that are kept.
    fn place_kept(&self, position: usize) -> usize {
        position - (self.kept_to - self.kept.len())
    }

    /// Keeps neither key nor value of an entry; returns where the value is in the file.
    #[cold]
    fn leave_out(&mut self, entry: Range<usize>, value_len: usize) -> Result<Range<u64>> {
        self.kept.extend_from_slice(self.data.part(self.kept_to..entry.start)?);
        self.kept_to = entry.end;
        Ok((entry.end - value_len) as u64..entry.end as u64)
    }

    /// The bytes that are kept, of all up to the end.
    fn into_kept(self, end: usize) -> Result<Box<[u8]>> {
        let mut kept = self.kept;
        let rest = self.data.part(self.kept_to..end)?;
        kept.reserve_exact(rest.len());
        kept.extend_from_slice(rest);
        Ok(kept.into())
    }

    /// What a column's metadata says; `before` are the columns before it.
    fn column(&mut self, before: &[ColumnEntry], names: &mut Names<'a>) -> Result<ColumnEntry> {
        let (mut name, mut value_type, mut parent) = (None, None, None);
        let (mut array, mut first_values, mut zone_map) = (false, false, None);
        let entries = self.entries("a column's metadata", |key, value, place| match key {
            Key::Name => name = Some(value),
            Key::Type => value_type = Some(value),
            Key::Parent => parent = Some(value),
            Key::Array => array = true,
            Key::Values => first_values = true,
            Key::ZoneMap => zone_map = Some((place, value.len())),
            Key::Other => {}
        })?;
        let start = self.place_kept(entries.start);
        let zone_map = zone_map.filter(|(_, len)| *len > KEPT_ZONE_MAP_BYTES);
        let zone_map = zone_map.map(|(place, len)| self.leave_out(place, len)).transpose()?;
        let metadata = start..self.place_kept(entries.end);
        let text = |value: Option<&'a [u8]>| value.and_then(|value| std::str::from_utf8(value).ok());
        let name = name.filter(|name| is_utf8(name)).unwrap_or_default();
        let wrong = |message: String| {
            let name = text(Some(name)).unwrap_or_default();
            let label = if name.is_empty() { format!("#{}", before.len()) } else { name.to_owned() };
            Error::metadata(message).in_column(&label)
        };
        let value_type =
            value_type.and_then(ValueType::from_bytes).ok_or_else(|| match text(value_type) {
                Some(unknown) => wrong(format!("unknown type {unknown:?}")),
                None => wrong("the column has no type".to_owned()),
            })?;
        let parent = match parent.filter(|parent| is_utf8(parent)) {
            Some(parent) => match names.last(parent).map(|at| (at, before.get(at))) {
                Some((at, Some(ColumnEntry { array: true, .. }))) if !first_values => Some(at),
                Some((_, Some(ColumnEntry { array: true, .. }))) => {
                    return Err(wrong("a column with a parent has first values".to_owned()));
                }
                Some(_) => {
                    let parent = text(Some(parent)).unwrap_or_default();
                    return Err(wrong(format!("the parent {parent:?} has no lengths")));
                }
                None => {
                    let parent = text(Some(parent)).unwrap_or_default();
                    return Err(wrong(format!("no column before it has the name of its parent, {parent:?}")));
                }
            },
            None => None,
        };
        let name = names.add(name);
        Ok(ColumnEntry { name, metadata, value_type, array, first_values, parent, start: 0, zone_map })
    }
}
