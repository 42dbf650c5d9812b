//! Single rows by their numbers.

use crate::nested::{Row, rows, written};
use serde::Deserialize;
use trevni::{Category, Checksum, Codec, ErrorKind, Reader, Source, Version, WriterBuilder};

#[test]
fn every_row_is_found_by_its_number() {
    let rows = rows(700);
    for version in [Version::V1, Version::V2] {
        for (codec, block_size) in [(Codec::Null, 50), (Codec::Snappy, 700), (Codec::Deflate, 1 << 20)] {
            let builder = WriterBuilder::new().version(version).codec(codec).block_size(block_size);
            let bytes = written(&rows, builder);
            let reader = Reader::from_slice(&bytes).unwrap();
            for (number, row) in rows.iter().enumerate() {
                assert_eq!(reader.row::<Row>(number as u64).unwrap(), *row, "{codec:?} {block_size}");
            }
        }
    }
}

#[test]
fn a_row_past_the_end_is_misuse() {
    let bytes = written(&rows(3), WriterBuilder::new());
    let reader = Reader::from_slice(&bytes).unwrap();
    for number in [3, 4, u64::MAX] {
        let error = reader.row::<Row>(number).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::NoSuchRow { row, rows: 3 } if *row == number), "{error}");
        assert_eq!(error.category(), Category::Misuse);
    }
}

#[test]
fn a_row_that_does_not_fit_says_where() {
    #[derive(Debug, Deserialize)]
    struct Wrong {
        #[allow(dead_code, reason = "never read")]
        name: Option<u8>,
    }
    let bytes = written(&rows(20), WriterBuilder::new());
    let error = Reader::from_slice(&bytes).unwrap().row::<Wrong>(7).unwrap_err();
    assert!(error.to_string().starts_with("row 7, name: "), "{error}");
}

/// Counts the bytes that are read.
struct Counting(Vec<u8>, std::sync::atomic::AtomicU64);

impl Source for Counting {
    fn len(&self) -> std::io::Result<u64> {
        Ok(self.0.len() as u64)
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> std::io::Result<()> {
        self.1.fetch_add(buffer.len() as u64, std::sync::atomic::Ordering::Relaxed);
        self.0.read_at(offset, buffer)
    }
}

#[test]
fn only_the_blocks_with_the_row_are_read() {
    let rows = rows(20_000);
    let builder = WriterBuilder::new().codec(Codec::Null).checksum(Checksum::Null).block_size(2000);
    let source = Counting(written(&rows, builder), Default::default());
    let reader = Reader::new(&source).unwrap();
    let read = |number: u64| {
        let before = source.1.load(std::sync::atomic::Ordering::Relaxed);
        assert_eq!(reader.row::<Row>(number).unwrap(), rows[number as usize]);
        source.1.load(std::sync::atomic::Ordering::Relaxed) - before
    };
    // The tables of the columns are read once.
    read(0);
    let columns = reader.columns().len() as u64;
    for number in [1, 9_999, 19_999] {
        // A column below others is positioned by theirs, which are read again for it.
        let bytes = read(number);
        assert!(bytes < 8 * columns * 2200, "{bytes} bytes for row {number} of {columns} columns");
        assert!(bytes * 4 < source.0.len() as u64, "{bytes} of {}", source.0.len());
    }
}
