//! Flat rows of 19 fields: flights out of New York, in any order.

use super::{DataSet, Source};
use crate::random::Random;
use apache_avro::AvroSchema;
use flate2::read::GzDecoder;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// A flight.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, AvroSchema)]
pub struct Flight {
    pub year: i32,
    pub month: i32,
    pub day: i32,
    pub dep_time: Option<i32>,
    pub sched_dep_time: i32,
    pub dep_delay: Option<i32>,
    pub arr_time: Option<i32>,
    pub sched_arr_time: i32,
    pub arr_delay: Option<i32>,
    pub carrier: String,
    pub flight: i32,
    pub tailnum: Option<String>,
    pub origin: String,
    pub dest: String,
    pub air_time: Option<i32>,
    pub distance: i32,
    pub hour: i32,
    pub minute: i32,
    pub time_hour: String,
}

/// One field of a flight.
#[derive(Debug, PartialEq, Deserialize, AvroSchema)]
#[serde(rename = "Flight")]
pub struct Distance {
    pub distance: i32,
}

/// Three fields of a flight.
#[derive(Debug, PartialEq, Deserialize, AvroSchema)]
#[serde(rename = "Flight")]
pub struct Departure {
    pub carrier: String,
    pub dep_delay: Option<i32>,
    pub distance: i32,
}

/// The data set.
pub struct Flights;

/// Rows where the source is the sample.
const ROWS: usize = 1_000_000;
/// The order of the rows.
const SEED: u64 = 3;

impl DataSet for Flights {
    const NAME: &'static str = "flights";
    type Row = Flight;
    type One = Distance;
    const ONE: &'static [&'static str] = &["distance"];
    type Three = Departure;
    const THREE: &'static [&'static str] = &["carrier", "dep_delay", "distance"];
    type Value = i32;
    type Arrow = arrow_array::types::Int32Type;
    const COLUMN: &'static str = "distance";

    fn rows(source: &Source) -> Vec<Flight> {
        let once = read(source);
        let count = match source.flights {
            Some(_) => source.count(once.len()),
            None => source.count(ROWS),
        };
        // A search for distant repetitions finds nothing; the strings are in memory in the order of the rows.
        let mut rows: Vec<&Flight> = once.iter().cycle().take(count).collect();
        Random::new(SEED).shuffle(&mut rows);
        rows.into_iter().cloned().collect()
    }

    fn one(row: &Flight) -> Distance {
        Distance { distance: row.distance }
    }

    fn three(row: &Flight) -> Departure {
        Departure { carrier: row.carrier.clone(), dep_delay: row.dep_delay, distance: row.distance }
    }

    fn value(row: &Flight) -> i32 {
        row.distance
    }
}

/// All flights of the source, once.
pub fn read(source: &Source) -> Vec<Flight> {
    match &source.flights {
        Some(path) => parse(&bytes(path)),
        None => {
            let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/data/flights.csv.gz");
            parse(&bytes(Path::new(sample)))
        }
    }
}

fn bytes(path: &Path) -> Vec<u8> {
    let mut file = File::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut csv = Vec::new();
    let read = match path.extension().is_some_and(|extension| extension == "gz") {
        true => GzDecoder::new(file).read_to_end(&mut csv),
        false => file.read_to_end(&mut csv),
    };
    read.expect("the CSV file is readable");
    csv
}

fn parse(csv: &[u8]) -> Vec<Flight> {
    let mut reader = csv::Reader::from_reader(csv);
    let header = reader.headers().expect("the CSV file has a header").clone();
    let flight = |record: Result<csv::StringRecord, csv::Error>| {
        let record = record.expect("the record is well formed");
        // A missing value is the text `NA`; serde takes an empty text for it.
        let fields = record.iter().map(|field| if field == "NA" { "" } else { field });
        let record = fields.collect::<csv::StringRecord>();
        record.deserialize(Some(&header)).expect("the record is a flight")
    };
    reader.records().map(flight).collect()
}
