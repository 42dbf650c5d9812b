//! The rows of a data set as record batches, which all contestants write.

use crate::contestants::Outcome;
use arrow_array::RecordBatch;
use arrow_schema::{DataType, Field, Fields, Schema, SchemaRef};
use arrow_select::concat::concat_batches;
use std::sync::Arc;
use trevni::{Codec, Reader, Writer};
use trevni_arrow::{ArrowReader, schema_of_reader};
use trevni_bench::data::DataSet;

/// Most rows of a batch that is written or read.
pub const BATCH_ROWS: usize = 65_536;

/// Record batches of one schema.
pub struct Table {
    /// Their schema, with views for strings.
    pub schema: SchemaRef,
    /// All rows.
    pub batches: Vec<RecordBatch>,
}

impl Table {
    /// The rows of a data set.
    ///
    /// # Errors
    ///
    /// Rows that have no Arrow types.
    pub fn of<D: DataSet>(rows: &[D::Row]) -> Outcome<Self> {
        let mut writer = Writer::builder().codec(Codec::Null).build(Vec::new())?;
        writer.write_all(rows)?;
        let file = writer.finish()?;
        let reader = Reader::from_slice(&file)?;
        let schema = viewed(&schema_of_reader(&reader)?);
        let batches = ArrowReader::builder(&reader).batch_size(BATCH_ROWS).schema(schema.clone()).build()?;
        Ok(Self { schema, batches: batches.collect::<Result<_, _>>()? })
    }

    /// All rows as one batch.
    ///
    /// # Errors
    ///
    /// More values than Arrow can count.
    pub fn whole(&self) -> Outcome<RecordBatch> {
        Ok(concat_batches(&self.schema, &self.batches)?)
    }
}

/// The schema with views in place of strings and of the dictionaries that enums are, and without metadata.
fn viewed(schema: &Schema) -> SchemaRef {
    Arc::new(Schema::new(viewed_fields(schema.fields())))
}

fn viewed_fields(fields: &Fields) -> Fields {
    fields.iter().map(|field| viewed_field(field)).collect()
}

fn viewed_field(field: &Field) -> Field {
    let data_type = match field.data_type() {
        DataType::Dictionary(_, value) if **value == DataType::Utf8 => DataType::Utf8View,
        DataType::Utf8 => DataType::Utf8View,
        DataType::Binary => DataType::BinaryView,
        DataType::List(item) => DataType::List(Arc::new(viewed_field(item))),
        DataType::Struct(fields) => DataType::Struct(viewed_fields(fields)),
        other => other.clone(),
    };
    Field::new(field.name(), data_type, field.is_nullable())
}
