//! Measures what more threads do for the time on the wall.

use clap::Parser;
use std::error::Error;
use std::hint::black_box;
use std::path::PathBuf;
use std::sync::Arc;
use trevni::{Reader, Result, Writer};
use trevni_bench::clock::{Time, time};
use trevni_bench::codec::Codec;
use trevni_bench::data::flights::{Flight, Flights};
use trevni_bench::data::{DataSet, Source};
use trevni_bench::figures::median;
use trevni_bench::report::machine::Machine;
use trevni_bench::report::marks;
use trevni_bench::report::numbers::{nanoseconds, ratio, table, thousands};

/// Measures operations with different numbers of threads.
#[derive(Parser)]
struct Options {
    /// Numbers of threads; ratios are to the first
    #[arg(long, value_delimiter = ',', default_value = "1,2")]
    threads: Vec<usize>,
    /// Codecs
    #[arg(long, value_enum, value_delimiter = ',', default_value = "snappy,deflate,zstandard")]
    codec: Vec<Codec>,
    /// How often everything is measured; the medians are reported
    #[arg(long, default_value_t = 5)]
    repetitions: usize,
    /// Number of rows ÷ the usual number
    #[arg(long, default_value_t = 1.0)]
    rows_scale: f64,
    /// CSV file of flights, in place of the sample in the repository
    #[arg(long)]
    flights: Option<PathBuf>,
    /// Markdown file to write the report into, between its marks
    #[arg(long)]
    report: Option<PathBuf>,
    /// Few rows, everything once: only to see that it works
    #[arg(long)]
    smoke: bool,
}

/// What is done with the rows, or with their file, by some threads.
struct Operation {
    name: &'static str,
    run: fn(&Input<'_>, usize) -> Result<()>,
}

/// All operations, in the order of the report.
const OPERATIONS: [Operation; 4] = [
    Operation { name: "write", run: |input, threads| input.write(threads).map(drop) },
    Operation { name: "batches", run: |input, threads| input.batches(threads) },
    Operation { name: "rows", run: |input, threads| input.rows(threads) },
    Operation { name: "rows of as many parts", run: |input, threads| input.split(threads) },
];

/// What operations work on.
struct Input<'a> {
    rows: &'a [Flight],
    codec: Codec,
    /// The file.
    bytes: Arc<Vec<u8>>,
}

impl Input<'_> {
    fn write(&self, threads: usize) -> Result<Vec<u8>> {
        let mut writer = Writer::builder().codec(self.codec.trevni()).threads(threads).build(Vec::new())?;
        writer.write_all(self.rows)?;
        writer.finish()
    }

    fn open(&self, threads: usize) -> Result<Reader<'static>> {
        Reader::builder().threads(threads).shared(Arc::clone(&self.bytes))
    }

    /// Typed vectors of all columns.
    fn batches(&self, threads: usize) -> Result<()> {
        self.open(threads)?.batches()?.try_for_each(|batch| batch.map(|batch| drop(black_box(batch))))
    }

    /// Rows, which one thread makes of the vectors.
    fn rows(&self, threads: usize) -> Result<()> {
        self.open(threads)?.rows::<Flight>()?.try_for_each(|row| row.map(|row| drop(black_box(row))))
    }

    /// Rows, which each thread makes of its part of the file.
    fn split(&self, threads: usize) -> Result<()> {
        let rows = |part: Reader<'static>| {
            part.rows::<Flight>()?.try_for_each(|row| row.map(|row| drop(black_box(row))))
        };
        let parts = self.open(1)?.split(threads)?;
        std::thread::scope(|scope| {
            let threads: Vec<_> = parts.into_iter().map(|part| scope.spawn(move || rows(part))).collect();
            threads.into_iter().try_for_each(|thread| thread.join().expect("a thread panicked"))
        })
    }
}

/// Times of an operation, by number of threads.
struct Times {
    codec: Codec,
    operation: &'static str,
    /// Nanoseconds on the wall and of all processors, medians.
    medians: Vec<Time>,
}

fn main() -> std::result::Result<(), Box<dyn Error>> {
    let options = Options::parse();
    let scale = if options.smoke { options.rows_scale / 1000.0 } else { options.rows_scale };
    let rows = Flights::rows(&Source { scale, flights: options.flights.clone() });
    let repetitions = if options.smoke { 1 } else { options.repetitions.max(1) };
    let mut all = Vec::new();
    for &codec in &options.codec {
        let mut input = Input { rows: &rows, codec, bytes: Arc::default() };
        input.bytes = Arc::new(input.write(1)?);
        for &threads in &options.threads {
            assert!(input.write(threads)? == *input.bytes, "{threads} threads write another file");
        }
        for operation in &OPERATIONS {
            eprintln!("threads: {} {}", codec.name(), operation.name);
            let medians = measure(operation, &input, &options.threads, repetitions)?;
            all.push(Times { codec, operation: operation.name, medians });
        }
    }
    let text = report(&options.threads, rows.len(), repetitions, &all);
    println!("{text}");
    if let Some(path) = &options.report {
        marks::write(path, "threads", &text)?;
    }
    Ok(())
}

/// In each repetition every number of threads has its turn.
fn measure(
    operation: &Operation,
    input: &Input<'_>,
    threads: &[usize],
    repetitions: usize,
) -> Result<Vec<Time>> {
    let mut times = vec![Vec::new(); threads.len()];
    for _ in 0..repetitions {
        for (times, &threads) in times.iter_mut().zip(threads) {
            let mut done = Ok(());
            times.push(time(1, || done = black_box((operation.run)(input, threads))));
            done?;
        }
    }
    let of = |times: &[Time], part: fn(&Time) -> f64| median(&times.iter().map(part).collect::<Vec<_>>());
    let medians = times.iter().map(|times| Time { cpu: of(times, |t| t.cpu), wall: of(times, |t| t.wall) });
    Ok(medians.collect())
}

fn report(threads: &[usize], rows: usize, repetitions: usize, all: &[Times]) -> String {
    let mut header = vec!["codec".to_owned(), "operation".to_owned()];
    header.extend(threads.iter().map(|count| format!("wall, {}", counted(*count))));
    header.extend(threads.iter().map(|count| format!("CPU, {}", counted(*count))));
    header.extend(threads.iter().skip(1).map(|count| format!("wall, {count} ÷ {}", threads[0])));
    let lines: Vec<Vec<String>> = all
        .iter()
        .map(|times| {
            let each = |part: fn(&Time) -> f64| {
                times.medians.iter().map(move |time| nanoseconds(part(time) / rows as f64))
            };
            let ratios = times.medians.iter().skip(1).map(|time| ratio(time.wall / times.medians[0].wall));
            let names = [times.codec.name().to_owned(), times.operation.to_owned()];
            names.into_iter().chain(each(|t| t.wall)).chain(each(|t| t.cpu)).chain(ratios).collect()
        })
        .collect();
    let header: Vec<&str> = header.iter().map(String::as_str).collect();
    format!(
        "## Threads\n\n{}\n{} rows of {} in memory, nanoseconds a row, medians of {repetitions}. All numbers of \
         threads have their turn in each repetition, and write the same file.\n\n{}",
        Machine::here().to_markdown(),
        thousands(rows),
        Flights::NAME,
        table(&header, &lines)
    )
}

fn counted(threads: usize) -> String {
    let plural = if threads == 1 { "" } else { "s" };
    format!("{threads} thread{plural}")
}
