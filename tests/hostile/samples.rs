//! Small files of many kinds, and reading them in every way.

use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;
use trevni::formats::{Trevni, Version};
use trevni::{Checksum, Codec, Limits, Reader, ReaderBuilder, Result, WriterBuilder};

/// A file, what is in it, and how it was made.
pub(crate) struct Sample {
    pub(crate) name: &'static str,
    pub(crate) bytes: Vec<u8>,
    pub(crate) rows: Vec<Value>,
    /// Whether all blocks have checksums.
    pub(crate) checked: bool,
}

#[derive(Serialize)]
struct Flat {
    i: i32,
    l: i64,
    f: f32,
    d: f64,
    s: String,
    b: bool,
}

fn flat(count: i32) -> Vec<Flat> {
    let row = |i: i32| Flat {
        i: i * 1000 - 7,
        l: i64::from(i) << (i * 3),
        f: i as f32 / 4.0,
        d: f64::from(i) * 1e100,
        s: "é".repeat(i as usize % 4),
        b: i % 3 == 0,
    };
    (0..count).map(row).collect()
}

#[derive(Serialize)]
struct Nested {
    ll: Vec<Vec<i32>>,
    r: Vec<Item>,
}

#[derive(Serialize)]
struct Item {
    s: Option<&'static str>,
    b: Vec<bool>,
}

fn nested(count: usize) -> Vec<Nested> {
    let item =
        |i: usize| Item { s: i.is_multiple_of(2).then_some("text"), b: vec![i.is_multiple_of(3); i % 4] };
    let row = |i: usize| Nested {
        ll: (0..i % 4).map(|j| (0..j as i32).collect()).collect(),
        r: (0..(i + 1) % 4).map(item).collect(),
    };
    (0..count).map(row).collect()
}

#[derive(Serialize)]
enum Choice {
    No,
    Number(i64),
    Named { b: bool, s: String },
}

fn choice(i: usize) -> Choice {
    match i % 3 {
        0 => Choice::No,
        1 => Choice::Number((i as i64) << 40),
        _ => Choice::Named { b: true, s: "two".to_owned() },
    }
}

#[derive(Serialize)]
struct Maybe {
    o: Option<i32>,
    c: Option<Choice>,
}

fn maybe(count: usize) -> Vec<Maybe> {
    let row = |i: usize| Maybe {
        o: i.is_multiple_of(2).then_some(-1),
        c: (!i.is_multiple_of(4)).then(|| choice(i)),
    };
    (0..count).map(row).collect()
}

#[derive(Serialize)]
struct Mapped {
    m: BTreeMap<String, Vec<i32>>,
    k: BTreeMap<i32, bool>,
}

fn mapped(count: i32) -> Vec<Mapped> {
    let row = |i: i32| Mapped {
        m: (0..i % 3).map(|k| (format!("key {k}"), vec![i; k as usize])).collect(),
        k: (0..i % 4).map(|k| (k, k == i)).collect(),
    };
    (0..count).map(row).collect()
}

#[derive(Serialize)]
struct Empty {
    u: (),
    n: Vec<()>,
    t: (i8, [bool; 2]),
}

fn empty(count: usize) -> Vec<Empty> {
    (0..count).map(|i| Empty { u: (), n: vec![(); i], t: (i as i8, [true, i % 2 == 0]) }).collect()
}

#[derive(Serialize)]
struct Hashed {
    a: i32,
    u: u64,
    o: Option<i64>,
    l: Vec<i32>,
}

/// Numbers that take most bytes.
fn hashed(count: usize) -> Vec<Hashed> {
    let row = |i: usize| Hashed {
        a: i32::MAX - 9 + i as i32,
        u: u64::MAX - i as u64,
        o: (!i.is_multiple_of(3)).then_some(i64::MIN + i as i64),
        l: vec![i32::MIN + i as i32; i % 3],
    };
    (0..count).map(row).collect()
}

fn sample<T: Serialize>(name: &'static str, builder: WriterBuilder, checked: bool, rows: &[T]) -> Sample {
    let checksum = if checked { Checksum::Crc32 } else { Checksum::Null };
    let mut writer = builder.checksum(checksum).build(Vec::new()).unwrap();
    writer.write_all(rows).unwrap();
    let bytes = writer.finish().unwrap();
    let rows = Reader::from_slice(&bytes).unwrap().rows().unwrap().collect::<Result<_>>().unwrap();
    Sample { name, bytes, rows, checked }
}

fn builder(codec: Codec, block_size: usize) -> WriterBuilder {
    WriterBuilder::new().codec(codec).block_size(block_size).batch_rows(3)
}

/// Files of every kind of value, with and without checksums, under all codecs that this build has.
pub(crate) fn samples() -> Vec<Sample> {
    let mut all = vec![
        sample("flat", builder(Codec::Null, 24), false, &flat(12)),
        sample("flat, checked", builder(Codec::Null, 24).first_values(["i", "s"]), true, &flat(12)),
        sample("nested", builder(Codec::Null, 8), false, &nested(9)),
        sample(
            "nested, version 1",
            builder(Codec::Null, 8).format(Trevni::new().version(Version::V1)),
            true,
            &nested(9),
        ),
        sample("choices", builder(Codec::Null, 8), false, &(0..9).map(choice).collect::<Vec<_>>()),
        sample("maybe, checked", builder(Codec::Snappy, 8), true, &maybe(9)),
        sample("maps", builder(Codec::Null, 10), false, &mapped(9)),
        sample("no bytes", builder(Codec::Null, 1), true, &empty(6)),
        sample("deflate", builder(Codec::Deflate, 16), true, &nested(8)),
        sample("fixed", builder(Codec::Null, 24).fixed_integers(), false, &hashed(9)),
        sample(
            "fixed, checked",
            builder(Codec::Snappy, 24).fixed_integers().first_values(["a"]),
            true,
            &hashed(9),
        ),
    ];
    let sampled = [Codec::Null, Codec::Deflate, Codec::Snappy];
    for codec in Codec::ALL.into_iter().filter(|codec| codec.is_available() && !sampled.contains(codec)) {
        let items: Vec<Vec<i32>> = nested(6).into_iter().flat_map(|row| row.ll).collect();
        all.push(sample(codec.name(), builder(codec, 4), codec == Codec::Bzip2, &items));
    }
    all
}

/// Limits for files of a few kilobytes.
pub(crate) fn limits() -> Limits {
    let mut limits = Limits::DEFAULT;
    (limits.block_bytes, limits.rows_without_bytes) = (1 << 20, 1 << 14);
    limits
}

/// Opens and reads in every way that the crate knows; gives the rows.
pub(crate) fn read(bytes: &[u8]) -> Result<Vec<Value>> {
    let reader = ReaderBuilder::new().limits(limits()).source(bytes)?;
    let rows = reader.rows::<Value>()?.collect::<Result<Vec<_>>>();
    let batches: Result<usize> = reader.batches()?.map(|batch| batch.map(|batch| batch.len())).sum();
    for column in 0..reader.columns().len() {
        let _ = reader.blocks(column);
        let _ = reader.raw_column(column);
    }
    let _ = format!("{} {:?}", reader.shape(), reader.columns());
    if let (Ok(rows), Ok(batches)) = (&rows, batches) {
        assert_eq!(rows.len(), batches);
    }
    rows
}
