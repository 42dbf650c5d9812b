//! The floor, as a contestant.

use super::{Contestant, Outcome};
use crate::codec::Codec;
use crate::hand::Columnar;
use crate::hand::bytes::Damaged;
use crate::hand::file::{File, join};
use bytes::Bytes;

pub(super) struct ByHand<D: Columnar> {
    codec: Codec,
    values: Vec<D::Value>,
}

impl<D: Columnar> ByHand<D> {
    pub(super) fn new(codec: Codec, rows: &[D::Row]) -> Self {
        Self { codec, values: rows.iter().map(D::value).collect() }
    }
}

impl<D: Columnar> Contestant<D> for ByHand<D> {
    fn write(&self, rows: &[D::Row]) -> Outcome<Vec<u8>> {
        Ok(join(rows.len(), D::encode(rows), self.codec))
    }

    fn read(&self, file: &Bytes) -> Outcome<Vec<D::Row>> {
        let file = File::open(file, self.codec)?;
        Ok(D::decode(file.rows, &file.all()?)?)
    }

    fn read_one(&self, file: &Bytes) -> Outcome<Vec<D::One>> {
        let file = File::open(file, self.codec)?;
        Ok(D::decode_one(file.rows, &file.some(D::ONE_COLUMNS)?)?)
    }

    fn read_three(&self, file: &Bytes) -> Outcome<Vec<D::Three>> {
        let file = File::open(file, self.codec)?;
        Ok(D::decode_three(file.rows, &file.some(D::THREE_COLUMNS)?)?)
    }

    /// The floor of a column is to copy its values in memory.
    fn column(&self, _file: &Bytes) -> Outcome<Vec<D::Value>> {
        Ok(self.values.clone())
    }
}

impl std::fmt::Display for Damaged {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("damaged bytes")
    }
}

impl std::error::Error for Damaged {}
