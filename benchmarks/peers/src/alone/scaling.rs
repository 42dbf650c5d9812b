//! How the crate's own times depend on the number of rows, and how far a column is from memory.

use super::{both, cpu, wall};
use crate::clock::{Time, kernel, time};
use crate::data::{Source, flights};
use crate::figures::median;
use crate::random::Random;
use serde::{Deserialize, Serialize};
use std::hint::black_box;
use std::io::Write;
use trevni::{Checksum, Codec, Reader, Result, Writer};

/// Numbers of rows.
const ROWS: [usize; 4] = [10_000, 100_000, 1_000_000, 10_000_000];
/// Rows of one measurement, at least.
const AT_LEAST: usize = 1_000_000;
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
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Size {
    /// Number of rows.
    pub rows: usize,
    /// CPU nanoseconds a row.
    pub write: f64,
    /// What of it the kernel has spent.
    pub write_kernel: f64,
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

/// A file, and what has been measured of it.
struct Part {
    rows: usize,
    file: Vec<u8>,
    write: Vec<Time>,
    write_kernel: Vec<f64>,
    read: Vec<Time>,
}

/// Measures. All numbers of rows have their turn in each repetition.
///
/// # Errors
///
/// None, unless the crate fails.
pub fn measure(source: &Source, repetitions: usize) -> Result<Scaling> {
    let once = flights::read(source);
    let mut parts = Vec::new();
    for usual in ROWS {
        parts.push(Part::new(&once, source.count(usual))?);
    }
    for _ in 0..repetitions {
        parts.iter_mut().for_each(|part| part.measure(&once));
    }
    let sizes = parts.iter().map(Part::size).collect();
    drop(parts);
    let mut random = Random::new(1);
    let values: Vec<f64> = (0..source.count(VALUES)).map(|_| random.double()).collect();
    let file = write(values.iter().map(|&value| Value { value }), Vec::new())?;
    assert_eq!(Reader::from_slice(&file)?.column::<f64>("value")?, values);
    let column = || Reader::from_slice(&file).and_then(|reader| reader.column::<f64>("value"));
    let (column, copy) = both(repetitions, 10, column, || values.clone());
    let count = values.len() as f64;
    Ok(Scaling { sizes, column: cpu(&column) / count, copy: cpu(&copy) / count })
}

impl Part {
    fn new(once: &[flights::Flight], rows: usize) -> Result<Self> {
        eprintln!("scaling: {rows} rows");
        let flights = || once.iter().cycle().take(rows);
        let file = write(flights(), Vec::new())?;
        let mut same = flights();
        for row in Reader::from_slice(&file)?.rows::<flights::Flight>()? {
            assert_eq!(Some(&row?), same.next());
        }
        Ok(Self { rows, file, write: Vec::new(), write_kernel: Vec::new(), read: Vec::new() })
    }

    fn measure(&mut self, once: &[flights::Flight]) {
        let write = || write(once.iter().cycle().take(self.rows), std::io::sink());
        let read = || -> Result<()> {
            for row in Reader::from_slice(&self.file)?.rows::<flights::Flight>()? {
                black_box(row?);
            }
            Ok(())
        };
        let iterations = (AT_LEAST / self.rows).max(1);
        let before = kernel();
        self.write.push(time(iterations, write));
        self.write_kernel.push((kernel() - before) / iterations as f64);
        self.read.push(time(iterations, read));
    }

    fn size(&self) -> Size {
        let count = self.rows as f64;
        Size {
            rows: self.rows,
            write: cpu(&self.write) / count,
            write_kernel: median(&self.write_kernel) / count,
            read: cpu(&self.read) / count,
            write_wall: wall(&self.write) / count,
            read_wall: wall(&self.read) / count,
            bytes: self.file.len(),
        }
    }
}

fn write<T: Serialize, W: Write>(rows: impl Iterator<Item = T>, sink: W) -> Result<W> {
    let mut writer = Writer::builder().codec(Codec::Null).checksum(Checksum::Null).build(sink)?;
    writer.write_all(rows)?;
    writer.finish()
}
