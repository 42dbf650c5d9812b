//! The contestants, each behind the same few calls.

mod arrow;
mod avro;
mod by_hand;
mod ipc;
mod ours;
mod parquet_file;
mod whole;

use crate::codec::Codec;
use crate::data::DataSet;
use crate::hand::Columnar;
use bytes::Bytes;
use clap::ValueEnum;
use std::error::Error;
use std::fmt;

/// What a contestant gives, or why it does not.
pub type Outcome<T> = Result<T, Box<dyn Error>>;

/// A contestant has no call for this.
#[derive(Debug)]
pub struct Unsupported;

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("there is no call for it")
    }
}

impl Error for Unsupported {}

/// Writes and reads the rows of a data set.
pub trait Contestant<D: DataSet> {
    /// All rows.
    fn write(&self, rows: &[D::Row]) -> Outcome<Vec<u8>>;
    /// All rows.
    fn read(&self, file: &Bytes) -> Outcome<Vec<D::Row>>;
    /// One field of all rows.
    fn read_one(&self, file: &Bytes) -> Outcome<Vec<D::One>>;
    /// Three fields of all rows.
    fn read_three(&self, file: &Bytes) -> Outcome<Vec<D::Three>>;

    /// One column.
    fn column(&self, _file: &Bytes) -> Outcome<Vec<D::Value>> {
        Err(Unsupported.into())
    }

    /// The rows whose value in that column is not below a bound: where there is no call for it, all rows are read.
    fn filter(&self, file: &Bytes, bound: D::Value) -> Outcome<Vec<D::Row>> {
        let mut rows = self.read(file)?;
        rows.retain(|row| D::value(row) >= bound);
        Ok(rows)
    }

    /// The rows of these numbers.
    fn rows(&self, _file: &Bytes, _numbers: &[u64]) -> Outcome<Vec<D::Row>> {
        Err(Unsupported.into())
    }
}

/// Who takes part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Peer {
    Trevni,
    #[value(skip)]
    TrevniChecksum,
    Levels,
    #[value(name = "redelm")]
    RedElm,
    Hand,
    Bitcode,
    Parquet,
    ArrowIpc,
    ApacheAvro,
    Bincode,
    Postcard,
    RmpSerde,
    #[value(name = "serde_json")]
    SerdeJson,
    Csv,
}

impl Peer {
    /// All of them, in the order of the report.
    pub const ALL: [Self; 14] = [
        Self::Trevni,
        Self::TrevniChecksum,
        Self::Levels,
        Self::RedElm,
        Self::Hand,
        Self::Bitcode,
        Self::Parquet,
        Self::ArrowIpc,
        Self::ApacheAvro,
        Self::Bincode,
        Self::Postcard,
        Self::RmpSerde,
        Self::SerdeJson,
        Self::Csv,
    ];

    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Trevni => "trevni",
            Self::TrevniChecksum => "trevni, crc32",
            Self::Levels => "trevni, levels",
            Self::RedElm => "trevni, redelm",
            Self::Hand => "by hand",
            Self::Bitcode => "bitcode",
            Self::Parquet => "parquet",
            Self::ArrowIpc => "arrow-ipc",
            Self::ApacheAvro => "apache-avro",
            Self::Bincode => "bincode",
            Self::Postcard => "postcard",
            Self::RmpSerde => "rmp-serde",
            Self::SerdeJson => "serde_json",
            Self::Csv => "csv",
        }
    }

    /// The contestant, if it takes part under this codec.
    pub fn contestant<D: Columnar>(self, codec: Codec, rows: &[D::Row]) -> Option<Box<dyn Contestant<D>>> {
        let whole = matches!(codec, Codec::None | Codec::Snappy | Codec::Zstandard);
        let plain = codec == Codec::None;
        let is_flat = D::NAME == crate::data::flights::Flights::NAME;
        if codec.is_own() && !matches!(self, Self::Trevni | Self::TrevniChecksum) {
            return None;
        }
        Some(match self {
            Self::Trevni => Box::new(ours::Ours::new(codec, trevni::Checksum::Null)),
            Self::TrevniChecksum => Box::new(ours::Ours::new(codec, trevni::Checksum::Crc32)),
            Self::Levels => Box::new(ours::Ours::of(trevni::Dialect::Levels, codec)?),
            Self::RedElm => Box::new(ours::Ours::of(trevni::Dialect::RedElm, codec)?),
            Self::Hand => Box::new(by_hand::ByHand::<D>::new(codec, rows)),
            Self::Bitcode if whole => Box::new(whole::Whole { format: whole::Bitcode, codec }),
            Self::Parquet => Box::new(parquet_file::Parquet::new::<D>(codec)?),
            Self::ArrowIpc => Box::new(ipc::Ipc::new::<D>(codec)?),
            Self::ApacheAvro => Box::new(avro::Avro::new::<D>(codec)?),
            Self::Bincode if whole => Box::new(whole::Whole { format: whole::Bincode, codec }),
            Self::Postcard if whole => Box::new(whole::Whole { format: whole::Postcard, codec }),
            Self::RmpSerde if plain => Box::new(whole::Whole { format: whole::RmpSerde, codec }),
            Self::SerdeJson if plain => Box::new(whole::Whole { format: whole::SerdeJson, codec }),
            Self::Csv if whole && is_flat => Box::new(whole::Whole { format: whole::Csv, codec }),
            _ => return None,
        })
    }
}
