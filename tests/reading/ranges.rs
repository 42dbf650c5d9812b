//! What [`Reader::ranges`] says is all that decoding reads.

use proptest::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io;
use std::ops::Range;
use std::sync::Mutex;
use trevni::formats::Trevni;
use trevni::{Codec, Dialect, Predicate, Reader, Shape, Source, Writer, col};

/// Bytes of which only those that have been fetched can be read.
#[derive(Default)]
struct Fetched {
    bytes: Vec<u8>,
    fetched: Mutex<Vec<Range<u64>>>,
    /// Whether what is read is fetched.
    fetches: Mutex<bool>,
    missed: Mutex<Vec<Range<u64>>>,
}

impl Source for Fetched {
    fn size(&self) -> io::Result<u64> {
        Source::size(&self.bytes)
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        let (mut at, end) = (offset, offset + buffer.len() as u64);
        let mut fetched = self.fetched.lock().unwrap();
        if *self.fetches.lock().unwrap() {
            fetched.push(offset..end);
        }
        while at < end {
            match fetched.iter().filter(|range| range.contains(&at)).map(|range| range.end).max() {
                Some(end) => at = end,
                None => {
                    self.missed.lock().unwrap().push(offset..end);
                    return Err(io::ErrorKind::WouldBlock.into());
                }
            }
        }
        Source::read_at(&self.bytes, offset, buffer)
    }
}

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
struct Row {
    id: u32,
    word: String,
    maybe: Option<i64>,
    lines: Vec<Line>,
    by: BTreeMap<String, Part>,
    kind: Kind,
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
fn rows() -> impl Strategy<Value = Vec<Row>> {
    let line = (word(), prop::collection::vec(part(), 0..3), kind());
    let lines = prop::collection::vec(line.prop_map(|(word, parts, kind)| Line { word, parts, kind }), 0..4);
    let by = prop::collection::btree_map(word(), part(), 0..2);
    let row = (word(), prop::option::of(0i64..9), lines, by, kind());
    let row = row.prop_map(|(word, maybe, lines, by, kind)| Row { id: 0, word, maybe, lines, by, kind });
    let order = prop::collection::vec(any::<prop::sample::Index>(), 1..1500);
    (prop::collection::vec(row, 1..6), order).prop_map(|(some, order)| {
        let row = |(id, at): (usize, &prop::sample::Index)| Row { id: id as u32, ..at.get(&some).clone() };
        order.iter().enumerate().map(row).collect()
    })
}

/// Rows with gaps between them that are decoded, passed over, or where a new window begins.
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

const DIALECTS: [Dialect; 3] = [Dialect::Trevni, Dialect::Levels, Dialect::RedElm];

fn codec(dialect: Dialect, typed: bool) -> Codec {
    if typed && dialect == Dialect::Trevni { Codec::Typed } else { Codec::Snappy }
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

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn decoding_reads_nothing_but_the_ranges(
        rows in rows(),
        selection in prop::option::of(selection()),
        predicate in predicate(),
        paths in prop::sample::select(PATHS.to_vec()),
        dialect in prop::sample::select(&DIALECTS[..]),
        typed: bool,
        compact: bool,
        block_size in prop::sample::select(vec![20usize, 300, 5000]),
        batch_rows in prop::sample::select(vec![1usize, 7, 64, 8192]),
    ) {
        let builder = Writer::builder().dialect(dialect).codec(codec(dialect, typed)).block_size(block_size);
        let builder = match compact && dialect == Dialect::Trevni {
            true => builder.format(Trevni::new().compact()),
            false => builder,
        };
        let builder = builder.shape(&Shape::from_type::<Row>().unwrap());
        let mut writer = builder.build(Vec::new()).unwrap();
        writer.write_all(&rows).unwrap();
        let source = Fetched { bytes: writer.finish().unwrap(), fetches: Mutex::new(true), ..Fetched::default() };
        let of = |source| {
            let mut reader = Reader::new(source)?.project(paths)?;
            if let Some(ranges) = &selection {
                let rows = reader.row_count();
                let cut = ranges.iter().map(|range| range.start.min(rows)..range.end.min(rows));
                reader = reader.select(cut.collect::<Vec<_>>())?;
            }
            match &predicate {
                Some(predicate) => reader.filter(predicate.clone()),
                None => Ok(reader),
            }
        };
        let reader: Reader<'_> = of(&source as &dyn Source).unwrap();
        let ranges = reader.ranges().unwrap();
        prop_assert!(ranges.is_sorted_by_key(|range| range.start));
        *source.fetches.lock().unwrap() = false;
        source.fetched.lock().unwrap().extend(ranges.iter().cloned());

        let whole: Reader<'_> = of(&source.bytes as &dyn Source).unwrap();
        let expected: Vec<serde_json::Value> = whole.rows().unwrap().collect::<Result<_, _>>().unwrap();
        let found: Vec<serde_json::Value> = reader.rows().unwrap().collect::<Result<_, _>>().unwrap();
        prop_assert_eq!(&found, &expected);
        let mut count = 0;
        for decoded in reader.vectors().unwrap().batch_rows(batch_rows) {
            count += decoded.unwrap().wanted.iter().map(ExactSizeIterator::len).sum::<usize>();
        }
        prop_assert_eq!(count, expected.len());
        let batches = reader.batches().unwrap().collect::<Result<Vec<_>, _>>().unwrap();
        prop_assert_eq!(batches.iter().map(trevni::Batch::len).sum::<usize>(), expected.len());
    }
}

#[test]
fn bytes_that_are_not_fetched_are_an_error() {
    let bytes = trevni::to_vec((0..100_000).map(|id| (id, id.to_string()))).unwrap();
    let source = Fetched { bytes, fetches: Mutex::new(true), ..Fetched::default() };
    let reader = Reader::new(&source as &dyn Source).unwrap().project(["_0"]).unwrap();
    let first = reader.select(0..10).unwrap().ranges().unwrap();
    *source.fetches.lock().unwrap() = false;
    source.fetched.lock().unwrap().extend(first);
    let mut found = reader.rows::<(u32,)>().unwrap();
    assert_eq!(found.next().unwrap().unwrap(), (0,));
    let error = found.find_map(Result::err).unwrap();
    assert_eq!(error.category(), trevni::Category::Io);
    assert!(!source.missed.lock().unwrap().is_empty());
}

#[test]
fn nothing_is_read_for_no_rows() {
    let none: Vec<u8> = trevni::to_vec(Vec::<(u32, String)>::new()).unwrap();
    assert_eq!(Reader::from_slice(&none).unwrap().ranges().unwrap(), []);
    let some = trevni::to_vec([(1, vec![2]), (3, vec![])]).unwrap();
    let reader = Reader::from_slice(&some).unwrap();
    assert_eq!(reader.select(1..1).unwrap().ranges().unwrap(), []);
    assert_eq!(reader.filter(col("_0").gt(7)).unwrap().ranges().unwrap(), []);
    assert!(reader.table_start(9).is_none());
}

#[test]
fn a_source_that_has_fetched_nothing_is_an_error_at_once() {
    let source = Fetched { bytes: trevni::to_vec(0..1000).unwrap(), ..Fetched::default() };
    let error = Reader::new(&source as &dyn Source).err().unwrap();
    assert_eq!(error.category(), trevni::Category::Io);
    assert_eq!(source.missed.lock().unwrap().len(), 1);
}

#[test]
fn many_ranges_of_many_columns_take_each_block_once() {
    let row =
        |n: u32| -> BTreeMap<String, Vec<u32>> { (0..400).map(|at| (format!("c{at}"), vec![n])).collect() };
    let mut writer = Writer::builder().block_size(2000).build(Vec::new()).unwrap();
    writer.write_all((0..4000).map(row)).unwrap();
    let file = writer.finish().unwrap();
    let reader = Reader::from_slice(&file).unwrap();
    let selection: Vec<_> = (0..1000).map(|at| at * 4..at * 4 + 1).collect();
    let ranges = reader.select(selection).unwrap().ranges().unwrap();
    assert!(ranges.len() > 400 && ranges.windows(2).all(|pair| pair[0].end <= pair[1].start));
}
