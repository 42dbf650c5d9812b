//! What headers, zone maps and block tables say of the rows of a file, without any block.

mod bounds;
mod ordering;

use crate::error::in_file;
use crate::input::{GAP_BYTES, Object};
use bounds::Bounds;
use datafusion::arrow::datatypes::{DataType, Field, Schema};
use datafusion::catalog::Session;
use datafusion::common::stats::Precision;
use datafusion::common::{ColumnStatistics, ScalarValue, Statistics};
use datafusion::datasource::file_format::FileMeta;
use datafusion::error::Result;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;
use trevni::column::ZoneMap;
use trevni::{BlockInfo, Reader};

/// What is read of a block table before it is known how long it is.
const TABLE_BYTES: u64 = 4 << 10;

/// The columns of a table whose statistics a scan is planned by, those of conditions first. Without it, all of them.
#[derive(Debug)]
pub(crate) struct Wanted(pub(crate) Vec<String>);

/// What is known of a column of a table in one file.
#[derive(Clone, Debug)]
pub(crate) struct Known {
    /// The type that the table has.
    data_type: DataType,
    pub(crate) statistics: ColumnStatistics,
    /// Whether the rows of the file ascend by it.
    pub(crate) ascends: bool,
}

impl Known {
    /// Nothing is known of a column of a type.
    pub(crate) fn nothing(data_type: DataType) -> Self {
        Self { data_type, statistics: ColumnStatistics::new_unknown(), ascends: false }
    }

    /// Bytes of memory, about.
    pub(crate) fn memory_size(&self) -> usize {
        let values = [&self.statistics.min_value, &self.statistics.max_value];
        let values = values.into_iter().filter_map(|value| value.get_value()).map(ScalarValue::size);
        size_of::<Self>() + values.sum::<usize>()
    }
}

/// What is known of the columns of a file, by their names.
pub(crate) type Columns = HashMap<String, Known>;

/// The columns that a session wants to know of a table.
pub(crate) fn wanted(session: &dyn Session, table: &Schema) -> Vec<String> {
    match session.config().get_extension::<Wanted>() {
        Some(wanted) => wanted.0.clone(),
        None => table.fields().iter().map(|field| field.name().clone()).collect(),
    }
}

/// The rows of a file with a schema, and what is known of columns of a table. Of files in stores, the block tables of columns are read
/// in one request: of the first column, and those that are near.
pub(crate) async fn of_file(
    object: &Arc<Object>,
    reader: Reader<'static>,
    schema: &Schema,
    table: &Schema,
    wanted: &[String],
) -> Result<(u64, Columns)> {
    let flat: HashMap<String, usize> =
        flat_columns(&reader).into_iter().map(|(name, number)| (name.to_owned(), number)).collect();
    let numbers: Vec<usize> = wanted.iter().filter_map(|name| flat.get(name).copied()).collect();
    let mut tables = tables(&reader, &numbers);
    let near = match object.is_remote() {
        true => near(&tables),
        false => None,
    };
    if let Some(near) = &near {
        tables.retain(|table| near.start <= table.start && table.end <= near.end);
    }
    object.fetch(tables, true).await?;
    let is_near = |number: usize| match (&near, reader.table_start(number)) {
        (Some(near), Some(start)) => near.contains(&start),
        _ => near.is_none(),
    };
    let place = object.meta.location.clone();
    let step = || {
        // Headers may say anything: this compares the number with the size of the file.
        let rows = reader.candidates()?.row_count();
        let mut columns = Columns::new();
        for field in wanted.iter().filter_map(|name| table.field_with_name(name).ok()) {
            let number = flat.get(field.name()).copied().filter(|number| is_near(*number));
            let known = known(&reader, number, schema, field, rows)?;
            columns.insert(field.name().clone(), known);
        }
        Ok((rows, columns))
    };
    object.run(true, || step().map_err(|error: trevni::Error| in_file(&place, error))).await
}

/// The bytes of tables that one request has: those of the first, and of others that are not far from these.
fn near(tables: &[Range<u64>]) -> Option<Range<u64>> {
    let mut near = tables.first()?.clone();
    let first = near.start;
    let mut sorted = tables.to_vec();
    sorted.sort_unstable_by_key(|table| table.start);
    for table in sorted.iter().filter(|table| table.start >= first) {
        if table.start.saturating_sub(near.end) <= GAP_BYTES {
            near.end = near.end.max(table.end);
        }
    }
    for table in sorted.iter().rev().filter(|table| table.start < first) {
        if near.start.saturating_sub(table.end) <= GAP_BYTES {
            near.start = table.start;
        }
    }
    Some(near)
}

