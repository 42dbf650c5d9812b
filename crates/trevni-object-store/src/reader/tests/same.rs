//! What a reader that does not wait gives is what [`Reader`] gives.

use super::*;
use futures::StreamExt;
use futures::executor::block_on;
use proptest::prelude::*;
use serde_json::Value;
use std::collections::BTreeMap;
use std::ops::Range;
use std::pin::pin;
use std::task::Poll;
use trevni::formats::Trevni;
use trevni::{Batch, Codec, Dialect, Predicate, Reader, Shape, col};

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
enum Kind {
    Unit,
    New(u32),
    Fields { word: String, counts: Vec<u8> },
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
struct Part {
    number: i64,
    tags: Vec<String>,
    maybe: Option<String>,
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
struct Line {
    word: String,
    parts: Vec<Part>,
    kind: Kind,
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
struct Nested {
    id: u32,
    word: String,
    maybe: Option<i64>,
    lines: Vec<Line>,
    by: BTreeMap<String, Part>,
    kind: Kind,
}

/// Fewer fields, one of them of any kind, so that the type does not say what it needs.
#[derive(Debug, Deserialize, PartialEq)]
struct AnyKind {
    kind: Value,
    id: u32,
}

/// Fewer fields, within lists too, one under another name.
#[derive(Debug, Deserialize, PartialEq)]
struct Fewer {
    lines: Vec<Tags>,
    #[serde(alias = "word")]
    name: String,
}

#[derive(Debug, Deserialize, PartialEq)]
struct Tags {
    parts: Vec<Tag>,
}

#[derive(Debug, Deserialize, PartialEq)]
struct Tag {
    tags: Vec<String>,
}

fn word() -> impl Strategy<Value = String> {
    prop::sample::select(vec!["", "AA", "a word that is longer than others"]).prop_map(str::to_owned)
}

fn kind() -> impl Strategy<Value = Kind> {
    let counts = prop::collection::vec(0u8..9, 0..4);
    prop_oneof![
        Just(Kind::Unit),
        (0u32..9).prop_map(Kind::New),
        (word(), counts).prop_map(|(word, counts)| Kind::Fields { word, counts }),
    ]
}

fn part() -> impl Strategy<Value = Part> {
    let tags = prop::collection::vec(word(), 0..3);
    (0i64..3, tags, prop::option::of(word())).prop_map(|(number, tags, maybe)| Part { number, tags, maybe })
}

/// Few different rows, so that many of them are made at once.
fn rows() -> impl Strategy<Value = Vec<Nested>> {
    let line = (word(), prop::collection::vec(part(), 0..3), kind());
    let lines = prop::collection::vec(line.prop_map(|(word, parts, kind)| Line { word, parts, kind }), 0..4);
    let by = prop::collection::btree_map(word(), part(), 0..2);
    let row = (word(), prop::option::of(0i64..9), lines, by, kind());
    let row = row.prop_map(|(word, maybe, lines, by, kind)| Nested { id: 0, word, maybe, lines, by, kind });
    let order = prop::collection::vec(any::<prop::sample::Index>(), 1..700);
    (prop::collection::vec(row, 1..6), order).prop_map(|(some, order)| {
        let row = |(id, at): (usize, &prop::sample::Index)| Nested { id: id as u32, ..at.get(&some).clone() };
        order.iter().enumerate().map(row).collect()
    })
}

fn selection() -> impl Strategy<Value = Vec<Range<u64>>> {
    let length = prop::sample::select(vec![1u64, 2, 30, 33, 200, 511, 514, 700]);
    prop::collection::vec((length.clone(), length), 1..4).prop_map(|steps| {
        let mut at = 0;
        let range = |(gap, rows): (u64, u64)| {
            let start = at + gap - 1;
            at = start + rows;
            start..at
        };
        steps.into_iter().map(range).collect()
    })
}

fn predicate() -> impl Strategy<Value = Option<Predicate>> {
    prop_oneof![
        Just(None),
        (0u32..1500).prop_map(|id| Some(col("id").gt(id))),
        Just(Some(col("word").eq("AA"))),
        Just(Some(col("maybe").is_null() & col("kind").is_not_null())),
        Just(Some(col("lines").any(col("word").eq("AA")))),
    ]
}

fn written(dialect: Dialect, codec: Codec, compact: bool, block_size: usize, rows: &[Nested]) -> Vec<u8> {
    let codec = if codec == Codec::Typed && dialect != Dialect::Trevni { Codec::Snappy } else { codec };
    let builder = Writer::builder().dialect(dialect).codec(codec).block_size(block_size);
    let builder = match compact && dialect == Dialect::Trevni {
        true => builder.format(Trevni::new().compact()),
        false => builder,
    };
    let mut writer = builder.shape(&Shape::from_type::<Nested>().unwrap()).build(Vec::new()).unwrap();
    writer.write_all(rows).unwrap();
    writer.finish().unwrap()
}

const PATHS: [&[&str]; 7] = [
    &["id", "word", "maybe", "lines", "by", "kind"],
    &["id"],
    &["lines.parts.tags"],
    &["by", "word"],
    &["kind"],
    &["lines.kind", "lines.word"],
    &["lines.parts.maybe", "maybe"],
];

/// The rows of a stream, of which each call of `next` is polled once and dropped.
async fn impatiently<T>(mut rows: impl Stream<Item = trevni::Result<T>> + Unpin) -> Vec<T> {
    let mut found = Vec::new();
    loop {
        let polled = {
            let mut next = pin!(rows.next());
            std::future::poll_fn(|context| Poll::Ready(next.as_mut().poll(context))).await
        };
        match polled {
            Poll::Ready(Some(row)) => found.push(row.unwrap()),
            Poll::Ready(None) => return found,
            Poll::Pending => std::thread::yield_now(),
        }
    }
}

fn batch_rows(batches: Vec<Batch>) -> Vec<Value> {
    batches.iter().flat_map(|batch| batch.rows::<Value>().collect::<Result<Vec<_>, _>>().unwrap()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20))]

