//! Flat rows: the flights of `examples/data`.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use flate2::read::GzDecoder;
use serde::{Deserialize, Serialize};

/// A flight, all 19 fields.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Flight {
    pub(crate) year: i32,
    pub(crate) month: i32,
    pub(crate) day: i32,
    pub(crate) dep_time: Option<i32>,
    pub(crate) sched_dep_time: i32,
    pub(crate) dep_delay: Option<i32>,
    pub(crate) arr_time: Option<i32>,
    pub(crate) sched_arr_time: i32,
    pub(crate) arr_delay: Option<i32>,
    pub(crate) carrier: String,
    pub(crate) flight: i32,
    pub(crate) tailnum: Option<String>,
    pub(crate) origin: String,
    pub(crate) dest: String,
    pub(crate) air_time: Option<i32>,
    pub(crate) distance: i32,
    pub(crate) hour: i32,
    pub(crate) minute: i32,
    pub(crate) time_hour: String,
}

/// One field of a flight.
#[derive(Debug, Deserialize)]
pub(crate) struct Distance {
    pub(crate) distance: i32,
}

/// Three fields of a flight.
#[derive(Debug, Deserialize)]
pub(crate) struct Departure {
    pub(crate) carrier: String,
    pub(crate) dep_delay: Option<i32>,
    pub(crate) distance: i32,
}

/// `count` flights: the sample in the repository over and over, or all rows of
/// the CSV file that `TREVNI_FLIGHTS_CSV` names (`.gz` or plain).
pub(crate) fn flights(count: usize) -> Vec<Flight> {
    match std::env::var_os("TREVNI_FLIGHTS_CSV") {
        Some(path) => parse(&read(Path::new(&path))),
        None => {
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/data/flights.csv.gz");
            let sample = parse(&read(&path));
            sample.iter().cycle().take(count).cloned().collect()
        }
    }
}

fn read(path: &Path) -> Vec<u8> {
    let mut file = File::open(path).expect("the CSV file opens");
    let mut csv = Vec::new();
    if path.extension().is_some_and(|extension| extension == "gz") {
        GzDecoder::new(file).read_to_end(&mut csv)
    } else {
        file.read_to_end(&mut csv)
    }
    .expect("the CSV file is readable");
    csv
}

fn parse(csv: &[u8]) -> Vec<Flight> {
    let mut reader = csv::Reader::from_reader(csv);
    let header = reader.headers().expect("the CSV has a header").clone();
    reader
        .records()
        .map(|record| {
            let record: csv::StringRecord = record
                .expect("the record is well formed")
                .iter()
                .map(|field| if field == "NA" { "" } else { field })
                .collect();
            record.deserialize(Some(&header)).expect("the record is a flight")
        })
        .collect()
}
