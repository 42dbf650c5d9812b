//! Measures how much memory reading and writing take: it should not depend on the number of rows.

mod reading;
mod writing;

use clap::{Parser, Subcommand};
use peak_alloc::PeakAlloc;
use std::error::Error;
use std::path::PathBuf;
use trevni_bench::data::{Source, flights};
use trevni_bench::report::marks;

/// Counts what is allocated; the other programs do without it, because counting takes time.
#[global_allocator]
static HEAP: PeakAlloc = PeakAlloc;

/// Measures the peak of memory while rows of a file are read, and while they are written.
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
    #[command(subcommand)]
    part: Option<Part>,
}

/// A part that is measured in a process of its own.
#[derive(Subcommand)]
enum Part {
    /// One file that is written
    #[command(hide = true)]
    Write(writing::Child),
}

fn main() -> Result<(), Box<dyn Error>> {
    let options = Options::parse();
    if let Some(Part::Write(child)) = &options.part {
        return child.run();
    }
    let scale = if options.smoke { options.rows_scale / 1000.0 } else { options.rows_scale };
    let source = Source { scale, flights: options.flights };
    let once = flights::read(&source);
    let text =
        format!("## Memory\n\n{}\n{}", reading::measure(&source, &once)?, writing::measure(scale, &once)?);
    println!("{text}");
    if let Some(path) = &options.report {
        marks::write(path, "memory", &text)?;
    }
    Ok(())
}
