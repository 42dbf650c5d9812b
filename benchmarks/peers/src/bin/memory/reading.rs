//! The peak of memory while rows of a file are read.

use crate::HEAP;
use std::error::Error;
use std::fs;
use std::hint::black_box;
use std::path::Path;
use trevni::{Reader, Writer};
use trevni_bench::data::flights::{Flight, Flights};
use trevni_bench::data::{DataSet, Source};
use trevni_bench::report::numbers::{ratio, table, thousands};

/// Numbers of rows.
const ROWS: [usize; 3] = [100_000, 1_000_000, 10_000_000];

/// Measures; returns the report.
pub(crate) fn measure(source: &Source, once: &[Flight]) -> Result<String, Box<dyn Error>> {
    let path = std::env::temp_dir().join(format!("trevni-bench-{}.trv", std::process::id()));
    let mut peaks = Vec::new();
    for usual in ROWS {
        let rows = source.count(usual);
        eprintln!("memory: {rows} rows");
        let measured =
            write(&path, once, rows).and_then(|()| Ok((rows, fs::metadata(&path)?.len(), peak(&path)?)));
        fs::remove_file(&path)?;
        peaks.push(measured?);
    }
    Ok(report(&peaks))
}

fn write(path: &Path, once: &[Flight], rows: usize) -> Result<(), Box<dyn Error>> {
    let mut writer = Writer::create(path)?;
    writer.write_all(once.iter().cycle().take(rows))?;
    writer.finish()?;
    Ok(())
}

/// Bytes that reading all rows, one by one, takes at most.
fn peak(path: &Path) -> Result<usize, Box<dyn Error>> {
    let before = HEAP.current_usage();
    HEAP.reset_peak_usage();
    for row in Reader::open(path)?.rows::<Flight>()? {
        black_box(row?);
    }
    Ok(HEAP.peak_usage().saturating_sub(before))
}

fn report(peaks: &[(usize, u64, usize)]) -> String {
    let row = |&(rows, bytes, peak): &(usize, u64, usize)| {
        vec![thousands(rows), thousands(bytes as usize), thousands(peak)]
    };
    let rows: Vec<Vec<String>> = peaks.iter().map(row).collect();
    let (few, many) = (peaks[0], peaks[peaks.len() - 1]);
    let growth = ratio(many.2 as f64 / few.2 as f64);
    format!(
        "### Reading\n\nMost bytes on the heap while `Reader::rows` reads a file of {}, default options.\n\n{}\n\
         With {} times as many rows the peak is {growth} times as high.\n",
        Flights::NAME,
        table(&["rows", "bytes of the file", "peak of the heap, bytes"], &rows),
        many.0 / few.0
    )
}
