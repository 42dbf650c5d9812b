//! Rows are the same by the fast path and by the slow one, and so are their errors.
//!
//! A single row ([`Reader::row`]) goes the slow path, unless it follows the last one. [`Reader::rows`] and
//! [`trevni::from_slice`] read all but the first rows by the fast path, and so do the rows of batches.

/// Reads rows in other ways than they were written: each must be the same by both paths, also where it fails.
macro_rules! assert_same {
    ($bytes:expr, $($kind:ty)*) => {
        $(read::<$kind>(&$bytes);)*
    };
}

mod asked;
mod random;
mod visitors;
mod written;

use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt;
use trevni::{Reader, from_slice, to_vec};

type Rows<R> = Vec<Result<R, String>>;

fn shown<R>(row: trevni::Result<R>) -> Result<R, String> {
    row.map_err(|error| error.to_string())
}

/// The rows, each as the slow path reads it; asserts that the fast path reads the same.
#[track_caller]
fn read<R: DeserializeOwned + PartialEq + fmt::Debug>(bytes: &[u8]) -> Rows<R> {
    let reader = Reader::from_slice(bytes).unwrap();
    // Each of two readers reads every second row, so none follows the last.
    let two = [reader.clone(), reader.clone()];
    let slow: Rows<R> =
        (0..reader.row_count()).map(|number| shown(two[number as usize % 2].row(number))).collect();
    let following: Rows<R> = (0..reader.row_count()).map(|number| shown(reader.row(number))).collect();
    assert_eq!(following, slow, "single rows");
    let fast: Rows<R> = reader.rows().unwrap().map(shown).collect();
    assert_eq!(fast, slow, "rows");
    let mut at = slow.iter();
    for batch in reader.batches().unwrap() {
        for row in batch.unwrap().rows::<R>() {
            assert_eq!(Some(&shown(row)), at.next(), "rows of batches");
        }
    }
    assert_eq!(at.next(), None);
    match (from_slice::<Vec<R>>(bytes), slow.iter().find(|row| row.is_err())) {
        (Ok(rows), None) => assert!(rows.iter().eq(slow.iter().flatten()), "from_slice"),
        (Err(error), Some(Err(first))) => assert_eq!(error.to_string(), *first, "from_slice"),
        (rows, first) => panic!("from_slice: {rows:?}, but {first:?}"),
    }
    slow
}

/// Asserts that rows come back as the type they were written as.
fn assert_read<R: Serialize + DeserializeOwned + Clone + PartialEq + fmt::Debug>(rows: &[R]) -> Vec<u8> {
    let bytes = to_vec(rows).unwrap();
    let expected: Rows<R> = rows.iter().cloned().map(Ok).collect();
    assert_eq!(read::<R>(&bytes), expected);
    bytes
}
