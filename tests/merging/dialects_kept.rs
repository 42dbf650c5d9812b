//! What a file of any format keeps of those that it is made of, beside the rows.

use crate::dialects::{DIALECTS, open};
use crate::{merged, read};
use serde_json::{Value, json};
use trevni::column::ValueType;
use trevni::formats::{Layout, Levels, RedElm, RedElmFooter, Trevni, TrevniInfo, Version};
use trevni::merge::Merge;
use trevni::{Checksum, Codec, Dialect, Writer, WriterBuilder};

#[test]
fn metadata_is_that_of_the_first_file_and_what_others_add() {
    let write = |dialect, options: WriterBuilder| {
        let options = options.dialect(dialect).schema(
            r#"{"type":"record","name":"R","doc":"kept","fields":[{"name":"a","type":"int","unit":"m"},{"name":"b","type":"string"}]}"#,
        );
        let mut writer = options.build(Vec::new()).unwrap();
        writer.write(&json!({"a": 1, "b": "x"})).unwrap();
        writer.finish().unwrap()
    };
    for (one, two, target) in (0..27).map(|n| (DIALECTS[n % 3], DIALECTS[n / 3 % 3], DIALECTS[n / 9])) {
        let first = write(one, Writer::builder().metadata("site", "roof").metadata("Pig", [0, 255]));
        let second = write(two, Writer::builder().metadata("by", "night").metadata("site", "cellar"));
        let (bytes, _) = merged(Merge::new().dialect(target), &[open(&first), open(&second)]);
        let reader = open(&bytes);
        let own: Vec<(&str, &[u8])> = reader
            .metadata()
            .iter()
            .filter(|(key, _)| !key.starts_with("trevni.") && *key != "avro.schema")
            .collect();
        let expected: [(&str, &[u8]); 3] = [("site", b"roof"), ("Pig", &[0, 255]), ("by", b"night")];
        assert_eq!(own, expected, "{one:?} and {two:?} as {target:?}");
        if let (Some(before), Some(text)) =
            (open(&first).metadata().get_str("avro.schema"), reader.metadata().get_str("avro.schema"))
        {
            assert_eq!(text, before);
        }
    }
}

#[test]
fn columns_keep_what_the_format_has_for_them() {
    let write = |dialect| {
        let options = Writer::builder().dialect(dialect).codec(Codec::Null).column_codec("b", Codec::Deflate);
        let options = options.column_checksum("a", Checksum::Null).column_metadata("a", "unit", "mile");
        let mut writer = options.first_values(["a"]).block_size(20).build(Vec::new()).unwrap();
        writer.write_all((0..40).map(|n| json!({"a": n, "b": "text", "c": n % 2 == 0}))).unwrap();
        writer.finish().unwrap()
    };
    let pairs = [(Dialect::Trevni, Dialect::Levels), (Dialect::Levels, Dialect::Trevni)];
    for (from, target) in pairs.into_iter().chain([(Dialect::Levels, Dialect::Levels)]) {
        let file = write(from);
        let (bytes, _) = merged(Merge::new().dialect(target), &[open(&file)]);
        let reader = open(&bytes);
        let facts: Vec<_> = reader
            .columns()
            .iter()
            .map(|column| (column.codec_name(), column.checksum_name().contains("crc")))
            .collect();
        let expected = [("null", false), ("deflate", true), ("null", true)];
        assert_eq!(facts, expected, "{from:?} as {target:?}");
        assert_eq!(reader.columns()[0].metadata().get_str("unit"), Some("mile"));
        assert!(reader.columns()[0].has_first_values() && !reader.columns()[1].has_first_values());
        // What is set is for all.
        let merge = Merge::new().dialect(target).codec(Codec::Snappy).checksum(Checksum::Crc32);
        let (bytes, _) = merged(merge, &[open(&file)]);
        assert!(open(&bytes).columns().iter().all(|column| column.codec_name() == "snappy"));
        assert!(open(&bytes).columns().iter().all(|column| column.checksum_name().contains("crc")));
    }
    // A RedElm file has one codec, that of most columns, and nothing of single columns.
    let (bytes, _) = merged(Merge::new().dialect(Dialect::RedElm), &[open(&write(Dialect::Trevni))]);
    assert!(open(&bytes).columns().iter().all(|column| column.codec_name() == "null"));
    assert_eq!(read::<Value>(&open(&bytes)).len(), 40);
}

