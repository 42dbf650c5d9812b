//! Rows of all kinds of values.

use serde::{Serialize, Serializer};
use std::collections::BTreeMap;
use trevni_avro::{Compression, Writer, schema_of};

#[derive(Serialize)]
enum Kind {
    Short,
    Long,
}

#[derive(Serialize)]
enum Any {
    Nothing,
    Number(i64),
    Pair(bool, f32),
    Named { name: String },
}

#[derive(Serialize)]
pub(crate) struct Row {
    number: u32,
    long: i64,
    unsigned: u64,
    wide: i128,
    widest: u128,
    float: f32,
    double: f64,
    text: String,
    #[serde(serialize_with = "bytes")]
    raw: Vec<u8>,
    kind: Kind,
    any: Any,
    option: Option<Option<i32>>,
    list: Vec<Option<String>>,
    map: BTreeMap<String, u8>,
    pairs: BTreeMap<i32, bool>,
    tuple: (i32, String),
    unit: (),
}

fn bytes<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_bytes(bytes)
}

pub(crate) fn rows(count: u64) -> Vec<Row> {
    (0..count).map(row).collect()
}

fn row(n: u64) -> Row {
    let text = |n: u64| format!("é{n}");
    Row {
        number: n as u32,
        long: i64::MIN + n as i64,
        unsigned: u64::MAX - n,
        wide: i128::MIN + i128::from(n),
        widest: u128::MAX - u128::from(n),
        float: if n.is_multiple_of(5) { f32::NAN } else { n as f32 / 3.0 },
        double: if n.is_multiple_of(7) { -0.0 } else { n as f64 / 7.0 },
        text: text(n),
        raw: vec![n as u8; n as usize % 5],
        kind: if n.is_multiple_of(2) { Kind::Short } else { Kind::Long },
        any: match n % 4 {
            0 => Any::Nothing,
            1 => Any::Number(n as i64),
            2 => Any::Pair(n.is_multiple_of(3), 0.5),
            _ => Any::Named { name: text(n) },
        },
        option: [None, Some(None), Some(Some(n as i32))][n as usize % 3],
        list: (0..n % 4).map(|item| (item != 1).then(|| text(item))).collect(),
        map: (0..n % 3).map(|key| (text(key), key as u8)).collect(),
        pairs: (0..n as i32 % 3).map(|key| (-key, key == 1)).collect(),
        tuple: (n as i32, text(n)),
        unit: (),
    }
}

/// The rows in columns.
pub(crate) fn columns(rows: &[Row]) -> Vec<u8> {
    // As given with a schema, so that rows from Avro make the same file.
    let shown = trevni::to_vec(rows).unwrap();
    let reader = trevni::Reader::from_slice(&shown).unwrap();
    let schema = schema_of(&reader, reader.shape());
    let mut writer = trevni::Writer::builder().schema(schema).build(Vec::new()).unwrap();
    writer.write_all(rows).unwrap();
    writer.finish().unwrap()
}

/// Columns as an Avro file.
pub(crate) fn avro(columns: &[u8], codec: Compression) -> Vec<u8> {
    let reader = trevni::Reader::from_slice(columns).unwrap();
    let schema = schema_of(&reader, reader.shape());
    let mut writer = Writer::new(&schema, codec, &[], Vec::new()).unwrap();
    for batch in reader.batches().unwrap() {
        writer.write_batch(&batch.unwrap()).unwrap();
    }
    writer.finish().unwrap()
}
