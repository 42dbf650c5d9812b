//! Rows whose shape grows late, when many blocks are sealed already, and ways to write them.

use serde::{Serialize, Serializer};
use serde_json::{Value, json};
use trevni::formats::{Trevni, Version};
use trevni::{Checksum, Codec, WriterBuilder};

/// A row of any form.
#[derive(Clone)]
pub(crate) enum Row {
    Json(Value),
    Int(i32),
    Long(i64),
    Float(f32),
    Double(f64),
    List(Vec<f32>),
    Doubles(Vec<f64>),
}

impl Serialize for Row {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Json(value) => value.serialize(serializer),
            Self::Int(value) => value.serialize(serializer),
            Self::Long(value) => value.serialize(serializer),
            Self::Float(value) => value.serialize(serializer),
            Self::Double(value) => value.serialize(serializer),
            Self::List(values) => values.serialize(serializer),
            Self::Doubles(values) => values.serialize(serializer),
        }
    }
}

/// A number that takes many bytes.
fn hash(at: usize) -> i64 {
    -(1 << 62) - at as i64 * 12_345_678_901
}

/// Rows of one kind before those of another.
fn late(count: usize, early: impl Fn(usize) -> Row, late: impl Fn(usize) -> Row) -> Vec<Row> {
    (0..count).map(early).chain((count..count + 40).map(late)).collect()
}

/// Some hundred rows for each way to grow.
pub(crate) fn growing() -> Vec<(&'static str, Vec<Row>)> {
    let text = |at: usize| format!("text {}", at * at % 1000);
    let float = |at: usize| at as f32 / 8.0;
    let json = |value: Value| Row::Json(value);
    vec![
        ("nothing", (0..400).map(|at| json(json!({ "x": at, "t": text(at) }))).collect()),
        ("float to double", late(400, |at| Row::Float(float(at)), |at| Row::Double(at as f64 / 3.0))),
        (
            "floats to doubles",
            late(300, |at| Row::List(vec![float(at); at % 4]), |at| Row::Doubles(vec![at as f64 / 3.0; 2])),
        ),
        (
            "int to union with float",
            late(400, |at| json(json!({ "x": at })), |at| json(json!({ "x": at as f64 / 3.0 }))),
        ),
        (
            "null to optional",
            late(
                300,
                |at| json(json!({ "id": at, "x": null })),
                |at| json(json!({ "id": at, "x": text(at) })),
            ),
        ),
        (
            "value to optional",
            late(
                300,
                |at| json(json!({ "id": at, "x": text(at) })),
                |at| json(json!({ "id": at, "x": null })),
            ),
        ),
        (
            "field to absent",
            late(300, |at| json(json!({ "id": at, "x": text(at) })), |at| json(json!({ "id": at, "y": at }))),
        ),
        (
            "optional union to absent",
            late(
                300,
                |at| {
                    json(match at % 3 {
                        0 => json!({ "id": at, "x": null }),
                        1 => json!({ "id": at, "x": at }),
                        _ => json!({ "id": at, "x": text(at) }),
                    })
                },
                |at| json(json!({ "id": at })),
            ),
        ),
        (
            "list of ints to list of records",
            late(
                300,
                |at| json(json!({ "list": vec![at; at % 5] })),
                |at| json(json!({ "list": [at, { "a": text(at) }, null] })),
            ),
        ),
        (
            "ints to longs",
            late(400, |at| Row::Int(i32::MAX - at as i32), |at| Row::Long(i64::MIN + at as i64)),
        ),
        ("short ints to longs", late(400, |at| Row::Int(at as i32), |at| Row::Long(i64::MIN + at as i64))),
        (
            "hashes to optional",
            late(
                300,
                |at| json(json!({ "x": hash(at), "y": null, "z": [] })),
                |at| json(json!({ "x": null, "y": hash(at), "z": [hash(at), 1] })),
            ),
        ),
        (
            "lists of hashes to lists of records",
            late(
                300,
                |at| json(json!({ "list": vec![hash(at); at % 5] })),
                |at| json(json!({ "list": [hash(at), { "a": hash(at) }, null] })),
            ),
        ),
        (
            "optional union of hashes to absent",
            late(
                300,
                |at| {
                    json(match at % 3 {
                        0 => json!({ "id": hash(at), "x": null }),
                        1 => json!({ "id": hash(at), "x": hash(at) }),
                        _ => json!({ "id": hash(at), "x": text(at) }),
                    })
                },
                |at| json(json!({ "id": hash(at) })),
            ),
        ),
        (
            "everything, one after the other",
            (0..400)
                .map(|at| {
                    json(match at / 80 {
                        0 => json!({ "id": at, "x": at }),
                        1 => json!({ "id": at, "x": [at, at + 1] }),
                        2 => json!({ "id": at, "x": { "y": text(at), "z": [] } }),
                        3 => json!({ "id": text(at), "x": { "y": null, "z": [{ "w": at }] } }),
                        _ => json!({ "more": at % 2 == 0 }),
                    })
                })
                .collect(),
        ),
    ]
}

/// Ways to write, with small blocks: those that are there in this build, but for bzip2, which needs much
/// time for each block.
pub(crate) fn options() -> Vec<WriterBuilder> {
    let small = || WriterBuilder::new().batch_rows(16).block_size(100);
    let mut all: Vec<WriterBuilder> = Codec::ALL
        .into_iter()
        .chain([Codec::Auto])
        .filter(|codec| codec.is_available() && *codec != Codec::Bzip2)
        .map(|codec| small().codec(codec))
        .collect();
    all.push(small().checksum(Checksum::Null).codec(Codec::Null));
    all.push(small().fixed_integers());
    all.push(small().fixed_integers().format(Trevni::new().version(Version::V1)));
    all.push(small().fixed_integers().batch_rows(1).block_size(1));
    all.push(WriterBuilder::new().fixed_integers());
    all.push(small().format(Trevni::new().version(Version::V1)));
    all.push(small().batch_rows(1).block_size(1));
    all.push(WriterBuilder::new());
    // Shapes grow while a block is open that holds numbers.
    let typed = || WriterBuilder::new().batch_rows(16).codec(Codec::Typed);
    if Codec::Typed.is_available() {
        let v1 = || Trevni::new().version(Version::V1);
        all.extend([typed(), typed().format(v1()), typed().fixed_integers().format(v1()).block_size(300)]);
    }
    all
}

/// The file of these rows.
pub(crate) fn write(builder: WriterBuilder, rows: &[Row]) -> Vec<u8> {
    let mut writer = builder.build(Vec::new()).unwrap();
    writer.write_all(rows).unwrap();
    writer.finish().unwrap()
}
