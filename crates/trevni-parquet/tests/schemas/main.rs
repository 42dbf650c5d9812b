//! Rows read by schemas of the caller: parts of the fields, and Avro's schema resolution.

mod damaged;
mod evolution;
mod meanings;
mod members;
mod projection;
mod random;
mod rules;
mod values;

use apache_avro::types::Value;
use arrow_array::RecordBatchReader;
use arrow_schema::Schema;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use std::path::PathBuf;
use std::sync::Arc;
use tempfile::TempDir;
use trevni::{Reader, Writer};
use trevni_parquet::{ParquetOptions, ParquetReader, ParquetReaderBuilder};

/// A Parquet file of rows of an Avro schema.
struct File {
    folder: TempDir,
}

impl File {
    fn new(avro: &str, rows: &[Value]) -> Self {
        Self::with_metadata(avro, rows, true)
    }

    /// A file, with its Avro schema in the metadata or without.
    fn with_metadata(avro: &str, rows: &[Value], keeps_schema: bool) -> Self {
        let schema = apache_avro::Schema::parse_str(avro).unwrap_or_else(|error| panic!("{error}: {avro}"));
        let mut writer = apache_avro::Writer::new(&schema, Vec::new()).unwrap();
        for row in rows {
            writer.append_value(row.clone()).unwrap();
        }
        let container = writer.into_inner().unwrap();
        let mut rows = trevni_avro::Reader::new(&*container).unwrap();
        let mut columns = Writer::builder().schema(avro).build(Vec::new()).unwrap();
        rows.each(|row| columns.write(row).map(|()| true)).unwrap();
        let columns = columns.finish().unwrap();
        let reader = Reader::from_slice(&columns).unwrap();
        let options = ParquetOptions::new();
        let mut parquet = trevni_parquet::to_parquet(&reader, options, Vec::new()).unwrap();
        if !keeps_schema {
            parquet = without_metadata(parquet);
        }
        Self::of(&parquet)
    }

    fn of(parquet: &[u8]) -> Self {
        let folder = TempDir::new().unwrap();
        std::fs::write(folder.path().join("file.parquet"), parquet).unwrap();
        Self { folder }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("file.parquet")
    }

    /// The rows, by way of a column file and an Avro file, read by apache-avro.
    fn read(&self, options: &ParquetReaderBuilder) -> Result<Vec<Value>, String> {
        let path = self.folder.path().join("columns");
        let rows = options.open(self.path()).map_err(|error| error.to_string())?;
        let rows = trevni_parquet::to_trevni(rows, Writer::builder(), std::fs::File::create(&path).unwrap());
        rows.map_err(|error| error.to_string())?;
        let reader = Reader::open(&path).unwrap();
        let schema = trevni_avro::schema_of(&reader, reader.shape());
        let mut writer =
            trevni_avro::Writer::new(&schema, trevni_avro::Compression::Null, &[], Vec::new()).unwrap();
        for batch in reader.batches().unwrap() {
            writer.write_batch(&batch.unwrap()).unwrap();
        }
        let container = writer.finish().unwrap();
        let values =
            apache_avro::Reader::new(&*container).unwrap_or_else(|error| panic!("{error}: {schema}"));
        Ok(values.map(Result::unwrap).collect())
    }

    fn read_as(&self, schema: &str) -> Result<Vec<Value>, String> {
        self.read(&ParquetReader::builder().read_schema(schema))
    }
}

/// The rows of a Parquet file as another one without metadata.
fn without_metadata(parquet: Vec<u8>) -> Vec<u8> {
    let rows =
        ParquetRecordBatchReaderBuilder::try_new(bytes::Bytes::from(parquet)).unwrap().build().unwrap();
    let schema = Arc::new(Schema::new(rows.schema().fields().clone()));
    let mut writer = ArrowWriter::try_new(Vec::new(), Arc::clone(&schema), None).unwrap();
    for batch in rows {
        writer.write(&batch.unwrap().with_schema(Arc::clone(&schema)).unwrap()).unwrap();
    }
    writer.into_inner().unwrap()
}

/// The schema of rows with these fields: their name, type and what else they have.
fn row(fields: &str) -> String {
    format!(r#"{{"type": "record", "name": "Row", "fields": [{fields}]}}"#)
}

fn record<const N: usize>(fields: [(&str, Value); N]) -> Value {
    Value::Record(fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}
