//! Figures that compare the crate with itself, and with memory.

use super::numbers::{nanoseconds, table, thousands};
use super::targets::cell;
use crate::data::{DataSet, NAMES, flights::Flights};
use crate::figures::{Figures, Operation};
use crate::peers::Peer;
use crate::scaling::Scaling;

/// Time a row by number of rows.
pub fn scaling(scaling: &Scaling) -> String {
    let row = |size: &crate::scaling::Size| {
        vec![thousands(size.rows), nanoseconds(size.write), nanoseconds(size.read), thousands(size.bytes)]
    };
    let rows: Vec<Vec<String>> = scaling.sizes.iter().map(row).collect();
    let header = ["flights", "write, ns a row", "`Reader::rows`, ns a row", "bytes"];
    format!("Codec none, no checksums. Rows are written from references and read one by one.\n\n{}", {
        table(&header, &rows)
    })
}

/// Ratios of one operation to another.
pub fn ratios(figures: &Figures, scaling: Option<&Scaling>) -> String {
    let ours = Peer::Trevni.name();
    let cpu = |data, peer: Peer, operation| figures.cpu(data, "none", peer.name(), operation);
    let mut rows: Vec<Vec<String>> = Vec::new();
    let mut push = |name: String, value: Option<f64>, limit: f64| {
        rows.extend(value.map(|value| vec![name, cell(value, limit)]));
    };
    let quotient = |above: Option<f64>, below: Option<f64>| Some(above? / below?);
    let one = figures.cpu(Flights::NAME, "none", ours, Operation::One);
    let all = figures.cpu(Flights::NAME, "none", ours, Operation::Read);
    push("1 field ÷ full read, flights".to_owned(), quotient(one, all), 0.02);
    if let Some(scaling) = scaling {
        push("a column of `f64` ÷ copying it".to_owned(), Some(scaling.column / scaling.copy), 2.0);
    }
    for data in NAMES {
        for operation in [Operation::Write, Operation::Read] {
            let name = format!("checksums ÷ none, {}, {data}", operation.name());
            let on = cpu(data, Peer::TrevniChecksum, operation);
            push(name, quotient(on, cpu(data, Peer::Trevni, operation)), 1.1);
        }
    }
    table(&["ratio", "value (target)"], &rows)
}
