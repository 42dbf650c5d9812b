//! The crate that is measured.

use super::{Contestant, Outcome};
use crate::codec::Codec;
use crate::data::DataSet;
use bytes::Bytes;
use trevni::{Checksum, Reader, Writer};

pub(super) struct Ours {
    pub(super) codec: Codec,
    pub(super) checksum: Checksum,
}

impl<D: DataSet> Contestant<D> for Ours {
    fn write(&self, rows: &[D::Row]) -> Outcome<Vec<u8>> {
        let options = Writer::builder().codec(self.codec.trevni()).checksum(self.checksum);
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

    fn rows(&self, file: &Bytes, numbers: &[u64]) -> Outcome<Vec<D::Row>> {
        let reader = Reader::from_slice(file)?;
        numbers.iter().map(|&number| Ok(reader.row(number)?)).collect()
    }
}
