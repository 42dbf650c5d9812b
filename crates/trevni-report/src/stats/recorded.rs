//! What zone maps say of columns, without reading their values.

use super::column::{self, ColumnStats};
use super::distinct::Bound;
use super::summary::Summary;
use crate::report_value::ReportValue;
use std::collections::HashMap;
use trevni::column::{ColumnInfo, ValueType, Zone};
use trevni::{Reader, Shape};

/// What is recorded of the columns of a reader.
pub(super) fn summaries(reader: &Reader<'_>) -> Result<Vec<Summary>, trevni::Error> {
    let columns = column::columns(reader.shape(), Bound::USUAL);
    let by_path = ByPath::of(reader);
    // How many lists around the items of a list have its path.
    let mut depths: HashMap<&[String], usize> = HashMap::new();
    let mut found: Vec<Recorded> = Vec::with_capacity(columns.len());
    for column in &columns {
        let entries = match column.list {
            Some(list) => found.get(list).and_then(|list| list.items),
            None => Some(reader.row_count()),
        };
        let recorded = match &column.shape {
            Shape::List(_) | Shape::Map(_) => {
                let depth = depths.entry(&column.field).or_default();
                *depth += 1;
                by_path.lengths(column, *depth - 1)
            }
            _ => by_path.values(column),
        };
        found.push(Recorded::new(reader, column, entries, recorded)?);
    }
    Ok(found.into_iter().map(|recorded| recorded.summary).collect())
}

/// The columns of a reader by the paths of their fields, each in the order of the file.
pub(super) struct ByPath<'r>(HashMap<&'r [String], Vec<(usize, &'r ColumnInfo)>>);

impl<'r> ByPath<'r> {
    pub(super) fn of(reader: &'r Reader<'_>) -> Self {
        let mut columns: HashMap<&[String], Vec<(usize, &ColumnInfo)>> = HashMap::new();
        for (number, info) in reader.columns().iter().enumerate() {
            if let Some(path) = info.path_names() {
                columns.entry(path).or_default().push((number, info));
            }
        }
        Self(columns)
    }

    /// The number of the column with the values of a field.
    pub(super) fn values(&self, column: &ColumnStats) -> Option<usize> {
        self.nth(column, 0, |info| has_values(info, column))
    }

    /// The number of the column with the lengths of a field, where lists in lists have the same path.
    fn lengths(&self, column: &ColumnStats, depth: usize) -> Option<usize> {
        self.nth(column, depth, is_lengths)
    }

    fn nth(&self, column: &ColumnStats, skip: usize, fits: impl Fn(&ColumnInfo) -> bool) -> Option<usize> {
        let columns = self.0.get(&*column.field)?.iter().filter(|(_, info)| fits(info));
        columns.map(|(number, _)| *number).nth(skip)
    }
}

fn is_lengths(info: &ColumnInfo) -> bool {
    info.is_array() && !info.is_optional()
}

fn has_values(info: &ColumnInfo, column: &ColumnStats) -> bool {
    info.value_type() != ValueType::Null || matches!(column.shape, Shape::Null)
}

/// What is recorded of a column.
struct Recorded {
    summary: Summary,
    /// Items of all lists.
    items: Option<u64>,
}

impl Recorded {
    fn new(
        reader: &Reader<'_>,
        column: &ColumnStats,
        entries: Option<u64>,
        stored: Option<usize>,
    ) -> Result<Self, trevni::Error> {
        let mut summary = column.blank();
        summary.entries = entries;
        if matches!(column.shape, Shape::Null) {
            summary.nulls = entries;
            return Ok(Self { summary, items: None });
        }
        let (Some(number), is_list) = (stored, summary.lengths) else {
            return Ok(Self { summary, items: None });
        };
        let zones = reader.zone_map(number)?.map(|map| map.zones.clone());
        let (zones, known) =
            (zones.as_deref().unwrap_or_default(), zones.is_some() || reader.row_count() == 0);
        let values = known.then(|| zones.iter().map(|zone| zone.values).sum::<u64>());
        if !is_list {
            // A list's own zone has its items; another column says whether it is there itself.
            let nothing_missing = !column.maybe && !summary.kind.ends_with('?');
            summary.nulls = match (entries, values) {
                _ if nothing_missing => Some(0).filter(|_| entries.is_some()),
                (Some(entries), Some(values)) => entries.checked_sub(values),
                _ => None,
            };
            if let Some(info) = reader.columns().get(number) {
                summary.min = bound(zones, info, column, Ordering::Least);
                summary.max = bound(zones, info, column, Ordering::Greatest);
                if let Some(logical) = &column.logical {
                    summary.with_logical(logical);
                }
            }
            return Ok(Self { summary, items: None });
        }
        if let (Some(entries), Some(items), false, false) =
            (entries, values, column.maybe, summary.kind.ends_with('?'))
        {
            summary.nulls = Some(0);
            summary.mean = (entries > 0).then(|| items as f64 / entries as f64);
        }
        Ok(Self { summary, items: values })
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Ordering {
    Least,
    Greatest,
}

/// A bound of all blocks; `None` where one of them has values and no bound.
fn bound(zones: &[Zone], info: &ColumnInfo, column: &ColumnStats, which: Ordering) -> Option<ReportValue> {
    let mut found: Option<&trevni::column::Bound> = None;
    for zone in zones.iter().filter(|zone| zone.values > 0) {
        let bound = match which {
            Ordering::Least => zone.min.as_ref()?,
            Ordering::Greatest => zone.max.as_ref()?,
        };
        let beyond = match (which, found) {
            (_, None) => true,
            (Ordering::Least, Some(found)) => bound.compare(found)?.is_lt(),
            (Ordering::Greatest, Some(found)) => bound.compare(found)?.is_gt(),
        };
        found = if beyond { Some(bound) } else { found };
    }
    match (&column.shape, found?) {
        // Ordered by their bytes, which is not the order of these numbers.
        (Shape::I128 | Shape::Enum(_), _) => None,
        (Shape::U128, trevni::column::Bound::Bytes(bytes)) => {
            bytes.as_slice().try_into().ok().map(u128::from_be_bytes).map(ReportValue::Unsigned)
        }
        (Shape::U64, trevni::column::Bound::Integer(_)) => {
            let large = zones
                .iter()
                .any(|zone| matches!(zone.min, Some(trevni::column::Bound::Integer(min)) if min < 0));
            if large { None } else { found.map(|bound| ReportValue::of_bound(info, bound)) }
        }
        (_, found) => Some(ReportValue::of_bound(info, found)),
    }
}
