//! How the crate's own times depend on the number of rows, and how far a column is from memory.

use crate::clock::{Time, time};
use crate::data::{Source, flights};
use crate::figures::median;
use crate::random::Random;
use serde::{Deserialize, Serialize};
use std::hint::black_box;
use trevni::{Checksum, Codec, Reader, Result, Writer};

/// Numbers of rows.
const ROWS: [usize; 4] = [10_000, 100_000, 1_000_000, 10_000_000];
/// Values of the column.
const VALUES: usize = 1_000_000;

/// What has been found.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Scaling {
    /// By number of rows.
    pub sizes: Vec<Size>,
    /// CPU nanoseconds a value of a column of `f64`, as a `Vec`.
    pub column: f64,
    /// The same for copying such a `Vec`.
    pub copy: f64,
}

/// Times at a number of rows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Size {
    /// Number of rows.
    pub rows: usize,
    /// CPU nanoseconds a row.
    pub write: f64,
    /// CPU nanoseconds a row.
    pub read: f64,
    /// Nanoseconds a row on the wall.
    pub write_wall: f64,
    /// Nanoseconds a row on the wall.
    pub read_wall: f64,
    /// Bytes of the file.
    pub bytes: usize,
}

#[derive(Serialize)]
struct Value {
    value: f64,
}

/// Measures.
///
/// # Errors
///
/// None, unless the crate fails.
pub fn measure(source: &Source, repetitions: usize) -> Result<Scaling> {
    let once = flights::read(source);
    let mut scaling = Scaling::default();
    for usual in ROWS {
        let rows = source.count(usual);
        eprintln!("scaling: {rows} rows");
        scaling.sizes.push(size(&once, rows, repetitions)?);
    }
    let mut random = Random::new(1);
    let values: Vec<f64> = (0..source.count(VALUES)).map(|_| random.double()).collect();
    let file = write(values.iter().map(|&value| Value { value }))?;
    assert_eq!(Reader::from_slice(&file)?.column::<f64>("value")?, values);
    let column = || Reader::from_slice(&file).and_then(|reader| reader.column::<f64>("value"));
    let (column, copy) = both(repetitions, 10, column, || values.clone());
    let count = values.len() as f64;
    (scaling.column, scaling.copy) = (cpu(&column) / count, cpu(&copy) / count);
    Ok(scaling)
}

fn size(once: &[flights::Flight], rows: usize, repetitions: usize) -> Result<Size> {
    let flights = || once.iter().cycle().take(rows);
    let file = write(flights())?;
    let mut same = flights();
    for row in Reader::from_slice(&file)?.rows::<flights::Flight>()? {
        assert_eq!(Some(&row?), same.next());
    }
    let read = || -> Result<()> {
        for row in Reader::from_slice(&file)?.rows::<flights::Flight>()? {
            black_box(row?);
        }
        Ok(())
    };
    let iterations = (200_000 / rows).max(1);
    let (write, read) = both(repetitions, iterations, || write(flights()), read);
    let count = rows as f64;
    Ok(Size {
        rows,
        write: cpu(&write) / count,
        read: cpu(&read) / count,
        write_wall: wall(&write) / count,
        read_wall: wall(&read) / count,
        bytes: file.len(),
    })
}

fn write<T: Serialize>(rows: impl Iterator<Item = T>) -> Result<Vec<u8>> {
    let mut writer = Writer::builder().codec(Codec::Null).checksum(Checksum::Null).build(Vec::new())?;
    writer.write_all(rows)?;
    writer.finish()
}

/// Times two calls in turn.
fn both<A, B>(
    repetitions: usize,
    iterations: usize,
    mut first: impl FnMut() -> A,
    mut second: impl FnMut() -> B,
) -> (Vec<Time>, Vec<Time>) {
    (0..repetitions).map(|_| (time(iterations, &mut first), time(iterations, &mut second))).unzip()
}

fn cpu(times: &[Time]) -> f64 {
    median(&times.iter().map(|time| time.cpu).collect::<Vec<_>>())
}

fn wall(times: &[Time]) -> f64 {
    median(&times.iter().map(|time| time.wall).collect::<Vec<_>>())
}
