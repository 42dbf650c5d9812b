//! Small files that ask for much.

use super::made::{BROTLI, DATA, DICTIONARY, GZIP, PLAIN, column, file, page, run, varint};
use super::memory::{MIB, alone, within};
use super::thrift::int;
use super::{MOST, entries, read, rows};
use arrow_array::cast::AsArray;
use std::io::Write;
use trevni::{Limits, Reader};
use trevni_parquet::{Error, ParquetFile, ParquetOptions, ParquetReader};

/// Limits that are met soon.
fn small() -> Limits {
    Limits::default().block_bytes(4 << 20).memory(4 << 20).rows_without_bytes(1 << 20)
}

#[track_caller]
fn is_limited(bytes: &[u8], limits: Limits, option: &str) {
    let most = if limits == Limits::default() { MOST } else { 24 * MIB + 8 * bytes.len() };
    let failed = read(bytes, limits, most);
    let named = |error: &Error| matches!(error, Error::Limit { option: found, .. } if *found == option);
    assert!(failed.iter().any(named), "{failed:?}");
    let message = format!("(see Limits::{option})");
    assert!(failed.iter().any(|error| error.to_string().ends_with(&message)), "{failed:?}");
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn brotli(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = brotli::CompressorWriter::new(Vec::new(), 4096, 5, 22);
    encoder.write_all(bytes).unwrap();
    encoder.into_inner()
}

#[test]
fn pages_that_say_that_they_are_large() {
    let _alone = alone();
    let zeros = vec![0; 8 * MIB];
    let values = (zeros.len() / 4) as i64;
    for (codec, stored) in [(GZIP, gzip(&zeros)), (BROTLI, brotli(&zeros))] {
        let pages = [page(DATA, values, 0, zeros.len(), &stored)];
        let bytes = file(column(1, 0), codec, values, values, &pages);
        is_limited(&bytes, small(), "block_bytes");
        is_limited(&bytes, small().block_bytes(1 << 30), "memory");
        assert_eq!(rows(&bytes, Limits::default()).unwrap() as i64, values);
        let huge = [page(DATA, values, 0, i32::MAX as usize, &stored)];
        let bytes = file(column(1, 0), codec, values, values, &huge);
        is_limited(&bytes, Limits::default(), "block_bytes");
        is_limited(&bytes, Limits::default().block_bytes(1 << 32), "memory");
    }
}

#[test]
fn a_limit_says_where_it_was_met() {
    let _alone = alone();
    let bytes = file(column(1, 0), GZIP, 1, 1, &[page(DATA, 1, 0, 300 * MIB, &gzip(&[0; 4]))]);
    let error = rows(&bytes, Limits::default()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "column c, row group 0: the size of a page after decompression is 314572800, above the limit of \
         268435456 (see Limits::memory)"
    );
}

#[test]
fn pages_that_are_larger_than_they_say() {
    let _alone = alone();
    // 2 GiB in members of 4 MiB, and 64 MiB of brotli.
    let many = gzip(&vec![0; 4 * MIB]).repeat(512);
    for (codec, stored) in [(GZIP, many), (BROTLI, brotli(&vec![0; 64 * MIB]))] {
        let bytes = file(column(1, 0), codec, 10, 10, &[page(DATA, 10, 0, 40, &stored)]);
        let failed = read(&bytes, small(), 8 * MIB + 4 * bytes.len());
        assert!(failed.iter().all(Error::is_damage) && failed.len() == 2, "{failed:?}");
        assert!(failed[0].to_string().contains("column c, row group 0: byte "), "{failed:?}");
    }
}

#[test]
fn brotli_has_no_large_windows() {
    let _alone = alone();
    let stored = [0x11, 30, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0];
    let bytes = file(column(1, 0), BROTLI, 10, 10, &[page(DATA, 10, 0, 40, &stored)]);
    assert_eq!(read(&bytes, Limits::default(), 4 * MIB).len(), 2);
}

#[test]
fn many_pages_of_one_batch() {
    let _alone = alone();
    // Each has one value, of 3 MiB.
    let mut value = (3 * MIB as u32).to_le_bytes().to_vec();
    value.resize(3 * MIB + 4, b' ');
    let pages = vec![page(DATA, 1, 0, value.len(), &gzip(&value)); 1000];
    is_limited(&file(column(6, 0), GZIP, 1000, 1000, &pages), small(), "memory");
}

/// A string that is stored once, and many rows of it.
fn dictionary(length: usize, count: i64) -> Vec<u8> {
    let mut value = (length as u32).to_le_bytes().to_vec();
    value.resize(length + 4, b'x');
    let indices = [&[1][..], &varint((count as u64) << 1), &[0]].concat();
    let pages = [
        page(DICTIONARY, 1, 0, value.len(), &gzip(&value)),
        page(DATA, count, 8, indices.len(), &gzip(&indices)),
    ];
    file(column(6, 0), GZIP, count, count, &pages)
}

#[test]
fn long_strings_of_dictionaries_make_batches_small() {
    let _alone = alone();
    for (length, count) in [(1 << 20, 700), (100, 20_000), (40_000, 9000)] {
        let bytes = dictionary(length, count);
        let read = within(MOST, || rows(&bytes, Limits::default())).unwrap();
        assert_eq!(read as i64, count, "{length}");
        assert_eq!(within(64 * MIB, || entries(&bytes, Limits::default())).unwrap() as i64, count);
    }
    is_limited(&dictionary(3 << 20, 100), small(), "memory");
}

#[test]
fn batches_begin_again_at_the_row_where_they_were() {
    let _alone = alone();
    // A string is as long as the rows before it are many, so batches become smaller on the way.
    let text = |row: usize| format!("{row:0width$}", width = 10 + row / 300 * 10, row = row / 7);
    let column_file = trevni::to_vec((0..30_000).map(|row| (text(row), row as i64))).unwrap();
    let reader = Reader::from_slice(&column_file).unwrap();
    let options = ParquetOptions::new().row_group_bytes(20_000);
    let bytes = trevni_parquet::to_parquet(&reader, options, Vec::new()).unwrap();
    let file = ParquetFile::of_source_with(bytes, small()).unwrap();
    assert!(file.row_group_count() > 3, "{}", file.row_group_count());
    for (groups, limit) in [(0..file.row_group_count(), 50_000), (1..3, 50_000), (1..4, 9000)] {
        let first: u64 = file.row_groups().take(groups.start).map(|group| group.rows).sum();
        let count: u64 = file.row_groups().take(groups.end).skip(groups.start).map(|group| group.rows).sum();
        let batches = ParquetReader::builder().row_groups(groups).limit(limit).read(&file).unwrap();
        let (mut row, mut sizes) = (first as usize, Vec::new());
        for batch in batches.map(Result::unwrap) {
            sizes.push(batch.num_rows());
            for value in batch.column(0).as_string::<i32>() {
                assert_eq!(value, Some(text(row).as_str()), "{row}");
                row += 1;
            }
        }
        assert_eq!(row as u64, first + count.min(limit));
        assert!(sizes.last().unwrap() < &2000, "{sizes:?}");
    }
}

#[test]
fn wide_values_make_batches_small() {
    let _alone = alone();
    let wide = |length: i64| {
        let mut column = column(7, 1);
        column.set(2, int(length));
        file(column, PLAIN, 150, 150, &[page(DATA, 150, 0, 7, &run(150, 0))])
    };
    assert_eq!(within(MOST, || rows(&wide(2 << 20), Limits::default())).unwrap(), 150);
    is_limited(&wide(1 << 16), small(), "rows_without_bytes");
    is_limited(&wide(1 << 30), Limits::default(), "memory");
}

#[test]
fn items_of_lists_are_counted() {
    let _alone = alone();
    // One row of a repeated column, whose levels are two runs.
    let values = (1 << 30) + 1;
    let mut levels = [varint(2), vec![0], varint((values - 1) << 1), vec![1]].concat();
    levels = [&(levels.len() as u32).to_le_bytes(), levels.as_slice()].concat();
    levels.extend(run(values, 1));
    for physical in [0, 1, 6] {
        let page = page(DATA, values as i64, 3, levels.len(), &levels);
        let bytes = file(column(physical, 2), PLAIN, 1, values as i64, &[page]);
        is_limited(&bytes, Limits::default(), "memory");
    }
}

#[test]
fn rows_without_bytes_are_counted() {
    let _alone = alone();
    let count = i64::from(i32::MAX);
    let levels = run(count as u64, 0);
    let bytes = file(column(1, 1), PLAIN, count, count, &[page(DATA, count, 0, levels.len(), &levels)]);
    is_limited(&bytes, small(), "rows_without_bytes");
    let few = file(column(1, 1), PLAIN, 100_000, 100_000, &[page(DATA, 100_000, 0, 8, &run(100_000, 0))]);
    assert_eq!(rows(&few, small()).unwrap(), 100_000);
    // The row group has more rows than there is time for, and no page for most.
    let bytes = file(column(1, 1), PLAIN, 1 << 62, 1 << 62, &[page(DATA, 5, 0, 6, &run(5, 0))]);
    assert_eq!(read(&bytes, Limits::default(), 16 * MIB).len(), 1);
}

#[test]
fn counts_in_pages_make_no_room() {
    let _alone = alone();
    let count = i64::from(i32::MAX);
    // Blocks of 128 in 4, so many lengths, and the first.
    let lengths = [varint(128), varint(4), varint(count as u64), vec![0]].concat();
    for (encoding, physical) in [(6, 6), (7, 6), (7, 7), (5, 1)] {
        for values in [10, count] {
            let mut column = column(physical, 0);
            column.set(2, int(4));
            let page = page(DATA, values, encoding, lengths.len(), &lengths);
            let bytes = file(column, PLAIN, values, values, &[page]);
            assert!(!read(&bytes, small(), 24 * MIB).is_empty());
            if encoding != 5 {
                assert!(!read(&bytes, Limits::default(), 24 * MIB).is_empty());
            }
        }
    }
    // Many empty strings, which take more than their bytes.
    let zeros = vec![0; 128 * MIB];
    let empty = page(DICTIONARY, (zeros.len() / 4) as i64, 0, zeros.len(), &gzip(&zeros));
    is_limited(&file(column(6, 0), GZIP, 1, 1, &[empty]), Limits::default(), "memory");
    for physical in [1, 2, 6] {
        let page = page(DICTIONARY, count, 0, 8, &[0; 8]);
        assert!(!read(&file(column(physical, 0), PLAIN, 1, 1, &[page]), small(), 24 * MIB).is_empty());
    }
}
