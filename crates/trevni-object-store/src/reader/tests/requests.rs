//! How many requests it takes, and for which bytes.

use super::*;
use futures::StreamExt;
use futures::executor::block_on;
use serde_json::Value;
use std::ops::Range;
use std::sync::atomic::Ordering::SeqCst;
use std::time::Duration;
use trevni::formats::{RedElm, Trevni};
use trevni::{Codec, Reader, col};

fn bytes_of(ranges: &[Range<u64>]) -> u64 {
    ranges.iter().map(|range| range.end - range.start).sum()
}

#[derive(Debug, Deserialize)]
#[allow(dead_code)]
struct Text {
    text: String,
}

/// Does not say its fields.
#[derive(Debug, Deserialize)]
#[allow(dead_code)]
struct Any {
    text: Value,
}

#[test]
fn opening_takes_one_request_and_a_projection_one_for_each_run_of_columns() {
    let bytes = plain(60_000);
    assert!(bytes.len() > 2 << 20, "{}", bytes.len());
    block_on(async {
        let store = store(bytes).await;
        for (columns, runs) in [
            (&["id"][..], 1),
            (&["id", "noise", "text", "last"], 1),
            (&["id", "last"], 2),
            (&["id", "noise._1", "noise._2", "last"], 3),
        ] {
            let reader = opened(&store).await.unwrap();
            assert_eq!(store.take(), [0..64 << 10], "opening");
            store.is_slow.store(true, SeqCst);
            store.most_at_once();
            let rows = all(reader.project(columns).unwrap().rows::<Value>()).await;
            assert_eq!(rows.len(), 60_000);
            let taken = store.take();
            assert_eq!(taken.len(), runs, "{columns:?}: {taken:?}");
            println!("{columns:?}: {} requests, {} bytes", taken.len(), bytes_of(&taken));
            assert_eq!(store.most_at_once(), runs);
            store.is_slow.store(false, SeqCst);
            assert_eq!(reader.requests() as usize, 1 + runs);
            // What small columns have is kept for a while.
            all(reader.project(["id"]).unwrap().batches()).await;
            assert_eq!(store.take(), []);
        }
    });
}

#[test]
fn types_fetch_the_columns_of_their_fields() {
    block_on(async {
        let store = store(plain(60_000)).await;
        let text = |reader: &AsyncReader| {
            reader.columns().iter().find(|column| column.name() == "text").unwrap().start()
        };
        let reader = opened(&store).await.unwrap();
        store.take();
        assert_eq!(all(reader.rows::<Text>()).await.len(), 60_000);
        let taken = store.take();
        assert_eq!(taken.len(), 1, "{taken:?}");
        assert_eq!(taken[0].start, text(&reader));
        let reader = opened(&store).await.unwrap();
        store.take();
        assert_eq!(all(reader.rows::<Any>()).await.len(), 60_000);
        assert_eq!(store.take(), taken);
    });
}

#[test]
fn long_headers_and_footers_take_two_requests() {
    for options in [
        Writer::builder().metadata("long", vec![7; 200_000]),
        Writer::builder().metadata("long", vec![7; 900_000]),
        Writer::builder().metadata("long", vec![7; 200_000]).format(Trevni::new().compact()),
        Writer::builder().format(RedElm::new()),
    ] {
        let bytes = file(20_000, options);
        block_on(async {
            let store = store(bytes).await;
            let reader = opened(&store).await.unwrap();
            let taken = store.take();
            assert!(taken.len() <= 2, "{taken:?}");
            assert_eq!(reader.requests() as usize, taken.len());
            assert_eq!(all(reader.rows::<Row>()).await, (0..20_000).map(row).collect::<Vec<_>>());
        });
    }
}

#[test]
fn streams_that_want_the_same_bytes_fetch_them_once() {
    block_on(async {
        let store = store(plain(60_000)).await;
        let reader = opened(&store).await.unwrap();
        store.take();
        store.is_slow.store(true, SeqCst);
        let sums = futures::future::join_all((0..20).map(|number| {
            let part = if number % 2 == 0 { &["id", "last"][..] } else { &["last"] };
            let reader = reader.project(part).unwrap();
            async move { reader.rows::<Value>().count().await }
        }));
        assert_eq!(sums.await, [60_000; 20]);
        assert_eq!(store.take().len(), 2);
        assert_eq!(reader.fetched.pins(), 0);
    });
}

#[test]
fn small_files_take_one_request() {
    let bytes = plain(200);
    block_on(async {
        let store = store(bytes).await;
        let reader = opened(&store).await.unwrap();
        assert_eq!(all(reader.rows::<Row>()).await.len(), 200);
        assert_eq!(reader.filter(col("id").eq(7i64)).unwrap().rows::<Row>().count().await, 1);
        assert_eq!(store.take().len(), 1);
    });
}

/// More than 20 MiB.
fn large() -> Vec<u8> {
    let bytes = file(500_000, Writer::builder().codec(Codec::Null));
    assert!(bytes.len() > 20 << 20, "{}", bytes.len());
    bytes
}

