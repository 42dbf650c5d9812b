//! Block tables that lie, and blocks that decompress to more than they should.

use super::memory::{MIB, alone, within};
use super::raw::{RawBlock, RawColumn, RawFile, int};
use serde_json::{Value, json};
use trevni::{Category, Checksum, Codec, Error, ErrorKind, Limits, Reader, ReaderBuilder, WriterBuilder};

fn ids(rows: u64, blocks: impl IntoIterator<Item = RawBlock>) -> RawFile {
    RawFile::new(rows, [RawColumn::new("id", "int", blocks)])
}

#[track_caller]
fn fails(file: &[u8], category: Category, text: &str) -> Error {
    let error = within(MIB + 64 * file.len(), || trevni::from_slice::<Vec<Value>>(file)).unwrap_err();
    assert_eq!(error.category(), category, "{error}");
    assert!(error.to_string().contains(text), "{error}");
    assert_eq!(error.location().column.as_deref(), Some("id"), "{error}");
    error
}

#[test]
fn blocks_without_rows_are_passed_over() {
    let _alone = alone();
    let none = RawBlock::plain(0, []);
    let junk = RawBlock::plain(0, *b"junk");
    let some = |rows: &[u8]| RawBlock::plain(rows.len() as u32, rows);
    let blocks = [none.clone(), some(&[2, 4]), junk, none.clone(), some(&[6]), none];
    let file = ids(3, blocks).bytes();
    let reader = Reader::from_slice(&file).unwrap();
    assert_eq!(reader.column::<i32>("id").unwrap(), [1, 2, 3]);
    let many = vec![RawBlock::plain(0, []); 100_000];
    let file = ids(1, many.into_iter().chain([some(&[2])])).bytes();
    assert_eq!(within(16 * MIB, || trevni::from_slice::<Vec<Value>>(&file)).unwrap(), [json!({"id": 1})]);
}

#[test]
fn a_block_count_above_the_bytes_at_hand_is_refused() {
    let _alone = alone();
    for padding in [0, 100_000] {
        let mut file = ids(1, [RawBlock::plain(1, [2])]).bytes();
        let table = file.len() - 1 - 12 - 4;
        file.resize(file.len() + padding, 0);
        file[table..table + 4].copy_from_slice(&[0xff; 4]);
        let error = fails(&file, Category::Corrupt, "the block table is truncated: 51539607540 bytes needed");
        assert_eq!(error.location().offset, Some(table as u64));
        // A count that the padding would allow.
        file[table..table + 4].copy_from_slice(&(padding as u32 / 12).to_le_bytes());
        fails(&file, Category::Corrupt, "");
    }
}

#[test]
fn blocks_hold_the_rows_of_the_file() {
    let _alone = alone();
    for (rows, found) in [(0, 1), (1, 2), (3, 2), (1 << 20, 2)] {
        let file = ids(rows, [RawBlock::plain(1, [2]), RawBlock::plain(1, [4])]).bytes();
        let error =
            fails(&file, Category::Corrupt, &format!("the blocks hold {found} rows, the file says {rows}"));
        assert!(matches!(error.kind(), ErrorKind::RowCount { .. }));
    }
    fails(&ids(5, []).bytes(), Category::Corrupt, "the blocks hold 0 rows, the file says 5");
    // Sums that come round to the right number in 32 bits.
    let all = RawBlock::plain(i32::MAX as u32, []);
    fails(&ids(1, [all.clone(), all, RawBlock::plain(3, [])]).bytes(), Category::Corrupt, "the blocks hold");
}

#[test]
fn negative_numbers_are_refused() {
    let _alone = alone();
    let good = RawBlock::plain(1, [2]);
    let rows = RawBlock { rows: 1 << 31, ..good.clone() };
    let size = RawBlock { size: u32::MAX, ..good.clone() };
    let compressed = RawBlock { compressed: Some(u32::MAX), ..good };
    for (block, text) in [(rows, "is -2147483648"), (size, "is -1"), (compressed, "is -1")] {
        let error = fails(&ids(1, [block]).bytes(), Category::Corrupt, text);
        assert!(
            matches!(error.kind(), ErrorKind::Count { .. }) && error.location().block == Some(0),
            "{error}"
        );
    }
}

