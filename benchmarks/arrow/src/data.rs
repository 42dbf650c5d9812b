//! The rows that are measured.

use arrow_array::RecordBatch;
use csv::StringRecord;
use flate2::read::GzDecoder;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::path::Path;
use trevni::Reader;
use trevni_arrow::ArrowReader;

/// Rows of a batch.
pub(crate) const BATCH_ROWS: usize = 8192;

/// A flight.
#[derive(Clone, Serialize, Deserialize)]
struct Flight {
    year: i32,
    month: i32,
    day: i32,
    dep_time: Option<i32>,
    sched_dep_time: i32,
    dep_delay: Option<f32>,
    arr_time: Option<i32>,
    sched_arr_time: i32,
    arr_delay: Option<f32>,
    carrier: String,
    flight: i32,
    tailnum: Option<String>,
    origin: String,
    dest: String,
    air_time: Option<f32>,
    distance: f32,
    hour: i32,
    minute: i32,
    time_hour: String,
}

/// A message.
#[derive(Serialize)]
struct Mail {
    id: i32,
    date: i64,
    from: String,
    to: Vec<String>,
    content: String,
    received: Vec<Received>,
}

/// A host on its way.
#[derive(Serialize)]
struct Received {
    date: i64,
    host: Option<String>,
    signatures: Vec<Signature>,
}

/// A signature of a host.
#[derive(Serialize)]
struct Signature {
    algorithm: String,
    #[serde(with = "serde_bytes")]
    value: Vec<u8>,
}

/// The flights of the examples, over and over.
pub(crate) fn flights(count: usize) -> Vec<RecordBatch> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/data/flights.csv.gz");
    let file = GzDecoder::new(File::open(path).expect("the sample is there"));
    let mut rows = csv::Reader::from_reader(file);
    let header = rows.headers().expect("a header").clone();
    let flight = |row: csv::Result<StringRecord>| -> Flight {
        let row = row.expect("a record");
        let cells = row.iter().map(|cell| if cell == "NA" { "" } else { cell });
        cells.collect::<StringRecord>().deserialize(Some(&header)).expect("a flight")
    };
    let rows: Vec<Flight> = rows.records().map(flight).collect();
    batches(rows.iter().cycle().take(count))
}

/// Messages, always the same ones.
pub(crate) fn mails(count: usize) -> Vec<RecordBatch> {
    let mut state = 1_u64;
    let mut next = |bound: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % bound
    };
    let mail = |id| {
        let date = 1_600_000_000_000 + 1000 * id as i64 + next(1000) as i64;
        let host = |next: &mut dyn FnMut(u64) -> u64| Received {
            date: date - next(100_000) as i64,
            host: (next(10) > 0).then(|| format!("relay{}.example.org", next(50))),
            signatures: (0..next(3))
                .map(|_| Signature {
                    algorithm: ["rsa-sha256", "ed25519-sha256"][next(2) as usize].to_owned(),
                    value: (0..32).map(|_| next(256) as u8).collect(),
                })
                .collect(),
        };
        Mail {
            id,
            date,
            from: format!("person{}@example.com", next(1000)),
            to: (0..1 + next(3)).map(|_| format!("person{}@example.net", next(1000))).collect(),
            content: (0..next(60))
                .map(|_| ["some ", "words ", "of a ", "letter "][next(4) as usize])
                .collect(),
            received: (0..next(5)).map(|_| host(&mut next)).collect(),
        }
    };
    batches((0..count as i32).map(mail))
}

fn batches(rows: impl Iterator<Item: Serialize>) -> Vec<RecordBatch> {
    let file = trevni::to_vec(rows).expect("the rows can be written");
    let reader = Reader::from_slice(&file).expect("what was written is a file");
    let batches =
        ArrowReader::builder(&reader).batch_size(BATCH_ROWS).build().expect("a shape that Arrow has");
    batches.map(|batch| batch.expect("rows that Arrow has")).collect()
}
