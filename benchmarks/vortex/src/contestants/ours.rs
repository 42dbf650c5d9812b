//! The crate that is measured: rows are written through serde, and read as record batches.

use super::{Contestant, LEVEL, Outcome};
use crate::table::{BATCH_ROWS, Table};
use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use serde::Serialize;
use trevni::{Checksum, Codec, Reader, RowSelection, Writer};
use trevni_arrow::ArrowReader;

pub(super) struct Ours {
    file: Vec<u8>,
    schema: SchemaRef,
}

impl Ours {
    /// Without checksums, which the others do not have either.
    pub(super) fn write<T: Serialize>(rows: &[T], table: &Table, codec: Codec) -> Outcome<Self> {
        let mut options = Writer::builder().codec(codec).checksum(Checksum::Null);
        if matches!(codec, Codec::Zstandard | Codec::TypedZstandard) {
            options = options.level(LEVEL);
        }
        let mut writer = options.build(Vec::new())?;
        writer.write_all(rows)?;
        Ok(Self { file: writer.finish()?, schema: table.schema.clone() })
    }

    fn batches(&self, reader: &Reader<'_>) -> Outcome<Vec<RecordBatch>> {
        let options = ArrowReader::builder(reader).batch_size(BATCH_ROWS).schema(self.schema.clone());
        Ok(options.build()?.collect::<Result<_, _>>()?)
    }
}

impl Contestant for Ours {
    fn size(&self) -> usize {
        self.file.len()
    }

    fn take(&self, rows: &[u64]) -> Outcome<Vec<RecordBatch>> {
        let rows = RowSelection::from_iter(rows.iter().copied());
        self.batches(&Reader::from_slice(&self.file)?.select(rows)?)
    }

    fn read(&self) -> Outcome<Vec<RecordBatch>> {
        self.batches(&Reader::from_slice(&self.file)?)
    }
}
