//! Files as the Java implementation wrote them, byte for byte.

use super::footer::{Block, Blocks, Footer, NAME, RedElmFooter};
use super::{MAGIC, RedElm};
use crate::reader::Reader;
use crate::shape::Shape;
use crate::storage::checksum::Checksum;
use crate::storage::codec::Codec;
use crate::writer::WriterBuilder;
use std::borrow::Cow;
use std::path::Path;

/// A file of the Java implementation, and its footer.
fn java_file(name: &str) -> (Vec<u8>, usize) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/redelm").join(name);
    let bytes = std::fs::read(path.with_extension("redelm")).unwrap();
    let at = bytes.len() - 16;
    let start = u64::from_be_bytes(bytes[at..at + 8].try_into().unwrap()) as usize;
    (bytes, start)
}

/// The file as it would be if the lengths before compression were not running totals, which is a fault of the Java
/// implementation in files without a codec.
fn put_right(bytes: &[u8], start: usize) -> Vec<u8> {
    let blocks = Blocks::read(&bytes[start..bytes.len() - 16]).unwrap();
    let right = |block: Block<'_>| {
        if block.name != NAME {
            return Block { name: block.name.into_owned().into(), bytes: block.bytes.into_owned().into() };
        }
        let mut footer = Footer::read(&block.bytes, (1 << 24, "memory")).unwrap();
        for chunk in footer.groups.iter_mut().flat_map(|group| &mut group.chunks) {
            for (length, pair) in chunk.uncompressed.iter_mut().zip(chunk.borders.windows(2)) {
                *length = pair[1] - pair[0];
            }
        }
        let bytes = footer.write(RedElmFooter::Java).unwrap();
        Block { name: Cow::Borrowed(NAME), bytes: bytes.into() }
    };
    let blocks: Vec<Block<'_>> = blocks.into_iter().map(right).collect();
    let mut out = bytes[..start].to_vec();
    out.extend(Blocks::write(&blocks).unwrap());
    out.extend_from_slice(&(start as u64).to_be_bytes());
    out.extend_from_slice(&MAGIC);
    out
}

/// What this crate writes of the rows of a file.
fn written_again(bytes: &[u8], row_group_size: usize) -> Vec<u8> {
    let reader = Reader::from_slice(bytes).unwrap();
    let shape = Shape::from_message(&reader.shape().to_message()).unwrap();
    let mut options = WriterBuilder::new()
        .format(RedElm::new().footer(RedElmFooter::Java).row_group_size(row_group_size))
        .codec(Codec::Null)
        .checksum(Checksum::Null)
        .without_zone_maps()
        .shape(&shape);
    for (key, value) in reader.metadata().iter() {
        options = options.metadata(key, value);
    }
    let mut writer = options.build(Vec::new()).unwrap();
    for batch in reader.batches().unwrap() {
        writer.write_batch(&batch.unwrap()).unwrap();
    }
    writer.finish().unwrap()
}

#[test]
fn files_without_a_codec_are_those_of_java() {
    // Published packages have no data for tests: cargo leaves this file there.
    if Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml.orig").exists() {
        return;
    }
    let plain = 50 << 20;
    for (name, row_group_size) in [
        ("public/dremel_plain", plain),
        ("public/empty_file", plain),
        // A row group for each row, and an empty one.
        ("public/empty_last_group", 1),
        ("public/flat_required", plain),
        ("public/level_runs", plain),
        ("public/pig_metadata", plain),
        ("extra/wide_schema", plain),
    ] {
        let (java, start) = java_file(name);
        let own = written_again(&java, row_group_size);
        assert!(own == put_right(&java, start), "{name}");
        // Rows, levels and values are those of Java in any case.
        assert!(own[..start] == java[..start], "{name}");
    }
}
