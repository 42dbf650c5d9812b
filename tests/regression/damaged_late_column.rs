//! A column that rows first asked for after the first row, and that could not be decoded, was an error of each row of its
//! batch; a dataset went on with the next part.

use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer, Serialize};
use std::cell::Cell;
use trevni::{Category, Checksum, Codec, Dataset, Dialect, Reader, Writer};

const ROWS: u32 = 20_000;
/// The first row that asks for the text: in the first batch, and in a later one.
const LATE: [u32; 4] = [4, 5, 9_000, 9_001];

#[derive(Serialize)]
struct Row {
    id: u32,
    inner: Inner,
}

/// A record within the row has no column of its own, so none of its columns is read for rows that pass over it.
#[derive(Serialize, Deserialize)]
struct Inner {
    text: String,
}

fn row(id: u32, text: String) -> Row {
    Row { id, inner: Inner { text } }
}

thread_local! {
    /// The row being read, and the first that asks for its text.
    static AT: Cell<(u32, u32)> = const { Cell::new((0, 0)) };
}

#[derive(Deserialize, Debug)]
struct Late {
    #[serde(deserialize_with = "counted")]
    id: u32,
    #[serde(deserialize_with = "late")]
    inner: Option<String>,
}

fn counted<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    let id = u32::deserialize(deserializer)?;
    AT.set((id, AT.get().1));
    Ok(id)
}

fn late<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    let (row, first) = AT.get();
    match row < first {
        true => IgnoredAny::deserialize(deserializer).map(|_| None),
        // What the error says is lost, but not that there is one.
        false if row % 2 == 0 => {
            let inner = Inner::deserialize(deserializer);
            inner.map(|inner| Some(inner.text)).map_err(|_| serde::de::Error::custom("no text"))
        }
        false => Inner::deserialize(deserializer).map(|inner| Some(inner.text)),
    }
}

/// A file whose texts are damaged everywhere.
fn file(dialect: Dialect) -> Vec<u8> {
    let options = Writer::builder().dialect(dialect).codec(Codec::Null).checksum(Checksum::Null);
    let mut writer = options.build(Vec::new()).unwrap();
    writer.write_all((0..ROWS).map(|id| row(id, format!("text {id}")))).unwrap();
    let mut bytes = writer.finish().unwrap();
    let places: Vec<usize> =
        bytes.windows(5).enumerate().filter(|(_, five)| five == b"text ").map(|(at, _)| at).collect();
    assert!(places.len() >= ROWS as usize);
    places.iter().for_each(|at| bytes[at + 4] = 0xff);
    bytes
}

fn files() -> impl Iterator<Item = (Dialect, Vec<u8>)> {
    [Dialect::Trevni, Dialect::Levels, Dialect::RedElm].into_iter().map(|dialect| (dialect, file(dialect)))
}

/// The rows come up to the one that asks, then one error, then nothing.
fn check(mut rows: impl Iterator<Item = trevni::Result<Late>>, first: u32, what: &str) -> trevni::Error {
    AT.set((0, first));
    for id in 0..first {
        let row = rows.next().unwrap().unwrap();
        assert_eq!((row.id, row.inner), (id, None), "{what}");
    }
    let error = rows.next().unwrap().unwrap_err();
    assert_eq!(error.location().row, Some(first.into()), "{what}: {error}");
    assert!(rows.next().is_none() && rows.next().is_none(), "{what}");
    assert_eq!(rows.size_hint(), (0, Some(0)), "{what}");
    error
}

#[test]
fn there_are_no_rows_after_a_column_that_cannot_be_decoded() {
    for (dialect, bytes) in files() {
        for threads in [1, 3] {
            for first in LATE {
                let what = format!("{dialect:?}, {threads} threads, row {first}");
                let reader = Reader::builder().threads(threads).shared(bytes.clone()).unwrap();
                let error = check(reader.rows::<Late>().unwrap(), first, &what);
                if first % 2 == 1 {
                    assert_eq!(error.category(), Category::Corrupt, "{what}: {error}");
                }
                // The reader itself is as before.
                assert_eq!(reader.rows::<Late>().unwrap().take(4).filter(Result::is_ok).count(), 4, "{what}");
            }
        }
    }
}

#[test]
fn nor_are_there_rows_of_later_parts() {
    for (dialect, bytes) in files() {
        let whole = trevni::to_vec((0..ROWS).map(|id| row(id, String::new()))).unwrap();
        let parts = [&bytes, &whole].map(|bytes| Reader::from_slice(bytes).unwrap());
        let dataset = Dataset::from_readers(parts.into()).unwrap();
        for first in LATE {
            let what = format!("{dialect:?}, row {first}");
            let error = check(dataset.rows::<Late>().unwrap(), first, &what);
            assert_eq!(error.location().file.as_deref(), Some("part 0".as_ref()), "{what}");
        }
    }
}

#[test]
fn rows_that_do_not_fit_go_on() {
    #[derive(Deserialize, Debug)]
    struct Number {
        #[serde(rename = "inner")]
        _inner: u64,
    }
    let bytes = trevni::to_vec((0..100).map(|id| row(id, "12".to_owned()))).unwrap();
    let rows = Reader::from_slice(&bytes).unwrap().rows::<Number>().unwrap();
    assert_eq!(rows.filter(Result::is_err).count(), 100);
}
