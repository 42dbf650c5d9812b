//! Where blocks end, and what they hold, next to the blocks of Java.

use crate::data;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_bytes::ByteBuf;
use std::io::Read;
use trevni::{BlockInfo, Checksum, Codec, Reader, Writer};

/// The uncompressed bytes of a block.
pub(crate) fn block(file: &[u8], codec: &str, block: &BlockInfo) -> Vec<u8> {
    let start = block.offset as usize;
    let stored = &file[start..start + block.compressed_size as usize];
    let mut out = Vec::new();
    match codec {
        "null" => out.extend_from_slice(stored),
        "deflate" => drop(flate2::read::DeflateDecoder::new(stored).read_to_end(&mut out).unwrap()),
        "snappy" => out = snap::raw::Decoder::new().decompress_vec(stored).unwrap(),
        "bzip2" => drop(bzip2::read::BzDecoder::new(stored).read_to_end(&mut out).unwrap()),
        other => panic!("no codec {other}"),
    }
    // Old bzip2 blocks hold more than they say.
    out.truncate(block.size as usize);
    assert_eq!(out.len(), block.size as usize);
    out
}

/// The checksum behind a block.
pub(crate) fn behind(file: &[u8], block: &BlockInfo) -> [u8; 4] {
    let start = block.offset as usize + block.compressed_size as usize;
    file[start..start + 4].try_into().unwrap()
}

/// The values of a column of a file.
fn values<T: DeserializeOwned>(reader: &Reader<'_>, number: usize) -> Vec<T> {
    let batch = reader.raw_column(number).unwrap();
    batch.rows::<T>().map(Result::unwrap).collect()
}

/// Compares two files block by block; offsets and compressed sizes may differ.
fn compare(ours: &[u8], java: &[u8]) {
    let (our, their) = (Reader::from_slice(ours).unwrap(), Reader::from_slice(java).unwrap());
    assert_eq!((our.row_count(), our.columns().len()), (their.row_count(), their.columns().len()));
    for number in 0..our.columns().len() {
        let (one, two) = (our.blocks(number).unwrap(), their.blocks(number).unwrap());
        assert_eq!(one.len(), two.len(), "column {number}");
        for (one, two) in one.iter().zip(&two) {
            let facts =
                |block: &BlockInfo| (block.first_row, block.rows, block.size, block.first_value.clone());
            assert_eq!(facts(one), facts(two), "column {number}");
            let (codec, column) = (our.columns()[number].codec_name(), their.columns()[number].codec_name());
            assert_eq!(block(ours, codec, one), block(java, column, two), "column {number}");
        }
    }
}

/// Writes rows of two fields, with first values for the one, and compares with Java's file.
fn compare_indexed<K: Serialize + DeserializeOwned>(name: &str, codec: Codec) {
    #[derive(Serialize)]
    struct Row<K> {
        k: K,
        row: i32,
    }
    let java = data::named(name).bytes();
    let reader = Reader::from_slice(&java).unwrap();
    let rows = values::<K>(&reader, 0).into_iter().zip(values::<i32>(&reader, 1));
    let builder = Writer::builder().codec(codec).checksum(Checksum::Crc32).first_values(["k"]);
    let builder = builder.without_zone_maps();
    let mut writer = builder.build(Vec::new()).unwrap();
    writer.write_all(rows.map(|(k, row)| Row { k, row })).unwrap();
    let ours = writer.finish().unwrap();
    compare(&ours, &java);
    for (one, two) in Reader::from_slice(&ours).unwrap().columns().iter().zip(reader.columns()) {
        assert_eq!(one.metadata(), two.metadata(), "{name}");
    }
}

#[test]
fn first_values_are_those_of_java() {
    compare_indexed::<i32>("raw_index_int", Codec::Deflate);
    compare_indexed::<String>("raw_index_string", Codec::Snappy);
}

#[test]
fn a_pending_run_does_not_fill_a_block() {
    #[derive(Serialize)]
    struct Row {
        by: Vec<ByteBuf>,
        nu: Vec<()>,
        i: i32,
    }
    let java = data::named("raw_run_edge").bytes();
    let reader = Reader::from_slice(&java).unwrap();
    let (by, nu, i) = (values(&reader, 0), values(&reader, 1), values(&reader, 2));
    let rows: Vec<Row> = by.into_iter().zip(nu).zip(i).map(|((by, nu), i)| Row { by, nu, i }).collect();
    let schema = r#"{"type":"record","name":"R","fields":[
        {"name":"by","type":{"type":"array","items":"bytes"}},
        {"name":"nu","type":{"type":"array","items":"null"}},
        {"name":"i","type":"int"}]}"#;
    for batch_rows in [1, 4096] {
        let builder = Writer::builder().codec(Codec::Deflate).batch_rows(batch_rows).schema(schema);
        let mut writer = builder.build(Vec::new()).unwrap();
        writer.write_all(&rows).unwrap();
        compare(&writer.finish().unwrap(), &java);
    }
}

/// Rows and uncompressed bytes of the blocks of a file's first column.
fn borders<T: Serialize>(rows: impl IntoIterator<Item = T>) -> Vec<(u32, u32)> {
    let bytes = trevni::to_vec(rows).unwrap();
    let blocks = Reader::from_slice(&bytes).unwrap().blocks(0).unwrap();
    blocks.iter().map(|block| (block.rows, block.size)).collect()
}

#[test]
fn a_block_ends_at_the_first_row_behind_65536_bytes() {
    let texts = |lengths: &[usize]| borders(lengths.iter().map(|length| "x".repeat(*length)));
    // The length of a text takes three bytes here.
    assert_eq!(texts(&[65_532, 0, 0]), [(2, 65_536), (1, 1)]);
    assert_eq!(texts(&[65_533, 0, 0]), [(1, 65_536), (2, 2)]);
    assert_eq!(texts(&[131_072, 131_072, 1]), [(1, 131_075), (1, 131_075), (1, 2)]);
    // No empty block at the end.
    assert_eq!(texts(&[65_533]), [(1, 65_536)]);
    assert_eq!(texts(&[]), []);
    assert_eq!(borders(vec![0.0f64; 8193]), [(8192, 65_536), (1, 8)]);
}

#[test]
fn a_boolean_counts_with_its_first_bit() {
    assert_eq!(borders(vec![true; 524_289]), [(524_281, 65_536), (8, 1)]);
}
