//! Record batches to bytes and back, by both formats.

use crate::data::BATCH_ROWS;
use arrow_array::RecordBatch;
use arrow_schema::{DataType, Field, Fields, Schema, SchemaRef};
use bytes::Bytes;
use parquet::arrow::ArrowWriter as ParquetWriter;
use parquet::arrow::arrow_reader::{ArrowReaderOptions, ParquetRecordBatchReaderBuilder};
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::WriterProperties;
use std::error::Error;
use std::sync::Arc;
use trevni::{Checksum, Codec, Reader, Writer};
use trevni_arrow::{ArrowReader, ArrowWriter, schema_of_reader};

pub(crate) type Outcome<T> = Result<T, Box<dyn Error>>;

/// How blocks and pages are compressed.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Compressed {
    None,
    Zstandard,
    /// Typed blocks beside snappy.
    Typed,
    /// Typed blocks and Zstandard beside Zstandard.
    TypedZstandard,
}

/// The level of Zstandard, of both.
const LEVEL: i32 = 1;

pub(crate) fn write_trevni(
    batches: &[RecordBatch],
    compressed: Compressed,
    checksum: Checksum,
) -> Outcome<Vec<u8>> {
    let options = match compressed {
        Compressed::None => Writer::builder().codec(Codec::Null),
        Compressed::Zstandard => Writer::builder().codec(Codec::Zstandard).level(LEVEL),
        Compressed::Typed => Writer::builder().codec(Codec::Typed),
        Compressed::TypedZstandard => Writer::builder().codec(Codec::TypedZstandard).level(LEVEL),
    };
    let options = options.checksum(checksum);
    let schema = batches.first().ok_or("no batches")?.schema();
    let mut writer = ArrowWriter::with_options(options, Vec::new(), schema)?;
    for batch in batches {
        writer.write(batch)?;
    }
    Ok(writer.finish()?)
}

pub(crate) fn write_parquet(batches: &[RecordBatch], compressed: Compressed) -> Outcome<Vec<u8>> {
    let compression = match compressed {
        Compressed::None => Compression::UNCOMPRESSED,
        Compressed::Typed => Compression::SNAPPY,
        Compressed::Zstandard | Compressed::TypedZstandard => Compression::ZSTD(ZstdLevel::try_new(LEVEL)?),
    };
    let properties = WriterProperties::builder().set_compression(compression).build();
    let schema = batches.first().ok_or("no batches")?.schema();
    let mut writer = ParquetWriter::try_new(Vec::new(), schema, Some(properties))?;
    for batch in batches {
        writer.write(batch)?;
    }
    Ok(writer.into_inner()?)
}

/// Which array strings become.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Texts {
    /// Offsets and bytes, as the file says.
    Stored,
    /// Views.
    Views,
}

pub(crate) fn read_trevni(file: &[u8], texts: Texts) -> Outcome<Vec<RecordBatch>> {
    let reader = Reader::from_slice(file)?;
    let mut options = ArrowReader::builder(&reader).batch_size(BATCH_ROWS);
    if let Texts::Views = texts {
        options = options.schema(viewed(&schema_of_reader(&reader)?));
    }
    Ok(options.build()?.collect::<Result<_, _>>()?)
}

pub(crate) fn read_parquet(file: &Bytes, texts: Texts) -> Outcome<Vec<RecordBatch>> {
    let mut options = ParquetRecordBatchReaderBuilder::try_new(file.clone())?;
    if let Texts::Views = texts {
        let given = ArrowReaderOptions::new().with_schema(viewed(options.schema()));
        options = ParquetRecordBatchReaderBuilder::try_new_with_options(file.clone(), given)?;
    }
    Ok(options.with_batch_size(BATCH_ROWS).build()?.collect::<Result<_, _>>()?)
}

/// The schema with views in place of strings and byte strings.
fn viewed(schema: &Schema) -> SchemaRef {
    let fields: Fields = schema.fields().iter().map(|field| viewed_field(field)).collect();
    Arc::new(Schema::new_with_metadata(fields, schema.metadata().clone()))
}

fn viewed_field(field: &Field) -> Field {
    let data_type = match field.data_type() {
        DataType::Utf8 => DataType::Utf8View,
        DataType::Binary => DataType::BinaryView,
        DataType::List(item) => DataType::List(Arc::new(viewed_field(item))),
        DataType::Struct(fields) => {
            DataType::Struct(fields.iter().map(|field| viewed_field(field)).collect())
        }
        other => other.clone(),
    };
    field.clone().with_data_type(data_type)
}
