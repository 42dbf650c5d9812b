//! What is known of the values of blocks: zone maps, and first values of columns that are sorted.

use super::file::File;
use super::header::ColumnHeader;
use crate::bytes::reader::{Bytes, Read};
use crate::error::{Error, Result};
use crate::metadata;
use crate::storage::blocks::BlockTable;
use crate::storage::value_type::ValueType;
use crate::storage::zone_map::{self, Bound, Zone, ZoneMap};
use std::borrow::Cow;
use std::cmp::Ordering;
use std::sync::{Arc, OnceLock};

/// Zones of the columns, made when first asked for.
#[derive(Debug, Default)]
pub(super) struct Zones {
    /// From zone maps.
    stored: Vec<OnceLock<Option<Arc<ZoneMap>>>>,
    /// From first values.
    made: Vec<OnceLock<Option<Arc<ZoneMap>>>>,
    /// Columns whose values the caller knows to ascend.
    sorted: Vec<usize>,
}

impl Zones {
    pub(super) fn new(columns: usize) -> Self {
        let empty = || (0..columns).map(|_| OnceLock::new()).collect();
        Self { stored: empty(), made: empty(), sorted: Vec::new() }
    }
}

impl File<'_> {
    /// Takes the values of a column for sorted, so that first values tell of what is in its blocks.
    ///
    /// # Errors
    ///
    /// A column with lengths or a parent.
    pub(crate) fn set_sorted(&mut self, number: usize) -> Result<()> {
        let spec = self.column(number)?.spec;
        if spec.array || spec.parent.is_some() {
            return Err(Error::option(format!(
                "column {:?} has lengths or a parent, so it cannot be said to be sorted",
                spec.name
            )));
        }
        self.zones.sorted.push(number);
        Ok(())
    }

    /// The zones of a column's blocks, where they are known: from its zone map, or else from its first
    /// values, if it is sorted. Reads the block table.
    ///
    /// # Errors
    ///
    /// As [`File::table`]; first values of a sorted column that do not ascend.
    pub(crate) fn zones(&self, number: usize) -> Result<Option<Arc<ZoneMap>>> {
        if let Some(zones) = self.stored_zones(number)? {
            return Ok(Some(zones));
        }
        let column = self.column(number)?;
        let sorted = column.first_values && self.zones.sorted.contains(&number);
        let Some(slot) = self.zones.made.get(number).filter(|_| sorted) else {
            return Ok(None);
        };
        if let Some(zones) = slot.get() {
            return Ok(zones.clone());
        }
        let table = self.table(number)?;
        let zones = of_first_values(&column, &table).map_err(|error| error.in_column(column.spec.name))?;
        Ok(slot.get_or_init(|| zones.map(Arc::new)).clone())
    }

    /// The zones of a column's blocks that its zone map holds; `None` where there is no valid one. Reads
    /// the block table where there is one.
    ///
    /// # Errors
    ///
    /// As [`File::table`].
    pub(crate) fn stored_zones(&self, number: usize) -> Result<Option<Arc<ZoneMap>>> {
        let column = self.column(number)?;
        let Some(slot) = self.zones.stored.get(number) else {
            return Ok(None);
        };
        if let Some(zones) = slot.get() {
            return Ok(zones.clone());
        }
        let Some(bytes) = self.zone_map_bytes(number)? else {
            return Ok(None);
        };
        let table = self.table(number)?;
        Ok(slot.get_or_init(|| decode(&bytes, &column, &table).map(Arc::new)).clone())
    }

    /// A column's zone map as it is in the file.
    ///
    /// # Errors
    ///
    /// A source that fails: long ones have not been kept.
    pub(crate) fn zone_map_bytes(&self, number: usize) -> Result<Option<Cow<'_, [u8]>>> {
        let column = self.column(number)?;
        let Some(place) = self.header.zone_map(number) else {
            return Ok(column.metadata.get(metadata::ZONE_MAP).map(Cow::Borrowed));
        };
        // The header has been read to its end, so it fits into memory.
        let len = (place.end - place.start) as usize;
        if let Some(bytes) = self.source.slice(place.start, len) {
            return Ok(Some(Cow::Borrowed(bytes)));
        }
        let mut bytes = vec![0; len];
        self.source
            .read_at(place.start, &mut bytes)
            .map_err(|error| Error::from(error).in_column(column.spec.name).at_offset(place.start))?;
        Ok(Some(Cow::Owned(bytes)))
    }
}