/// The statistics of a file of some bytes and rows, and the order of its rows, by what is known of its columns.
pub(crate) fn of_columns(table: &Schema, size: u64, rows: u64, columns: &Columns) -> FileMeta {
    let mut statistics = Statistics::new_unknown(table);
    statistics.num_rows = Precision::Exact(rows as usize);
    statistics.total_byte_size = Precision::Inexact(size as usize);
    for (field, found) in table.fields().iter().zip(&mut statistics.column_statistics) {
        if let Some(known) = columns.get(field.name()) {
            *found = known.statistics.clone();
        }
    }
    let ascends = |name: &str| columns.get(name).is_some_and(|known| known.ascends);
    let ordering = if rows < 2 { None } else { ordering::by(table, ascends) };
    FileMeta::new(statistics).with_ordering(ordering)
}

/// Whether columns that are known are all that are wanted of a table.
pub(crate) fn suffices(columns: &Columns, table: &Schema, wanted: &[String]) -> bool {
    wanted
        .iter()
        .filter_map(|name| table.field_with_name(name).ok())
        .all(|field| columns.get(field.name()).is_some_and(|known| known.data_type == *field.data_type()))
}

/// Where the block tables of columns are, about.
pub(crate) fn tables(reader: &Reader<'_>, columns: &[usize]) -> Vec<Range<u64>> {
    let starts = columns.iter().filter_map(|column| reader.table_start(*column));
    starts.map(|start| start..start.saturating_add(TABLE_BYTES)).collect()
}

/// A column of a file that holds the values of one field of the rows, each of which has one or none.
struct Flat {
    zones: Option<Arc<ZoneMap>>,
    blocks: Vec<BlockInfo>,
    is_optional: bool,
}

/// What a file says of a column of a table, by the number of its own.
fn known(
    reader: &Reader<'_>,
    number: Option<usize>,
    schema: &Schema,
    field: &Field,
    rows: u64,
) -> trevni::Result<Known> {
    let mut known = Known::nothing(field.data_type().clone());
    match (schema.column_with_name(field.name()), number) {
        (None, _) => known.statistics.null_count = Precision::Exact(rows as usize),
        (Some((_, own)), Some(number)) => {
            let is_optional = reader.columns()[number].is_array();
            let zones = reader.zone_map(number)?;
            let flat = Flat { zones, blocks: reader.blocks(number)?, is_optional };
            known.statistics = flat.statistics(rows, &Bounds::new(own.data_type(), field.data_type()));
            known.ascends =
                own.data_type() == field.data_type() && ordering::ascends(&flat, field.data_type());
        }
        _ => {}
    }
    Ok(known)
}

/// The columns that are a field of the rows each, by its name: with one value, or with one or none.
fn flat_columns<'r>(reader: &'r Reader<'_>) -> Vec<(&'r str, usize)> {
    let columns = reader.columns();
    let name = |number: usize| columns[number].path_names().and_then(<[String]>::first);
    let is_alone =
        |number: &usize| (0..columns.len()).all(|other| other == *number || name(other) != name(*number));
    let is_flat = |number: &usize| {
        let column = &columns[*number];
        let one = column.path_names().is_some_and(|names| names.len() == 1);
        one && column.parent().is_none()
            && (!column.is_array() || column.is_optional())
            && column.max_repetition() == 0
            && column.max_definition() == 0
    };
    let numbers = (0..columns.len()).filter(|number| is_flat(number) && is_alone(number));
    numbers.filter_map(|number| Some((name(number)?.as_str(), number))).collect()
}

impl Flat {
    fn statistics(&self, rows: u64, bounds: &Bounds) -> ColumnStatistics {
        let mut found = ColumnStatistics::new_unknown();
        let bytes: usize = self.blocks.iter().map(|block| block.size as usize).sum();
        found.byte_size = Precision::Inexact(bytes);
        if !self.is_optional {
            found.null_count = Precision::Exact(0);
        }
        let Some(map) = self.zones.as_ref().filter(|map| map.zones.len() == self.blocks.len()) else {
            return found;
        };
        if self.is_optional {
            let nulls: u64 = map.zones.iter().map(|zone| zone.nulls).sum();
            found.null_count =
                if nulls <= rows { Precision::Exact(nulls as usize) } else { Precision::Absent };
        }
        (found.min_value, found.max_value) = bounds.of(map);
        found
    }
}
