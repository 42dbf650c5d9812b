//! Rows by what is in them: which blocks a filter reads, and which it leaves out.
//!
//! ```text
//! cargo run --release -p examples --bin where
//! ```
//!
//! The rows are flights that left New York in 2013 (`examples/data/README.md`).

use std::error::Error;
use std::fs::File;
use std::io::{self, Read};
use std::sync::atomic::{AtomicU64, Ordering};

use flate2::read::GzDecoder;
use serde::{Deserialize, Serialize};
use trevni::{Predicate, Reader, Source, Writer, col};

const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/data/flights.csv.gz");

/// A flight. Without a delay it did not depart.
#[derive(Clone, Serialize, Deserialize)]
struct Flight {
    month: u8,
    day: u8,
    sched_dep_time: u16,
    carrier: String,
    flight: u16,
    origin: String,
    dest: String,
    distance: u16,
    dep_delay: Option<i16>,
}

/// What we want to see of it.
#[derive(Deserialize)]
struct Late {
    month: u8,
    day: u8,
    carrier: String,
    flight: u16,
    dest: String,
    dep_delay: Option<i16>,
}

/// All flights of a day in one row.
#[derive(Serialize)]
struct Day {
    month: u8,
    day: u8,
    flights: Vec<Flight>,
}

#[derive(Deserialize)]
struct Date {
    month: u8,
    day: u8,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut flights = read_flights()?;
    flights.sort_by_key(|flight| (flight.month, flight.day, flight.sched_dep_time));

    // One airline in July: more than three hours late, or not at all.
    let late = col("dep_delay").gt(180) | col("dep_delay").is_null();
    let wanted = col("month").eq(7) & col("carrier").eq("B6") & late;
    println!("{wanted}\n");

    let file = Counting::new(write(&flights)?);
    let reader = Reader::new(&file)?;
    let header = file.take();
    println!("month  day  flight   to   minutes late");
    let mut count = 0;
    for row in reader.filter(wanted.clone())?.rows::<Late>()? {
        let Late { month, day, carrier, flight, dest, dep_delay } = row?;
        count += 1;
        let delay = dep_delay.map_or("cancelled".to_owned(), |minutes| minutes.to_string());
        println!("{month:>5}  {day:>3}  {carrier} {flight:<4}  {dest}  {delay:>12}");
    }
    let filtered = file.take();

    // The same without a filter: all blocks of these columns are read.
    let reader = Reader::new(&file)?;
    file.take();
    let all = reader.rows::<Late>()?.collect::<Result<Vec<_>, _>>()?;
    let full = file.take();
    println!("\nBytes read of {}\n", file.bytes.len());
    println!("Header    {header:>6}");
    println!("Filtered  {filtered:>6}, for {count} rows");
    println!("All rows  {full:>6}, for {} rows\n", all.len());

    // Which blocks these are. `explain` does not know of the struct, so it
    // gets a reader of the same columns.
    println!("By date:\n\n{}\n", explain(reader, &wanted)?);

    // The file is in the order of the date, so zone maps find July. For the
    // carrier they are of use in a file in the order of the carriers.
    let hawaii = col("carrier").eq("HA") & col("dep_delay").gt(60);
    println!("{hawaii}\n");
    let by_date = explain(Reader::from_slice(&file.bytes)?, &hawaii)?;
    flights.sort_by(|one, two| one.carrier.cmp(&two.carrier));
    let by_carrier = explain(Reader::from_slice(&write(&flights)?)?, &hawaii)?;
    for (order, explain) in [("By date", by_date), ("By carrier", by_carrier)] {
        let (rows, bytes) = (explain.candidates, explain.bytes_read());
        println!("{order:<10}  {rows:>5} rows may match, {bytes:>5} bytes of blocks read");
    }

    // Items of lists: `any` wants one item for which all of the inner
    // predicate holds.
    let days = days(flights);
    let bytes = trevni::to_vec(&days)?;
    let reader = Reader::from_slice(&bytes)?;
    let far = col("flights").any(col("dest").eq("HNL") & col("dep_delay").gt(60));
    println!("\n{far}\n");
    for row in reader.filter(far)?.rows::<Date>()? {
        let Date { month, day } = row?;
        println!("2013-{month:02}-{day:02}");
    }
    let either = col("flights").any(col("dest").eq("HNL")) & col("flights").any(col("dep_delay").gt(60));
    let either = reader.filter(either)?.matching()?.row_count();
    println!("\nDays with one flight there, and one, maybe another, that late: {either}");
    Ok(())
}

/// What a filter reads of the columns that [`Late`] has.
fn explain(reader: Reader<'_>, wanted: &Predicate) -> trevni::Result<trevni::reader::Explain> {
    let reader = reader.project(["month", "day", "carrier", "flight", "dest", "dep_delay"])?;
    reader.filter(wanted.clone())?.explain()
}

/// Small columns need small blocks: one of 64 KiB, the default, has more
/// months than there are flights.
fn write(flights: &[Flight]) -> trevni::Result<Vec<u8>> {
    let mut writer = Writer::builder().block_size(2048).build(Vec::new())?;
    writer.write_all(flights)?;
    writer.finish()
}

fn days(mut flights: Vec<Flight>) -> Vec<Day> {
    flights.sort_by_key(|flight| (flight.month, flight.day));
    let same_day = |one: &Flight, two: &Flight| (one.month, one.day) == (two.month, two.day);
    let days = flights.chunk_by(same_day);
    days.map(|day| Day { month: day[0].month, day: day[0].day, flights: day.to_vec() }).collect()
}

fn read_flights() -> Result<Vec<Flight>, Box<dyn Error>> {
    let mut text = String::new();
    GzDecoder::new(File::open(DATA)?).read_to_string(&mut text)?;
    // The source writes a missing value as `NA`, and the csv crate takes an
    // empty field for `None`.
    let text = text.replace(",NA", ",");
    Ok(csv::Reader::from_reader(text.as_bytes()).deserialize().collect::<Result<_, _>>()?)
}

/// Bytes that are counted when they are read.
struct Counting {
    bytes: Vec<u8>,
    read: AtomicU64,
}

impl Counting {
    fn new(bytes: Vec<u8>) -> Self {
        Self { bytes, read: AtomicU64::new(0) }
    }

    /// The number of bytes read since the last time.
    fn take(&self) -> u64 {
        self.read.swap(0, Ordering::Relaxed)
    }
}

impl Source for Counting {
    fn size(&self) -> io::Result<u64> {
        Source::size(&self.bytes)
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        self.read.fetch_add(buffer.len() as u64, Ordering::Relaxed);
        self.bytes.read_at(offset, buffer)
    }
}
