//! A CSV file becomes a Trevni file, and a question reads three of its columns.
//!
//! ```text
//! cargo run --release -p examples -- [PATH]
//! ```
//!
//! The rows are flights that left New York in 2013 (`examples/data/README.md`).
//! The Trevni file is written to `PATH`, by default `flights.trv` in the
//! directory for temporary files.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use flate2::read::GzDecoder;
use serde::{Deserialize, Serialize};
use trevni::{Checksum, Codec, Reader, Source, Writer};

const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/data/flights.csv.gz");

/// One row, in the order of the CSV's header. An option is a value that the
/// source may lack, such as the departure time of a cancelled flight.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Flight {
    year: u16,
    month: u8,
    day: u8,
    dep_time: Option<u16>,
    sched_dep_time: u16,
    dep_delay: Option<i16>,
    arr_time: Option<u16>,
    sched_arr_time: u16,
    arr_delay: Option<i16>,
    carrier: String,
    flight: u16,
    tailnum: Option<String>,
    origin: String,
    dest: String,
    air_time: Option<u16>,
    distance: u16,
    hour: u8,
    minute: u8,
    time_hour: String,
}

/// The part of a flight that the question needs. Fields are found by name, and
/// a column without a field here is never read.
#[derive(Debug, Deserialize)]
struct Departure {
    carrier: String,
    dep_delay: Option<i16>,
    distance: u16,
}

fn main() -> Result<(), Box<dyn Error>> {
    let path = match std::env::args_os().nth(1) {
        Some(path) => PathBuf::from(path),
        None => std::env::temp_dir().join("flights.trv"),
    };

    // The CSV file into structs, the structs into a Trevni file.
    let csv = read_csv()?;
    let flights = parse_csv(&csv)?;

    let start = Instant::now();
    let mut writer = Writer::builder()
        .codec(Codec::Snappy)
        .checksum(Checksum::Crc32)
        .metadata("source", "nycflights13, every 15th row")
        .create(&path)?;
    for flight in &flights {
        writer.write(flight)?;
    }
    writer.finish()?;
    let write_time = start.elapsed();

    // Everything back, compared with what was written.
    let start = Instant::now();
    let (source, full_bytes) = CountingFile::open(&path)?;
    let reader = Reader::new(source)?;
    let again = reader.rows::<Flight>()?.collect::<Result<Vec<_>, _>>()?;
    let read_time = start.elapsed();
    if again != flights {
        return Err("the rows changed on their way through the file".into());
    }

    // Three of the nineteen columns: what the question needs.
    let start = Instant::now();
    let (source, some_bytes) = CountingFile::open(&path)?;
    let reader = Reader::new(source)?;
    let mut carriers = BTreeMap::<String, Carrier>::new();
    let mut first = Vec::new();
    for departure in reader.rows::<Departure>()? {
        let departure = departure?;
        carriers.entry(departure.carrier.clone()).or_default().add(&departure);
        if first.len() < 5 {
            first.push(departure);
        }
    }
    let some_time = start.elapsed();

    let size = std::fs::metadata(&path)?.len();
    let csv_size = csv.len() as u64;
    println!("{}: {} rows\n", path.display(), reader.row_count());
    println!("CSV file       {csv_size:>9} bytes");
    println!(
        "Trevni file    {size:>9} bytes, {:.1} % of the CSV, written in {}\n",
        percent(size, csv_size),
        millis(write_time),
    );
    for (what, bytes, time, note) in
        [("All fields", full_bytes, read_time, "; rows equal"), ("Three fields", some_bytes, some_time, "")]
    {
        let bytes = bytes.load(Ordering::Relaxed);
        println!(
            "{what:<13}  {bytes:>9} bytes read, {:>5.1} % of it, in {:>8}{note}",
            percent(bytes, size),
            millis(time),
        );
    }

    if cfg!(debug_assertions) {
        println!("\nTimes are those of a debug build: cargo run --release -p examples");
    }

    println!("\nThe first rows:\n");
    println!("carrier  dep_delay  distance");
    for row in first {
        let delay = row.dep_delay.map_or("-".to_owned(), |d| d.to_string());
        println!("{:<7}  {delay:>9}  {:>8}", row.carrier, row.distance);
    }

    let mut carriers: Vec<_> = carriers.into_iter().collect();
    carriers.sort_by(|(_, a), (_, b)| b.mean_delay().total_cmp(&a.mean_delay()));
    println!("\nMean departure delay by carrier, longest first:\n");
    println!("carrier  flights  departed  mean delay (min)  mean distance (miles)");
    for (name, carrier) in carriers {
        println!(
            "{name:<7}  {:>7}  {:>8}  {:>16.2}  {:>21.1}",
            carrier.flights,
            carrier.departed,
            carrier.mean_delay(),
            carrier.mean_distance(),
        );
    }
    Ok(())
}

/// Unpacks the CSV file.
fn read_csv() -> io::Result<Vec<u8>> {
    let mut csv = Vec::new();
    GzDecoder::new(File::open(DATA)?).read_to_end(&mut csv)?;
    Ok(csv)
}

/// Parses the rows. The source writes a missing value as `NA`, and the csv
/// crate takes an empty field for `None`.
fn parse_csv(csv: &[u8]) -> Result<Vec<Flight>, csv::Error> {
    let mut reader = csv::Reader::from_reader(csv);
    let header = reader.headers()?.clone();
    reader
        .records()
        .map(|record| {
            let present = |field| if field == "NA" { "" } else { field };
            let record: csv::StringRecord = record?.iter().map(present).collect();
            record.deserialize(Some(&header))
        })
        .collect()
}

/// What is counted for a carrier.
#[derive(Default)]
struct Carrier {
    flights: u32,
    departed: u32,
    delay: i64,
    distance: u64,
}

impl Carrier {
    fn add(&mut self, row: &Departure) {
        self.flights += 1;
        self.distance += u64::from(row.distance);
        if let Some(delay) = row.dep_delay {
            self.departed += 1;
            self.delay += i64::from(delay);
        }
    }

    fn mean_delay(&self) -> f64 {
        self.delay as f64 / f64::from(self.departed)
    }

    fn mean_distance(&self) -> f64 {
        self.distance as f64 / f64::from(self.flights)
    }
}

/// A file that counts the bytes asked of it.
struct CountingFile {
    file: File,
    bytes: Arc<AtomicU64>,
}

impl CountingFile {
    fn open(path: &Path) -> io::Result<(Self, Arc<AtomicU64>)> {
        let bytes = Arc::new(AtomicU64::new(0));
        let file = File::open(path)?;
        Ok((CountingFile { file, bytes: Arc::clone(&bytes) }, bytes))
    }
}

impl Source for CountingFile {
    fn size(&self) -> io::Result<u64> {
        Source::size(&self.file)
    }

    fn read_at(&self, offset: u64, buf: &mut [u8]) -> io::Result<()> {
        self.bytes.fetch_add(buf.len() as u64, Ordering::Relaxed);
        Source::read_at(&self.file, offset, buf)
    }
}

fn percent(part: u64, whole: u64) -> f64 {
    100.0 * part as f64 / whole as f64
}

fn millis(time: Duration) -> String {
    format!("{:.1} ms", time.as_secs_f64() * 1e3)
}