fn decode(bytes: &[u8], column: &ColumnHeader<'_>, table: &BlockTable) -> Option<ZoneMap> {
    let blocks: Vec<[u32; 2]> = table.iter().map(|block| [block.rows, block.size]).collect();
    zone_map::decode(bytes, column.spec.value_type, &blocks)
}

/// What is between the first values of a sorted column; `None` for bytes, which Java orders as if they
/// had signs.
fn of_first_values(column: &ColumnHeader<'_>, table: &BlockTable) -> Result<Option<ZoneMap>> {
    let value_type = column.spec.value_type;
    if matches!(value_type, ValueType::Null | ValueType::Bytes | ValueType::Timestamp) {
        return Ok(None);
    }
    let float = matches!(value_type, ValueType::Float | ValueType::Double);
    let mut zones: Vec<Zone> = Vec::with_capacity(table.len());
    let mut before: Option<(usize, First)> = None;
    for (number, block) in table.iter().enumerate() {
        zones.push(Zone { values: u64::from(block.rows), ..Zone::default() });
        // A block without rows has no first value that counts.
        if block.rows == 0 {
            continue;
        }
        let first =
            First::new(table.first_value(number), value_type).map_err(|error| error.of("a first value"))?;
        if let Some((last, before)) = &before {
            if !before.may_precede(&first) {
                return Err(unsorted(number));
            }
            end(&mut zones, *last, first.bound(), float && first.is_nan());
        }
        if let Some(zone) = zones.last_mut() {
            zone.min = first.bound();
        }
        before = Some((number, first));
    }
    if let Some((last, _)) = before {
        end(&mut zones, last, None, float);
    }
    // NaN, which may be last, does not ascend, and Java's order of strings is another one.
    let ascending = !float && value_type != ValueType::String;
    Ok(Some(ZoneMap { ascending, zones }))
}

/// Ends a zone with the bound that the next block begins with.
fn end(zones: &mut [Zone], number: usize, max: Option<Bound>, nan: bool) {
    if let Some(zone) = zones.get_mut(number) {
        zone.max = max;
        zone.nan = nan;
    }
}

#[cold]
fn unsorted(block: usize) -> Error {
    Error::option("the column is said to be sorted, but its first values do not ascend").in_block(block)
}

/// A first value.
enum First<'a> {
    Value(Bound),
    Text(&'a str),
}

impl<'a> First<'a> {
    fn new(bytes: &'a [u8], value_type: ValueType) -> Read<Self> {
        let mut bytes = Bytes::new(bytes);
        Ok(match value_type {
            ValueType::String => Self::Text(bytes.text()?),
            ValueType::Boolean => Self::Value(Bound::Boolean(bytes.byte()? & 1 == 1)),
            ValueType::Int => Self::Value(Bound::Integer(i64::from(bytes.int()?))),
            _ => match zone_map::number(&mut bytes, value_type)? {
                Some(value) => Self::Value(value),
                None => Self::Text(""),
            },
        })
    }

    fn is_nan(&self) -> bool {
        matches!(self, Self::Value(Bound::Float(value)) if value.is_nan())
    }

    /// Whether a sorted column may have this before the other: NaN last, strings byte by byte or, as Java
    /// does, by their UTF-16.
    fn may_precede(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Text(one), Self::Text(two)) => one <= two || one.encode_utf16().le(two.encode_utf16()),
            (Self::Value(one), Self::Value(two)) => {
                other.is_nan() || one.compare(two).is_some_and(|order| order != Ordering::Greater)
            }
            _ => false,
        }
    }

    /// What is less than it in either order is less by bytes; `None` where that is not so.
    fn bound(&self) -> Option<Bound> {
        match self {
            Self::Value(value) => Some(value.clone()).filter(|_| !self.is_nan()),
            // From U+E000 on UTF-16 has another order, because the characters beyond it are less.
            Self::Text(text) if text.bytes().all(|byte| byte < 0xee) => {
                Some(Bound::Bytes(text.as_bytes().to_vec()))
            }
            Self::Text(_) => None,
        }
    }
}