#[test]
fn values_end_where_the_block_ends() {
    let _alone = alone();
    let cases: [(u32, &[u8], &str); 5] = [
        (2, &[2, 4, 6], "1 bytes are left over after the last value of the block"),
        (2, &[2], "a value is truncated: 2 bytes needed, 1 available"),
        (1, &[], "a value is truncated"),
        (1, &[0x80], "a value is truncated"),
        (1, &[0x80; 6], "a value is an integer with too many bytes"),
    ];
    for (rows, stored, text) in cases {
        let error =
            fails(&ids(u64::from(rows), [RawBlock::plain(rows, stored)]).bytes(), Category::Corrupt, text);
        assert_eq!(error.location().block, Some(0));
    }
    let error = fails(
        &ids(3, [RawBlock::plain(2, [2, 4]), RawBlock::plain(1, [2, 4])]).bytes(),
        Category::Corrupt,
        "left over",
    );
    assert_eq!(error.location().block, Some(1));
}

#[test]
fn texts_end_within_the_block() {
    let _alone = alone();
    for kind in ["string", "bytes"] {
        for length in [1, 1 << 31, i64::from(u32::MAX), i64::MAX, -1, i64::MIN] {
            let block = RawBlock::plain(1, int(length));
            fails(&RawFile::new(1, [RawColumn::new("id", kind, [block])]).bytes(), Category::Corrupt, "");
        }
    }
    let text =
        |bytes: &[u8]| RawFile::new(1, [RawColumn::new("id", "string", [RawBlock::plain(1, bytes)])]).bytes();
    fails(&text(&[2, 0xff]), Category::Corrupt, "is not UTF-8");
    // Each text is looked at by itself.
    let halves = RawColumn::new("id", "string", [RawBlock::plain(2, [2, 0xc3, 2, 0xa9])]);
    fails(&RawFile::new(2, [halves]).bytes(), Category::Corrupt, "is not UTF-8");
}

/// A text of this many bytes as a block: its size, and the compressed bytes.
fn zeros(codec: Codec, length: usize) -> (u32, Vec<u8>) {
    let mut writer = WriterBuilder::new().codec(codec).build(Vec::new()).unwrap();
    writer.write("\0".repeat(length).as_str()).unwrap();
    let file = writer.finish().unwrap();
    let block = Reader::from_slice(&file).unwrap().blocks(0).unwrap().remove(0);
    let start = block.offset as usize;
    (block.size, file[start..start + block.compressed_size as usize].to_vec())
}

#[test]
fn blocks_decompress_to_their_size_at_most() {
    let _alone = alone();
    let length = 8 << 20;
    let mut limits = Limits::DEFAULT;
    limits.block_bytes = 1 << 20;
    for codec in Codec::ALL.into_iter().filter(|codec| *codec != Codec::Null && codec.is_available()) {
        let (truth, stored) = zeros(codec, length);
        let file = |size: u32| {
            let block = RawBlock { rows: 1, size, compressed: None, stored: stored.clone() };
            let column = RawColumn::new("id", "string", [block]).with("trevni.codec", codec.name());
            RawFile::new(1, [column]).bytes()
        };
        let whole = file(truth);
        assert_eq!(Reader::from_slice(&whole).unwrap().column::<String>("id").unwrap()[0].len(), length);
        let limited = ReaderBuilder::new().limits(limits).source(whole.as_slice()).unwrap();
        let error = within(MIB, || limited.raw_column(0)).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Limit { limit: 1_048_576, .. }), "{codec:?}: {error}");
        assert_eq!(error.category(), Category::Limit);
        // Snappy and LZ4 unpack all of a block; what they can make of its bytes is bounded.
        let most = match codec {
            Codec::Snappy | Codec::Lz4 => 4 * length,
            _ => 10 * MIB,
        };
        for size in [0, 1, 100, 1 << 20] {
            let bytes = file(size);
            let reader = ReaderBuilder::new().limits(limits).source(bytes.as_slice()).unwrap();
            let error = within(most, || reader.raw_column(0)).unwrap_err();
            assert_eq!(error.category(), Category::Corrupt, "{codec:?}, size {size}: {error}");
        }
    }
}