    #[test]
    fn rows_and_batches_are_those_of_a_reader_that_waits(
        rows in rows(),
        selection in prop::option::of(selection()),
        predicate in predicate(),
        paths in prop::sample::select(PATHS.to_vec()),
        dialect in prop::sample::select(vec![Dialect::Trevni, Dialect::Levels, Dialect::RedElm]),
        codec in prop::sample::select(vec![Codec::Typed, Codec::Snappy, Codec::Null]),
        compact: bool,
        block_size in prop::sample::select(vec![20usize, 300, 5000]),
        window in prop::sample::select(vec![300u64, 3000, 20_000, 8 << 20]),
        numbers in prop::collection::vec(any::<prop::sample::Index>(), 0..12),
    ) {
        let bytes = written(dialect, codec, compact, block_size, &rows);
        let count = rows.len() as u64;
        let ranges: Option<Vec<Range<u64>>> = selection.map(|ranges| {
            ranges.iter().map(|range| range.start.min(count)..range.end.min(count)).collect()
        });
        let whole = Reader::from_slice(&bytes).unwrap();
        let mut expected = whole.clone();
        if let Some(ranges) = &ranges {
            expected = expected.select(ranges.clone()).unwrap();
        }
        if let Some(predicate) = &predicate {
            expected = expected.filter(predicate.clone()).unwrap();
        }
        block_on(async {
            let store = store(bytes.clone()).await;
            let reader = tiny(window).open_in(Arc::clone(&store) as _, NAME).await.unwrap();
            let everything = reader.clone();
            // A filter may come first, too.
            let filtered = |reader: AsyncReader| match &predicate {
                Some(predicate) => reader.filter(predicate.clone()).unwrap(),
                None => reader,
            };
            let selected = |reader: AsyncReader| match &ranges {
                Some(ranges) => reader.select(ranges.clone()).unwrap(),
                None => reader,
            };
            let reader = match compact {
                true => filtered(selected(reader)),
                false => selected(filtered(reader)),
            };
            let nested: Vec<Nested> = expected.rows().unwrap().collect::<Result<_, _>>().unwrap();
            prop_assert_eq!(&all(reader.rows::<Nested>()).await, &nested);
            let some: Vec<AnyKind> = expected.rows().unwrap().collect::<Result<_, _>>().unwrap();
            prop_assert_eq!(&impatiently(reader.rows::<AnyKind>()).await, &some);
            let fewer: Vec<Fewer> = expected.rows().unwrap().collect::<Result<_, _>>().unwrap();
            prop_assert_eq!(&all(reader.rows::<Fewer>()).await, &fewer);

            let (part, reader) = (expected.project(paths).unwrap(), reader.project(paths).unwrap());
            prop_assert_eq!(part.shape(), reader.shape());
            let values: Vec<Value> = part.rows().unwrap().collect::<Result<_, _>>().unwrap();
            prop_assert_eq!(&impatiently(reader.rows::<Value>()).await, &values);
            prop_assert_eq!(&batch_rows(all(reader.batches()).await), &values);

            let numbers: Vec<u64> = numbers.iter().map(|index| index.index(rows.len()) as u64).collect();
            let wanted: Vec<Nested> = numbers.iter().map(|number| rows[*number as usize].clone()).collect();
            prop_assert_eq!(&everything.take::<Nested>(&numbers).await.unwrap(), &wanted);
            for number in numbers.into_iter().take(2) {
                let one: Value = reader.row(number).await.unwrap();
                prop_assert_eq!(one, whole.project(paths).unwrap().row::<Value>(number).unwrap());
            }
            prop_assert_eq!(everything.fetched.pins(), 0);
            Ok(())
        })?;
    }
}

#[test]
fn rows_that_do_not_fit_are_errors_and_the_next_ones_follow() {
    let bytes = trevni::to_vec((0..5000i64).map(|n| if n % 1000 == 7 { i64::MAX } else { n })).unwrap();
    block_on(async {
        let reader = tiny(300).open_in(store(bytes.clone()).await as _, NAME).await.unwrap();
        let found: Vec<Option<i32>> = reader.rows::<i32>().map(Result::ok).collect().await;
        let wanted: Vec<Option<i32>> =
            Reader::from_slice(&bytes).unwrap().rows::<i32>().unwrap().map(Result::ok).collect();
        assert_eq!(wanted.iter().filter(|row| row.is_none()).count(), 5);
        assert_eq!(found, wanted);
        let error = reader.take::<i32>(&[3, 1007]).await.unwrap_err();
        assert_eq!(error.category(), trevni::Category::Shape);
        assert!(reader.row::<i64>(5000).await.unwrap_err().to_string().contains("5000"));
        assert!(reader.rows::<Vec<i32>>().next().await.unwrap().is_err());
    });
}

#[test]
fn files_without_rows_and_rows_without_columns() {
    block_on(async {
        for bytes in
            [trevni::to_vec(Vec::<(u32, String)>::new()).unwrap(), trevni::to_vec([(); 3]).unwrap(), plain(3)]
        {
            let whole = Reader::from_slice(&bytes).unwrap();
            let reader = tiny(1).open_in(store(bytes.clone()).await as _, NAME).await.unwrap();
            let expected: Vec<Value> = whole.rows().unwrap().collect::<Result<_, _>>().unwrap();
            assert_eq!(all(reader.rows::<Value>()).await, expected);
            let nothing = reader.project::<&str>([]).unwrap();
            assert_eq!(all(nothing.rows::<Value>()).await.len() as u64, reader.row_count());
            assert_eq!(all(reader.rows::<serde::de::IgnoredAny>()).await.len() as u64, reader.row_count());
            assert!(reader.take::<Value>(&[]).await.unwrap().is_empty());
            assert!(reader.take::<Value>(&[reader.row_count()]).await.is_err());
            assert!(reader.row::<Value>(u64::MAX).await.is_err());
        }
    });
}

thread_local! {
    /// Whether [`Growing`] reads another field, too.
    static ASKS_FOR_MORE: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

/// A row that needs more than its type announced.
#[derive(Debug, PartialEq)]
struct Growing(i64, Option<String>);

impl<'de> Deserialize<'de> for Growing {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Id {
            id: i64,
        }
        #[derive(Deserialize)]
        struct More {
            id: i64,
            text: String,
        }
        Ok(match ASKS_FOR_MORE.get() {
            true => More::deserialize(deserializer).map(|row| Self(row.id, Some(row.text)))?,
            false => Self(Id::deserialize(deserializer)?.id, None),
        })
    }
}

#[test]
fn rows_may_ask_for_more_than_their_type_has_said() {
    let bytes = plain(3000);
    for (filtered, window) in [(false, 2000), (true, 2000), (false, 8 << 20), (true, 8 << 20)] {
        block_on(async {
            let reader = tiny(window).open_in(store(bytes.clone()).await as _, NAME).await.unwrap();
            let reader = if filtered { reader.filter(col("last").lt(700)).unwrap() } else { reader };
            let mut rows = reader.rows::<Growing>();
            let wanted: Vec<Row> = (0..3000).map(row).filter(|row| !filtered || row.last < 700).collect();
            for (number, wanted) in wanted.into_iter().enumerate() {
                ASKS_FOR_MORE.set(number >= 1234);
                let text = (number >= 1234).then_some(wanted.text);
                assert_eq!(rows.next().await.unwrap().unwrap(), Growing(wanted.id, text), "{number}");
            }
            assert!(rows.next().await.is_none());
            ASKS_FOR_MORE.set(false);
        });
    }
}
