//! What each format can carry: each cell of the table in `docs/format.md` is tried.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::atomic::{AtomicU64, Ordering};
use trevni::{Checksum, Codec, Dialect, Reader, Result, Shape, Source, Writer, WriterBuilder, col};

const DIALECTS: [Dialect; 3] = [Dialect::Trevni, Dialect::Levels, Dialect::RedElm];

/// What a cell comes to.
#[derive(Debug, PartialEq, Clone, Copy)]
enum Outcome {
    Yes,
    /// There is a file, and what was asked for is not in it.
    No,
    /// There is an error that names the reason.
    Refused,
    /// An error, as soon as rows have been written.
    RefusedLate,
}

impl Outcome {
    /// What the cell of the table says.
    fn of(cell: &str) -> Self {
        match cell {
            "until a row group is written, then refused" => Self::RefusedLate,
            "no, refused" => Self::Refused,
            cell if cell == "yes" || cell.starts_with("yes, ") => Self::Yes,
            cell if cell == "no" || cell.starts_with("no, ") => Self::No,
            cell => panic!("{cell:?} says neither yes nor no"),
        }
    }

    fn or_no(yes: bool) -> Self {
        if yes { Self::Yes } else { Self::No }
    }
}

fn options(dialect: Dialect) -> WriterBuilder {
    Writer::builder().dialect(dialect).batch_rows(2).memory_limit(1000)
}

fn write<T: Serialize>(options: WriterBuilder, rows: &[T]) -> Result<Vec<u8>> {
    let mut writer = options.build(Vec::new())?;
    writer.write_all(rows)?;
    writer.finish()
}

/// Whether rows come back equal, of the shape that a Trevni file of them has.
fn rows<T: Serialize + DeserializeOwned + PartialEq + Debug>(dialect: Dialect, rows: &[T]) -> Outcome {
    let shape = Reader::from_slice(&trevni::to_vec(rows).unwrap()).unwrap().shape().clone();
    let bytes = write(options(dialect).shape(&shape).derived(), rows).unwrap();
    let reader = Reader::from_slice(&bytes).unwrap();
    assert_eq!(reader.dialect(), dialect);
    let found: Vec<T> = reader.rows().unwrap().map(Result::unwrap).collect();
    Outcome::or_no(found == rows && *reader.shape() == shape)
}

