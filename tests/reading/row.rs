//! Single rows by their numbers.

use crate::nested::{Row, rows, written};
use serde::Deserialize;
use trevni::formats::{Trevni, Version};
use trevni::{Category, Checksum, Codec, ErrorKind, Reader, Source, WriterBuilder};

#[test]
fn every_row_is_found_by_its_number() {
    let rows = rows(700);
    for version in [Version::V1, Version::V2] {
        for (codec, block_size) in [(Codec::Null, 50), (Codec::Snappy, 700), (Codec::Deflate, 1 << 20)] {
            let builder = WriterBuilder::new()
                .format(Trevni::new().version(version))
                .codec(codec)
                .block_size(block_size);
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
    fn size(&self) -> std::io::Result<u64> {
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

#[test]
fn rows_are_found_in_any_order() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Name {
        name: Option<String>,
    }
    let rows = rows(700);
    let bytes = written(&rows, WriterBuilder::new().block_size(300));
    let reader = Reader::from_slice(&bytes).unwrap();
    let is_row = |number: usize| assert_eq!(reader.row::<Row>(number as u64).unwrap(), rows[number]);
    // Forwards, with gaps, backwards, and the same again: within what has been decoded together and beyond.
    (0..100).for_each(is_row);
    (100..400).step_by(3).for_each(is_row);
    (0..120).rev().for_each(is_row);
    (0..100).map(|n| n / 4).for_each(is_row);
    (0..40).flat_map(|n| [500 + n, 500 + n, 600 - n]).for_each(is_row);
    (680..700).for_each(is_row);
    // Another type in between.
    for (number, row) in rows.iter().enumerate().skip(300).take(100) {
        is_row(number);
        assert_eq!(reader.row::<Name>(number as u64).unwrap().name, row.name);
        is_row(number + 1);
    }
}

#[test]
fn a_damaged_block_fails_only_its_rows() {
    let builder = WriterBuilder::new().codec(Codec::Null).checksum(Checksum::Crc32).block_size(100);
    let mut writer = builder.build(Vec::new()).unwrap();
    (0..2_000_i64).for_each(|n| writer.write(&(n * 1_000_000)).unwrap());
    let mut bytes = writer.finish().unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    let reader = Reader::from_slice(&bytes).unwrap();
    let row = |reader: &Reader<'_>, number| reader.row::<i64>(number).map_err(|error| error.to_string());
    let alone: Vec<_> = (0..2_000).map(|number| row(&reader.clone(), number)).collect();
    let failed = alone.iter().filter(|row| row.is_err()).count();
    assert!((10..100).contains(&failed), "{failed}");
    let following: Vec<_> = (0..2_000).map(|number| row(&reader, number)).collect();
    assert_eq!(following, alone);
}
