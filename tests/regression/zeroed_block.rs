//! A block of zeros in a file without a codec passed its checksum: zero was taken for the sum that Java writes there.

use crate::sums::without_sums;
use std::fs;
use trevni::merge::Merge;
use trevni::{Category, Codec, Reader, Shape, Writer, WriterBuilder};

/// A file of one column without a codec, in blocks of 100 values.
fn file(options: WriterBuilder) -> Vec<u8> {
    let mut writer = options.codec(Codec::Null).block_size(800).build(Vec::new()).unwrap();
    (0..1000).for_each(|n| writer.write(&(f64::from(n) + 1.0)).unwrap());
    writer.finish().unwrap()
}

/// The file with some of its blocks and their checksums zeroed.
fn zeroed(file: &[u8], blocks: std::ops::Range<usize>) -> Vec<u8> {
    let mut zeroed = file.to_vec();
    for block in &Reader::from_slice(file).unwrap().blocks(0).unwrap()[blocks] {
        let start = block.offset as usize;
        zeroed[start..start + block.compressed_size as usize + 4].fill(0);
    }
    zeroed
}

#[track_caller]
fn fails_in_block(file: &[u8], block: usize) {
    let error = trevni::from_slice::<Vec<f64>>(file).unwrap_err();
    assert_eq!((error.category(), error.location().block), (Category::Corrupt, Some(block)), "{error}");
}

#[test]
fn zeroed_blocks_are_found() {
    let own = file(Writer::builder());
    let given = || Writer::builder().shape(&Shape::Double);
    let unmarked = without_sums(&file(given().without_zone_maps()));
    for file in [&own, &file(given()), &file(Writer::builder().without_zone_maps()), &unmarked] {
        for block in [0, 4, 9] {
            fails_in_block(&zeroed(file, block..block + 1), block);
        }
    }
    fails_in_block(&zeroed(&own, 0..10), 0);
    // Nothing tells this from what Java writes.
    let rows: Vec<f64> = trevni::from_slice(&zeroed(&unmarked, 0..10)).unwrap();
    assert_eq!(rows, [0.0; 1000]);
}

#[test]
fn blocks_of_nothing_have_a_sum_of_zero_of_their_own() {
    let options = Writer::builder().schema(r#""null""#).without_zone_maps().codec(Codec::Null);
    let mut writer = options.build(Vec::new()).unwrap();
    (0..10).for_each(|_| writer.write(&()).unwrap());
    let file = writer.finish().unwrap();
    let merged = Merge::new().write(&[Reader::from_slice(&file).unwrap()], Vec::new()).unwrap();
    assert_eq!((merged.blocks_copied, merged.blocks_recoded), (1, 0));
}

#[test]
fn sums_that_java_left_at_zero_are_right_after_a_merge() {
    let java = fs::read("data/trevni/quirk_nullcodec_crc32.trv").unwrap();
    let reader = Reader::from_slice(&java).unwrap();
    let (mut once, mut twice) = (Vec::new(), Vec::new());
    Merge::new().write(&[Reader::from_slice(&java).unwrap()], &mut once).unwrap();
    let parts = [Reader::from_slice(&once).unwrap(), Reader::from_slice(&java).unwrap()];
    Merge::new().write(&parts, &mut twice).unwrap();
    let merged = Reader::from_slice(&twice).unwrap();
    assert_eq!(merged.row_count(), 2 * reader.row_count());
    assert_eq!(
        merged.rows::<serde_json::Value>().unwrap().filter(Result::is_ok).count() as u64,
        merged.row_count()
    );
    // Now a flipped bit is found.
    let block = merged.blocks(0).unwrap()[0].offset as usize;
    drop(merged);
    twice[block] ^= 1;
    assert!(trevni::from_slice::<Vec<serde_json::Value>>(&twice).is_err());
}