/// Whether options give a file for which something is true; an error must name one of the words.
fn option(options: WriterBuilder, words: &[&str], is_there: impl Fn(&Reader<'_>) -> bool) -> Outcome {
    let rows: Vec<Value> = (0..500).map(|n| json!({"a": n, "b": format!("text {}", n % 7)})).collect();
    match write(options, &rows) {
        Ok(bytes) => {
            let reader = Reader::from_slice(&bytes).unwrap();
            assert_eq!(reader.rows::<Value>().unwrap().map(Result::unwrap).collect::<Vec<_>>(), rows);
            Outcome::or_no(is_there(&reader))
        }
        Err(error) => {
            let text = error.to_string();
            assert!(words.iter().any(|word| text.contains(word)), "{text}");
            Outcome::Refused
        }
    }
}

/// Rows whose shape changes, with the change in the first row group and after it.
fn growth(dialect: Dialect, rows: &[Value]) -> Outcome {
    let early = write(options(dialect).memory_limit(1 << 20), rows).unwrap();
    let (small, given) =
        (options(dialect).memory_limit(1).batch_rows(1), Reader::from_slice(&early).unwrap());
    assert_eq!(trevni::from_slice::<Vec<Value>>(&early).unwrap(), rows);
    match write(small.clone(), rows) {
        Ok(late) => Outcome::or_no(trevni::from_slice::<Vec<Value>>(&late).unwrap() == rows),
        Err(error) => {
            assert!(error.to_string().contains("WriterBuilder::shape"), "{error}");
            let helped = write(small.shape(given.shape()).derived(), rows).unwrap();
            assert_eq!(trevni::from_slice::<Vec<Value>>(&helped).unwrap(), rows);
            Outcome::RefusedLate
        }
    }
}

/// Bytes somewhere else, and how many have been read.
struct Remote(Vec<u8>, AtomicU64);

impl Source for Remote {
    fn size(&self) -> std::io::Result<u64> {
        Ok(self.0.len() as u64)
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> std::io::Result<()> {
        self.1.fetch_add(buffer.len() as u64, Ordering::Relaxed);
        self.0.read_at(offset, buffer)
    }
}

fn random_access(dialect: Dialect) -> Outcome {
    let options = options(dialect).codec(Codec::Null).memory_limit(50_000).batch_rows(500).block_size(5000);
    let bytes = write(options, &(0..100_000u64).map(|n| (n, n * 2)).collect::<Vec<_>>()).unwrap();
    let remote = Remote(bytes, AtomicU64::new(0));
    let reader = Reader::new(&remote).unwrap();
    let opened = remote.1.load(Ordering::Relaxed);
    assert_eq!(reader.row::<(u64, u64)>(77_777).unwrap(), (77_777, 155_554));
    Outcome::or_no(10 * (remote.1.load(Ordering::Relaxed) - opened) < remote.0.len() as u64)
}

fn zone_maps(dialect: Dialect) -> Outcome {
    let bytes = write(options(dialect).block_size(1000), &(0..5000u32).collect::<Vec<_>>()).unwrap();
    let filtered = Reader::from_slice(&bytes).unwrap().filter(col("").ge(4990)).unwrap();
    assert_eq!(filtered.rows::<u32>().unwrap().count(), 10);
    Outcome::or_no(filtered.explain().unwrap().blocks_skipped() > 0)
}

/// Counts bytes.
struct Counting<'c>(&'c AtomicU64);

impl std::io::Write for Counting<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn one_pass(dialect: Dialect) -> Outcome {
    let count = AtomicU64::new(0);
    let mut writer = options(dialect).build(Counting(&count)).unwrap();
    writer.write_all((0..10_000).map(|n| format!("text {n}"))).unwrap();
    let before = count.load(Ordering::Relaxed);
    writer.finish().unwrap();
    Outcome::or_no(before * 2 > count.load(Ordering::Relaxed))
}

fn nan(dialect: Dialect) -> Outcome {
    let own = [f64::from_bits(0x7ff8_0000_0000_beef), f64::from_bits(0xfff0_0000_0000_0001)];
    let found: Vec<f64> = trevni::from_slice(&write(options(dialect), &own).unwrap()).unwrap();
    assert!(found.iter().all(|value| value.is_nan()));
    Outcome::or_no(found.iter().zip(own).all(|(found, own)| found.to_bits() == own.to_bits()))
}

fn fixed(dialect: Dialect) -> Outcome {
    let shape = Shape::from_avro(r#"{"type":"fixed","name":"five","size":5}"#).unwrap();
    let bytes = write(
        options(dialect).shape(&shape),
        &[serde_bytes::Bytes::new(&[1, 2, 3, 4, 5]), serde_bytes::Bytes::new(&[0; 5])],
    )
    .unwrap();
    let reader = Reader::from_slice(&bytes).unwrap();
    Outcome::or_no(
        *reader.shape() == shape && reader.row::<serde_bytes::ByteBuf>(0).unwrap() == [1, 2, 3, 4, 5],
    )
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
enum Kind {
    Unit,
    Other,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
enum Data {
    Unit,
    Number(i32),
    Text(String),
    Struct { a: bool },
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Node {
    value: i32,
    children: Vec<Node>,
}

/// A tree that goes down by so many levels.
fn node(levels: i32) -> Node {
    Node { value: levels, children: (0..levels.min(1)).map(|_| node(levels - 1)).collect() }
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Empty {}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Absent {
    #[serde(default, skip_serializing_if = "Option::is_none", with = "twice")]
    a: Option<Option<i32>>,
}

/// An option of an option whose inner one is null, and whose outer one is absent.
mod twice {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(value: &Option<Option<i32>>, to: S) -> Result<S::Ok, S::Error> {
        value.as_ref().and_then(Option::as_ref).serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Option<i32>>, D::Error> {
        Option::deserialize(from).map(Some)
    }
}

type Json = Vec<Value>;

/// What a row of the table comes to in a format; none where the build cannot try it.
fn tried(row: &str, dialect: Dialect) -> Option<Outcome> {
    let text = |text: &str| text.to_owned();
    let objects = |rows: Json| growth(dialect, &rows);
    if let Some(name) = row.strip_prefix("codec ") {
        let known = [Codec::Gzip].into_iter().chain(Codec::ALL).find(|codec| codec.name() == name);
        let codec = known.unwrap_or_else(|| panic!("no codec {name}"));
        return codec.is_available().then(|| {
            option(options(dialect).codec(codec), &[&format!("no codec {name}"), name], |reader| {
                reader.columns().iter().all(|column| column.codec_name() == name)
            })
        });
    }
    Some(match row {
        "maps with keys of text" => rows(dialect, &[BTreeMap::from([(text("a"), 1)]), BTreeMap::new()]),
        "maps with other keys" => {
            rows(dialect, &[vec![BTreeMap::from([(1, text("a")), (-7, text("b"))])], vec![BTreeMap::new()]])
        }
        "unions" => rows(
            dialect,
            &[Data::Unit, Data::Number(1), Data::Text(text("a")), Data::Struct { a: true }, Data::Number(2)],
        ),
        "enums" => rows(dialect, &[Kind::Other, Kind::Unit, Kind::Other]),
        "lists in lists, options in options" => rows(
            dialect,
            &[
                (vec![vec![vec![1], vec![]], vec![]], None),
                (vec![], Some(None)),
                (vec![], Some(Some(Some(1)))),
            ],
        ),
        "recursive types" => {
            let deep = write(options(dialect), &[node(90)]).unwrap_err().to_string();
            assert!(deep.contains("nested deeper"), "{deep}");
            rows(dialect, &[node(3), node(0), node(40)])
        }
        "an empty list against none" => rows(dialect, &[Some(vec![1]), Some(vec![]), None]),
        "null against absent" => {
            rows(dialect, &[Absent { a: None }, Absent { a: Some(None) }, Absent { a: Some(Some(1)) }])
        }
        "null, records without fields" => rows(dialect, &[((), Empty {}), ((), Empty {})]),
        "unsigned integers above 2⁶³ - 1" => rows(dialect, &[u64::MAX, 0, 1 << 63]),
        "integers of 128 bits" => rows(dialect, &[(i128::MIN, u128::MAX), (0, 1)]),
        "fixed" => fixed(dialect),
        "any text as a name" => rows(
            dialect,
            &[json!({"a.b": 1, "": {"x y;{}": [2], "ü\n": null, "%2E": "c", "a%20b": true, "#>": {"0": 1}}})],
        ),
        "all bits of NaN" => nan(dialect),
        "growth: new fields in later rows" => {
            objects(vec![json!({"a": 1}), json!({"a": 2, "b": [{"c": 1}]}), json!({"b": []})])
        }
        "growth: wider types in later rows" => {
            objects(vec![json!({"a": 1}), json!({"a": "text"}), json!({"a": null}), json!({"a": [1.5]})])
        }
        "metadata of the file" => option(options(dialect).metadata("k", [0, 255]), &[], |reader| {
            reader.metadata().get("k") == Some(&[0, 255])
        }),
        "metadata of columns" => {
            option(options(dialect).column_metadata("a", "k", "v"), &["metadata of"], |reader| {
                reader.columns()[0].metadata().get_str("k") == Some("v")
            })
        }
        "codecs of columns" => {
            option(options(dialect).column_codec("b", Codec::Deflate), &["codec of"], |reader| {
                reader.columns()[0].codec_name() == "snappy" && reader.columns()[1].codec_name() == "deflate"
            })
        }
        "first values" => option(options(dialect).first_values(["a"]), &["first values of"], |reader| {
            reader.blocks(0).unwrap()[0].first_value == Some(trevni::column::FirstValue::Long(0))
        }),
        "checksums of blocks" => option(options(dialect).checksum(Checksum::Crc32), &[], |reader| {
            reader.columns().iter().all(|column| column.checksum_name() != "null")
        }),
        "checksums of all bytes" => all_bytes(dialect),
        "zone maps, so that filters skip" => zone_maps(dialect),
        "random access to a row" => random_access(dialect),
        "one pass to any sink, memory of a row group" => one_pass(dialect),
        other => panic!("no case tries {other:?}"),
    })
}

/// Whether a flipped bit is an error, wherever it is, or changes nothing.
fn all_bytes(dialect: Dialect) -> Outcome {
    let seen = |bytes: &[u8]| -> Result<_> {
        let reader = Reader::from_slice(bytes)?;
        Ok((reader.rows::<Value>()?.collect::<Result<Vec<_>>>()?, reader.metadata().clone()))
    };
    let rows = vec![json!({"a": 1, "b": ["x"]}); 3];
    let bytes = write(options(dialect).metadata("k", "v"), &rows).unwrap();
    let whole = seen(&bytes).unwrap();
    let is_found = |bit: usize| {
        let mut damaged = bytes.clone();
        damaged[bit / 8] ^= 1 << (bit % 8);
        seen(&damaged).map_or(true, |found| found == whole)
    };
    Outcome::or_no((0..8 * bytes.len()).all(is_found))
}

#[test]
fn each_cell_of_the_table_is_true() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/format.md");
    let text = std::fs::read_to_string(path).unwrap();
    let (_, text) = text.split_once("## What each format can carry").unwrap();
    let mut tried_cells = 0;
    for line in text.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| |")) {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [row, cells @ ..] = cells.as_slice() else { panic!("{line}") };
        assert_eq!(cells.len(), DIALECTS.len(), "{line}");
        for (dialect, cell) in DIALECTS.into_iter().zip(cells) {
            if let Some(outcome) = tried(row, dialect) {
                assert_eq!(outcome, Outcome::of(cell), "{row:?} in {dialect:?}");
                tried_cells += 1;
            }
        }
    }
    assert!(tried_cells >= 3 * 28, "{tried_cells}");
}
