//! What headers, zone maps and block tables say of the rows of a file, without any block.

mod bounds;
mod ordering;

use crate::error::in_file;
use crate::input::Object;
use bounds::Bounds;
use datafusion::arrow::datatypes::Schema;
use datafusion::common::stats::Precision;
use datafusion::common::{ColumnStatistics, Statistics};
use datafusion::datasource::file_format::FileMeta;
use datafusion::error::Result;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;
use trevni::column::ZoneMap;
use trevni::{BlockInfo, Reader};

/// What is read of a block table before it is known how long it is.
const TABLE_BYTES: u64 = 4 << 10;

/// The statistics of a file with a schema for the columns of a table, and the order of its rows.
pub(crate) async fn of_file(
    object: &Arc<Object>,
    reader: Reader<'static>,
    schema: &Schema,
    table: &Schema,
) -> Result<FileMeta> {
    let all: Vec<usize> = (0..reader.columns().len()).collect();
    object.fetch(tables(&reader, &all), true).await?;
    let place = object.meta.location.clone();
    let size = object.meta.size;
    object.run(true, move || read(&reader, schema, table, size).map_err(|error| in_file(&place, error))).await
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

fn read(reader: &Reader<'_>, schema: &Schema, table: &Schema, size: u64) -> trevni::Result<FileMeta> {
    // Headers may say anything: this compares the number with the size of the file.
    let rows = reader.candidates()?.row_count();
    let mut flat = HashMap::new();
    for (name, number) in flat_columns(reader) {
        let zones = reader.zone_map(number)?;
        let is_optional = reader.columns()[number].is_array();
        flat.insert(name, Flat { zones, blocks: reader.blocks(number)?, is_optional });
    }
    let mut statistics = Statistics::new_unknown(table);
    statistics.num_rows = Precision::Exact(rows as usize);
    statistics.total_byte_size = Precision::Inexact(size as usize);
    for (field, found) in table.fields().iter().zip(&mut statistics.column_statistics) {
        match (schema.column_with_name(field.name()), flat.get(field.name().as_str())) {
            (None, _) => found.null_count = Precision::Exact(rows as usize),
            (Some((_, own)), Some(column)) => {
                *found = column.statistics(rows, &Bounds::new(own.data_type(), field.data_type()));
            }
            _ => {}
        }
    }
    let ordering = ordering::of_file(table, schema, &flat, rows);
    Ok(FileMeta::new(statistics).with_ordering(ordering))
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