#[test]
fn a_codec_that_the_format_lacks_is_deflate_unless_it_is_asked_for() {
    let gzip = Writer::builder().dialect(Dialect::RedElm).codec(Codec::Gzip);
    let mut writer = gzip.build(Vec::new()).unwrap();
    writer.write_all(0..10).unwrap();
    let file = writer.finish().unwrap();
    for (target, codec) in
        [(Dialect::Trevni, "deflate"), (Dialect::Levels, "gzip"), (Dialect::RedElm, "gzip")]
    {
        let (bytes, _) = merged(Merge::new().dialect(target), &[open(&file)]);
        assert_eq!(open(&bytes).columns()[0].codec_name(), codec);
        assert_eq!(read::<i32>(&open(&bytes)), (0..10).collect::<Vec<_>>());
        // A format without checksums says nothing of those of the result.
        assert_eq!(open(&bytes).columns()[0].checksum_name() == "null", target == Dialect::RedElm);
    }
    let refused = Merge::new().dialect(Dialect::Trevni).codec(Codec::Gzip).write(&[open(&file)], Vec::new());
    assert!(refused.unwrap_err().to_string().contains("gzip"));
    let refused = Merge::new().codec(Codec::Auto).write(&[open(&file)], Vec::new());
    assert_eq!(
        refused.unwrap_err().to_string(),
        "RedElm has no codec auto; it has null, deflate, gzip, snappy, bzip2, lz4"
    );
}

#[test]
fn what_is_the_formats_own_is_kept() {
    let write = |options: WriterBuilder| {
        let mut writer = options.build(Vec::new()).unwrap();
        writer.write_all((0..9).map(|n| (n, [[1, 2], [3, 4]]))).unwrap();
        writer.finish().unwrap()
    };
    let levels = Levels::new().layout(Layout::ValuesFirst).value_type("_0", ValueType::Fixed8);
    let file = write(Writer::builder().format(levels));
    let (bytes, _) = merged(Merge::new(), &[open(&file), open(&file)]);
    assert_eq!(open(&bytes).metadata().get_str("trevni.layout"), Some("values-first"));
    assert_eq!(open(&bytes).columns()[0].value_type(), ValueType::Fixed8);
    for footer in [RedElmFooter::Java, RedElmFooter::GzippedJson, RedElmFooter::Json] {
        let options = Writer::builder().format(RedElm::new().footer(footer)).codec(Codec::Null);
        let file = write(options);
        let (bytes, _) = merged(Merge::new(), &[open(&file)]);
        assert!(bytes == file, "{footer:?}");
    }
    let old = write(Writer::builder().format(Trevni::new().version(Version::V1)).fixed_integers());
    let (bytes, _) = merged(Merge::new().dialect(Dialect::Trevni), &[open(&old), open(&file)]);
    assert_eq!(open(&bytes).info::<TrevniInfo>().unwrap().version, Version::V1);
}

#[test]
fn a_matrix_stays_one_where_its_rows_have_as_many_items() {
    let write = |format: Levels, lists: [Vec<i32>; 2]| {
        let mut writer = Writer::builder().format(format).build(Vec::new()).unwrap();
        writer.write_all(lists.map(|list| json!({"m": list}))).unwrap();
        writer.finish().unwrap()
    };
    let matrix = write(Levels::new().array_width("m", 2), [vec![1, 2], vec![3, 4]]);
    let (bytes, _) = merged(Merge::new(), &[open(&matrix), open(&matrix)]);
    assert_eq!(open(&bytes).columns()[0].array_width(), Some(2));
    let other = write(Levels::new(), [vec![1, 2], vec![3]]);
    let refused = Merge::new().write(&[open(&matrix), open(&other)], Vec::new()).unwrap_err();
    assert!(refused.to_string().contains("a list has 1 items where the array width is 2"), "{refused}");
    let (bytes, _) = merged(Merge::new(), &[open(&other), open(&matrix)]);
    assert_eq!(read::<Value>(&open(&bytes))[1..3], [json!({"m": [3]}), json!({"m": [1, 2]})]);
}
