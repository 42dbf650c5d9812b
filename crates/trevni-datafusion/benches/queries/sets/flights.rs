//! Flights from the airports of New York, three times.

use super::{Set, Table, queries};
use crate::options::Options;
use datafusion::arrow::array::{ArrayRef, Int64Array, RecordBatch, StringArray};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{DataType, TimeUnit};
use datafusion::error::Result;
use std::io::Read;
use std::sync::Arc;

/// A sample of the repository.
const SAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/data/flights.csv.gz");
const TIMES: usize = 3;
const BATCH_ROWS: usize = 8192;
const TEXTS: [&str; 5] = ["carrier", "tailnum", "origin", "dest", "time_hour"];

pub(super) fn set(options: &Options) -> Result<Set> {
    let text = match &options.flights {
        Some(file) => std::fs::read_to_string(file)?,
        None => {
            let mut text = String::new();
            flate2::read::MultiGzDecoder::new(std::fs::File::open(SAMPLE)?).read_to_string(&mut text)?;
            text
        }
    };
    let mut lines = text.lines();
    let names: Vec<&str> = lines.next().unwrap_or_default().split(',').collect();
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
    let rows = &rows[..((rows.len() as f64 * options.scale.unwrap_or(1.0)) as usize).clamp(500, rows.len())];
    let mut batches = Vec::new();
    for _ in 0..TIMES {
        for some in rows.chunks(BATCH_ROWS.min(rows.len() / 2)) {
            batches.push(batch(&names, some)?);
        }
    }
    Ok(Set {
        name: "flights",
        tables: vec![Table::new("flights", batches)?],
        queries: queries(include_str!("flights.sql")),
    })
}

/// Columns of strings, instants and whole numbers.
fn batch(names: &[&str], rows: &[Vec<&str>]) -> Result<RecordBatch> {
    let mut columns = Vec::new();
    for (at, name) in names.iter().enumerate() {
        let cells =
            || rows.iter().map(|row| row.get(at).copied().filter(|cell| *cell != "NA" && !cell.is_empty()));
        let texts = || -> ArrayRef { Arc::new(cells().collect::<StringArray>()) };
        let column = match *name {
            "time_hour" => cast(&texts(), &DataType::Timestamp(TimeUnit::Microsecond, None))?,
            name if TEXTS.contains(&name) => texts(),
            _ => {
                Arc::new(cells().map(|cell| cell.and_then(|cell| cell.parse().ok())).collect::<Int64Array>())
            }
        };
        columns.push((*name, column, true));
    }
    Ok(RecordBatch::try_from_iter_with_nullable(columns)?)
}
