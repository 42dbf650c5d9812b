//! Measures how much memory reading takes: it should not depend on the number of rows.

use clap::Parser;
use peak_alloc::PeakAlloc;
use std::error::Error;
use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use trevni::{Reader, Writer};
use trevni_bench::data::flights::{self, Flight};
use trevni_bench::data::{DataSet, Source};
use trevni_bench::report::numbers::{table, thousands};
use trevni_bench::report::{marks, targets};

/// Counts what is allocated; the other programs do without it, because counting takes time.
#[global_allocator]
static HEAP: PeakAlloc = PeakAlloc;

/// Numbers of rows.
const ROWS: [usize; 3] = [100_000, 1_000_000, 10_000_000];

/// Measures the peak of memory while rows of a file are read.
#[derive(Parser)]
struct Options {
    /// CSV file of flights, in place of the sample in the repository
    #[arg(long)]
    flights: Option<PathBuf>,
    /// Number of rows ÷ the usual number
    #[arg(long, default_value_t = 1.0)]
    rows_scale: f64,
    /// Markdown file to write the report into, between its marks
    #[arg(long)]
    report: Option<PathBuf>,
    /// Few rows: only to see that it works
    #[arg(long)]
    smoke: bool,
}

fn main() -> Result<(), Box<dyn Error>> {
    let options = Options::parse();
    let scale = if options.smoke { options.rows_scale / 1000.0 } else { options.rows_scale };
    let source = Source { scale, flights: options.flights };
    let once = flights::read(&source);
    let path = std::env::temp_dir().join(format!("trevni-bench-{}.trv", std::process::id()));
    let mut peaks = Vec::new();
    for usual in ROWS {
        let rows = source.count(usual);
        eprintln!("memory: {rows} rows");
        let measured =
            write(&path, &once, rows).and_then(|()| Ok((rows, fs::metadata(&path)?.len(), peak(&path)?)));
        fs::remove_file(&path)?;
        peaks.push(measured?);
    }
    let text = report(&peaks);
    println!("{text}");
    if let Some(path) = &options.report {
        marks::write(path, "memory", &text)?;
    }
    Ok(())
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
    let growth = targets::cell(many.2 as f64 / few.2 as f64, 1.1);
    format!(
        "## Memory\n\nMost bytes on the heap while `Reader::rows` reads a file of {}, default options.\n\n{}\n\
         With {} times as many rows the peak is {growth} times as high.\n",
        flights::Flights::NAME,
        table(&["rows", "bytes of the file", "peak of the heap, bytes"], &rows),
        many.0 / few.0
    )
}
