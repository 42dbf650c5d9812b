//! The same as rows of Rust, all at once and one by one.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fmt::Debug;
use trevni::{Codec, Reader, Writer};

#[track_caller]
fn come_back<T: Serialize + DeserializeOwned + Clone + PartialEq + Debug>(
    row: &T,
    rows: usize,
    codec: Codec,
) {
    let mut writer = Writer::builder().codec(codec).build(Vec::new()).unwrap();
    (0..rows).for_each(|_| writer.write(row).unwrap());
    let file = writer.finish().unwrap();
    let reader = Reader::from_slice(&file).unwrap();
    let mut found = 0;
    for read in reader.rows::<T>().unwrap() {
        assert!(read.unwrap() == *row);
        found += 1;
    }
    assert_eq!(found, rows);
    let all: Vec<T> = trevni::from_slice(&file).unwrap();
    assert!(all.len() == rows && all.last() == Some(row));
    assert_eq!(reader.row::<T>(rows as u64 - 1).unwrap(), *row);
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Wide {
    id: u32,
    numbers: [Option<f64>; 10],
}

#[test]
fn rows_that_take_no_bytes_come_back() {
    come_back(&None::<i32>, 2_000_000, Codec::Auto);
    come_back(&(), 2_000_000, Codec::Auto);
    come_back(&Vec::<i32>::new(), 500_000, Codec::Auto);
    come_back(&vec![(); 300], 20_000, Codec::Auto);
}

#[test]
fn constant_rows_come_back() {
    come_back(&(7, "EUR".to_owned(), true), 400_000, Codec::Typed);
    if Codec::TypedZstandard.is_available() {
        come_back(&Wide { id: 5, numbers: [None; 10] }, 100_000, Codec::TypedZstandard);
    }
}

/// So many that a file of them has far fewer bytes than memory: `cargo test --release --test defaults -- --ignored`.
#[test]
#[ignore = "takes half a minute in a release build"]
fn millions_of_constant_rows_come_back() {
    come_back(&(7, "EUR".to_owned(), true), 4_000_000, Codec::Typed);
    come_back(&None::<i32>, 100_000_000, Codec::Auto);
    come_back(&(), 100_000_000, Codec::Auto);
    if Codec::TypedZstandard.is_available() {
        come_back(&Wide { id: 5, numbers: [None; 10] }, 500_000, Codec::TypedZstandard);
    }
}

/// A list of as many items as a row may have.
#[test]
fn long_lists_of_nothing_come_back() {
    come_back(&vec![None::<i32>; 1_000_000], 2, Codec::Auto);
    come_back(&vec![(); 1_000_000], 2, Codec::Auto);
    come_back(&vec![7; 1_000_000], 2, Codec::Typed);
}
