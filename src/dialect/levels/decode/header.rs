//! Reads the header of a file, and tells whether it is one of this dialect.

use super::super::MAGIC;
use super::super::derive::Spec;
use crate::bytes::reader::{Bytes, Malformed, Read};
use crate::dialect::beginning::{Beginning, check_columns};
use crate::dialect::dremel::fields::LEVEL_MAX;
use crate::dialect::sums::{self, Sums};
use crate::dialect::{Layout, ReadOptions};
use crate::error::{Error, ErrorKind, Result};
use crate::levels::Place;
use crate::metadata::{self, Entries, Metadata};
use crate::storage::value_type::ValueType;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::OnceLock;

/// What stands before the columns.
#[derive(Debug)]
pub(crate) struct Header {
    pub(crate) layout: Layout,
    pub(crate) rows: u64,
    /// The header as it is in the file.
    bytes: Box<[u8]>,
    /// Where the file's metadata are.
    file: Range<usize>,
    columns: Vec<Column>,
    /// Made when they are first asked for.
    metadata: OnceLock<Metadata>,
}

/// A column, as the header describes it.
#[derive(Debug)]
pub(crate) struct Column {
    pub(crate) name: String,
    pub(crate) value_type: ValueType,
    pub(crate) greatest: Place,
    /// Number of the column of the group that it is in.
    pub(crate) parent: Option<usize>,
    pub(crate) width: Option<usize>,
    pub(crate) first_values: bool,
    metadata: Range<usize>,
    /// Position in the file.
    pub(crate) start: u64,
}

impl Header {
    pub(crate) fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// Number of bytes, with the starts of columns.
    pub(crate) fn end(&self) -> u64 {
        (self.bytes.len() + 8 * self.columns.len()) as u64
    }

    /// What the columns are.
    pub(in super::super) fn specs(&self) -> Vec<Spec<'_>> {
        self.columns.iter().map(Column::spec).collect()
    }

    /// Metadata of the file.
    pub(crate) fn metadata(&self) -> &Metadata {
        self.metadata.get_or_init(|| self.entries().to_metadata())
    }

    /// Metadata of the file, as they stand in it.
    pub(crate) fn entries(&self) -> Entries<'_> {
        Entries::new(&self.bytes[self.file.clone()])
    }

    /// Metadata of a column, as they stand in the file.
    pub(crate) fn column_entries(&self, column: &Column) -> Entries<'_> {
        Entries::new(&self.bytes[column.metadata.clone()])
    }

    /// The value of a key of a column, which the file's metadata may give for all columns.
    pub(crate) fn inherited(&self, column: &Column, key: &str) -> Option<&str> {
        self.column_entries(column).get_str(key).or_else(|| self.entries().get_str(key))
    }
}

impl Column {
    pub(in super::super) fn spec(&self) -> Spec<'_> {
        let Self { value_type, greatest, parent, width, .. } = *self;
        Spec { name: &self.name, value_type, greatest, parent, width }
    }
}

/// The header of a source, if it is of this dialect; the caller may say its layout.
///
/// # Errors
///
/// A source that fails, and a header of this dialect that is damaged; other headers are left to who knows them.
pub(crate) fn recognize(beginning: &mut Beginning<'_>, options: &ReadOptions) -> Result<Option<Header>> {
    let stated = options.layout;
    if !beginning.has(&MAGIC) {
        return match (stated, beginning.data().first_chunk::<4>()) {
            (Some(_), Some(magic)) => {
                Err(Error::from(ErrorKind::NotTrevni { found: magic.to_vec() }).at_offset(0))
            }
            _ => Ok(None),
        };
    }
    let (len, memory) = (beginning.len(), beginning.memory());
    let raw = match beginning.decode(|data| decode(data, len, memory, options.sums)) {
        Err(error) if stated.is_none() && error.category() == crate::error::Category::Corrupt => {
            return Ok(None);
        }
        raw => raw?,
    };
    let Some(layout) = raw.layout(stated)? else {
        return Ok(None);
    };
    raw.header(layout).map(Some)
}

