//! Whole files, streamed.

use crate::error::{Error, Result};
use crate::guard::guarded;
use crate::read::ParquetReader;
use crate::spans;
use crate::write::{self, ParquetOptions};
use arrow_array::RecordBatchReader;
use arrow_schema::Schema;
use parquet::arrow::ArrowWriter as RowGroups;
use std::io::Write;
use std::sync::Arc;
use trevni::{Reader, WriterBuilder};
use trevni_arrow::ArrowReader;

/// Writes the rows of a Parquet file to a column file, and returns the sink. With [`trevni::AtomicFile`] the file gets its name
/// when it is whole.
///
/// The Avro schema of a file that Avro's Parquet writer made is that of the column file; otherwise the types
/// are those of `docs/arrow.md` for the Arrow types that Parquet's stand for. Metadata of the file are kept.
///
/// # Errors
///
/// As [`ParquetReader`] and [`trevni_arrow::ArrowWriter`].
pub fn to_trevni<W: Write>(rows: ParquetReader, options: WriterBuilder, sink: W) -> Result<W> {
    let batches = rows.into_batches()?;
    let mut writer = batches.options(options)?.build(sink)?;
    for batch in batches {
        writer.write_batch(&batch?)?;
    }
    Ok(writer.finish()?)
}

/// Writes the rows that a reader reads to a Parquet file, and returns the sink.
///
/// # Errors
///
/// Types that Parquet has no words for, such as unions, with the field; what reading and writing give.
pub fn to_parquet<W: Write + Send>(reader: &Reader<'_>, options: ParquetOptions, sink: W) -> Result<W> {
    let rows = ArrowReader::new(reader)?;
    let schema = rows.schema();
    let stored = Schema::new_with_metadata(spans::stored(schema.fields()), schema.metadata().clone());
    let stored = Arc::new(stored);
    write::check(stored.fields())?;
    let properties = options.for_schema(reader, &stored)?;
    let mut writer = guarded(|| RowGroups::try_new_with_options(sink, Arc::clone(&stored), properties))?;
    let mut row = 0;
    for batch in rows {
        let batch = spans::batch(&batch?, Arc::clone(&stored), row)?;
        row += batch.num_rows() as u64;
        guarded(|| writer.write(&batch))?;
    }
    guarded(|| writer.into_inner().map_err(Error::from))
}
