//! Figures as tables of Markdown.

use crate::contestants::{Named, PARQUET, VORTEX};
use crate::measure::MANY;
use trevni_bench::figures::median;
use trevni_bench::report::machine::Machine;
use trevni_bench::report::numbers::{nanoseconds, ratio, table, thousands};

/// Crates whose versions are told.
const CRATES: [&str; 3] = ["vortex", "parquet", "arrow-array"];

/// The section: the machine, how it was measured, and the tables.
#[must_use]
pub fn section(repetitions: usize, tables: &[String]) -> String {
    format!(
        "## Vortex\n\n{}\nBytes of the file, also ÷ those of Parquet with Zstandard. Then microseconds of CPU to open the \
         file, from memory, and read rows as record batches: a random row, {MANY} random rows, all rows; in brackets ÷ those of \
         `{VORTEX}`, so that below 1 is ahead of it. Medians of {repetitions}, ratios the medians of the ratios of all \
         repetitions; the contestants take turns. All give the same batches, which was checked before.\n\n{}",
        machine(),
        tables.join("\n")
    )
}

/// The machine, and the versions of what is compared.
fn machine() -> String {
    let version = |name: &str| {
        let (_, rest) =
            include_str!("../Cargo.lock").split_once(&format!("name = \"{name}\"\nversion = \""))?;
        Some((name.to_owned(), rest.split('"').next()?.to_owned()))
    };
    let versions = CRATES.iter().filter_map(|name| version(name)).collect();
    Machine { versions, ..Machine::here() }.to_markdown()
}

/// A data set: for each contestant its size and, for each task, its times.
#[must_use]
pub fn data_set(name: &str, rows: usize, contestants: &[Named], tasks: &[(&str, Vec<Vec<f64>>)]) -> String {
    let at = |name: &str| contestants.iter().position(|(other, _)| *other == name).unwrap_or_default();
    let (parquet, vortex) = (contestants[at(PARQUET)].1.size(), at(VORTEX));
    let line = |(at, (name, contestant)): (usize, &Named)| {
        let size = contestant.size();
        let mut line = vec![(*name).to_owned(), thousands(size), ratio(size as f64 / parquet as f64)];
        for (_, times) in tasks {
            let ratios: Vec<f64> =
                times[at].iter().zip(&times[vortex]).map(|(one, other)| one / other).collect();
            line.push(format!("{} ({})", nanoseconds(median(&times[at]) / 1000.0), ratio(median(&ratios))));
        }
        line
    };
    let mut header = vec!["contestant", "bytes", "÷ parquet"];
    header.extend(tasks.iter().map(|(name, _)| *name));
    let lines: Vec<_> = contestants.iter().enumerate().map(line).collect();
    format!("### {name}: {} rows\n\n{}", thousands(rows), table(&header, &lines))
}
