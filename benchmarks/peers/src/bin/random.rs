//! Measures single rows, by where they are in a long file, and filters beside a full read.

use clap::Parser;
use std::error::Error;
use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use trevni::{Predicate, Reader, Writer, col};
use trevni_bench::clock::time;
use trevni_bench::data::flights::{self, Flight};
use trevni_bench::data::{DataSet, Source};
use trevni_bench::figures::median;
use trevni_bench::report::machine::Machine;
use trevni_bench::report::marks;
use trevni_bench::report::numbers::{nanoseconds, ratio, table, thousands};

/// Number of rows of the file.
const ROWS: usize = 10_000_000;
/// Rows among which single ones are read.
const AMONG: u64 = 100_000;
/// Single rows that are read for one measurement.
const SINGLE: u64 = 100;

/// Measures single rows and filters.
#[derive(Parser)]
struct Options {
    /// CSV file of flights, in place of the sample in the repository
    #[arg(long)]
    flights: Option<PathBuf>,
    /// Number of rows ÷ the usual number
    #[arg(long, default_value_t = 1.0)]
    rows_scale: f64,
    /// How often everything is measured; the medians are reported
    #[arg(long, default_value_t = 7)]
    repetitions: usize,
    /// Markdown file to write the report into, between its marks
    #[arg(long)]
    report: Option<PathBuf>,
    /// Few rows, everything once: only to see that it works
    #[arg(long)]
    smoke: bool,
}

fn main() -> Result<(), Box<dyn Error>> {
    let options = Options::parse();
    let scale = if options.smoke { options.rows_scale / 1000.0 } else { options.rows_scale };
    let repetitions = if options.smoke { 1 } else { options.repetitions.max(1) };
    let source = Source { scale, flights: options.flights };
    let (once, rows) = (flights::read(&source), source.count(ROWS));
    let path = std::env::temp_dir().join(format!("trevni-bench-random-{}.trv", std::process::id()));
    eprintln!("random: {rows} rows");
    let text = write(&path, &once, rows).and_then(|()| report(&path, rows, repetitions));
    fs::remove_file(&path)?;
    let text = text?;
    println!("{text}");
    if let Some(path) = &options.report {
        marks::write(path, "random", &text)?;
    }
    Ok(())
}

/// Rows in the order of time, as they come.
fn write(path: &Path, once: &[Flight], rows: usize) -> Result<(), Box<dyn Error>> {
    let mut writer = Writer::create(path)?;
    writer.write_all(once.iter().cycle().take(rows))?;
    writer.finish()?;
    Ok(())
}

fn report(path: &Path, rows: usize, repetitions: usize) -> Result<String, Box<dyn Error>> {
    let single = single(path, rows as u64, repetitions)?;
    let filters = filters(path, repetitions.min(3))?;
    Ok(format!(
        "## Single rows and filters\n\n{}\nA file of {} {}, {} bytes, default options; medians of {repetitions}.\n\n\
         ### `row(n)` by place\n\nNanoseconds for a row, CPU: {SINGLE} rows at random among {} of this place, by one \
         reader. All places have their turn in each repetition.\n\n{single}\n### `filter` beside a full read\n\nAll fields of \
         the rows that match; ÷ reading all rows and dropping those that do not match, CPU.\n\n{filters}",
        Machine::here().to_markdown(),
        thousands(rows),
        flights::Flights::NAME,
        thousands(fs::metadata(path)?.len() as usize),
        thousands(AMONG.min(rows as u64 / 3) as usize),
    ))
}

/// Single rows at the start, in the middle and at the end.
fn single(path: &Path, rows: u64, repetitions: usize) -> Result<String, Box<dyn Error>> {
    let among = AMONG.min(rows / 3);
    let places = [("start", 0), ("middle", rows / 2), ("end", rows - among)];
    let reader = Reader::open(path)?;
    let mut times = vec![Vec::new(); places.len()];
    for repetition in 0..repetitions as u64 {
        for ((_, first), times) in places.iter().zip(&mut times) {
            let mut done = Ok(());
            let all = time(1, || {
                done = (0..SINGLE).try_for_each(|at| {
                    let row = first + (repetition * SINGLE + at) * 7919 % among;
                    reader.row::<Flight>(row).map(|row| drop(black_box(row)))
                });
            });
            done?;
            times.push(all.cpu / SINGLE as f64);
        }
    }
    let medians: Vec<f64> = times.iter().map(|times| median(times)).collect();
    let line = |((name, _), time): (&(&str, u64), &f64)| {
        vec![(*name).to_owned(), nanoseconds(*time), ratio(time / medians[0])]
    };
    let lines: Vec<Vec<String>> = places.iter().zip(&medians).map(line).collect();
    Ok(table(&["place", "a row", "÷ start"], &lines))
}

/// Filters that leave few rows, some, and many.
fn filters(path: &Path, repetitions: usize) -> Result<String, Box<dyn Error>> {
    type Holds = fn(&Flight) -> bool;
    let cases: [(Predicate, Holds); 4] = [
        (col("arr_delay").gt(1000), |row| row.arr_delay.is_some_and(|delay| delay > 1000)),
        (col("carrier").eq("HA"), |row| row.carrier == "HA"),
        (col("month").eq(6) & col("origin").eq("JFK"), |row| row.month == 6 && row.origin == "JFK"),
        (col("distance").gt(500), |row| row.distance > 500),
    ];
    let reader = Reader::open(path)?;
    let mut lines = Vec::new();
    for (predicate, holds) in cases {
        eprintln!("random: {predicate}");
        let filtered = reader.filter(predicate.clone())?;
        let (mut with, mut without) = (Vec::new(), Vec::new());
        let mut counts = [0, 0];
        for _ in 0..repetitions {
            let mut done = Ok(());
            with.push(time(1, || done = count(&filtered, |_| true).map(|count| counts[0] = count)).cpu);
            done?;
            let mut done = Ok(());
            without.push(time(1, || done = count(&reader, holds).map(|count| counts[1] = count)).cpu);
            done?;
        }
        assert_eq!(counts[0], counts[1], "{predicate}");
        let explain = filtered.explain()?;
        let all = explain.bytes_read() + explain.bytes_skipped();
        lines.push(vec![
            format!("`{predicate}`"),
            thousands(counts[0]),
            ratio(explain.bytes_read() as f64 / all as f64),
            ratio(median(&with) / median(&without)),
        ]);
    }
    Ok(table(&["predicate", "rows that match", "bytes read ÷ all", "time ÷ full read"], &lines))
}

/// Reads all rows; returns how many of them hold.
fn count(reader: &Reader<'_>, holds: impl Fn(&Flight) -> bool) -> Result<usize, trevni::Error> {
    let mut count = 0;
    for row in reader.rows::<Flight>()? {
        count += usize::from(holds(black_box(&row?)));
    }
    Ok(count)
}
