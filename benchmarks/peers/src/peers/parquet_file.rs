//! Parquet, with the default properties of its writer.

use super::arrow::{BATCH_ROWS, Fields, rows};
use super::{Contestant, Outcome};
use crate::codec::Codec;
use crate::data::DataSet;
use arrow_array::cast::AsArray;
use arrow_array::{ArrayRef, BooleanArray, StructArray};
use bytes::Bytes;
use parquet::arrow::arrow_reader::{ArrowPredicateFn, ParquetRecordBatchReaderBuilder, RowFilter};
use parquet::arrow::{ArrowWriter, ProjectionMask};
use parquet::basic::Compression;
use parquet::file::properties::WriterProperties;
use parquet::schema::types::SchemaDescriptor;
use serde::de::DeserializeOwned;
use std::sync::Arc;

pub(super) struct Parquet {
    fields: Fields,
    compression: Compression,
}

impl Parquet {
    pub(super) fn new<D: DataSet>(codec: Codec) -> Option<Self> {
        let compression = match codec {
            Codec::None => Compression::UNCOMPRESSED,
            Codec::Snappy => Compression::SNAPPY,
            Codec::Deflate => Compression::GZIP(Default::default()),
            Codec::Zstandard => Compression::ZSTD(Default::default()),
            Codec::Lz4 => Compression::LZ4_RAW,
            Codec::Typed | Codec::TypedZstandard => return None,
        };
        Some(Self { fields: Fields::of::<D::Row>(), compression })
    }
}

/// The columns at and below these paths.
fn mask(schema: &SchemaDescriptor, paths: &[&str]) -> ProjectionMask {
    let wanted = |path: &[String]| {
        // Lists have a group and an element in the path, which the names of fields do not show.
        let names = path.iter().map(String::as_str).filter(|name| !matches!(*name, "list" | "element"));
        let names = names.collect::<Vec<_>>();
        paths.iter().any(|path| names.starts_with(&path.split('.').collect::<Vec<_>>()))
    };
    let columns = schema.columns().iter().enumerate();
    let wanted = columns.filter(|(_, column)| wanted(column.path().parts())).map(|(number, _)| number);
    ProjectionMask::leaves(schema, wanted.collect::<Vec<_>>())
}

fn read<T: DeserializeOwned>(file: &Bytes, paths: Option<&[&str]>) -> Outcome<Vec<T>> {
    let mut builder = ParquetRecordBatchReaderBuilder::try_new(file.clone())?.with_batch_size(BATCH_ROWS);
    if let Some(paths) = paths {
        let mask = mask(builder.parquet_schema(), paths);
        builder = builder.with_projection(mask);
    }
    rows(builder.build()?)
}

/// The only column of a batch of one column, which may be within structs.
fn leaf(batch: &StructArray) -> ArrayRef {
    match batch.column(0).as_struct_opt() {
        Some(inner) => leaf(inner),
        None => Arc::clone(batch.column(0)),
    }
}

impl<D: DataSet> Contestant<D> for Parquet {
    fn write(&self, rows: &[D::Row]) -> Outcome<Vec<u8>> {
        let properties = WriterProperties::builder().set_compression(self.compression).build();
        let mut writer = ArrowWriter::try_new(Vec::new(), self.fields.schema(), Some(properties))?;
        for batch in self.fields.batches(rows) {
            writer.write(&batch?)?;
        }
        Ok(writer.into_inner()?)
    }

    fn read(&self, file: &Bytes) -> Outcome<Vec<D::Row>> {
        read(file, None)
    }

    fn filter(&self, file: &Bytes, bound: D::Value) -> Outcome<Vec<D::Row>> {
        let builder = ParquetRecordBatchReaderBuilder::try_new(file.clone())?.with_batch_size(BATCH_ROWS);
        let mask = mask(builder.parquet_schema(), &[D::COLUMN]);
        let condition = ArrowPredicateFn::new(mask, move |batch| {
            let values = leaf(&StructArray::from(batch));
            Ok(BooleanArray::from_unary(values.as_primitive::<D::Arrow>(), |value| value >= bound))
        });
        rows(builder.with_row_filter(RowFilter::new(vec![Box::new(condition)])).build()?)
    }

    fn read_one(&self, file: &Bytes) -> Outcome<Vec<D::One>> {
        read(file, Some(D::ONE))
    }

    fn read_three(&self, file: &Bytes) -> Outcome<Vec<D::Three>> {
        read(file, Some(D::THREE))
    }
}
