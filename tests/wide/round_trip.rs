//! Rows of all forms, written compactly and read back.

use crate::data::{read, written};
use proptest::prelude::*;
use serde_json::{Map, Value, json};
use trevni::formats::{Trevni, TrevniInfo, Version};
use trevni::verify::Verify;
use trevni::{Checksum, Codec, Reader, Writer, WriterBuilder};

/// Values from a small pool, so that rows share fields, types clash, and some columns are constant or absent.
fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-3i64..300).prop_map(Value::from),
        Just(json!(i64::MAX)),
        Just(json!(0.5)),
        prop_oneof![Just(""), Just("a"), Just("https://example.org/a/long/text/that/repeats")]
            .prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map("[abc]", inner, 0..3)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

fn rows() -> impl Strategy<Value = Vec<Value>> {
    let fields = prop::collection::btree_map("[a-f]", value(), 0..5);
    prop::collection::vec(fields.prop_map(|fields| Value::Object(Map::from_iter(fields))), 0..12)
}

fn options() -> impl Strategy<Value = (WriterBuilder, Trevni)> {
    let codec = prop::sample::select(vec![
        Codec::Null,
        Codec::Snappy,
        Codec::Deflate,
        Codec::Auto,
        Codec::Typed,
        Codec::Zstandard,
        Codec::TypedZstandard,
        Codec::Archive,
    ]);
    let checksum = prop::sample::select(vec![Checksum::Null, Checksum::Crc32]);
    let version = prop::sample::select(vec![Version::V1, Version::V2]);
    (codec, checksum, version, prop::sample::select(vec![1, 40, 1 << 16]), any::<bool>(), 1usize..3).prop_map(
        |(codec, checksum, version, block_size, fixed, threads)| {
            let builder = Writer::builder().codec(codec).checksum(checksum);
            let builder = builder.block_size(block_size).threads(threads);
            (if fixed { builder.fixed_integers() } else { builder }, Trevni::new().version(version))
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn compact_files_have_the_rows_and_columns_of_plain_ones(rows in rows(), (builder, format) in options()) {
        let plain = written(&rows, builder.clone().format(format));
        let compact = written(&rows, builder.format(format.compact()));
        let [one, two] = [&plain, &compact].map(|file| Reader::from_slice(file).unwrap());
        let [first, second] = [&one, &two].map(|file| file.info::<TrevniInfo>().is_some_and(|info| info.is_compact));
        prop_assert!(!first && (second || compact == plain));
        prop_assert_eq!(read(&compact), read(&plain));
        prop_assert_eq!((one.row_count(), one.info::<TrevniInfo>().unwrap().version, one.shape()), (two.row_count(), two.info::<TrevniInfo>().unwrap().version, two.shape()));
        prop_assert_eq!(one.metadata(), two.metadata());
        for (one, two) in one.columns().iter().zip(two.columns()) {
            prop_assert_eq!((one.name(), one.value_type(), one.parent()), (two.name(), two.value_type(), two.parent()));
            prop_assert_eq!(one.path(), two.path());
        }
        let report = Verify::new().source(&compact).unwrap();
        prop_assert!(report.is_ok(), "{:?}", report.findings);
        // From a source that is not in memory.
        let seekable = trevni::Seekable::new(std::io::Cursor::new(compact.clone()));
        let found = Reader::new(seekable).unwrap();
        let found: Vec<Value> = found.rows().unwrap().map(Result::unwrap).collect();
        prop_assert_eq!(found, read(&plain));
    }
}

#[test]
fn columns_keep_their_options() {
    let rows: Vec<(i64, String, f64)> = (0..3000).map(|n| (n, format!("text {n}"), n as f64)).collect();
    let builder = Writer::builder().format(Trevni::new().compact()).codec(Codec::Deflate);
    let builder =
        builder.first_values(["_0"]).column_metadata("_1", "unit", "m").column_codec("_2", Codec::Null);
    let mut writer = builder.metadata("origin", "here").build(Vec::new()).unwrap();
    writer.write_all(&rows).unwrap();
    let file = writer.finish().unwrap();
    let reader = Reader::from_slice(&file).unwrap();
    assert_eq!(reader.metadata().get_str("origin"), Some("here"));
    let [id, text, _] = reader.columns() else { panic!() };
    assert!(id.has_first_values());
    assert_eq!(text.metadata().get_str("unit"), Some("m"));
    assert_eq!(reader.column::<i64>("_0").unwrap(), Vec::from_iter(0..3000));
    assert_eq!(trevni::from_slice::<Vec<(i64, String, f64)>>(&file).unwrap(), rows);
    assert_eq!(reader.filter(trevni::col("_0").eq(77)).unwrap().rows::<Value>().unwrap().count(), 1);
    assert_eq!(reader.select(10..20).unwrap().rows::<Value>().unwrap().count(), 10);
}

#[test]
fn a_schema_of_others_is_kept_to_the_letter() {
    let schema = r#"{"type": "record", "name": "R", "doc": "of others", "fields": [
        {"name": "a", "type": {"type": "array", "items": ["null", "long"]}}, {"name": "b", "type": "string"}]}"#;
    let mut writer =
        Writer::builder().format(Trevni::new().compact()).schema(schema).build(Vec::new()).unwrap();
    writer.write(&json!({"a": [1, null], "b": "x"})).unwrap();
    let file = writer.finish().unwrap();
    assert_eq!(Reader::from_slice(&file).unwrap().metadata().get_str("avro.schema"), Some(schema));
}
