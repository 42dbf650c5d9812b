//! Files of Arrow's inter-process format.

use super::arrow::{Fields, rows};
use super::{Contestant, Outcome};
use crate::codec::Codec;
use crate::data::DataSet;
use arrow_ipc::CompressionType;
use arrow_ipc::reader::FileReader;
use arrow_ipc::writer::{FileWriter, IpcWriteOptions};
use bytes::Bytes;
use serde::de::DeserializeOwned;
use std::io::Cursor;

pub(super) struct Ipc {
    fields: Fields,
    compression: Option<CompressionType>,
}

impl Ipc {
    pub(super) fn new<D: DataSet>(codec: Codec) -> Option<Self> {
        let compression = match codec {
            Codec::None => None,
            Codec::Zstandard => Some(CompressionType::ZSTD),
            Codec::Lz4 => Some(CompressionType::LZ4_FRAME),
            Codec::Snappy | Codec::Deflate | Codec::Typed | Codec::TypedZstandard => return None,
        };
        Some(Self { fields: Fields::of::<D::Row>(), compression })
    }

    /// Reads the outermost fields that these paths begin with; the format does not project deeper.
    fn part<T: DeserializeOwned>(&self, file: &Bytes, paths: &[&str]) -> Outcome<Vec<T>> {
        let schema = self.fields.schema();
        let column = |path: &&str| schema.index_of(path.split('.').next().unwrap_or(path));
        let columns = paths.iter().map(column).collect::<Result<Vec<_>, _>>()?;
        rows(FileReader::try_new(Cursor::new(file), Some(columns))?)
    }
}

impl<D: DataSet> Contestant<D> for Ipc {
    fn write(&self, rows: &[D::Row]) -> Outcome<Vec<u8>> {
        let options = IpcWriteOptions::default().try_with_compression(self.compression)?;
        let mut writer = FileWriter::try_new_with_options(Vec::new(), &self.fields.schema(), options)?;
        for batch in self.fields.batches(rows) {
            writer.write(&batch?)?;
        }
        Ok(writer.into_inner()?)
    }

    fn read(&self, file: &Bytes) -> Outcome<Vec<D::Row>> {
        rows(FileReader::try_new(Cursor::new(file), None)?)
    }

    fn read_one(&self, file: &Bytes) -> Outcome<Vec<D::One>> {
        self.part(file, D::ONE)
    }

    fn read_three(&self, file: &Bytes) -> Outcome<Vec<D::Three>> {
        self.part(file, D::THREE)
    }
}
