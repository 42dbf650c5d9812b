//! A source that fails gives errors, never wrong rows.

use super::sources::Failing;
use serde::Serialize;
use serde_json::Value;
use std::sync::atomic::AtomicUsize;
use trevni::{Category, Checksum, Codec, Dialect, Reader, WriterBuilder};

#[derive(Serialize)]
struct Row {
    id: u32,
    text: String,
    lists: Vec<Vec<u32>>,
    last: Option<bool>,
}

fn file() -> Vec<u8> {
    file_of(Dialect::Trevni, 5000)
}

fn file_of(dialect: Dialect, rows: u32) -> Vec<u8> {
    let row = |id: u32| Row {
        id,
        text: format!("row {id}"),
        lists: (0..id % 3).map(|i| vec![id; i as usize + 1]).collect(),
        last: (!id.is_multiple_of(5)).then_some(id.is_multiple_of(2)),
    };
    // Without checksums nothing but care keeps stale bytes out.
    let builder = WriterBuilder::new().codec(Codec::Null).checksum(Checksum::Null).block_size(300);
    let mut writer = builder.dialect(dialect).memory_limit(3000).build(Vec::new()).unwrap();
    writer.write_all((0..rows).map(row)).unwrap();
    writer.finish().unwrap()
}

/// Reads rows of which some may fail; returns how many errors there were.
fn read(source: &Failing, expected: &[Value]) -> usize {
    let check = |error: trevni::Error| {
        assert_eq!(error.category(), Category::Io, "{error}");
        assert!(error.to_string().contains("the line is down"), "{error}");
    };
    let rows = Reader::new(source).and_then(|reader| reader.rows::<Value>());
    let rows = match rows {
        Ok(rows) => rows,
        Err(error) => {
            check(error);
            return 1;
        }
    };
    let (mut errors, mut count) = (0, 0);
    for (row, expected) in rows.zip(expected) {
        count += 1;
        match row {
            Ok(row) => assert_eq!(row, *expected),
            Err(error) => {
                check(error);
                errors += 1;
            }
        }
    }
    assert!(count == expected.len() || errors > 0, "rows are missing without an error");
    errors
}

#[test]
fn every_read_may_fail() {
    for (dialect, rows) in [(Dialect::Trevni, 5000), (Dialect::Levels, 1500), (Dialect::RedElm, 1500)] {
        every_read_of_may_fail(&file_of(dialect, rows));
    }
}

fn every_read_of_may_fail(bytes: &[u8]) {
    let expected: Vec<Value> =
        Reader::from_slice(bytes).unwrap().rows().unwrap().map(Result::unwrap).collect();
    let mut source = Failing { bytes: bytes.to_vec(), reads: AtomicUsize::new(0), fails: 0..0 };
    assert_eq!(read(&source, &expected), 0);
    let reads = source.reads.into_inner();
    assert!(reads > 20, "{reads} reads");
    for first in 0..reads {
        for end in [first + 1, first + 2, usize::MAX] {
            (source.reads, source.fails) = (AtomicUsize::new(0), first..end);
            assert!(read(&source, &expected) > 0, "read {first} failed unnoticed");
        }
    }
}

#[test]
fn a_column_that_could_not_be_read_is_tried_again() {
    let bytes = file();
    let expected: Vec<Value> =
        Reader::from_slice(&bytes).unwrap().rows().unwrap().map(Result::unwrap).collect();
    let source = Failing { bytes, reads: AtomicUsize::new(0), fails: 3..4 };
    let mut rows = Reader::new(&source).unwrap().rows::<Value>().unwrap();
    let error = rows.next().unwrap().unwrap_err();
    assert_eq!((error.category(), error.location().row), (Category::Io, Some(0)));
    let rest: Vec<Value> = rows.map(Result::unwrap).collect();
    assert_eq!(rest, expected[1..]);
}

#[test]
fn a_source_that_ends_early_is_an_io_error() {
    struct Longer(Vec<u8>);
    impl trevni::Source for Longer {
        fn size(&self) -> std::io::Result<u64> {
            Ok(self.0.len() as u64)
        }
        fn read_at(&self, offset: u64, buffer: &mut [u8]) -> std::io::Result<()> {
            let half = &self.0[..self.0.len() / 2];
            trevni::Source::read_at(half, offset, buffer)
        }
    }
    let error = Reader::new(Longer(file()))
        .unwrap()
        .column::<u32>("id")
        .map(drop)
        .and(Reader::new(Longer(file())).unwrap().raw_column(4).map(drop));
    assert_eq!(error.unwrap_err().category(), Category::Io);
    assert!(Reader::open("/nonexistent/file.trv").is_err_and(|error| error.category() == Category::Io));
}
