//! Rows that miss what has not been read are made once more, whatever the type makes of the error.

use serde::de::{DeserializeOwned, DeserializeSeed, Deserializer, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::marker::PhantomData;
use trevni::{Dialect, Reader, WriterBuilder};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Event {
    Nothing,
    At(i64),
    Seen { host: String, tags: Vec<Option<u32>> },
    Of(Box<Option<Event>>),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Row {
    id: u64,
    event: Event,
    notes: Option<Vec<(String, Option<f32>)>>,
}

const ROWS: u64 = 30_000;

/// Rows that have more of the shape the later they are.
fn rows() -> Vec<Row> {
    let event = |id: u64| match id {
        0..9_000 => Event::Nothing,
        9_000..19_000 => Event::At(id as i64),
        19_000..29_000 => Event::Seen { host: format!("host {id}"), tags: Vec::new() },
        29_000..29_990 => Event::Seen { host: String::new(), tags: vec![None, Some(id as u32)] },
        _ => Event::Of(Box::new(id.is_multiple_of(2).then_some(Event::At(-1)))),
    };
    let notes = |id: u64| match id {
        0..25_000 => None,
        25_000..29_999 => Some(Vec::new()),
        _ => Some(vec![("last".to_owned(), Some(0.5)), (String::new(), None)]),
    };
    (0..ROWS).map(|id| Row { id, event: event(id), notes: notes(id) }).collect()
}

fn file(dialect: Dialect) -> Vec<u8> {
    let mut writer = WriterBuilder::new().dialect(dialect).block_size(1_000).build(Vec::new()).unwrap();
    writer.write_all(rows()).unwrap();
    writer.finish().unwrap()
}

const DIALECTS: [Dialect; 3] = [Dialect::Trevni, Dialect::Levels, Dialect::RedElm];

/// Rows that are taken one by one with a seed, which can be used only once.
struct Seeded<T>(Vec<T>);

struct Seed<'a, T>(&'a mut usize, PhantomData<T>);

impl<'de, T: Deserialize<'de>> DeserializeSeed<'de> for Seed<'_, T> {
    type Value = T;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<T, D::Error> {
        *self.0 += 1;
        T::deserialize(deserializer)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Seeded<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Rows<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for Rows<T> {
            type Value = Seeded<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("rows")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut rows: A) -> Result<Seeded<T>, A::Error> {
                let (mut all, mut count) = (Vec::new(), 0);
                while let Some(row) = rows.next_element_seed(Seed(&mut count, PhantomData))? {
                    all.push(row);
                }
                assert!(count >= all.len());
                Ok(Seeded(all))
            }
        }

        deserializer.deserialize_seq(Rows(PhantomData))
    }
}

/// A value, or nothing where it fails: an error that says that a column was not read must not be taken for one of the value.
#[derive(Debug, PartialEq)]
struct Lenient<T>(Option<T>);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Lenient<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self(T::deserialize(deserializer).ok()))
    }
}

type Note = (Lenient<String>, Lenient<Option<f32>>);

#[derive(Debug, Deserialize)]
struct LenientRow {
    id: Lenient<u64>,
    event: Lenient<Event>,
    notes: Lenient<Option<Vec<Note>>>,
}

fn is_row(lenient: &LenientRow, row: &Row) -> bool {
    let notes = lenient.notes.0.as_ref().unwrap().as_ref().map(|notes| {
        notes.iter().map(|(name, value)| (name.0.clone().unwrap(), value.0.unwrap())).collect::<Vec<_>>()
    });
    lenient.id.0 == Some(row.id) && lenient.event.0.as_ref() == Some(&row.event) && notes == row.notes
}

fn all<T: DeserializeOwned>(reader: &Reader<'_>) -> Vec<T> {
    reader.rows().unwrap().map(Result::unwrap).collect()
}

#[test]
fn rows_that_have_more_the_later_they_are() {
    let expected = rows();
    for dialect in DIALECTS {
        let file = file(dialect);
        for threads in [1, 2, 3] {
            let reader = Reader::builder().threads(threads).source(file.clone()).unwrap();
            assert_eq!(all::<Row>(&reader), expected, "{dialect:?}, {threads} threads");
        }
        let reader = Reader::from_slice(&file).unwrap();
        assert_eq!(trevni::from_slice::<Vec<Row>>(&file).unwrap(), expected);
        assert_eq!(reader.row::<Row>(0).unwrap(), expected[0]);
        assert_eq!(reader.row::<Row>(ROWS - 1).unwrap(), expected[ROWS as usize - 1]);
        assert_eq!(reader.row::<Row>(1).unwrap(), expected[1]);
    }
}

#[test]
fn rows_taken_with_seeds() {
    let expected = rows();
    for dialect in DIALECTS {
        assert_eq!(trevni::from_slice::<Seeded<Row>>(&file(dialect)).unwrap().0, expected, "{dialect:?}");
    }
}

#[test]
fn types_that_take_no_notice_of_errors() {
    let expected = rows();
    for dialect in DIALECTS {
        let file = file(dialect);
        let reader = Reader::builder().threads(2).source(file.clone()).unwrap();
        for found in [all::<LenientRow>(&reader), trevni::from_slice(&file).unwrap()] {
            assert_eq!(found.len(), expected.len());
            let other = found.iter().zip(&expected).position(|(found, row)| !is_row(found, row));
            assert_eq!(other, None, "{dialect:?}: {:?}", other.map(|at| &found[at]));
        }
    }
}

#[test]
fn fewer_rows_are_decoded_where_what_is_missed_does_not_fit() {
    // The texts of the last rows are far more than may be held at once.
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Long {
        id: u32,
        text: Option<String>,
    }
    let rows: Vec<Long> =
        (0..6_000).map(|id| Long { id, text: (id >= 5_000).then(|| format!("{id:_>4000}")) }).collect();
    // A row group of RedElm is one block.
    for dialect in [Dialect::Trevni, Dialect::Levels] {
        let builder = WriterBuilder::new().dialect(dialect).block_size(1 << 16);
        let mut writer = builder.build(Vec::new()).unwrap();
        writer.write_all(&rows).unwrap();
        let file = writer.finish().unwrap();
        for threads in [1, 2] {
            let limits = trevni::Limits::default().memory(2 << 20);
            let reader = Reader::builder().limits(limits).threads(threads).source(&*file).unwrap();
            assert_eq!(all::<Long>(&reader), rows, "{dialect:?}, {threads} threads");
        }
    }
}