#[test]
fn a_size_that_lies_reserves_nothing() {
    let _alone = alone();
    for codec in Codec::ALL.into_iter().filter(|codec| codec.is_available()) {
        let (truth, stored) = zeros(codec, 50);
        for (size, category) in
            [(truth + 1, Category::Corrupt), (1 << 30, Category::Corrupt), (i32::MAX as u32, Category::Limit)]
        {
            let block = RawBlock { rows: 1, size, compressed: None, stored: stored.clone() };
            let column = RawColumn::new("id", "string", [block]).with("trevni.codec", codec.name());
            let file = RawFile::new(1, [column]).bytes();
            let result = within(16 * MIB, || trevni::from_slice::<Vec<Value>>(&file));
            match result {
                // Without a codec the stored bytes are all there is.
                Ok(rows) => assert!(codec == Codec::Null && rows.len() == 1 && category == Category::Corrupt),
                Err(error) => assert_eq!(error.category(), category, "{codec:?}: {error}"),
            }
        }
    }
}

#[test]
fn an_unknown_codec_or_checksum_spares_the_other_columns() {
    let _alone = alone();
    let columns = [
        RawColumn::new("a", "int", [RawBlock::plain(1, [2])]),
        RawColumn::new("b", "int", [RawBlock::plain(1, [4])]).with("trevni.codec", "lzo"),
        RawColumn::new("c", "int", [RawBlock::plain(1, [6])]).with("trevni.checksum", "md5"),
    ];
    let file = RawFile::new(1, columns).bytes();
    let reader = Reader::from_slice(&file).unwrap();
    assert_eq!(reader.column::<i32>("a").unwrap(), [1]);
    let error = reader.column::<i32>("b").unwrap_err();
    assert_eq!(error.to_string(), "column \"b\": codec \"lzo\" is not available");
    assert_eq!(error.category(), Category::Unsupported);
    let error = reader.column::<i32>("c").unwrap_err();
    assert_eq!(error.to_string(), "column \"c\": checksum \"md5\" is not known");
}

#[test]
fn a_typed_block_that_claims_to_be_large_takes_little_memory() {
    let _alone = alone();
    let texts = (0..240).map(|at| if at % 3 == 0 { "a text".to_owned() } else { at.to_string() });
    let rows: Vec<(String, Vec<String>)> = texts.map(|text| (text.clone(), vec![text; 2])).collect();
    let builder = WriterBuilder::new().codec(Codec::Typed).checksum(Checksum::Null).without_zone_maps();
    let mut writer = builder.block_size(1000).build(Vec::new()).unwrap();
    writer.write_all(&rows).unwrap();
    let file = writer.finish().unwrap();
    let reader = Reader::from_slice(&file).unwrap();
    for column in 0..reader.columns().len() {
        let mut large = file.clone();
        for block in reader.blocks(column).unwrap() {
            let descriptor =
                |size: u32| [block.rows, size, block.compressed_size].map(u32::to_le_bytes).concat();
            let (before, after) = (descriptor(block.size), descriptor(13_371_344));
            let place = large.windows(12).position(|bytes| bytes == before).unwrap();
            large[place..place + 12].copy_from_slice(&after);
        }
        let read = within(MIB, || trevni::from_slice::<Vec<(String, Vec<String>)>>(&large));
        assert!(read.is_err() || read.unwrap() == rows);
    }
}
