//! Nested rows: lists of lists of records with unions, maps, options.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use trevni::WriterBuilder;

#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Row {
    pub(crate) id: u64,
    pub(crate) name: Option<String>,
    pub(crate) groups: Vec<Vec<Entry>>,
    pub(crate) counts: BTreeMap<String, i32>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Entry {
    pub(crate) flag: bool,
    pub(crate) choice: Choice,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Choice {
    No,
    Text(String),
    Numbers { list: Vec<i64> },
}

pub(crate) fn rows(count: usize) -> Vec<Row> {
    // Sizes without a period that blocks might share.
    let mix = |i: usize| (i.wrapping_mul(2_654_435_761) >> 7) % 1009;
    let entry = |i: usize| Entry {
        flag: mix(i) % 2 == 0,
        choice: match mix(i) % 3 {
            0 => Choice::No,
            1 => Choice::Text("x".repeat(mix(i) % 40)),
            _ => Choice::Numbers { list: (0..mix(i) % 5).map(|n| n as i64 * 1000).collect() },
        },
    };
    let group = |i: usize| (0..mix(i) % 4).map(|n| entry(i + n)).collect();
    (0..count)
        .map(|i| Row {
            id: i as u64,
            name: (mix(i) % 5 > 0).then(|| format!("row {i}")),
            groups: (0..mix(i) % 3).map(|n| group(i * 3 + n)).collect(),
            counts: (0..mix(i) % 3).map(|n| (format!("key {n}"), i as i32)).collect(),
        })
        .collect()
}

pub(crate) fn written(rows: &[Row], builder: WriterBuilder) -> Vec<u8> {
    let mut writer = builder.build(Vec::new()).unwrap();
    writer.write_all(rows).unwrap();
    writer.finish().unwrap()
}