#[test]
fn windows_are_fetched_while_others_are_read() {
    let bytes = large();
    let len = bytes.len() as u64;
    block_on(async {
        let store = store(bytes).await;
        let reader = opened(&store).await.unwrap();
        store.take();
        let mut rows = reader.rows::<Row>();
        let first = rows.next().await.unwrap().unwrap();
        assert_eq!(first, row(0));
        // The block tables, a window, and the next one.
        let (mut taken, columns) = (store.take(), reader.columns().len());
        for _ in 0..100 {
            if taken.len() > 2 * columns {
                break;
            }
            std::thread::sleep(Duration::from_millis(10));
            taken.extend(store.take());
        }
        assert!((2 * columns..=3 * columns).contains(&taken.len()), "{} of {columns}", taken.len());
        assert!(bytes_of(&taken) < 16 << 20, "{}", bytes_of(&taken));
        assert_eq!(reader.fetched.pins(), 3);
        let mut count = 1;
        while let Some(row) = rows.next().await {
            assert_eq!(row.unwrap().id, count);
            count += 1;
        }
        assert_eq!(count, 500_000);
        let rest = store.take();
        println!("{} and {} requests for {columns} columns", taken.len(), rest.len());
        // Blocks where windows meet are fetched once.
        assert!(bytes_of(&taken) + bytes_of(&rest) < len + (1 << 20));
        assert!(rest.len() <= 6 * columns, "{}", rest.len());
        assert_eq!(reader.fetched.pins(), 0);
    });
}

#[test]
fn filters_fetch_their_columns_and_the_blocks_of_the_rows_that_match() {
    let bytes = large();
    block_on(async {
        let store = store(bytes).await;
        let reader = opened(&store).await.unwrap();
        store.take();
        // Zone maps say in which block.
        let one = reader.filter(col("id").eq(400_000i64)).unwrap();
        assert_eq!(all(one.rows::<Row>()).await, [row(400_000)]);
        let taken = store.take();
        let columns = reader.columns().len();
        println!("a row by its zone: {} requests, {} bytes", taken.len(), bytes_of(&taken));
        assert!(taken.len() <= 2 * columns + 1, "{}", taken.len());
        assert!(bytes_of(&taken) < 1 << 20, "{}", bytes_of(&taken));
        // They do not.
        let reader = opened(&store).await.unwrap();
        let id = reader.filter(col("text").eq(row(123_456).text)).unwrap();
        assert_eq!(all(id.rows::<Row>()).await, [row(123_456)]);
        let column = reader.columns().iter().find(|column| column.name() == "text").unwrap();
        let after =
            reader.columns().iter().map(|other| other.start()).filter(|start| *start > column.start()).min();
        let text = after.unwrap() - column.start();
        assert!(bytes_of(&store.take()) < text + (1 << 20));
    });
}

#[test]
fn rows_by_number_fetch_each_block_once() {
    let bytes = large();
    block_on(async {
        let store = store(bytes).await;
        let reader = opened(&store).await.unwrap();
        store.take();
        let numbers: Vec<u64> = (0..300).map(|at| (at * 7919 + 13) % 3000 + 100_000 * (at % 4)).collect();
        let rows: Vec<Row> = reader.take(&numbers).await.unwrap();
        assert_eq!(rows, numbers.iter().map(|number| row(*number as i64)).collect::<Vec<_>>());
        let taken = store.take();
        let overlaps = taken.windows(2).filter(|two| two[0].end > two[1].start).count();
        assert_eq!(overlaps, 0, "{taken:?}");
        let columns = reader.columns().len();
        println!("300 rows: {} requests, {} bytes", taken.len(), bytes_of(&taken));
        assert!(taken.len() <= 5 * columns, "{}", taken.len());
        assert!(bytes_of(&taken) < 8 << 20, "{}", bytes_of(&taken));
        // One row: its block of each column. The tables are known.
        let one: Row = reader.row(250_000).await.unwrap();
        assert_eq!(one, row(250_000));
        let taken = store.take();
        println!("a row: {} requests, {} bytes", taken.len(), bytes_of(&taken));
        assert!(taken.len() <= columns && bytes_of(&taken) < 1 << 20, "{taken:?}");
        assert_eq!(reader.row::<Row>(250_001).await.unwrap(), row(250_001));
        assert_eq!(store.take(), [], "the block is kept");
    });
}

#[test]
fn other_formats_are_fetched_in_few_requests() {
    for options in [
        Writer::builder().format(Trevni::new().compact()),
        Writer::builder().format(RedElm::new().row_group_size(1 << 20)),
        Writer::builder().dialect(trevni::Dialect::Levels),
    ] {
        let bytes = file(60_000, options);
        assert_eq!(Reader::from_slice(&bytes).unwrap().row_count(), 60_000);
        block_on(async {
            let store = store(bytes).await;
            let reader = opened(&store).await.unwrap();
            assert!(store.take().len() <= 2);
            let rows = all(reader.rows::<Text>()).await;
            assert_eq!(rows.len(), 60_000);
            let taken = store.take();
            println!("{:?}: {} requests", reader.dialect(), taken.len());
            assert!(taken.len() <= 12, "{:?}: {} {taken:?}", reader.dialect(), taken.len());
        });
    }
}
