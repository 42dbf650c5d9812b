//! What options do to files.

use super::{data, json};
use arrow_array::RecordBatchReader;
use bytes::Bytes;
use parquet::arrow::arrow_reader::ArrowReaderMetadata;
use parquet::basic::Compression;
use parquet::file::metadata::ParquetMetaData;
use serde_json::json;
use std::path::PathBuf;
use std::sync::Arc;
use tempfile::TempDir;
use trevni::{Codec, Reader, Writer};
use trevni_parquet::{Error, ParquetOptions, ParquetReader};

const AVRO: &str = r#"{"type": "record", "name": "Trip", "namespace": "org.example", "doc": "a trip", "fields": [
    {"name": "day", "type": {"type": "enum", "name": "Day", "symbols": ["SAT", "SUN", "MON"]}, "aliases": ["weekday"]},
    {"name": "at", "type": {"type": "long", "logicalType": "timestamp-millis"}},
    {"name": "km", "type": ["null", "float"], "default": null}]}"#;

#[derive(serde::Serialize, serde::Deserialize, Clone, Debug, PartialEq)]
struct Trip {
    day: String,
    at: i64,
    km: Option<f32>,
}

fn trips(count: i64) -> Vec<Trip> {
    let trip = |at: i64| Trip {
        day: if at % 3 == 1 { "MON" } else { "SAT" }.to_owned(),
        at: at * 7919,
        km: (at % 4 > 0).then_some(at as f32),
    };
    (0..count).map(trip).collect()
}

/// A file of trips with an Avro schema.
fn file(count: i64) -> Vec<u8> {
    let mut writer = Writer::builder().schema(AVRO).metadata("origin", "test").build(Vec::new()).unwrap();
    writer.write_all(trips(count)).unwrap();
    writer.finish().unwrap()
}

fn parquet(file: &[u8], options: ParquetOptions) -> Vec<u8> {
    trevni_parquet::to_parquet(&Reader::from_slice(file).unwrap(), options, Vec::new()).unwrap()
}

fn metadata(parquet: &[u8]) -> Arc<ParquetMetaData> {
    let bytes = Bytes::copy_from_slice(parquet);
    Arc::clone(ArrowReaderMetadata::load(&bytes, Default::default()).unwrap().metadata())
}

fn saved(folder: &TempDir, parquet: &[u8]) -> PathBuf {
    let path = folder.path().join("file.parquet");
    std::fs::write(&path, parquet).unwrap();
    path
}

#[test]
fn avro_schemas_stay_as_they_are_written_both_ways() {
    let folder = TempDir::new().unwrap();
    let parquet = parquet(&file(100), ParquetOptions::new());
    let stored = metadata(&parquet);
    let stored = stored.file_metadata().key_value_metadata().unwrap();
    let value = |key: &str| stored.iter().find(|pair| pair.key == key).unwrap().value.clone().unwrap();
    assert_eq!(value("parquet.avro.schema"), AVRO);
    assert_eq!(value("origin"), "test");

    let path = folder.path().join("back.trv");
    let reader = ParquetReader::open(saved(&folder, &parquet)).unwrap();
    trevni_parquet::to_trevni(reader, Writer::builder(), std::fs::File::create(&path).unwrap()).unwrap();
    let back = Reader::open(&path).unwrap();
    assert_eq!(back.metadata().get_str("avro.schema"), Some(AVRO));
    assert_eq!(back.metadata().get_str("origin"), Some("test"));
    assert_eq!(back.rows::<Trip>().unwrap().map(Result::unwrap).collect::<Vec<_>>(), trips(100));
}

