//! Reads the header: what it says of columns is found, and taken out of its bytes when it is asked for.

use super::super::version::Version;
use super::names::Names;
use crate::bytes::reader::{Bytes, Malformed};
use crate::error::{Error, ErrorKind, Result};
use crate::metadata::{self, Entries, Metadata};
use crate::schema::columns::ColumnSpec;
use crate::source::Source;
use crate::value_type::ValueType;
use std::ops::Range;
use std::sync::OnceLock;

/// What is read at first; most headers are smaller.
const FIRST_READ: u64 = 16 * 1024;

/// What stands before the columns (specification, "File Format").
#[derive(Debug)]
pub(crate) struct Header {
    pub(crate) version: Version,
    pub(crate) rows: u64,
    /// The header as it is in the file, up to the last column's metadata.
    bytes: Box<[u8]>,
    /// Where the file's metadata are.
    file: Range<usize>,
    /// The names of all columns, one behind the other.
    names: String,
    columns: Vec<Place>,
    /// Made when they are first asked for.
    metadata: OnceLock<Metadata>,
}

/// Where the header speaks of a column, and what it says in few bytes.
#[derive(Debug)]
struct Place {
    /// Within the names of all columns.
    name: Range<usize>,
    metadata: Range<usize>,
    value_type: ValueType,
    array: bool,
    first_values: bool,
    parent: Option<usize>,
    start: u64,
}

/// One column's part of the header.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ColumnHeader<'a> {
    pub(crate) spec: ColumnSpec<&'a str>,
    /// Whether descriptors hold the first value of their block.
    pub(crate) first_values: bool,
    pub(crate) metadata: Entries<'a>,
    /// Position in the file.
    pub(crate) start: u64,
}

impl Header {
    /// Number of columns.
    pub(crate) fn len(&self) -> usize {
        self.columns.len()
    }

    pub(crate) fn column(&self, number: usize) -> Option<ColumnHeader<'_>> {
        self.columns.get(number).map(|place| self.at(place))
    }

    /// The type of a column's values, and whether it stores lengths.
    pub(crate) fn kind(&self, number: usize) -> Option<(ValueType, bool)> {
        self.columns.get(number).map(|place| (place.value_type, place.array))
    }

    pub(crate) fn columns(&self) -> impl ExactSizeIterator<Item = ColumnHeader<'_>> + Clone {
        self.columns.iter().map(|place| self.at(place))
    }

    /// What all columns are, without what else is said of them.
    pub(crate) fn specs(&self) -> Vec<ColumnSpec<&str>> {
        self.columns().map(|column| column.spec).collect()
    }

    /// The names of the columns.
    pub(crate) fn names(&self) -> impl ExactSizeIterator<Item = &str> + Clone {
        self.columns.iter().map(|place| self.names.get(place.name.clone()).unwrap_or_default())
    }

    /// Metadata of the file.
    pub(crate) fn metadata(&self) -> &Metadata {
        self.metadata.get_or_init(|| self.entries().to_metadata())
    }

    /// Metadata of the file, as they stand in it.
    pub(crate) fn entries(&self) -> Entries<'_> {
        Entries::new(self.part(&self.file))
    }

    fn part(&self, range: &Range<usize>) -> &[u8] {
        self.bytes.get(range.clone()).unwrap_or_default()
    }

    fn at(&self, place: &Place) -> ColumnHeader<'_> {
        let Place { value_type, array, first_values, parent, start, .. } = *place;
        let name = self.names.get(place.name.clone()).unwrap_or_default();
        let metadata = Entries::new(self.part(&place.metadata));
        ColumnHeader { spec: ColumnSpec { name, value_type, array, parent }, first_values, metadata, start }
    }
}

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
    let file = read.entries("the file's metadata", |_, _| {})?;
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
    let bytes = data.get(..end).unwrap_or_default().into();
    let (names, metadata) = (names.into_text(), OnceLock::new());
    Ok(Header { version, rows, bytes, file, names, columns, metadata })
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
    /// What is looked at later.
    Known,
    Other,
}

impl Key {
    #[inline]
    fn of(key: &[u8]) -> Self {
        let is = |known: &str| key == known.as_bytes();
        match () {
            () if is(metadata::NAME) => Self::Name,
            () if is(metadata::TYPE) => Self::Type,
            () if is(metadata::PARENT) => Self::Parent,
            () if is(metadata::ARRAY) => Self::Array,
            () if is(metadata::VALUES) => Self::Values,
            () if is(metadata::ZONE_MAP) => Self::Known,
            () => Self::Other,
        }
    }
}

#[inline]
fn is_utf8(text: &[u8]) -> bool {
    text.is_ascii() || std::str::from_utf8(text).is_ok()
}

struct Reader<'a> {
    bytes: Bytes<'a>,
    /// Bytes of the file behind those that have been read.
    behind: u64,
}

impl<'a> Reader<'a> {
    #[inline]
    fn at<T>(
        &mut self,
        read: impl FnOnce(&mut Bytes<'a>) -> Result<T, Malformed>,
        what: &'static str,
    ) -> Result<T> {
        let position = self.bytes.position();
        read(&mut self.bytes).map_err(|error| self.failed(error, what, position))
    }

    #[cold]
    fn failed(&self, error: Malformed, what: &'static str, position: usize) -> Error {
        error.before(self.behind).of(what).at_offset(position as u64)
    }

    /// Passes over metadata; returns where its entries are. Calls with what each key means, and its value.
    #[inline]
    fn entries(&mut self, what: &'static str, mut call: impl FnMut(Key, &'a [u8])) -> Result<Range<usize>> {
        let count = self.at(Bytes::long, what)?;
        let mut bytes = self.bytes;
        let start = bytes.position();
        // A negative count is no entries, as Java has it.
        for _ in 0..count.max(0) {
            let position = bytes.position();
            let key = bytes.prefixed().map_err(|error| self.failed(error, what, position))?;
            let known = Key::of(key);
            if known == Key::Other && !is_utf8(key) {
                return Err(self.failed(Malformed::Utf8, what, position));
            }
            let position = bytes.position();
            let value = bytes.prefixed().map_err(|error| self.failed(error, what, position))?;
            call(known, value);
        }
        self.bytes = bytes;
        Ok(start..bytes.position())
    }

    /// What a column's metadata says; `before` are the columns before it.
    fn column(&mut self, before: &[Place], names: &mut Names<'a>) -> Result<Place> {
        let (mut name, mut value_type, mut parent) = (None, None, None);
        let (mut array, mut first_values) = (false, false);
        let metadata = self.entries("a column's metadata", |key, value| match key {
            Key::Name => name = Some(value),
            Key::Type => value_type = Some(value),
            Key::Parent => parent = Some(value),
            Key::Array => array = true,
            Key::Values => first_values = true,
            Key::Known | Key::Other => {}
        })?;
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
                Some((at, Some(Place { array: true, .. }))) if !first_values => Some(at),
                Some((_, Some(Place { array: true, .. }))) => {
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
        Ok(Place { name: names.add(name), metadata, value_type, array, first_values, parent, start: 0 })
    }
}
