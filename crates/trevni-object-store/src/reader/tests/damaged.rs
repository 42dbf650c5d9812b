//! Files that are damaged, or made to do harm.

use super::*;
use futures::executor::block_on;
use serde_json::Value;
use trevni::formats::{RedElm, Trevni};
use trevni::{Limits, Predicate, Reader, col};

/// The rows up to the first error, and whether there is one.
fn waiting(bytes: &[u8], predicate: &Predicate, limits: Limits) -> trevni::Result<Vec<Value>> {
    Reader::builder().limits(limits).source(bytes)?.filter(predicate.clone())?.rows()?.collect()
}

async fn without(bytes: Vec<u8>, predicate: &Predicate, limits: Limits) -> trevni::Result<Vec<Value>> {
    let store = store(bytes).await;
    let reader = tiny(3000).limits(limits).open_in(store as _, NAME).await?;
    // Nothing of it may panic.
    let _ = reader.take::<Row>(&[7, 3]).await;
    let _ = reader.batches().try_for_each(async |_| Ok(())).await;
    reader.filter(predicate.clone())?.rows().try_collect().await
}

#[test]
fn damaged_bytes_are_errors_or_the_rows_that_a_reader_that_waits_gives() {
    let limits = Limits::DEFAULT.memory(16 << 20).block_bytes(1 << 20).rows_without_bytes(1 << 20);
    let (mut rows, mut errors) = (0, 0);
    for options in [
        Writer::builder().block_size(1000),
        Writer::builder().block_size(1000).format(Trevni::new().compact()),
        Writer::builder().block_size(1000).checksum(trevni::Checksum::Null),
        Writer::builder().format(RedElm::new().row_group_size(5000)),
    ] {
        let whole = file(300, options);
        for number in 0..60_usize {
            let mut bytes = whole.clone();
            // The header is where most of it matters.
            let at = if number % 2 == 0 { number * 13 % 1500 } else { number * 7919 % bytes.len() };
            let at = at.min(bytes.len() - 1);
            match number % 5 {
                0 => bytes.truncate(at),
                1 => bytes[at] = 0xff,
                _ => bytes[at] ^= 1 << (number % 8),
            }
            let predicate = if number % 3 == 0 { col("id").ge(100i64) } else { col("last").lt(250) };
            let expected = waiting(&bytes, &predicate, limits);
            let found = block_on(without(bytes, &predicate, limits));
            match (expected, found) {
                (Ok(expected), Ok(found)) => {
                    assert_eq!(found, expected, "{number}");
                    rows += 1;
                }
                (Err(_), Err(_)) => errors += 1,
                (expected, found) => panic!(
                    "{number}: {:?}, but {:?}",
                    found.map(|rows| rows.len()),
                    expected.map(|rows| rows.len())
                ),
            }
        }
    }
    assert!(rows > 20 && errors > 50, "{rows} {errors}");
}

#[test]
fn any_bytes_are_an_error() {
    for bytes in [Vec::new(), vec![0], b"Trv".to_vec(), vec![0xff; 100_000], b"Trv\x01".repeat(50_000)] {
        assert!(block_on(without(bytes, &col("id").eq(1), Limits::DEFAULT)).is_err());
    }
}

#[test]
fn salvaged_files_give_the_rows_that_are_left() {
    let mut bytes = file(3000, Writer::builder().block_size(2000));
    let at = bytes.len() / 2;
    bytes[at] ^= 1;
    let options = Reader::builder().salvage();
    let reader = options.clone().source(&*bytes).unwrap();
    let expected: Vec<Row> = reader.rows().unwrap().collect::<Result<_, _>>().unwrap();
    assert!(expected.len() < 3000);
    block_on(async {
        let reader =
            tiny(3000).options(options).open_in(store(bytes.clone()).await as _, NAME).await.unwrap();
        assert_eq!(all(reader.rows::<Row>()).await, expected);
        let lost = (0..3000).find(|id| !expected.contains(&row(*id))).unwrap() as u64;
        let error = reader.row::<Row>(lost).await.unwrap_err();
        assert!(error.to_string().contains("lost"), "{error}");
        assert!(reader.take::<Row>(&[0, lost]).await.is_err());
    });
}
