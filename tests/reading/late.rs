//! Columns that are first asked for in the middle of a file are positioned there.

use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use std::cell::Cell;
use trevni::formats::{Trevni, Version};
use trevni::{Checksum, Codec, Reader, WriterBuilder};

#[derive(Serialize)]
struct Row {
    id: usize,
    groups: Vec<Vec<Entry>>,
    o: Option<Entry>,
}

#[derive(Serialize)]
struct Entry {
    n: i32,
    b: bool,
    c: Choice,
    l: Vec<Option<String>>,
}

#[derive(Serialize)]
enum Choice {
    No,
    Text(String),
    Numbers { list: Vec<i64>, flag: Option<bool> },
}

const ROWS: usize = 5500;

fn rows() -> Vec<Row> {
    // Sizes without a period that blocks might share.
    let mix = |i: usize| (i.wrapping_mul(2_654_435_761) >> 7) % 1009;
    let entry = |i: usize| Entry {
        n: i as i32,
        b: mix(i) % 3 == 0,
        c: match mix(i) % 4 {
            0 => Choice::No,
            1 => Choice::Text("t".repeat(mix(i) % 5)),
            _ => Choice::Numbers {
                list: vec![i as i64; mix(i) % 3],
                flag: (mix(i) % 5 < 3).then_some(i.is_multiple_of(2)),
            },
        },
        l: (0..mix(i) % 3).map(|j| (j != 1).then(|| format!("{i}"))).collect(),
    };
    let row = |id: usize| Row {
        id,
        groups: (0..mix(id) % 3)
            .map(|g| (0..mix(id + g) % 3).map(|e| entry(id * 7 + g * 3 + e)).collect())
            .collect(),
        o: (mix(id) % 2 == 0).then(|| entry(id)),
    };
    (0..ROWS).map(row).collect()
}

fn file(block_size: usize, version: Version) -> Vec<u8> {
    let builder = WriterBuilder::new()
        .codec(Codec::Null)
        .checksum(Checksum::Null)
        .format(Trevni::new().version(version));
    let mut writer = builder.block_size(block_size).batch_rows(500).build(Vec::new()).unwrap();
    writer.write_all(rows()).unwrap();
    writer.finish().unwrap()
}

thread_local! {
    /// The row being read, and the one from which on the late fields are asked for.
    static AT: Cell<(usize, usize)> = const { Cell::new((0, 0)) };
}

/// Keeps the number of the row.
fn counted<'de, D: Deserializer<'de>>(deserializer: D) -> Result<usize, D::Error> {
    let id = usize::deserialize(deserializer)?;
    AT.set((id, AT.get().1));
    Ok(id)
}

/// Asks for a value from some row on.
fn late<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    let (row, first) = AT.get();
    if row < first {
        return IgnoredAny::deserialize(deserializer).map(|_| None);
    }
    Value::deserialize(deserializer).map(Some)
}

#[derive(Deserialize)]
struct Late {
    #[serde(deserialize_with = "counted")]
    id: usize,
    groups: Vec<Vec<LateEntry>>,
    o: Option<LateEntry>,
}

#[derive(Deserialize)]
struct LateEntry {
    n: i32,
    #[serde(deserialize_with = "late")]
    b: Option<Value>,
    #[serde(deserialize_with = "late")]
    c: Option<Value>,
    #[serde(deserialize_with = "late")]
    l: Option<Value>,
}

fn check(late: &LateEntry, full: &Value, asked: bool) {
    assert_eq!(late.n, full["n"]);
    for (field, name) in [(&late.b, "b"), (&late.c, "c"), (&late.l, "l")] {
        assert_eq!(field.as_ref(), asked.then_some(&full[name]), "{name}");
    }
}

#[test]
fn fields_in_lists_and_optionals_may_be_asked_for_late() {
    let expected: Vec<Value> = rows().iter().map(|row| serde_json::to_value(row).unwrap()).collect();
    for (block_size, version) in [(40, Version::V2), (700, Version::V2), (64, Version::V1)] {
        let bytes = file(block_size, version);
        let reader = Reader::from_slice(&bytes).unwrap();
        let full: Vec<Value> = reader.rows().unwrap().map(Result::unwrap).collect();
        assert_eq!(full, expected);
        for first in [1, 4095, 4096, 5000, ROWS - 1] {
            AT.set((0, first));
            for (row, full) in reader.rows::<Late>().unwrap().zip(&expected) {
                let row = row.unwrap();
                let asked = row.id >= first;
                let lists = full["groups"].as_array().unwrap();
                assert_eq!(row.groups.len(), lists.len());
                for (group, list) in row.groups.iter().zip(lists) {
                    assert_eq!(group.len(), list.as_array().unwrap().len());
                    group.iter().zip(list.as_array().unwrap()).for_each(|(one, two)| check(one, two, asked));
                }
                if let Some(entry) = &row.o {
                    check(entry, &full["o"], asked);
                }
            }
        }
    }
}

#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
enum Event {
    Start(u32),
    Stop { reason: Vec<String>, code: Option<i16> },
}

#[test]
fn a_variant_may_come_late() {
    let event = |i: u32| match i {
        5000.. if i.is_multiple_of(3) => Event::Stop {
            reason: vec![format!("r{i}"); i as usize % 3],
            code: i.is_multiple_of(2).then_some(1),
        },
        _ => Event::Start(i),
    };
    let rows: Vec<Vec<Vec<Event>>> =
        (0..6000).map(|i| vec![vec![event(i); i as usize % 3], vec![event(i)]]).collect();
    for block_size in [30, 5000] {
        let mut writer =
            WriterBuilder::new().block_size(block_size).batch_rows(700).build(Vec::new()).unwrap();
        writer.write_all(&rows).unwrap();
        let bytes = writer.finish().unwrap();
        let read: Vec<Vec<Vec<Event>>> = trevni::from_slice(&bytes).unwrap();
        assert!(read == rows);
    }
}

#[derive(Serialize)]
struct Tree {
    id: usize,
    root: Node,
}

#[derive(Serialize, Clone)]
struct Node {
    n: usize,
    children: Vec<Node>,
}

#[derive(Deserialize)]
struct LateTree {
    #[serde(deserialize_with = "counted")]
    id: usize,
    #[serde(deserialize_with = "late")]
    root: Option<Value>,
}

/// The position of each level follows from all levels above it, each with blocks of its own.
#[test]
fn deep_columns_are_found_quickly() {
    let leaf = |n: usize| Node { n, children: Vec::new() };
    let tree = |id: usize| {
        // No two levels have the borders of their blocks at the same rows.
        let grow = |node: Node, n: usize| {
            let leaves = (id % (n + 2) + n) % 5;
            Node { n, children: std::iter::once(node).chain((0..leaves).map(leaf)).collect() }
        };
        Tree { id, root: (0..20).fold(leaf(id), grow) }
    };
    let mut writer = WriterBuilder::new().block_size(500).build(Vec::new()).unwrap();
    for id in 0..4100 {
        writer.write(&tree(id)).unwrap();
    }
    let bytes = writer.finish().unwrap();
    AT.set((0, 4096));
    let start = std::time::Instant::now();
    let rows: Vec<LateTree> =
        Reader::from_slice(&bytes).unwrap().rows().unwrap().collect::<Result<_, _>>().unwrap();
    for row in rows {
        let root = (row.id >= 4096).then(|| serde_json::to_value(tree(row.id).root).unwrap());
        assert_eq!(row.root, root);
    }
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}
