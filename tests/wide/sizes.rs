//! How many bytes wide files take, and what is in them.

use crate::data::{events, read, written};
use proptest::prelude::*;
use trevni::formats::{Trevni, TrevniInfo};
use trevni::verify::Verify;
use trevni::{Checksum, Codec, ErrorKind, Reader, Writer, WriterBuilder};

/// 16 kinds of events, with about two thousand columns.
fn wide() -> Vec<serde_json::Value> {
    events(16, 20)
}

#[test]
fn a_wide_file_takes_few_bytes_a_column() {
    let rows = wide();
    let plain = written(&rows, Writer::builder());
    let compact = written(&rows, Writer::builder().format(Trevni::new().compact()));
    let columns = Reader::from_slice(&plain).unwrap().columns().len();
    assert!(columns > 1500, "{columns}");
    assert!(plain.len() < 330 * columns, "{} bytes of {columns} columns", plain.len());
    assert!(compact.len() < 40 * columns, "{} bytes of {columns} columns", compact.len());
    assert!(compact.len() * 6 < plain.len(), "{} and {} bytes", compact.len(), plain.len());
    assert!(read(&plain) == rows && read(&compact) == rows);
}

/// What Java's reader needs: the schema, and for each column its name, type, parent and whether it has lengths, in the
/// order of the schema.
#[test]
fn a_wide_file_has_all_that_java_needs() {
    let plain = written(&wide(), Writer::builder());
    let reader = Reader::from_slice(&plain).unwrap();
    assert!(!reader.info::<TrevniInfo>().is_some_and(|info| info.is_compact));
    let schema = reader.metadata().get_str("avro.schema").unwrap();
    assert_eq!(trevni::Shape::from_avro(schema).unwrap(), *reader.shape());
    for column in reader.columns() {
        let keys: Vec<&str> = column.metadata().iter().map(|(key, _)| key).collect();
        let parent = column.parent().map(|_| "trevni.parent");
        let array = column.is_array().then_some("trevni.array");
        let expected = ["trevni.name", "trevni.type"].into_iter().chain(parent).chain(array);
        let large = keys.last().filter(|key| **key == "zone_map").copied();
        assert_eq!(keys, expected.chain(large).collect::<Vec<_>>(), "{}", column.name());
    }
    let starts: Vec<u64> = reader.columns().iter().map(|column| column.start()).collect();
    assert!(starts.is_sorted());
    assert!(Verify::new().source(&plain).unwrap().is_ok());
}

#[test]
fn only_small_columns_of_wide_files_are_without_zone_maps() {
    let long = |number: usize| serde_json::json!({"text": format!("{number:0>400}"), "number": number});
    let narrow: Vec<_> = (0..40).map(long).collect();
    let mut wide = narrow.clone();
    for row in &mut wide {
        let fields = row.as_object_mut().unwrap();
        fields.extend((0..300).map(|field| (format!("f{field}"), serde_json::json!(field))));
    }
    for (rows, known) in [(&narrow, [true, true]), (&wide, [true, false])] {
        let file = written(rows, Writer::builder().codec(Codec::Null));
        let reader = Reader::from_slice(&file).unwrap();
        for (name, known) in ["text", "number"].into_iter().zip(known) {
            let number = reader.columns().iter().position(|column| column.name() == name).unwrap();
            assert_eq!(reader.zone_map(number).unwrap().is_some(), known, "{name}");
        }
        let found = reader.filter(trevni::col("number").eq(7)).unwrap();
        assert_eq!(found.rows::<serde_json::Value>().unwrap().count(), 1);
    }
}

/// The checksums of columns are one value of the file's metadata, which readers compare.
#[test]
fn checksums_of_wide_files_find_other_block_tables() {
    let rows = wide();
    let file = written(&rows, Writer::builder());
    let reader = Reader::from_slice(&file).unwrap();
    assert!(reader.metadata().iter().all(|(key, _)| !key.starts_with("crc32")));
    for number in [0, 700, reader.columns().len() - 1] {
        // The uncompressed size of the first block.
        let mut damaged = file.clone();
        damaged[reader.columns()[number].start() as usize + 8] ^= 1;
        let error = Reader::from_slice(&damaged).unwrap().blocks(number).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::PartChecksum { .. }), "{error}");
    }
    // Another number of checksums, in a header whose own checksum says nothing.
    let plain = written(&rows, Writer::builder().checksum(Checksum::Null));
    let few = WriterBuilder::new().checksum(Checksum::Null).metadata("crc32_column", [0; 8]);
    assert!(few.build(Vec::new()).is_err());
    assert!(!plain.windows(13).any(|bytes| bytes == b"crc32_columns"));
    assert!(file.windows(13).any(|bytes| bytes == b"crc32_columns"));
}

/// Bytes of a file of these rows with a codec, plain and compact.
fn both(rows: &[serde_json::Value], codec: Codec) -> [Vec<u8>; 2] {
    let builder = || Writer::builder().codec(codec);
    [builder(), builder().format(Trevni::new().compact())].map(|builder| written(rows, builder))
}

/// Numbers of few bits in any order: smaller with a codec for values than compressed as bytes.
#[test]
fn columns_that_are_smaller_by_themselves_are_not_in_the_beginning() {
    let row = |number: u64| {
        let random = number.wrapping_mul(6_364_136_223_846_793_005) >> 40;
        serde_json::json!({"random": 1_000_000 + random % 500_000, "same": "text", "few": number % 3})
    };
    let rows: Vec<_> = (0..9000).map(row).collect();
    let [plain, compact] = both(&rows, Codec::Typed);
    assert!(compact.len() < plain.len(), "{} {}", compact.len(), plain.len());
    let reader = Reader::from_slice(&compact).unwrap();
    let within = |name: &str| reader.columns().iter().any(|it| it.name() == name && it.is_within_beginning());
    assert!(!within("random") && reader.info::<TrevniInfo>().is_some_and(|info| info.is_compact));
    assert!(Verify::new().source(&compact).unwrap().is_ok());
    assert!(read(&compact) == rows);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn a_compact_file_is_never_larger(
        pool in prop::collection::vec((any::<i64>(), "[a-z]{0,9}", 0..99u8), 1..300),
        picks in prop::collection::vec(any::<prop::sample::Index>(), 0..2000),
        codec in prop::sample::select(Codec::ALL.to_vec()),
    ) {
        let codec = if codec.is_available() { codec } else { Codec::Auto };
        let rows: Vec<serde_json::Value> = picks.iter().map(|pick| {
            let (number, text, few) = pick.get(&pool);
            serde_json::json!({"n": number, "again": number, "t": text, "few": few, "f": f64::from(*few) / 4.0})
        }).collect();
        let [plain, compact] = both(&rows, codec);
        prop_assert!(compact.len() <= plain.len(), "{} {}", compact.len(), plain.len());
        prop_assert_eq!(read(&compact), rows);
    }
}
