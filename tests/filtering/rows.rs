//! Rows of many kinds of fields.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use trevni::WriterBuilder;

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Kind {
    Mail,
    News,
    Alarm,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Hop {
    pub(crate) host: String,
    pub(crate) date: i64,
    pub(crate) score: Option<f64>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Row {
    pub(crate) id: u64,
    pub(crate) size: i32,
    pub(crate) delay: Option<f32>,
    pub(crate) carrier: String,
    pub(crate) kind: Kind,
    pub(crate) good: bool,
    pub(crate) tags: Vec<String>,
    pub(crate) hops: Vec<Hop>,
    pub(crate) first: Option<Hop>,
    pub(crate) big: u64,
    pub(crate) counts: BTreeMap<String, i32>,
}

/// Rows that hold each value for a while, so that whole blocks have few.
pub(crate) fn rows(count: u64) -> Vec<Row> {
    let mix = |i: u64| (i.wrapping_mul(2_654_435_761) >> 7) % 1009;
    let carriers = ["AA", "B6", "DL", "EV", "MQ", "UA", "WN"];
    let hop = |i: u64| Hop {
        host: format!("host{}.example", mix(i) % 9),
        date: (i * 10 + mix(i) % 7) as i64,
        score: (mix(i) % 4 > 0).then(|| if mix(i) % 11 == 0 { f64::NAN } else { (mix(i) % 50) as f64 / 4.0 }),
    };
    let row = |id: u64| Row {
        id: 1000 + id,
        size: mix(id) as i32 - 500,
        delay: (mix(id) % 3 > 0).then(|| (mix(id) % 100) as f32 / 10.0),
        carrier: carriers[(id / 90 + mix(id) % 2) as usize % 7].to_owned(),
        kind: [Kind::Mail, Kind::Mail, Kind::News, Kind::Alarm][(id / 70) as usize % 4],
        good: (id / 50).is_multiple_of(3),
        tags: (0..mix(id) % 4).map(|n| format!("tag{}", (id / 100 + n) % 12)).collect(),
        hops: (0..mix(id) % 3).map(|n| hop(id + n)).collect(),
        first: (!(id / 30).is_multiple_of(4)).then(|| hop(id)),
        big: if id % 400 < 200 { id } else { u64::MAX - id },
        counts: (0..mix(id) % 3).map(|n| (format!("key{n}"), (id % 300) as i32)).collect(),
    };
    (0..count).map(row).collect()
}

pub(crate) fn written(rows: &[Row], builder: WriterBuilder) -> Vec<u8> {
    let mut writer = builder.build(Vec::new()).unwrap();
    writer.write_all(rows).unwrap();
    writer.finish().unwrap()
}
