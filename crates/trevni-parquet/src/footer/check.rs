//! Looks at a footer before the Parquet library decodes it: that library makes room for as many children and
//! row groups as a number says, and goes through the schema by recursion.

use super::structs::{COLUMN_CHUNK, FILE_METADATA, ROW_GROUP, SCHEMA_ELEMENT};
use super::thrift::Thrift;
use crate::error::{Error, Result};
use parquet::file::metadata::{ColumnChunkMetaData, RowGroupMetaData};
use std::borrow::Cow;
use std::ops::{Range, RangeInclusive};
use trevni::Limits;

/// The most fields within each other: what is written of the deepest rows has two for each level.
const DEPTH: usize = 200;

/// Bytes of memory for a field of the schema, without its name.
const FIELD_BYTES: u64 = 512;
/// Bytes of memory for a name in the path of a column, without its characters.
const NAME_BYTES: u64 = 48;

/// The numbers of converted types. There will be no others: logical types have taken their place.
const CONVERTED_TYPES: RangeInclusive<i32> = 0..=21;

/// What the check has found.
#[derive(Debug, Default)]
pub(crate) struct Footer {
    /// The number of the row group and of the column of each chunk that is encrypted.
    pub(crate) encrypted: Vec<(usize, usize)>,
    /// Where there are converted types that are not known: the field's first byte, and the first after it.
    unknown: Vec<Range<usize>>,
    columns: usize,
    /// Memory that the footer takes when it is decoded.
    memory: u64,
    limit: u64,
}

/// Checks a footer's counts, lengths and nesting.
pub(crate) fn check(bytes: &[u8], limits: &Limits) -> Result<Footer> {
    let mut footer = Footer { limit: limits.memory, ..Footer::default() };
    footer.hold(bytes.len() as u64)?;
    Thrift::new(bytes, "footer").each(FILE_METADATA, |thrift, field, _| {
        match field {
            2 => footer.schema(thrift)?,
            4 => {
                for group in 0..thrift.structs()? {
                    footer.row_group(thrift, group)?;
                }
            }
            _ => return Ok(false),
        }
        Ok(true)
    })?;
    Ok(footer)
}

/// A group of the schema, not all children of which have been read.
struct Group {
    /// Children that follow.
    children: usize,
    /// Bytes of the names that lead to it.
    path: u64,
}

/// A field of the schema.
#[derive(Default)]
struct Element {
    has_type: bool,
    name: u64,
    children: i32,
}

impl Footer {
    /// The footer without what is not known and the library would refuse.
    pub(crate) fn known<'b>(&self, bytes: &'b [u8]) -> Cow<'b, [u8]> {
        if self.unknown.is_empty() {
            return Cow::Borrowed(bytes);
        }
        // Where fields say their numbers in full, the library finds them, and says so.
        self.without_unknown(bytes).map_or(Cow::Borrowed(bytes), Cow::Owned)
    }

    fn without_unknown(&self, bytes: &[u8]) -> Option<Vec<u8>> {
        let (mut known, mut done, mut step) = (Vec::with_capacity(bytes.len()), 0, 0);
        for field in self.unknown.iter().cloned().chain(std::iter::once(bytes.len()..bytes.len())) {
            let at = known.len();
            known.extend_from_slice(bytes.get(done..field.start)?);
            // A field has the step from the number of the one before it; the end of a struct has no step.
            if let Some(first) = known.get_mut(at).filter(|first| step > 0 && **first & 15 != 0) {
                let sum = (*first >> 4).checked_add(step).filter(|sum| *sum < 16 && *first >> 4 > 0)?;
                *first = sum << 4 | *first & 15;
            }
            done = field.end;
            step = bytes.get(field.start).map_or(0, |first| first >> 4);
            let is_short =
                bytes.get(field.start).is_none_or(|first| step > 0 && (3..7).contains(&(first & 15)));
            is_short.then_some(())?;
        }
        Some(known)
    }

    fn hold(&mut self, bytes: u64) -> Result<()> {
        self.memory = self.memory.saturating_add(bytes);
        match self.memory <= self.limit {
            true => Ok(()),
            false => Err(Error::Limit {
                what: "the memory for the footer".to_owned(),
                value: self.memory,
                limit: self.limit,
                option: "memory",
            }),
        }
    }

    /// The fields of the schema come with the number of their children, depth first.
    fn schema(&mut self, thrift: &mut Thrift<'_>) -> Result<()> {
        let count = thrift.structs()?;
        self.columns = 0;
        let mut open: Vec<Group> = Vec::new();
        for number in 0..count {
            let element = Element::read(thrift, &mut self.unknown)?;
            let path = open.last().map_or(0, |group| group.path).saturating_add(element.name);
            self.hold(FIELD_BYTES.saturating_add(element.name))?;
            match open.last_mut() {
                Some(group) => group.children -= 1,
                None if number == 0 => {}
                None => return thrift.damaged("the schema has more fields than its groups say"),
            }
            let Ok(children) = usize::try_from(element.children) else {
                return thrift.damaged(format!("a field has {} children", element.children));
            };
            if children > count - number - 1 {
                let after = count - number - 1;
                return thrift.damaged(format!("a field has {children} children, but {after} fields follow"));
            }
            if children == 0 && number > 0 && element.has_type {
                self.columns += 1;
                self.hold((open.len() as u64).saturating_mul(NAME_BYTES).saturating_add(path))?;
            }
            if children > 0 {
                open.push(Group { children, path });
            }
            if open.len() > DEPTH {
                return thrift.damaged(format!("the schema has more than {DEPTH} levels"));
            }
            while open.last().is_some_and(|group| group.children == 0) {
                open.pop();
            }
        }
        match open.last() {
            Some(_) => thrift.damaged("the schema has fewer fields than its groups say"),
            None => Ok(()),
        }
    }

    fn row_group(&mut self, thrift: &mut Thrift<'_>, group: usize) -> Result<()> {
        self.hold(size_of::<RowGroupMetaData>() as u64)?;
        thrift.each(ROW_GROUP, |thrift, field, _| {
            if field != 1 {
                return Ok(false);
            }
            let (chunks, columns) = (thrift.structs()?, self.columns);
            if chunks != columns {
                let message = format!("row group {group} has {chunks} columns, the schema has {columns}");
                return thrift.damaged(message);
            }
            for column in 0..chunks {
                self.hold(size_of::<ColumnChunkMetaData>() as u64)?;
                let mut is_encrypted = false;
                thrift.each(COLUMN_CHUNK, |_, field, _| {
                    is_encrypted |= matches!(field, 8 | 9);
                    Ok(false)
                })?;
                if is_encrypted {
                    self.encrypted.push((group, column));
                }
            }
            Ok(true)
        })
    }
}

impl Element {
    fn read(thrift: &mut Thrift<'_>, unknown: &mut Vec<Range<usize>>) -> Result<Self> {
        let mut element = Self::default();
        thrift.each(SCHEMA_ELEMENT, |thrift, field, _| {
            match field {
                1 => {
                    element.has_type = true;
                    return Ok(false);
                }
                4 => element.name = thrift.bytes()?.len() as u64,
                5 => element.children = thrift.int()?,
                6 => {
                    let start = thrift.position() - 1;
                    if !CONVERTED_TYPES.contains(&thrift.int()?) {
                        unknown.push(start..thrift.position());
                    }
                }
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        Ok(element)
    }
}
