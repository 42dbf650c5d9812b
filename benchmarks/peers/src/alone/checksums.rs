//! What checksums cost.

use super::ratio;
use crate::data::{DataSet, Source, flights, log, mail, mesh, minecraft};
use serde::{Deserialize, Serialize};
use trevni::{Checksum, Codec, Reader, Result, Writer};

/// Times with checksums ÷ times without, codec none.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Checksums {
    /// Name of the data set.
    pub data: String,
    /// Writing all rows into a `Vec<u8>`.
    pub write: f64,
    /// Reading all rows into a `Vec`.
    pub read: f64,
}

/// Pairs in each repetition: a ratio near 1 takes many to be seen.
const PAIRS: usize = 5;

/// Measures.
///
/// # Errors
///
/// None, unless the crate fails.
pub fn measure(source: &Source, repetitions: usize) -> Result<Vec<Checksums>> {
    let pairs = if repetitions > 1 { PAIRS * repetitions } else { 1 };
    Ok(vec![
        of::<flights::Flights>(source, pairs)?,
        of::<mail::Nested>(source, pairs)?,
        of::<mesh::Mesh>(source, pairs)?,
        of::<log::Log>(source, pairs)?,
        of::<minecraft::Minecraft>(source, pairs)?,
    ])
}

fn of<D: DataSet>(source: &Source, pairs: usize) -> Result<Checksums> {
    eprintln!("checksums: {}", D::NAME);
    let rows = D::rows(source);
    let write = |checksum| -> Result<Vec<u8>> {
        let mut writer = Writer::builder().codec(Codec::Null).checksum(checksum).build(Vec::new())?;
        writer.write_all(&rows)?;
        writer.finish()
    };
    let (without, with) = (write(Checksum::Null)?, write(Checksum::Crc32)?);
    let read = |file: &[u8]| -> Result<Vec<D::Row>> { Reader::from_slice(file)?.rows::<D::Row>()?.collect() };
    assert_eq!(read(&without)?, rows);
    assert_eq!(read(&with)?, rows);
    Ok(Checksums {
        data: D::NAME.to_owned(),
        write: ratio(pairs, || write(Checksum::Crc32), || write(Checksum::Null)).cpu,
        read: ratio(pairs, || read(&with), || read(&without)).cpu,
    })
}
