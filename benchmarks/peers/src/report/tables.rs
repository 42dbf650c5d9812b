//! All figures of a data set, contestant by contestant.

use super::numbers::{nanoseconds, ratio, table, thousands};
use crate::figures::{Figures, Operation, Times};
use crate::peers::Peer;

/// The data sets, each with its number of rows.
pub fn data_sets(figures: &Figures) -> Vec<(String, usize)> {
    let mut found: Vec<(String, usize)> = Vec::new();
    for size in &figures.sizes {
        if !found.iter().any(|(data, _)| *data == size.data) {
            found.push((size.data.clone(), size.rows));
        }
    }
    found
}

/// A table for each codec.
pub fn data_set(figures: &Figures, data: &str) -> String {
    let mut codecs: Vec<&str> = Vec::new();
    for size in figures.sizes.iter().filter(|size| size.data == data) {
        if !codecs.contains(&size.codec.as_str()) {
            codecs.push(&size.codec);
        }
    }
    let tables = codecs.into_iter().map(|codec| {
        format!("Codec {codec}, nanoseconds of CPU a row (ours ÷ other):\n\n{}", one(figures, data, codec))
    });
    tables.collect::<Vec<_>>().join("\n")
}

fn one(figures: &Figures, data: &str, codec: &str) -> String {
    let ours = Peer::Trevni.name();
    let here = |times: &&Times| times.data == data && times.codec == codec;
    let measured =
        |operation: &Operation| figures.times.iter().filter(here).any(|times| times.operation == *operation);
    let operations: Vec<Operation> = Operation::ALL.into_iter().filter(measured).collect();
    let mut header = vec!["contestant"];
    header.extend(operations.iter().map(|operation| operation.name()));
    header.push("bytes");
    let sizes = figures.sizes.iter().filter(|size| size.data == data && size.codec == codec);
    let row = |peer: &str, bytes: usize| {
        let mut cells = vec![peer.to_owned()];
        cells.extend(operations.iter().map(|&operation| {
            let quotient = figures.ratio(data, codec, [ours, peer], operation);
            match (figures.cpu(data, codec, peer, operation), quotient) {
                (None, _) => "–".to_owned(),
                (Some(time), Some(quotient)) if peer != ours => {
                    format!("{} ({})", nanoseconds(time), ratio(quotient))
                }
                (Some(time), _) => nanoseconds(time),
            }
        }));
        cells.push(match figures.bytes(data, codec, ours) {
            Some(own) if peer != ours => {
                format!("{} ({})", thousands(bytes), ratio(own as f64 / bytes as f64))
            }
            _ => thousands(bytes),
        });
        cells
    };
    let rows: Vec<Vec<String>> = sizes.map(|size| row(&size.peer, size.bytes)).collect();
    table(&header, &rows)
}

/// What contestants could not do, each reason once.
pub fn refusals(figures: &Figures) -> String {
    let mut lines: Vec<String> = Vec::new();
    for refusal in figures.refusals.iter().filter(|refusal| refusal.unexpected) {
        let line = format!(
            "* {}, {}, {}: {}\n",
            refusal.data,
            refusal.peer,
            refusal.operation.name(),
            refusal.reason
        );
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    lines.concat()
}
