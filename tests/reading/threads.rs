//! Columns that are decoded on several threads, and readers that are shared by several.

use crate::nested::{Row, rows, written};
use crate::sources::Failing;
use serde_json::Value;
use std::sync::atomic::AtomicUsize;
use std::thread;
use trevni::{Category, Codec, Error, Reader, RowSelection, WriterBuilder, col};

fn file() -> Vec<u8> {
    written(&rows(6000), WriterBuilder::new().codec(Codec::Deflate).block_size(2000))
}

#[test]
fn threads_do_not_change_what_is_read() {
    let bytes = file();
    let alone = Reader::from_slice(&bytes).unwrap();
    let rows: Vec<Row> = alone.rows().unwrap().map(Result::unwrap).collect();
    let filter = || col("name").is_not_null() & col("groups").any(trevni::item().any(col("flag").eq(true)));
    let filtered: Vec<Row> = alone.filter(filter()).unwrap().rows().unwrap().map(Result::unwrap).collect();
    assert!(filtered.len() > 100 && filtered.len() < rows.len());
    for threads in [0, 2, 3, 40] {
        let reader = Reader::builder().threads(threads).source(&bytes[..]).unwrap();
        let read: Vec<Row> = reader.rows().unwrap().map(Result::unwrap).collect();
        assert_eq!(read, rows);
        let mut batched: Vec<Value> = Vec::new();
        for batch in reader.batches().unwrap() {
            batched.extend(batch.unwrap().rows::<Value>().map(Result::unwrap));
        }
        assert_eq!(batched, alone.rows::<Value>().unwrap().map(Result::unwrap).collect::<Vec<_>>());
        let read: Vec<Row> = reader.filter(filter()).unwrap().rows().unwrap().map(Result::unwrap).collect();
        assert_eq!(read, filtered);
        assert_eq!(reader.row::<Row>(4567).unwrap(), rows[4567]);
        let ids = reader.select(5000..5010).unwrap().column::<u64>("id").unwrap();
        assert_eq!(ids, (5000..5010).collect::<Vec<_>>());
    }
}

#[test]
fn the_first_field_that_fails_tells() {
    let mut bytes = file();
    let reader = Reader::from_slice(&bytes).unwrap();
    // Damage far behind in two columns of different fields.
    let offsets: Vec<u64> = [1, 8]
        .map(|column| {
            let blocks = reader.blocks(column).unwrap();
            blocks[blocks.len() - 2].offset + 10
        })
        .to_vec();
    drop(reader);
    for offset in offsets {
        bytes[offset as usize] ^= 0x55;
    }
    let first_error = |threads: usize| -> (usize, Error) {
        let reader = Reader::builder().threads(threads).source(&bytes[..]).unwrap();
        let mut batches = reader.batches().unwrap();
        let mut rows = 0;
        loop {
            match batches.next().expect("an error comes first") {
                Ok(batch) => rows += batch.len(),
                Err(error) => {
                    assert!(batches.next().is_none());
                    return (rows, error);
                }
            }
        }
    };
    let (_, alone) = first_error(1);
    assert_eq!(alone.category(), Category::Corrupt);
    for _ in 0..20 {
        let (_, error) = first_error(3);
        assert_eq!(error.location().column, alone.location().column);
        assert_eq!(error.location().block, alone.location().block);
    }
}

#[test]
fn a_source_that_fails_on_a_thread_is_an_error() {
    let bytes = file();
    for fails in [3, 5, 8, 13] {
        let source = Failing { bytes: bytes.clone(), reads: AtomicUsize::new(0), fails: fails..usize::MAX };
        let rows = Reader::builder().threads(2).source(&source).and_then(|reader| {
            reader.batches()?.try_fold(0, |rows, batch| Ok::<_, Error>(rows + batch?.len()))
        });
        assert_eq!(rows.unwrap_err().category(), Category::Io);
    }
}

#[test]
fn one_reader_serves_several_threads() {
    let bytes = file();
    let expected = rows(6000);
    let reader = Reader::new(&bytes[..]).unwrap();
    thread::scope(|scope| {
        for part in 0..6u64 {
            let (reader, expected) = (&reader, &expected);
            scope.spawn(move || {
                let range = part * 1000..(part + 1) * 1000;
                let own = reader.clone().select(RowSelection::from(range.clone())).unwrap();
                let read: Vec<Row> = own.rows().unwrap().map(Result::unwrap).collect();
                assert_eq!(read, expected[range.start as usize..range.end as usize]);
                for number in (range.start..range.end).step_by(97) {
                    assert_eq!(reader.row::<Row>(number).unwrap(), expected[number as usize]);
                }
            });
        }
    });
}
