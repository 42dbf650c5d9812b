//! Small files of all dialects, with many blocks, and reading what is left of them.

use crate::samples;
use serde_json::{Value, json};
use std::ops::Range;
use trevni::formats::{Layout, Levels, Trevni, Version};
use trevni::reader::Lost;
use trevni::{Checksum, Codec, Dialect, Reader, Result, Writer, WriterBuilder};

/// A file and its rows.
pub(crate) struct Sample {
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
    pub(crate) rows: Vec<Value>,
    /// Whether all blocks have checksums.
    pub(crate) checked: bool,
}

fn row(number: i64) -> Value {
    json!({
        "id": number * 1000,
        "name": if number % 3 == 0 { Value::Null } else { json!(format!("name {number}")) },
        "tags": (0..number % 4).collect::<Vec<_>>(),
        "deep": (0..number % 3)
            .map(|n| json!({"x": vec![n; n as usize], "y": {"z": n % 2 == 0}}))
            .collect::<Vec<_>>(),
        "last": number as f64 / 2.0,
    })
}

fn sample(name: &str, options: WriterBuilder, checked: bool) -> Sample {
    let mut writer = options.build(Vec::new()).unwrap();
    writer.write_all((0..12).map(row)).unwrap();
    let bytes = writer.finish().unwrap();
    let rows = Reader::from_slice(&bytes).unwrap().rows().unwrap().collect::<Result<_>>().unwrap();
    Sample { name: name.to_owned(), bytes, rows, checked }
}

/// Each dialect, version and layout; codecs; with and without checksums; flat and nested.
pub(crate) fn files() -> Vec<Sample> {
    let own = samples::samples().into_iter().map(|sample| {
        let samples::Sample { name, bytes, rows, checked } = sample;
        Sample { name: name.to_owned(), bytes, rows, checked }
    });
    let trevni = |codec| Writer::builder().codec(codec).block_size(24).batch_rows(3);
    let levels =
        |layout, codec| Writer::builder().format(Levels::new().layout(layout)).codec(codec).block_size(24);
    let redelm = |codec| Writer::builder().dialect(Dialect::RedElm).codec(codec).memory_limit(80);
    let null = Checksum::Null;
    own.chain([
        sample("trevni, no codec", trevni(Codec::Null), true),
        sample("trevni, no codec, unchecked", trevni(Codec::Null).checksum(null), false),
        sample("trevni, deflate", trevni(Codec::Deflate), true),
        sample("trevni, version 1", trevni(Codec::Snappy).format(Trevni::new().version(Version::V1)), true),
        sample(
            "trevni, version 1, unchecked",
            trevni(Codec::Deflate).format(Trevni::new().version(Version::V1)).checksum(null),
            false,
        ),
        sample("levels first", levels(Layout::LevelsFirst, Codec::Null).checksum(Checksum::Crc32), true),
        sample("levels first, unchecked", levels(Layout::LevelsFirst, Codec::Snappy).checksum(null), false),
        sample("values first", levels(Layout::ValuesFirst, Codec::Gzip).checksum(Checksum::Crc32), true),
        sample("redelm", redelm(Codec::Null), true),
        sample("redelm, unchecked", redelm(Codec::Null).checksum(null), false),
        sample("redelm, deflate", redelm(Codec::Deflate), true),
        sample("redelm, deflate, unchecked", redelm(Codec::Deflate).checksum(null), false),
    ])
    .collect()
}

/// What is left of a file: the numbers of the rows, and the rows.
pub(crate) struct Left {
    pub(crate) rows: Vec<(u64, Value)>,
    pub(crate) lost: std::sync::Arc<Lost>,
}

/// Reads what is left of a file, in several ways that must agree.
pub(crate) fn left(reader: &Reader<'_>) -> Result<Left> {
    let lost = reader.lost()?;
    let rows: Vec<Value> = reader.rows::<Value>()?.collect::<Result<_>>()?;
    let numbers = (0..reader.row_count()).filter(|row| !is_in(lost.rows().ranges(), *row));
    let rows: Vec<(u64, Value)> = numbers.zip(rows).collect();
    assert_eq!(rows.len() as u64 + lost.rows().row_count(), reader.row_count());
    let batches: u64 =
        reader.batches()?.map(|batch| batch.map(|batch| batch.len() as u64)).sum::<Result<_>>()?;
    assert_eq!(batches, rows.len() as u64);
    assert_eq!(reader.matching()?.row_count(), batches);
    for number in 0..reader.row_count() {
        match (reader.row::<Value>(number), rows.iter().find(|(own, _)| *own == number)) {
            (Ok(row), Some((_, own))) => assert_eq!(row, *own),
            (Err(_), None) => {}
            (row, own) => panic!("row {number}: {row:?}, {own:?}"),
        }
    }
    let damaged: Vec<Range<u64>> = lost.damage().map(|damage| damage.rows()).collect();
    assert!((0..reader.row_count()).all(|row| is_in(lost.rows().ranges(), row) == is_in(&damaged, row)));
    Ok(Left { rows, lost })
}

pub(crate) fn is_in(ranges: &[Range<u64>], row: u64) -> bool {
    ranges.iter().any(|range| range.contains(&row))
}

/// Compares what is left with what was there.
#[track_caller]
pub(crate) fn compare(left: &Left, rows: &[Value], what: &str) {
    for (number, row) in &left.rows {
        assert_eq!(*row, rows[*number as usize], "{what}, row {number}");
    }
}
