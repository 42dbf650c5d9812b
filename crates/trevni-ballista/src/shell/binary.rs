//! Record batches as files of Parquet and of Arrow, which are printed as they come.

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use datafusion::arrow::ipc::writer::FileWriter;
use datafusion::error::Result;
use datafusion::parquet::arrow::ArrowWriter;
use std::sync::Arc;

/// A file that is printed.
pub(super) enum Binary {
    Parquet(Box<ArrowWriter<Vec<u8>>>),
    Arrow(Box<FileWriter<Vec<u8>>>, SchemaRef),
}

impl Binary {
    pub(super) fn parquet(schema: &Schema) -> Result<Self> {
        let writer = ArrowWriter::try_new(Vec::new(), Arc::new(schema.clone()), None)?;
        Ok(Self::Parquet(Box::new(writer)))
    }

    /// Columns of dictionaries have plain values: a file has one dictionary for all batches.
    pub(super) fn arrow(schema: &Schema) -> Result<Self> {
        let plain = |field: &Arc<Field>| match field.data_type() {
            DataType::Dictionary(_, values) => {
                Arc::new(field.as_ref().clone().with_data_type(values.as_ref().clone()))
            }
            _ => Arc::clone(field),
        };
        let schema = Arc::new(Schema::new(schema.fields().iter().map(plain).collect::<Vec<_>>()));
        Ok(Self::Arrow(Box::new(FileWriter::try_new(Vec::new(), &schema)?), schema))
    }

    /// Adds rows; gives the bytes that are there by then.
    pub(super) fn write(&mut self, batch: &RecordBatch) -> Result<Vec<u8>> {
        Ok(match self {
            Self::Parquet(writer) => {
                writer.write(batch)?;
                std::mem::take(writer.inner_mut())
            }
            Self::Arrow(writer, schema) => {
                let columns = batch.columns().iter().zip(schema.fields());
                let columns = columns.map(|(column, field)| cast(column, field.data_type()));
                let columns = columns.collect::<std::result::Result<Vec<_>, _>>()?;
                writer.write(&RecordBatch::try_new(Arc::clone(schema), columns)?)?;
                std::mem::take(writer.get_mut())
            }
        })
    }

    /// The bytes of its end.
    pub(super) fn finish(self) -> Result<Vec<u8>> {
        Ok(match self {
            Self::Parquet(writer) => writer.into_inner()?,
            Self::Arrow(writer, _) => writer.into_inner()?,
        })
    }
}
