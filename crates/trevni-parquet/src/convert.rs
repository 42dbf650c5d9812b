//! Whole files, streamed.

use crate::error::{Error, Result};
use crate::guard::guarded;
use crate::read::ParquetReader;
use crate::write::{self, ParquetOptions};
use arrow_array::RecordBatchReader;
use arrow_schema::SchemaRef;
use parquet::arrow::ArrowWriter as RowGroups;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use trevni::{Reader, WriterBuilder};
use trevni_arrow::{AVRO_SCHEMA, ArrowReader, ArrowWriter};

/// Keys of metadata that begin like this are the format's own.
const RESERVED: &str = "trevni.";

/// Writes the rows of a Parquet file to a column file, which has its name when it is whole. Returns the number of rows.
///
/// The Avro schema of a file that Avro's Parquet writer made is that of the column file; otherwise the types
/// are those of `docs/arrow.md` for the Arrow types that Parquet's stand for. Metadata of the file are kept.
///
/// # Errors
///
/// As [`ParquetReader`] and [`ArrowWriter`].
pub fn to_trevni(rows: ParquetReader, options: WriterBuilder, path: impl AsRef<Path>) -> Result<u64> {
    let (options, schema) = described(options, &rows);
    let (writer, count) = write_all(ArrowWriter::create_with_options(options, path, schema)?, rows)?;
    writer.finish()?;
    Ok(count)
}

/// As [`to_trevni`], to a sink, which is returned with the number of rows.
///
/// # Errors
///
/// As [`to_trevni`].
pub fn to_trevni_sink<W: Write>(rows: ParquetReader, options: WriterBuilder, sink: W) -> Result<(W, u64)> {
    let (options, schema) = described(options, &rows);
    let (writer, count) = write_all(ArrowWriter::with_options(options, sink, schema)?, rows)?;
    Ok((writer.finish()?, count))
}

/// Options with the metadata of a file, and the schema of its rows.
fn described(options: WriterBuilder, rows: &ParquetReader) -> (WriterBuilder, SchemaRef) {
    let schema = rows.schema();
    let metadata: BTreeMap<&String, &String> = schema.metadata().iter().collect();
    let own = metadata.into_iter().filter(|(key, _)| **key != AVRO_SCHEMA && !key.starts_with(RESERVED));
    let options = own.fold(options, |options, (key, value)| options.metadata(key.as_str(), value.as_str()));
    (options, schema)
}

fn write_all<W: Write>(mut writer: ArrowWriter<W>, rows: ParquetReader) -> Result<(ArrowWriter<W>, u64)> {
    for batch in rows {
        writer.write(&batch?)?;
    }
    let count = writer.row_count();
    Ok((writer, count))
}

/// Writes the rows that a reader reads to a Parquet file, and returns the sink.
///
/// # Errors
///
/// Types that Parquet has no words for, such as unions, with the field; what reading and writing give.
pub fn to_parquet<W: Write + Send>(reader: &Reader<'_>, options: ParquetOptions, sink: W) -> Result<W> {
    let rows = ArrowReader::new(reader)?;
    let schema = rows.schema();
    write::check(schema.fields())?;
    let properties = options.for_schema(reader, &schema);
    let mut writer = guarded(|| RowGroups::try_new_with_options(sink, schema, properties))?;
    for batch in rows {
        let batch = batch?;
        guarded(|| writer.write(&batch))?;
    }
    guarded(|| writer.into_inner().map_err(Error::from))
}
