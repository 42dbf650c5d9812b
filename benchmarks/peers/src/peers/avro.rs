//! Object container files of Apache Avro.

use super::{Contestant, Outcome};
use crate::codec::Codec;
use crate::data::DataSet;
use apache_avro::{AvroSchema, DeflateSettings, Reader, Schema, Writer, ZstandardSettings};
use bytes::Bytes;
use serde::de::DeserializeOwned;

pub(super) struct Avro {
    schema: Schema,
    codec: apache_avro::Codec,
}

impl Avro {
    pub(super) fn new<D: DataSet>(codec: Codec) -> Option<Self> {
        let codec = match codec {
            Codec::None => apache_avro::Codec::Null,
            Codec::Snappy => apache_avro::Codec::Snappy,
            Codec::Deflate => apache_avro::Codec::Deflate(DeflateSettings::default()),
            Codec::Zstandard => apache_avro::Codec::Zstandard(ZstandardSettings::default()),
            Codec::Lz4 | Codec::Typed | Codec::TypedZstandard => return None,
        };
        Some(Self { schema: D::Row::get_schema(), codec })
    }
}

fn read<T: DeserializeOwned>(file: &Bytes) -> Outcome<Vec<T>> {
    let rows = Reader::new(&file[..])?.into_deser_iter::<T>();
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Some fields of all rows. The fast way, as above, fails at its first row where a field that is left
/// out holds a record; then the slow one is taken, through a schema of the fields and untyped values.
fn part<T: DeserializeOwned + AvroSchema>(file: &Bytes) -> Outcome<Vec<T>> {
    read(file).or_else(|_| {
        let schema = T::get_schema();
        let rows = Reader::builder(&file[..]).reader_schema(&schema).build()?;
        Ok(rows.map(|row| apache_avro::from_value(&row?)).collect::<Result<_, _>>()?)
    })
}

impl<D: DataSet> Contestant<D> for Avro {
    fn write(&self, rows: &[D::Row]) -> Outcome<Vec<u8>> {
        let mut writer = Writer::with_codec(&self.schema, Vec::new(), self.codec)?;
        writer.extend_ser(rows)?;
        Ok(writer.into_inner()?)
    }

    fn read(&self, file: &Bytes) -> Outcome<Vec<D::Row>> {
        read(file)
    }

    fn read_one(&self, file: &Bytes) -> Outcome<Vec<D::One>> {
        part(file)
    }

    fn read_three(&self, file: &Bytes) -> Outcome<Vec<D::Three>> {
        part(file)
    }
}
