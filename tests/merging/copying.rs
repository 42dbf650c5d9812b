//! Blocks that can be copied are: each byte once, and unchanged.

use crate::nested::{rows, written};
use crate::sources::Counting;
use crate::{merged, read};
use trevni::merge::{Merge, Split};
use trevni::{BlockInfo, Codec, Reader, WriterBuilder};

/// The stored bytes of each block of a column, with their checksums.
fn stored<'a>(bytes: &'a [u8], reader: &Reader<'_>, column: usize) -> Vec<&'a [u8]> {
    let more = if reader.columns()[column].checksum_name() == "null" { 0 } else { 4 };
    let slice = |block: BlockInfo| &bytes[block.offset as usize..][..block.compressed_size as usize + more];
    reader.blocks(column).unwrap().into_iter().map(slice).collect()
}

#[test]
fn blocks_are_byte_for_byte_those_of_the_parts() {
    let rows = rows(900);
    let builder = || WriterBuilder::new().codec(Codec::Deflate).block_size(200);
    let (one, two) = (written(&rows, builder()), written(&rows, builder().block_size(777)));
    let readers = [&one, &two].map(|bytes| Reader::from_slice(bytes).unwrap());
    let (file, report) = merged(Merge::new(), &readers);
    let all = Reader::from_slice(&file).unwrap();
    let mut count = 0;
    for column in 0..all.columns().len() {
        let parts = [stored(&one, &readers[0], column), stored(&two, &readers[1], column)].concat();
        assert!(stored(&file, &all, column) == parts);
        count += parts.len() as u64;
    }
    assert_eq!((report.blocks_copied, report.blocks_recoded, report.blocks_rewritten), (count, 0, 0));
    assert_eq!(report.rows, 1800);
    // Verified or not, the file is the same.
    assert!(merged(Merge::new().verify(), &readers).0 == file);
    // A codec that the blocks have already changes nothing.
    assert!(merged(Merge::new().codec(Codec::Deflate).level(9), &readers).0 == file);
}

#[test]
fn each_byte_is_read_once_and_many_at_a_time() {
    let bytes = written(&rows(4000), WriterBuilder::new().block_size(100));
    for merge in [Merge::new(), Merge::new().verify(), Merge::new().codec(Codec::Null)] {
        let source = Counting::new(bytes.clone());
        let reader = Reader::new(&source).unwrap();
        let blocks: Vec<_> =
            (0..reader.columns().len()).map(|column| reader.blocks(column).unwrap()).collect();
        source.take();
        let (file, report) = merged(merge, std::slice::from_ref(&reader));
        let all: u64 = blocks.iter().flatten().map(|block| u64::from(block.compressed_size) + 4).sum();
        assert_eq!(source.take(), all);
        assert_eq!(report.rows, 4000);
        assert_eq!(Reader::from_slice(&file).unwrap().row_count(), 4000);
    }
}

#[test]
fn blocks_outside_a_selection_are_not_read() {
    let rows: Vec<(u64, String)> = (0..50_000).map(|n| (n, format!("text {n}"))).collect();
    let mut writer = WriterBuilder::new().block_size(1000).build(Vec::new()).unwrap();
    writer.write_all(&rows).unwrap();
    let bytes = writer.finish().unwrap();
    let source = Counting::new(bytes.clone());
    let reader = Reader::new(&source).unwrap().select(20_000..21_000).unwrap();
    for column in 0..2 {
        reader.blocks(column).unwrap();
    }
    source.take();
    let (file, report) = merged(Merge::new(), &[reader]);
    assert!(source.take() < bytes.len() as u64 / 25);
    assert!(report.blocks_copied > 0 && report.blocks_rewritten == 4, "{report:?}");
    assert_eq!(read::<(u64, String)>(&Reader::from_slice(&file).unwrap()), rows[20_000..21_000]);
}

#[test]
fn cuts_between_blocks_decode_nothing() {
    // Eight bytes a row in both columns, so their blocks end together.
    let mut writer = WriterBuilder::new().block_size(800).build(Vec::new()).unwrap();
    writer.write_all((0..1000).map(|n| (f64::from(n), f64::from(n).sin()))).unwrap();
    let bytes = writer.finish().unwrap();
    let reader = Reader::from_slice(&bytes).unwrap();
    let borders: Vec<u64> = reader.blocks(0).unwrap().iter().map(|block| block.first_row).collect();
    assert_eq!(borders, reader.blocks(1).unwrap().iter().map(|block| block.first_row).collect::<Vec<_>>());
    let parts = Split::at([borders[2], borders[3], borders[7]]).readers(&reader).unwrap();
    let files: Vec<Vec<u8>> = parts
        .iter()
        .map(|part| {
            let (file, report) = merged(Merge::new(), std::slice::from_ref(part));
            assert_eq!((report.blocks_recoded, report.blocks_rewritten), (0, 0));
            file
        })
        .collect();
    let readers: Vec<_> = files.iter().map(|file| Reader::from_slice(file).unwrap()).collect();
    let (file, report) = merged(Merge::new(), &readers);
    assert_eq!((report.blocks_copied, report.blocks_rewritten), (2 * borders.len() as u64, 0));
    assert!(file == bytes, "the parts are the whole again");
}

#[test]
fn large_blocks_go_through_in_pieces() {
    let rows: Vec<Vec<u8>> = (0..3u8).map(|n| vec![n; 3 << 20]).collect();
    let mut writer = WriterBuilder::new().codec(Codec::Null).build(Vec::new()).unwrap();
    writer.write_all(rows.iter().map(|row| serde_bytes::Bytes::new(row))).unwrap();
    let source = Counting::new(writer.finish().unwrap());
    let reader = Reader::new(&source).unwrap();
    for merge in [Merge::new(), Merge::new().verify(), Merge::new().codec(Codec::Snappy)] {
        let (file, report) = merged(merge, std::slice::from_ref(&reader));
        assert_eq!(report.blocks_copied + report.blocks_recoded, 3);
        assert!(Reader::from_slice(&file).unwrap().column::<Vec<u8>>("").unwrap() == rows);
    }
}