/// A header of which the borders of all parts are known.
struct Raw {
    bytes: Vec<u8>,
    rows: u64,
    file: Range<usize>,
    columns: Vec<(Range<usize>, u64)>,
}

/// Finds the parts of a header at the start of a file of `len` bytes; its columns may take `memory` bytes.
fn decode(data: &[u8], len: u64, memory: u64, sums: Sums) -> Result<Raw> {
    let behind = len.saturating_sub(data.len() as u64);
    let mut bytes = Bytes::new(data);
    bytes.advance(MAGIC.len());
    let at = |bytes: &Bytes<'_>, error: Malformed, what: &'static str| {
        error.before(behind).of(what).at_offset(bytes.position() as u64)
    };
    let rows = bytes.fixed64().map_err(|error| at(&bytes, error, "the row count"))?;
    let count = u64::from(bytes.fixed32().map_err(|error| at(&bytes, error, "the column count"))?);
    // Each column has a byte of metadata and eight for its start.
    let left = len.saturating_sub(bytes.position() as u64);
    if count > left / 9 {
        let error = ErrorKind::Truncated { what: "the header", needed: count * 9, available: left };
        return Err(Error::from(error).at_offset(12));
    }
    check_columns(count, memory)?;
    let file = entries(&mut bytes).map_err(|error| at(&bytes, error, "the file's metadata"))?;
    let mut columns = Vec::with_capacity((count as usize).min(data.len() / 9));
    for _ in 0..count {
        let own = entries(&mut bytes).map_err(|error| at(&bytes, error, "a column's metadata"))?;
        columns.push((own, 0));
    }
    let end = bytes.position();
    for (_, start) in &mut columns {
        *start = bytes.fixed64().map_err(|error| at(&bytes, error, "the starts of the columns"))?;
    }
    if sums == Sums::Compared {
        sums::check_end(count, bytes.position(), len)?;
        sums::check_header(&data[..bytes.position()], &file)?;
    }
    let bytes = data[..end].to_vec();
    Ok(Raw { bytes, rows, file, columns })
}

/// Passes over metadata; returns where its entries are.
fn entries(bytes: &mut Bytes<'_>) -> Read<Range<usize>> {
    let count = bytes.long()?;
    let start = bytes.position();
    for _ in 0..count.max(0) {
        let (key, _) = metadata::next_entry(bytes)?;
        std::str::from_utf8(key).map_err(|_| Malformed::Utf8)?;
    }
    Ok(start..bytes.position())
}

impl Raw {
    fn part(&self, range: &Range<usize>) -> Entries<'_> {
        Entries::new(&self.bytes[range.clone()])
    }

    /// The layout, if the file is of this dialect.
    fn layout(&self, stated: Option<Layout>) -> Result<Option<Layout>> {
        let columns = || self.columns.iter().map(|(range, _)| self.part(range));
        let has = |keys: [&str; 2]| columns().any(|own| keys.iter().any(|key| own.get(key).is_some()));
        let named = match self.part(&self.file).get(metadata::LAYOUT) {
            None => None,
            Some(name) => Some(Layout::from_name(name).ok_or_else(|| {
                Error::metadata(format!("unknown layout {:?}", String::from_utf8_lossy(name)))
            })?),
        };
        let has_levels = has([metadata::DEFINITION, metadata::REPETITION]);
        if (named.is_some() || has_levels) && has([metadata::ARRAY; 2]) {
            return Err(Error::metadata("columns have both levels and lengths"));
        }
        let own_type = |own: Entries<'_>| {
            let known = own.get(metadata::TYPE).and_then(ValueType::with_levels);
            matches!(known, Some(ValueType::Fixed8 | ValueType::Fixed16 | ValueType::Timestamp))
        };
        let is_old = || has_levels || columns().any(own_type);
        Ok(stated.or(named).or_else(|| is_old().then_some(Layout::ValuesFirst)))
    }

    fn header(self, layout: Layout) -> Result<Header> {
        let mut numbers = HashMap::with_capacity(self.columns.len());
        let mut columns: Vec<Column> = Vec::with_capacity(self.columns.len());
        for (number, (range, start)) in self.columns.iter().enumerate() {
            let own = self.part(range);
            let name = own.get_str(metadata::NAME).filter(|name| !name.is_empty());
            let name = name.ok_or_else(|| Error::metadata(format!("column {number} has no name")))?;
            let column = Column {
                start: *start,
                ..column(own, name, range, &numbers, &columns).map_err(|error| error.in_column(name))?
            };
            if numbers.insert(name.to_owned(), number).is_some() {
                return Err(Error::metadata("two columns have this name").in_column(name));
            }
            columns.push(column);
        }
        let Self { bytes, rows, file, .. } = self;
        Ok(Header { layout, rows, bytes: bytes.into(), file, columns, metadata: OnceLock::new() })
    }
}

