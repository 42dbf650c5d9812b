//! Other ways to the rows, and what a file costs before its first row.

use super::{cpu, ratio};
use crate::clock::time;
use crate::data::{DataSet, Source, flights, log, mail, mesh, minecraft};
use serde::{Deserialize, Serialize};
use std::hint::black_box;
use trevni::{Codec, Reader, Result, Writer};

/// Codec none, with checksums; reading rows is `Reader::rows`, one by one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ways {
    /// Name of the data set.
    pub data: String,
    /// All batches of vectors ÷ all rows.
    pub batches: f64,
    /// Rows that borrow from batches ÷ rows that own their strings; flights only.
    pub borrowed: Option<f64>,
    /// Rows by two threads ÷ by one, on the wall.
    pub threads: f64,
    /// Nanoseconds to write a file of one row.
    pub write_one: f64,
    /// Nanoseconds to open it.
    pub open: f64,
    /// Nanoseconds to open it and read the row.
    pub read_one: f64,
}

/// A flight that borrows its strings from a batch.
#[derive(Deserialize)]
#[expect(dead_code, reason = "fields are read to be measured")]
struct Borrowed<'a> {
    year: i32,
    month: i32,
    day: i32,
    dep_time: Option<i32>,
    sched_dep_time: i32,
    dep_delay: Option<i32>,
    arr_time: Option<i32>,
    sched_arr_time: i32,
    arr_delay: Option<i32>,
    carrier: &'a str,
    flight: i32,
    tailnum: Option<&'a str>,
    origin: &'a str,
    dest: &'a str,
    air_time: Option<i32>,
    distance: i32,
    hour: i32,
    minute: i32,
    time_hour: &'a str,
}

/// Pairs in each repetition.
const PAIRS: usize = 3;
/// Small files for one measurement.
const SMALL: usize = 200;

/// Measures.
///
/// # Errors
///
/// None, unless the crate fails.
pub fn measure(source: &Source, repetitions: usize) -> Result<Vec<Ways>> {
    let pairs = if repetitions > 1 { PAIRS * repetitions } else { 1 };
    Ok(vec![
        of::<flights::Flights>(source, pairs, Some(borrowed))?,
        of::<mail::Nested>(source, pairs, None)?,
        of::<mesh::Mesh>(source, pairs, None)?,
        of::<log::Log>(source, pairs, None)?,
        of::<minecraft::Minecraft>(source, pairs, None)?,
    ])
}

type Count = fn(&[u8]) -> Result<usize>;

fn of<D: DataSet>(source: &Source, pairs: usize, borrowed: Option<Count>) -> Result<Ways> {
    eprintln!("ways: {}", D::NAME);
    let rows = D::rows(source);
    let write = |rows: &[D::Row]| -> Result<Vec<u8>> {
        let mut writer = Writer::builder().codec(Codec::Null).build(Vec::new())?;
        writer.write_all(rows)?;
        writer.finish()
    };
    let file = write(&rows)?;
    let owned = || count::<D>(&file, 1);
    assert_eq!((owned()?, batches(&file)?), (rows.len(), rows.len()));
    let borrowed = borrowed.map(|borrowed| ratio(pairs, || borrowed(&file), owned).cpu);
    let first = &rows[..1];
    let small = write(first)?;
    let each = |call: &dyn Fn() -> Result<usize>| -> Result<f64> {
        call()?;
        let iterations = if pairs > 1 { SMALL } else { 1 };
        let times: Vec<_> = (0..pairs)
            .map(|_| time(1, || (0..iterations).map(|_| call().map_or(0, black_box)).sum::<usize>()))
            .collect();
        Ok(cpu(&times) / iterations as f64)
    };
    Ok(Ways {
        data: D::NAME.to_owned(),
        batches: ratio(pairs, || batches(&file), owned).cpu,
        borrowed,
        threads: ratio(pairs, || count::<D>(&file, 2), owned).wall,
        write_one: each(&|| write(first).map(|file| file.len()))?,
        open: each(&|| Reader::from_slice(&small).map(|reader| reader.columns().len()))?,
        read_one: each(&|| count::<D>(&small, 1))?,
    })
}

/// Reads the rows one by one.
fn count<D: DataSet>(file: &[u8], threads: usize) -> Result<usize> {
    let mut count = 0;
    for row in Reader::builder().threads(threads).source(file)?.rows::<D::Row>()? {
        black_box(row?);
        count += 1;
    }
    Ok(count)
}

fn batches(file: &[u8]) -> Result<usize> {
    let mut count = 0;
    for batch in Reader::from_slice(file)?.batches()? {
        count += black_box(batch?).len();
    }
    Ok(count)
}

/// Reads flights that borrow their strings.
fn borrowed(file: &[u8]) -> Result<usize> {
    let mut count = 0;
    for batch in Reader::from_slice(file)?.batches()? {
        for row in batch?.rows::<Borrowed<'_>>() {
            black_box(row?);
            count += 1;
        }
    }
    Ok(count)
}
