//! Figures that compare the crate with itself, and with memory.

use super::numbers::{nanoseconds, ratio, table, thousands};
use super::targets::{Show, cell};
use crate::alone::Alone;
use crate::alone::scaling::{Scaling, Size};
use crate::alone::ways::Ways;
use crate::data::{DataSet, flights::Flights};
use crate::figures::{Figures, Operation};
use crate::peers::Peer;

/// Time a row by number of rows.
pub fn scaling(scaling: &Scaling) -> String {
    let row = |size: &Size| {
        let times = [size.write, size.write_kernel, size.read].map(nanoseconds);
        [vec![thousands(size.rows)], times.to_vec(), vec![thousands(size.bytes)]].concat()
    };
    let rows: Vec<Vec<String>> = scaling.sizes.iter().map(row).collect();
    let header = ["flights", "write, ns a row", "of it in the kernel", "`Reader::rows`, ns a row", "bytes"];
    format!(
        "In a process of their own, codec none, no checksums; all numbers of rows have their turn in each \
         repetition. Rows are written from references into `std::io::sink`, and read one by one from memory. The kernel's \
         part are fresh pages, and the temporary file of what is beyond 256 MiB.\n\n{}",
        table(&header, &rows)
    )
}

/// Other ways to the rows, and files of one row.
pub fn ways(ways: &[Ways]) -> String {
    let row = |ways: &Ways| {
        let borrowed = ways.borrowed.map_or_else(|| "–".to_owned(), ratio);
        let ratios = [ratio(ways.batches), borrowed, ratio(ways.threads)];
        let times = [ways.write_one, ways.open, ways.read_one].map(nanoseconds);
        [vec![ways.data.clone()], ratios.to_vec(), times.to_vec()].concat()
    };
    let rows: Vec<Vec<String>> = ways.iter().map(row).collect();
    let header = [
        "data set",
        "`batches` ÷ `rows`",
        "borrowed ÷ owned rows",
        "two threads ÷ one, wall",
        "write one row, ns",
        "open, ns",
        "open and read the row, ns",
    ];
    format!(
        "Codec none, with checksums. `Reader::batches` gives vectors; borrowed rows are `Batch::rows` of a struct with `&str`; \
         the last three columns are whole files of one row.\n\n{}",
        table(&header, &rows)
    )
}

/// Ratios of one operation to another.
pub fn ratios(figures: &Figures, alone: Option<&Alone>, show: Show) -> String {
    let ours = Peer::Trevni.name();
    let mut rows: Vec<Vec<String>> = Vec::new();
    let mut push = |name: String, value: Option<f64>, limit: f64| {
        rows.extend(value.map(|value| vec![name, cell(value, limit, show)]));
    };
    let quotient = |above: Option<f64>, below: Option<f64>| Some(above? / below?);
    let one = figures.cpu(Flights::NAME, "none", ours, Operation::One);
    let all = figures.cpu(Flights::NAME, "none", ours, Operation::Read);
    push("1 field ÷ full read, flights".to_owned(), quotient(one, all), 0.02);
    if let Some(alone) = alone {
        let scaling = &alone.scaling;
        let ends = scaling.sizes.first().zip(scaling.sizes.last());
        let growth = |what: &str, of: &dyn Fn(&Size) -> f64| {
            let growth = ends.map(|(few, many)| of(many) / of(few));
            (format!("10⁷ rows ÷ 10⁴ rows, {what}, time a row"), growth)
        };
        for (name, growth) in [
            growth("write", &|size| size.write),
            growth("write without the kernel", &|size| size.write - size.write_kernel),
            growth("read", &|size| size.read),
        ] {
            push(name, growth, 1.1);
        }
        push("a column of `f64` ÷ copying it".to_owned(), Some(scaling.column / scaling.copy), 2.0);
        for data in &alone.checksums {
            push(format!("checksums ÷ none, write, {}", data.data), Some(data.write), 1.1);
            push(format!("checksums ÷ none, full read, {}", data.data), Some(data.read), 1.1);
        }
    }
    let value = if show == Show::Targets { "value (target)" } else { "value" };
    table(&["ratio", value], &rows)
}