/// What the metadata of a column say.
fn column(
    own: Entries<'_>,
    name: &str,
    range: &Range<usize>,
    numbers: &HashMap<String, usize>,
    before: &[Column],
) -> Result<Column> {
    let text = |key| own.get(key).map(String::from_utf8_lossy);
    let value_type = match own.get(metadata::TYPE) {
        None => return Err(Error::metadata("the column has no type")),
        Some(found) => ValueType::with_levels(found)
            .ok_or_else(|| Error::metadata(format!("unknown type {:?}", String::from_utf8_lossy(found))))?,
    };
    let greatest = Place {
        repetition: level(text(metadata::REPETITION).as_deref())?,
        definition: level(text(metadata::DEFINITION).as_deref())?,
    };
    if greatest.repetition > greatest.definition {
        return Err(Error::metadata("the repetition level is greater than the definition level"));
    }
    let parent = match text(metadata::PARENT) {
        None => None,
        Some(parent) => {
            let number = numbers.get(&*parent).copied();
            let is_group =
                |number: &usize| before.get(*number).is_some_and(|own| own.value_type == ValueType::Null);
            let number = number.filter(is_group);
            Some(
                number
                    .ok_or_else(|| Error::metadata(format!("no group before it has the name {parent:?}")))?,
            )
        }
    };
    let width = match text(metadata::ARRAY_WIDTH).as_deref() {
        None => None,
        Some(width) => {
            let width =
                number(width)?.filter(|width| (1..=u64::from(i32::MAX.cast_unsigned())).contains(width));
            Some(width.ok_or_else(|| Error::metadata("an array width that cannot be"))? as usize)
        }
    };
    let first_values = own.get(metadata::VALUES).is_some();
    if first_values && (greatest.definition > 0 || width.is_some() || value_type == ValueType::Null) {
        return Err(Error::metadata("a column with levels, an array width or no values has first values"));
    }
    if width.is_some() && value_type == ValueType::Null {
        return Err(Error::metadata("a group has an array width"));
    }
    let name = name.to_owned();
    Ok(Column { name, value_type, greatest, parent, width, first_values, metadata: range.clone(), start: 0 })
}

/// A greatest level; 0 where nothing is said.
fn level(text: Option<&str>) -> Result<u8> {
    let Some(text) = text else {
        return Ok(0);
    };
    match number(text)? {
        Some(level) if level <= u64::from(LEVEL_MAX) => Ok(level as u8),
        _ => Err(ErrorKind::TooDeep { limit: usize::from(LEVEL_MAX) }.into()),
    }
}

/// A number in decimal digits; `None` where it is too large.
fn number(text: &str) -> Result<Option<u64>> {
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(Error::metadata(format!("{text:?} is not a number")));
    }
    Ok(text.parse().ok())
}