#[test]
fn codecs_are_those_of_parquet() {
    let folder = TempDir::new().unwrap();
    for (codec, stored) in [
        (None, Compression::SNAPPY),
        (Some(Codec::Null), Compression::UNCOMPRESSED),
        (Some(Codec::Snappy), Compression::SNAPPY),
        (Some(Codec::Deflate), Compression::GZIP(Default::default())),
        (Some(Codec::Zstandard), Compression::ZSTD(Default::default())),
        (Some(Codec::Lz4), Compression::LZ4_RAW),
    ] {
        let options = ParquetOptions::new();
        let options = if let Some(codec) = codec { options.codec(codec).unwrap() } else { options };
        let parquet = parquet(&file(1000), options);
        let group = metadata(&parquet).row_group(0).clone();
        assert!(group.columns().iter().all(|column| column.compression() == stored), "{codec:?}");
        let reader = ParquetReader::open(saved(&folder, &parquet)).unwrap();
        assert_eq!(reader.map(|batch| batch.unwrap().num_rows()).sum::<usize>(), 1000);
    }
    let error = ParquetOptions::new().codec(Codec::Bzip2).unwrap_err();
    assert_eq!(error.to_string(), r#"codec cannot be "Bzip2""#);
}

#[test]
fn properties_have_the_names_of_hadoop() {
    let options = [
        ("parquet.block.size", "65536"),
        ("parquet.page.size", "1024"),
        ("parquet.dictionary.page.size", "512"),
        ("parquet.enable.dictionary", "false"),
        ("parquet.compression", "gzip"),
    ];
    let options = options
        .iter()
        .fold(ParquetOptions::new(), |options, (name, value)| options.property(name, value).unwrap());
    let many = metadata(&parquet(&file(40_000), options));
    let one = metadata(&parquet(&file(40_000), ParquetOptions::new()));
    assert_eq!(one.num_row_groups(), 1);
    assert!(many.num_row_groups() > 2, "{}", many.num_row_groups());
    assert!(one.row_group(0).column(0).dictionary_page_offset().is_some());
    assert!(many.row_group(0).column(0).dictionary_page_offset().is_none());
    for (name, value) in [
        ("parquet.compression", "LZO"),
        ("parquet.block.size", "0"),
        ("parquet.block.size", "-1"),
        ("parquet.enable.dictionary", "yes"),
        ("parquet.writer.version", "2"),
    ] {
        let error = ParquetOptions::new().property(name, value).unwrap_err();
        assert_eq!(error.to_string(), format!("{name} cannot be {value:?}"));
    }
}

#[test]
fn codecs_have_levels_and_pages_have_versions() {
    let zstandard = |level| ParquetOptions::new().codec(Codec::Zstandard).unwrap().level(level).unwrap();
    let (fast, small) = (parquet(&file(20_000), zstandard(1)), parquet(&file(20_000), zstandard(19)));
    assert!(small.len() < fast.len(), "{} {}", small.len(), fast.len());
    for (codec, level) in [(Codec::Deflate, 10), (Codec::Zstandard, 23), (Codec::Snappy, 1), (Codec::Null, 0)]
    {
        let error = ParquetOptions::new().codec(codec).unwrap().level(level).unwrap_err();
        assert_eq!(error.to_string(), format!("level cannot be \"{level}\""));
    }
    for (version, number) in [("v1", 1), ("PARQUET_2_0", 2)] {
        let options = ParquetOptions::new().property("parquet.writer.version", version).unwrap();
        assert_eq!(metadata(&parquet(&file(10), options)).file_metadata().version(), number);
    }
    let each = ["65536", "65536", "65536", "true", "SNAPPY", "v2"];
    for (name, value) in ParquetOptions::PROPERTIES.into_iter().zip(each) {
        assert!(ParquetOptions::new().property(name, value).is_ok(), "{name}");
    }
}

#[test]
fn the_avro_schema_is_that_of_the_fields_that_are_written() {
    let rows = file(10);
    let reader = Reader::from_slice(&rows).unwrap().project(["day", "km"]).unwrap();
    let written = trevni_parquet::to_parquet(&reader, ParquetOptions::new(), Vec::new()).unwrap();
    let stored = metadata(&written);
    let stored = stored.file_metadata().key_value_metadata().unwrap();
    let text =
        stored.iter().find(|pair| pair.key == "parquet.avro.schema").unwrap().value.as_deref().unwrap();
    assert_eq!(trevni::Shape::from_avro(text).unwrap(), *reader.shape());
    assert!(!text.contains("\"at\"") && text.contains("SUN"), "{text}");
}

#[test]
fn fields_are_chosen_by_their_paths() {
    let path = data("parquet-testing/nullable.impala.parquet");
    let reader =
        ParquetReader::builder().project(["id", "nested_struct.A"]).batch_size(3).open(&path).unwrap();
    assert_eq!(reader.schema().fields().len(), 2);
    let batches: Vec<_> = reader.map(Result::unwrap).collect();
    assert_eq!(batches.iter().map(|batch| batch.num_rows()).collect::<Vec<_>>(), [3, 3, 1]);
    assert_eq!(json::rows(&batches[0])[0], json!({"id": 1, "nested_struct": {"A": 1}}));
    for missing in ["ids", "nested_struct.x", ""] {
        let error = ParquetReader::builder().project([missing]).open(&path).err().unwrap();
        assert!(matches!(error, Error::NoField(_)), "{error}");
    }
}

#[test]
fn types_that_parquet_has_not_are_named() {
    #[derive(serde::Serialize)]
    enum Either {
        Number(i32),
        Text(String),
    }
    #[derive(serde::Serialize)]
    struct Row {
        inner: Vec<Either>,
    }
    let file = trevni::to_vec([Row { inner: vec![Either::Number(1), Either::Text("a".into())] }]).unwrap();
    let reader = Reader::from_slice(&file).unwrap();
    let error = trevni_parquet::to_parquet(&reader, ParquetOptions::new(), Vec::new()).unwrap_err();
    assert!(error.to_string().starts_with("inner.item: Union("), "{error}");
}
