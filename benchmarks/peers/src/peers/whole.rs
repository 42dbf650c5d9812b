//! Formats that write all rows as one value; a codec is put around the whole.

use super::{Contestant, Outcome, Unsupported};
use crate::codec::Codec;
use crate::data::DataSet;
use bytes::Bytes;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::borrow::Cow;

/// A serde format.
pub(super) trait Format {
    /// Whether a struct with fewer fields can read what one with more has written.
    const NAMES_FIELDS: bool = false;

    fn write<T: Serialize>(&self, rows: &[T]) -> Outcome<Vec<u8>>;
    fn read<T: DeserializeOwned>(&self, bytes: &[u8]) -> Outcome<Vec<T>>;
}

pub(super) struct Whole<F> {
    pub(super) format: F,
    pub(super) codec: Codec,
}

impl<F: Format> Whole<F> {
    fn part<T: DeserializeOwned>(&self, file: &[u8]) -> Outcome<Vec<T>> {
        if !F::NAMES_FIELDS {
            return Err(Unsupported.into());
        }
        self.format.read(&self.unpacked(file)?)
    }

    fn unpacked<'a>(&self, file: &'a [u8]) -> Outcome<Cow<'a, [u8]>> {
        if self.codec == Codec::None {
            return Ok(Cow::Borrowed(file));
        }
        let (size, stored) = file.split_first_chunk().ok_or("no size")?;
        let size = usize::try_from(u64::from_le_bytes(*size))?;
        Ok(Cow::Owned(self.codec.decompress(stored, size).ok_or("damaged bytes")?))
    }
}

impl<D: DataSet, F: Format> Contestant<D> for Whole<F> {
    fn write(&self, rows: &[D::Row]) -> Outcome<Vec<u8>> {
        let bytes = self.format.write(rows)?;
        if self.codec == Codec::None {
            return Ok(bytes);
        }
        let mut file = (bytes.len() as u64).to_le_bytes().to_vec();
        file.extend_from_slice(&self.codec.compress(bytes));
        Ok(file)
    }

    fn read(&self, file: &Bytes) -> Outcome<Vec<D::Row>> {
        self.format.read(&self.unpacked(file)?)
    }

    fn read_one(&self, file: &Bytes) -> Outcome<Vec<D::One>> {
        self.part(file)
    }

    fn read_three(&self, file: &Bytes) -> Outcome<Vec<D::Three>> {
        self.part(file)
    }
}

pub(super) struct Bitcode;

impl Format for Bitcode {
    fn write<T: Serialize>(&self, rows: &[T]) -> Outcome<Vec<u8>> {
        Ok(bitcode::serialize(rows)?)
    }

    fn read<T: DeserializeOwned>(&self, bytes: &[u8]) -> Outcome<Vec<T>> {
        Ok(bitcode::deserialize(bytes)?)
    }
}

pub(super) struct Bincode;

impl Format for Bincode {
    fn write<T: Serialize>(&self, rows: &[T]) -> Outcome<Vec<u8>> {
        Ok(bincode::serde::encode_to_vec(rows, bincode::config::standard())?)
    }

    fn read<T: DeserializeOwned>(&self, bytes: &[u8]) -> Outcome<Vec<T>> {
        Ok(bincode::serde::decode_from_slice(bytes, bincode::config::standard())?.0)
    }
}

pub(super) struct Postcard;

impl Format for Postcard {
    fn write<T: Serialize>(&self, rows: &[T]) -> Outcome<Vec<u8>> {
        Ok(postcard::to_stdvec(rows)?)
    }

    fn read<T: DeserializeOwned>(&self, bytes: &[u8]) -> Outcome<Vec<T>> {
        Ok(postcard::from_bytes(bytes)?)
    }
}

pub(super) struct RmpSerde;

impl Format for RmpSerde {
    const NAMES_FIELDS: bool = true;

    fn write<T: Serialize>(&self, rows: &[T]) -> Outcome<Vec<u8>> {
        Ok(rmp_serde::to_vec_named(rows)?)
    }

    fn read<T: DeserializeOwned>(&self, bytes: &[u8]) -> Outcome<Vec<T>> {
        Ok(rmp_serde::from_slice(bytes)?)
    }
}

pub(super) struct SerdeJson;

impl Format for SerdeJson {
    const NAMES_FIELDS: bool = true;

    fn write<T: Serialize>(&self, rows: &[T]) -> Outcome<Vec<u8>> {
        Ok(serde_json::to_vec(rows)?)
    }

    fn read<T: DeserializeOwned>(&self, bytes: &[u8]) -> Outcome<Vec<T>> {
        Ok(serde_json::from_slice(bytes)?)
    }
}

/// CSV with a header line; rows must be flat.
pub(super) struct Csv;

impl Format for Csv {
    const NAMES_FIELDS: bool = true;

    fn write<T: Serialize>(&self, rows: &[T]) -> Outcome<Vec<u8>> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        rows.iter().try_for_each(|row| writer.serialize(row))?;
        Ok(writer.into_inner()?)
    }

    fn read<T: DeserializeOwned>(&self, bytes: &[u8]) -> Outcome<Vec<T>> {
        Ok(csv::Reader::from_reader(bytes).into_deserialize().collect::<Result<_, _>>()?)
    }
}
