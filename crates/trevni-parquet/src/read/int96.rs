//! Instants of 96 bits that nanoseconds cannot count. The Parquet library wraps them around, so the columns are read once
//! more with microseconds, and compared.

use super::part::{Part, rows};
use super::source::PageSource;
use super::{Int96, types};
use crate::error::{Error, Result};
use crate::guard::guarded;
use arrow_array::cast::AsArray;
use arrow_array::types::{TimestampMicrosecondType, TimestampNanosecondType};
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::{DataType, TimeUnit};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReader};
use parquet::basic::Type;
use std::collections::HashSet;
use std::sync::Arc;

/// The columns of instants, read a second time.
pub(super) struct Check {
    micros: ParquetRecordBatchReader,
    source: PageSource,
    /// Rows of the file before the batch.
    row: u64,
}

impl Check {
    /// A check of the columns of instants of 96 bits, where there are some.
    pub(super) fn of(
        source: PageSource,
        metadata: &ArrowReaderMetadata,
        mask: &ProjectionMask,
        part: &Part,
    ) -> Result<Option<Self>> {
        let schema = metadata.parquet_schema();
        let included = || (0..schema.num_columns()).filter(|leaf| mask.leaf_included(*leaf));
        let is_instant = |leaf: &usize| schema.column(*leaf).physical_type() == Type::INT96;
        let fields: HashSet<usize> =
            included().filter(is_instant).map(|leaf| schema.get_column_root_idx(leaf)).collect();
        if fields.is_empty() {
            return Ok(None);
        }
        // Whole fields, since the library reads no map by its values alone.
        let leaves = included().filter(|leaf| fields.contains(&schema.get_column_root_idx(*leaf)));
        let instants = ProjectionMask::leaves(schema, leaves);
        let hints = types::hinted(metadata.schema(), schema, Int96::Micros);
        let options = ArrowReaderOptions::new().with_schema(hints.into());
        let metadata = guarded(|| ArrowReaderMetadata::try_new(Arc::clone(metadata.metadata()), options))?;
        let row = part.first_row(metadata.metadata());
        Ok(Some(Self { micros: rows(source.clone(), metadata, instants, part)?, source, row }))
    }

    /// Looks at the rows of the next batch.
    pub(super) fn look(&mut self, batch: &RecordBatch) -> Result<()> {
        self.source.state().begin();
        let micros = guarded(|| self.micros.next().transpose()).map_err(|error| self.source.cause(error));
        let Some(micros) = micros? else { return Ok(()) };
        for (field, micros) in micros.schema_ref().fields().iter().zip(micros.columns()) {
            let Some(nanos) = batch.column_by_name(field.name()) else { continue };
            if agree(nanos, micros) {
                continue;
            }
            let differs = |row: &usize| !agree(&nanos.slice(*row, 1), &micros.slice(*row, 1));
            let row = (0..nanos.len()).find(differs).unwrap_or(0);
            return Err(Error::Instant { row: self.row + row as u64, field: field.name().clone() });
        }
        self.row += batch.num_rows() as u64;
        Ok(())
    }
}

/// Whether all instants are the same in nanoseconds and in microseconds, rounded down.
fn agree(nanos: &ArrayRef, micros: &ArrayRef) -> bool {
    match (nanos.data_type(), micros.data_type()) {
        (DataType::Timestamp(TimeUnit::Nanosecond, _), DataType::Timestamp(TimeUnit::Microsecond, _)) => {
            let nanos = nanos.as_primitive::<TimestampNanosecondType>();
            let micros = micros.as_primitive::<TimestampMicrosecondType>();
            nanos
                .iter()
                .zip(micros)
                .all(|(nanos, micros)| nanos.map(|nanos| nanos.div_euclid(1000)) == micros)
        }
        (DataType::Struct(_), DataType::Struct(fields)) => {
            let (nanos, micros) = (nanos.as_struct(), micros.as_struct());
            fields.iter().zip(micros.columns()).all(|(field, micros)| {
                nanos.column_by_name(field.name()).is_none_or(|nanos| agree(nanos, micros))
            })
        }
        (DataType::List(_), DataType::List(_)) => {
            let (nanos, micros) = (nanos.as_list::<i32>(), micros.as_list::<i32>());
            agree(&items(nanos), &items(micros))
        }
        (DataType::Map(..), DataType::Map(..)) => {
            let entries = |map: &ArrayRef| -> ArrayRef {
                let map = map.as_map();
                let (first, last) = (map.value_offsets()[0], map.value_offsets()[map.len()]);
                Arc::new(map.entries().slice(first as usize, (last - first) as usize))
            };
            agree(&entries(nanos), &entries(micros))
        }
        _ => true,
    }
}

/// The items of lists that are a part of an array.
fn items(list: &arrow_array::ListArray) -> ArrayRef {
    let (first, last) = (list.value_offsets()[0], list.value_offsets()[list.len()]);
    list.values().slice(first as usize, (last - first) as usize)
}
