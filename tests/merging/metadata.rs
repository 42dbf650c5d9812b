//! What the merged file says of itself.

use crate::merged;
use crate::sums::mended;
use trevni::formats::{Trevni, TrevniInfo, Version};
use trevni::merge::Merge;
use trevni::{Checksum, Codec, Reader, WriterBuilder};

fn file(builder: WriterBuilder) -> Vec<u8> {
    let mut writer = builder.build(Vec::new()).unwrap();
    writer.write_all([(1, "one"), (2, "two")]).unwrap();
    writer.finish().unwrap()
}

fn keys(reader: &Reader<'_>) -> Vec<(String, String)> {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    let pairs = reader.metadata().iter().map(|(key, value)| (key.to_owned(), text(value)));
    pairs.filter(|(key, _)| key != "avro.schema").collect()
}

#[test]
fn the_first_file_speaks_and_others_add() {
    let one = file(WriterBuilder::new().metadata("site", "roof").column_metadata("_0", "unit", "mile"));
    let two = file(
        WriterBuilder::new()
            .codec(Codec::Deflate)
            .metadata("site", "cellar")
            .metadata("by", "night")
            .column_metadata("_0", "unit", "foot")
            .column_metadata("_1", "more", "x"),
    );
    let readers = [&one, &two].map(|bytes| Reader::from_slice(bytes).unwrap());
    let pairs = |pairs: &[(&str, &str)]| -> Vec<(String, String)> {
        pairs.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect()
    };
    let (bytes, report) = merged(Merge::new(), &readers);
    let reader = Reader::from_slice(&bytes).unwrap();
    assert_eq!((report.blocks_copied, report.blocks_recoded), (2, 2));
    let expected =
        [("trevni.codec", "snappy"), ("trevni.checksum", "crc32"), ("site", "roof"), ("by", "night")];
    assert_eq!(keys(&reader), pairs(&expected));
    assert_eq!(reader.columns()[0].metadata().get_str("unit"), Some("mile"));
    assert!(!reader.columns()[1].metadata().contains("more"));

    let (bytes, _) = merged(Merge::new().codec(Codec::Null).checksum(Checksum::Null), &readers);
    let reader = Reader::from_slice(&bytes).unwrap();
    let expected = [("trevni.codec", "null"), ("trevni.checksum", "null"), ("site", "roof"), ("by", "night")];
    assert_eq!(keys(&reader), pairs(&expected));
}

#[test]
fn columns_keep_what_is_their_own() {
    let first =
        || WriterBuilder::new().column_codec("_1", Codec::Deflate).column_checksum("_0", Checksum::Null);
    let (one, two) = (file(first()), file(WriterBuilder::new().codec(Codec::Null)));
    let readers = [&one, &two].map(|bytes| Reader::from_slice(bytes).unwrap());
    let said = |merge: Merge, readers: &[Reader<'_>]| -> Vec<(String, String, bool, bool)> {
        let (bytes, _) = merged(merge, readers);
        let reader = Reader::from_slice(&bytes).unwrap();
        let rows: Vec<(i32, String)> = crate::read(&reader);
        assert_eq!(rows.len(), 4);
        let columns = reader.columns().iter().map(|column| {
            let own = |key: &str| column.metadata().contains(key);
            let (codec, checksum) = (column.codec_name().to_owned(), column.checksum_name().to_owned());
            (codec, checksum, own("trevni.codec"), own("trevni.checksum"))
        });
        columns.collect()
    };
    let expect = |codec: &str, checksum: &str, own: bool, own_checksum: bool| {
        (codec.to_owned(), checksum.to_owned(), own, own_checksum)
    };
    assert_eq!(
        said(Merge::new(), &readers),
        [expect("snappy", "null", false, true), expect("deflate", "crc32", true, false)]
    );
    assert_eq!(
        said(Merge::new().codec(Codec::Snappy).checksum(Checksum::Crc32), &readers),
        [expect("snappy", "crc32", false, false), expect("snappy", "crc32", false, false)]
    );
    // Each column has the codec that pays; for so few bytes that is none.
    assert_eq!(
        said(Merge::new().codec(Codec::Auto), &readers),
        [expect("null", "null", true, true), expect("null", "crc32", true, false)]
    );
    let turned = [readers[1].clone(), readers[0].clone()];
    assert_eq!(
        said(Merge::new(), &turned),
        [expect("null", "crc32", false, false), expect("null", "crc32", false, false)]
    );
}

#[test]
fn the_version_is_the_highest() {
    let lists = |version| {
        let mut writer =
            WriterBuilder::new().format(Trevni::new().version(version)).build(Vec::new()).unwrap();
        writer.write_all([vec![1], vec![], vec![], vec![2, 3]]).unwrap();
        writer.finish().unwrap()
    };
    let (old, new) = (lists(Version::V1), lists(Version::V2));
    for (files, version) in
        [([&old, &new], Version::V2), ([&new, &old], Version::V2), ([&old, &old], Version::V1)]
    {
        let readers = files.map(|bytes| Reader::from_slice(bytes).unwrap().select(1..4).unwrap());
        let (bytes, _) = merged(Merge::new(), &readers);
        let reader = Reader::from_slice(&bytes).unwrap();
        assert_eq!(reader.info::<TrevniInfo>().unwrap().version, version);
        assert_eq!(
            crate::read::<Vec<i32>>(&reader),
            [vec![], vec![], vec![2, 3], vec![], vec![], vec![2, 3]]
        );
    }
}

#[test]
fn what_others_say_under_the_key_of_zone_maps_is_left_out() {
    let builder = WriterBuilder::new().without_zone_maps();
    let mut bytes = file(builder.column_metadata("_0", "zone-map", "of the blocks"));
    let at = bytes.windows(8).position(|window| window == b"zone-map").unwrap();
    bytes[at + 4] = b'_';
    bytes = mended(&bytes);
    let reader = Reader::from_slice(&bytes).unwrap();
    assert!(reader.columns()[0].metadata().contains("zone_map"));
    let (bytes, _) = merged(Merge::new(), &[reader]);
    assert!(!Reader::from_slice(&bytes).unwrap().columns()[0].metadata().contains("zone_map"));
}
