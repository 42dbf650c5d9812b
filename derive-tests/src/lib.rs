//! Round-trip helpers: every check is made on every encoding a writer can be told to produce, and every schema
//! is legal Avro.

pub mod schema;

use std::fmt::Debug;

use serde::{Serialize, de::DeserializeOwned};
use trevni::formats::{Layout, Levels, RedElm, RedElmFooter};
use trevni::{Checksum, Codec, Dialect, Reader, Writer};

/// One file, and the name of the writer settings that made it.
pub struct Encoding {
    pub name: String,
    pub bytes: Vec<u8>,
}

/// The writer settings that decide where batches and blocks end and how bytes are stored.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    pub codec: Codec,
    pub checksum: Checksum,
    pub batch_rows: usize,
    pub block_size: usize,
    pub fixed_integers: bool,
    pub dialect: Dialect,
    pub layout: Layout,
    pub footer: RedElmFooter,
    /// Bytes of a row group.
    pub row_group: usize,
}

const PLAIN: Settings = Settings {
    codec: Codec::Null,
    checksum: Checksum::Null,
    batch_rows: 4096,
    block_size: 65536,
    fixed_integers: false,
    dialect: Dialect::Trevni,
    layout: Layout::LevelsFirst,
    footer: RedElmFooter::Json,
    row_group: 1 << 20,
};

const LEVELS: Settings = Settings { dialect: Dialect::Levels, ..PLAIN };

const REDELM: Settings = Settings { dialect: Dialect::RedElm, ..PLAIN };

const SETTINGS: [(&str, Settings); 13] = [
    ("batches of one row, tiny blocks", Settings { batch_rows: 1, block_size: 32, ..PLAIN }),
    ("batches of three rows", Settings { batch_rows: 3, ..PLAIN }),
    ("fixed integers", Settings { fixed_integers: true, ..PLAIN }),
    (
        "fixed integers, batches of two rows, tiny blocks",
        Settings { batch_rows: 2, block_size: 16, fixed_integers: true, ..PLAIN },
    ),
    ("codec null, crc32", Settings { checksum: Checksum::Crc32, ..PLAIN }),
    ("codec deflate", Settings { codec: Codec::Deflate, ..PLAIN }),
    ("codec snappy, crc32", Settings { codec: Codec::Snappy, checksum: Checksum::Crc32, ..PLAIN }),
    ("levels", LEVELS),
    ("levels, batches of one row, tiny blocks", Settings { batch_rows: 1, block_size: 16, ..LEVELS }),
    (
        "levels after values, batches of two rows, codec deflate, crc32",
        Settings {
            batch_rows: 2,
            codec: Codec::Deflate,
            checksum: Checksum::Crc32,
            layout: Layout::ValuesFirst,
            ..LEVELS
        },
    ),
    ("redelm", REDELM),
    (
        "redelm with a footer of Java, batches of one row",
        Settings { footer: RedElmFooter::Java, batch_rows: 1, ..REDELM },
    ),
    (
        "redelm with a gzipped footer, batches of two rows, codec snappy",
        Settings { footer: RedElmFooter::GzippedJson, batch_rows: 2, codec: Codec::Snappy, ..REDELM },
    ),
];

/// Writes `rows` with `settings`.
pub fn write_with<T: Serialize>(rows: &[T], settings: Settings) -> trevni::Result<Vec<u8>> {
    let mut builder = Writer::builder()
        .codec(settings.codec)
        .checksum(settings.checksum)
        .batch_rows(settings.batch_rows)
        .block_size(settings.block_size);
    builder = match settings.dialect {
        Dialect::Levels => builder.format(Levels::new().layout(settings.layout)),
        Dialect::RedElm => {
            builder.format(RedElm::new().footer(settings.footer).row_group_size(settings.row_group))
        }
        dialect => builder.dialect(dialect),
    };
    if settings.fixed_integers {
        builder = builder.fixed_integers();
    }
    let mut writer = builder.build(Vec::new())?;
    for row in rows {
        writer.write(row)?;
    }
    writer.finish()
}

/// Writes `rows` with the default settings.
#[track_caller]
pub fn write<T: Serialize>(rows: &[T]) -> Vec<u8> {
    expect(trevni::to_vec(rows), "to_vec")
}

/// Writes `rows` once by `to_vec` and once with each of the other settings.
#[track_caller]
pub fn every_encoding<T: Serialize>(rows: &[T]) -> Vec<Encoding> {
    let mut files = vec![Encoding { name: "to_vec".into(), bytes: write(rows) }];
    for (name, settings) in SETTINGS {
        files.push(Encoding { name: name.into(), bytes: expect(write_with(rows, settings), name) });
    }
    files.iter().for_each(assert_legal_schema);
    files
}

/// Asserts that Avro allows the stored schema, and the one that the shape shows.
#[track_caller]
fn assert_legal_schema(file: &Encoding) {
    let reader = expect(Reader::from_slice(&file.bytes), &file.name);
    let stored = match reader.metadata().get_str("avro.schema") {
        // Names and levels, or a message, may say the same.
        None if reader.dialect() != Dialect::Trevni => reader.shape().to_avro(),
        stored => stored.expect("a schema").to_owned(),
    };
    for schema in [stored, reader.shape().to_avro()] {
        if let Err(error) = schema::check(&schema) {
            panic!("{error}, {}:\n{schema}", file.name);
        }
    }
}

