//! Measures trevni against Vortex, and both against Parquet; prints Markdown.

use clap::Parser;
use std::path::PathBuf;
use trevni_bench::data::{DataSet, Source, flights, log, mail, mesh, minecraft};
use trevni_bench::report::marks;
use trevni_bench_vortex::contestants::{Outcome, all};
use trevni_bench_vortex::measure::{MANY, Task, measure, selections};
use trevni_bench_vortex::table::Table;
use trevni_bench_vortex::{agree, report};

/// Measures sizes, random rows and full reads.
#[derive(Parser)]
struct Options {
    /// CSV file of flights, in place of the sample in the repository
    #[arg(long)]
    flights: Option<PathBuf>,
    /// Number of rows ÷ the usual number
    #[arg(long, default_value_t = 1.0)]
    scale: f64,
    /// How often everything is measured; the medians are reported
    #[arg(long, default_value_t = 9)]
    repetitions: usize,
    /// Markdown file to write the report into, between its marks
    #[arg(long)]
    report: Option<PathBuf>,
    /// Few rows, everything once: only to see that it works
    #[arg(long)]
    smoke: bool,
}

impl Options {
    fn source(&self) -> Source {
        let scale = if self.smoke { self.scale / 1000.0 } else { self.scale };
        Source { scale, flights: self.flights.clone() }
    }

    fn repetitions(&self) -> usize {
        if self.smoke { 1 } else { self.repetitions.max(1) }
    }
}

fn main() -> Outcome<()> {
    let options = Options::parse();
    let tables = [
        data_set::<flights::Flights>(&options)?,
        data_set::<mail::Nested>(&options)?,
        data_set::<mesh::Mesh>(&options)?,
        data_set::<log::Log>(&options)?,
        data_set::<minecraft::Minecraft>(&options)?,
    ];
    let text = report::section(options.repetitions(), &tables);
    println!("{text}");
    if let Some(path) = &options.report {
        marks::write(path, "vortex", &text)?;
    }
    Ok(())
}

/// Writes, checks and measures a data set.
fn data_set<D: DataSet>(options: &Options) -> Outcome<String> {
    let rows = D::rows(&options.source());
    let count = rows.len();
    eprintln!("{}: {count} rows", D::NAME);
    let table = Table::of::<D>(&rows)?;
    let contestants = all::<D>(&rows, &table)?;
    drop(rows);
    let (one, many) = (selections(count, 1), selections(count, MANY));
    agree::check(&table, &contestants, &[one.clone(), many.clone()].concat())?;
    drop(table);
    let tasks = [("a row", Task::Take(one)), ("100 rows", Task::Take(many)), ("all rows", Task::Read)];
    let mut times = Vec::new();
    for (name, task) in tasks {
        times.push((name, measure(&contestants, &task, options.repetitions(), options.smoke)?));
    }
    Ok(report::data_set(D::NAME, count, &contestants, &times))
}
