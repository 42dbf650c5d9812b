//! Columns that are decoded on several threads, and readers that are shared by several.

use crate::nested::{Row, rows, written};
use crate::sources::Failing;
use serde::{Deserialize, Serialize};
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
    let sources = [0, 2, 3, 40].map(|threads| {
        let builder = Reader::builder().threads(threads);
        [builder.clone().source(&bytes[..]).unwrap(), builder.shared(bytes.clone()).unwrap()]
    });
    for reader in sources.into_iter().flatten() {
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

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Choice {
    Often(u32),
    Late { text: String, numbers: Vec<u16> },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Late {
    id: u32,
    choices: Vec<Choice>,
    other: Option<Choice>,
}

/// Rows of which some have variants that no row has before.
fn late_rows() -> Vec<Late> {
    let late = |id: u32| Choice::Late { text: format!("late {id}"), numbers: vec![id as u16; 3] };
    let choice = |id: u32| if id % 25_000 == 24_999 { late(id) } else { Choice::Often(id) };
    let row = |id: u32| Late {
        id,
        choices: (0..id % 3).map(|n| if n == 1 { choice(id) } else { Choice::Often(n) }).collect(),
        other: (!id.is_multiple_of(2))
            .then(|| if id % 70_001 == 70_000 { late(id) } else { Choice::Often(id) }),
    };
    (0..150_000).map(row).collect()
}

#[test]
fn what_rows_ask_for_late_is_there() {
    let rows = late_rows();
    let bytes = trevni::to_vec(&rows).unwrap();
    for threads in [1, 2, 4] {
        let reader = Reader::builder().threads(threads).shared(bytes.clone()).unwrap();
        let mut count = 0;
        for (row, expected) in reader.rows::<Late>().unwrap().zip(&rows) {
            assert_eq!(row.unwrap(), *expected);
            count += 1;
        }
        assert_eq!(count, rows.len());
        let ranges = [100..40_000u64, 60_000..140_002];
        let part = reader.select(ranges.clone()).unwrap().filter(col("id").ge(20_000)).unwrap();
        let read: Vec<Late> = part.rows().unwrap().map(Result::unwrap).collect();
        let expected = ranges.into_iter().flatten().filter(|id| *id >= 20_000);
        assert!(read.iter().eq(expected.map(|id| &rows[id as usize])));
    }
}

#[test]
fn rows_that_are_not_read_to_the_end_leave_no_thread_waiting() {
    let bytes = trevni::to_vec(late_rows()).unwrap();
    let reader = Reader::builder().threads(2).shared(bytes).unwrap();
    for count in [0, 1, 64, 65, 20_000] {
        let mut rows = reader.rows::<Late>().unwrap();
        assert_eq!(rows.by_ref().take(count).filter(Result::is_ok).count(), count);
        assert_eq!(rows.size_hint().1, Some(150_000 - count));
    }
}

#[test]
fn damage_is_found_where_it_is() {
    let mut bytes = trevni::to_vec(late_rows()).unwrap();
    let (offset, first_row) = {
        let reader = Reader::from_slice(&bytes).unwrap();
        let blocks = reader.blocks(0).unwrap();
        let last = blocks.last().unwrap();
        (last.offset, last.first_row)
    };
    bytes[offset as usize + 20] ^= 0x10;
    let reader = Reader::builder().threads(2).shared(bytes).unwrap();
    let mut rows = reader.rows::<Late>().unwrap();
    let read = rows.by_ref().take_while(Result::is_ok).count() as u64;
    assert!(read <= first_row && read + 20_000 > first_row, "{read} of {first_row}");
    assert!(rows.next().is_none());
}