/// Reads rows through `Reader::rows`.
pub fn read_rows<T: DeserializeOwned>(bytes: &[u8]) -> trevni::Result<Vec<T>> {
    Reader::from_slice(bytes)?.rows::<T>()?.collect()
}

/// Asserts that `rows` come back equal, as themselves and as JSON.
#[track_caller]
pub fn assert_round_trip<T>(rows: &[T])
where
    T: Serialize + DeserializeOwned + PartialEq + Debug,
{
    assert_reads(rows, rows);
    assert_reads_as_json(rows);
}

/// Asserts that a file of the `written` rows reads as the `expected` rows, whatever the encoding.
#[track_caller]
pub fn assert_reads<W, R>(written: &[W], expected: &[R])
where
    W: Serialize,
    R: DeserializeOwned + PartialEq + Debug,
{
    for file in every_encoding(written) {
        let rows: Vec<R> = expect(trevni::from_slice(&file.bytes), &file.name);
        assert_eq!(rows, expected, "from_slice, {}", file.name);

        let reader = expect(Reader::from_slice(&file.bytes), &file.name);
        assert_eq!(reader.row_count(), expected.len() as u64, "row_count, {}", file.name);

        let rows: Vec<R> = expect(read_rows(&file.bytes), &file.name);
        assert_eq!(rows, expected, "Reader::rows, {}", file.name);
    }
    assert_reads_over_and_over(written, expected);
}

/// Asserts the same of a file that has the rows so often that most of them are read and written as those
/// before them were.
#[track_caller]
fn assert_reads_over_and_over<W, R>(written: &[W], expected: &[R])
where
    W: Serialize,
    R: DeserializeOwned + PartialEq + Debug,
{
    if written.is_empty() {
        return;
    }
    let times = 200 / written.len() + 2;
    let bytes = write(&std::iter::repeat_n(written, times).flatten().collect::<Vec<_>>());
    for (rows, call) in [(trevni::from_slice(&bytes), "from_slice"), (read_rows(&bytes), "Reader::rows")] {
        let rows: Vec<R> = expect(rows, call);
        assert_eq!(rows.len(), times * expected.len(), "{call}, over and over");
        for rows in rows.chunks(expected.len()) {
            assert_eq!(rows, expected, "{call}, over and over");
        }
    }
}

/// Asserts that `rows` read untyped are what `serde_json::to_value` makes of them; rows that JSON cannot express pass.
#[track_caller]
pub fn assert_reads_as_json<T: Serialize>(rows: &[T]) {
    let Ok(expected) = serde_json::to_value(rows) else { return };
    for file in every_encoding(rows) {
        let value: serde_json::Value = expect(trevni::from_slice(&file.bytes), &file.name);
        assert_same_json(value, expected.clone(), &format!("as serde_json::Value, {}", file.name));
    }
}

/// Asserts that two values are the same, as [`comparable_json`] has them.
#[track_caller]
pub fn assert_same_json(value: serde_json::Value, expected: serde_json::Value, what: &str) {
    assert_eq!(comparable_json(value), comparable_json(expected), "{what}");
}

/// Normalizes a value for comparison. With `arbitrary_precision`, an `f32` and the same value as `f64` have different digits, so each
/// float becomes an `f32`.
#[must_use]
pub fn comparable_json(value: serde_json::Value) -> serde_json::Value {
    if cfg!(feature = "arbitrary_precision") { narrowed(value) } else { value }
}

/// A value with an `f32` for each number that is no integer of 64 bits.
fn narrowed(value: serde_json::Value) -> serde_json::Value {
    use serde_json::Value;
    match value {
        Value::Number(number) if !number.is_i64() && !number.is_u64() => {
            number.as_f64().map(|float| float as f32).into()
        }
        Value::Array(items) => items.into_iter().map(narrowed).collect(),
        Value::Object(entries) => entries.into_iter().map(|(key, value)| (key, narrowed(value))).collect(),
        other => other,
    }
}

/// The text of the error that reading `rows` as `R` gives, the same from every encoding.
#[track_caller]
pub fn read_error<R: DeserializeOwned + Debug>(rows: &[impl Serialize]) -> String {
    let mut errors: Vec<String> = every_encoding(rows)
        .into_iter()
        .map(|file| match trevni::from_slice::<Vec<R>>(&file.bytes) {
            Ok(rows) => panic!("read without an error, {}: {rows:?}", file.name),
            Err(error) => error.to_string(),
        })
        .collect();
    errors.dedup();
    assert_eq!(errors.len(), 1, "the error depends on the encoding: {errors:#?}");
    errors.remove(0)
}

/// Asserts that `text` contains every one of `parts`.
#[track_caller]
pub fn assert_contains(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "no `{part}` in: {text}");
    }
}

#[track_caller]
fn expect<T>(result: trevni::Result<T>, what: &str) -> T {
    result.unwrap_or_else(|error| panic!("{what}: {error}"))
}
