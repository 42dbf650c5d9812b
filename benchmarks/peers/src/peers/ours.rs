//! The crate that is measured.

use super::{Contestant, Outcome};
use crate::codec::Codec;
use crate::data::DataSet;
use bytes::Bytes;
use trevni::{Checksum, Dialect, Reader, Writer, col};

pub(super) struct Ours {
    dialect: Dialect,
    codec: Codec,
    checksum: Checksum,
}

impl Ours {
    /// The crate's own format.
    pub(super) fn new(codec: Codec, checksum: Checksum) -> Self {
        Self { dialect: Dialect::Trevni, codec, checksum }
    }

    /// Another file format, if it has the codec.
    pub(super) fn of(dialect: Dialect, codec: Codec) -> Option<Self> {
        let has_codec = match dialect {
            Dialect::Levels => !matches!(codec, Codec::Zstandard | Codec::Lz4),
            Dialect::RedElm => codec != Codec::Zstandard,
            _ => true,
        };
        has_codec.then_some(Self { dialect, codec, checksum: Checksum::Null })
    }
}

impl<D: DataSet> Contestant<D> for Ours {
    fn write(&self, rows: &[D::Row]) -> Outcome<Vec<u8>> {
        let options = Writer::builder().dialect(self.dialect).codec(self.codec.trevni());
        let options = options.checksum(self.checksum);
        let mut writer = options.build(Vec::new())?;
        writer.write_all(rows)?;
        Ok(writer.finish()?)
    }

    fn read(&self, file: &Bytes) -> Outcome<Vec<D::Row>> {
        Ok(trevni::from_slice(file)?)
    }

    fn read_one(&self, file: &Bytes) -> Outcome<Vec<D::One>> {
        Ok(trevni::from_slice(file)?)
    }

    fn read_three(&self, file: &Bytes) -> Outcome<Vec<D::Three>> {
        Ok(trevni::from_slice(file)?)
    }

    fn column(&self, file: &Bytes) -> Outcome<Vec<D::Value>> {
        Ok(Reader::from_slice(file)?.column::<D::Value>(D::COLUMN)?)
    }

    fn filter(&self, file: &Bytes, bound: D::Value) -> Outcome<Vec<D::Row>> {
        let reader = Reader::from_slice(file)?.filter(col(D::COLUMN).ge(bound))?;
        Ok(reader.rows()?.collect::<Result<_, _>>()?)
    }

    fn rows(&self, file: &Bytes, numbers: &[u64]) -> Outcome<Vec<D::Row>> {
        let reader = Reader::from_slice(file)?;
        numbers.iter().map(|&number| Ok(reader.row(number)?)).collect()
    }
}
