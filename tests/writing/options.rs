//! Options of a writer, read back.

use serde::Serialize;
use trevni::column::FirstValue;
use trevni::formats::{Trevni, Version};
use trevni::{BlockInfo, Category, Checksum, Codec, ErrorKind, Reader, Result, WriterBuilder};

#[derive(Serialize)]
struct Row {
    id: i64,
    name: String,
    flag: bool,
    list: Vec<Item>,
}

#[derive(Serialize)]
struct Item {
    x: f64,
    y: Option<i32>,
}

fn rows() -> Vec<Row> {
    let item = |i: i32| Item { x: f64::from(i), y: (i % 2 == 0).then_some(i) };
    let row = |id: i32| Row {
        id: i64::from(id) * 10,
        name: format!("name {id:04}"),
        flag: id % 2 == 1,
        list: (0..id % 3).map(item).collect(),
    };
    (0..500).map(row).collect()
}

fn write(builder: WriterBuilder) -> Result<Vec<u8>> {
    let mut writer = builder.build(Vec::new())?;
    writer.write_all(rows())?;
    let bytes = writer.finish()?;
    let all = serde_json::to_value(rows()).unwrap();
    assert_eq!(trevni::from_slice::<serde_json::Value>(&bytes)?, all);
    Ok(bytes)
}

fn blocks(bytes: &[u8], column: &str) -> Vec<BlockInfo> {
    let reader = Reader::from_slice(bytes).unwrap();
    let number = reader.columns().iter().position(|info| info.name() == column).unwrap();
    reader.blocks(number).unwrap()
}

#[test]
fn metadata_is_kept_in_order() {
    let builder = WriterBuilder::new().codec(Codec::Deflate).metadata("zebra", [0xff, 0]).metadata("a", "b");
    let bytes = write(builder).unwrap();
    let reader = Reader::from_slice(&bytes).unwrap();
    let keys: Vec<&str> = reader.metadata().iter().map(|(key, _)| key).collect();
    assert_eq!(keys, ["trevni.codec", "trevni.checksum", "zebra", "a", "avro.schema"]);
    assert_eq!(reader.metadata().get("zebra"), Some(&[0xff, 0][..]));
    assert_eq!(reader.metadata().get_str("zebra"), None);
}

#[test]
fn reserved_keys_are_refused() {
    for key in ["trevni.name", "trevni.", "trevni.x"] {
        for builder in
            [WriterBuilder::new().metadata(key, "1"), WriterBuilder::new().column_metadata("id", key, "1")]
        {
            let error = builder.build(Vec::new()).map(drop).unwrap_err();
            assert!(matches!(error.kind(), ErrorKind::ReservedKey { key: k } if k == key), "{error}");
            assert_eq!(error.category(), Category::Misuse);
        }
    }
    assert!(WriterBuilder::new().metadata("trevni.codec", "lzo").build(Vec::new()).is_err());
    assert!(WriterBuilder::new().metadata("trevni.checksum", "md5").build(Vec::new()).is_err());
}

#[test]
fn columns_have_options_of_their_own() {
    let builder = WriterBuilder::new()
        .codec(Codec::Deflate)
        .column_codec("list", Codec::Snappy)
        .column_codec("list.y", Codec::Null)
        .column_codec("id", Codec::Null)
        .column_checksum("id", Checksum::Null)
        .column_metadata("list.x", "unit", "m");
    let bytes = write(builder).unwrap();
    let reader = Reader::from_slice(&bytes).unwrap();
    let found: Vec<_> =
        reader.columns().iter().map(|c| (c.name(), c.codec_name(), c.checksum_name())).collect();
    assert_eq!(
        found,
        [
            ("id", "null", "null"),
            ("name", "deflate", "crc32"),
            ("flag", "deflate", "crc32"),
            ("list[]", "snappy", "crc32"),
            ("list[]#x", "snappy", "crc32"),
            ("list[]#y/int", "null", "crc32"),
        ]
    );
    assert_eq!(reader.columns()[4].metadata().get_str("unit"), Some("m"));
    assert!(reader.columns()[3].metadata().get("unit").is_none());
    for block in blocks(&bytes, "id") {
        assert_eq!(block.size, block.compressed_size);
    }
}

#[test]
fn blocks_end_at_their_size() {
    let bytes = write(WriterBuilder::new().block_size(100)).unwrap();
    let all = blocks(&bytes, "name");
    assert!(all.len() > 40);
    let (last, others) = all.split_last().unwrap();
    // A block is full at 100 bytes, and a name takes ten.
    assert!(others.iter().all(|block| (100..110).contains(&block.size)), "{others:?}");
    assert!(last.size < 110);
    let firsts = all.iter().scan(0, |next, block| {
        let first = *next;
        *next += u64::from(block.rows);
        Some(first)
    });
    assert!(all.iter().map(|block| block.first_row).eq(firsts));
    assert_eq!(last.first_row + u64::from(last.rows), 500);
    assert_eq!(blocks(&write(WriterBuilder::new()).unwrap(), "name").len(), 1);
    // Even the smallest size leaves a row to each block.
    let smallest = blocks(&write(WriterBuilder::new().block_size(0)).unwrap(), "name");
    assert!(smallest.iter().all(|block| block.rows == 1));
}

#[test]
fn first_values_are_those_of_the_blocks() {
    let builder = WriterBuilder::new().block_size(64).first_values(["id", "name"]);
    let bytes = write(builder).unwrap();
    let rows = rows();
    let check = |column: &str, value: &dyn Fn(&Row) -> FirstValue| {
        let blocks = blocks(&bytes, column);
        for block in &blocks {
            assert_eq!(block.first_value, Some(value(&rows[block.first_row as usize])), "{column}");
        }
        blocks.len()
    };
    assert!(check("id", &|row| FirstValue::Long(row.id)) > 5);
    assert!(check("name", &|row| FirstValue::String(row.name.clone())) > 5);
    assert_eq!(blocks(&bytes, "list[]")[0].first_value, None);
    let reader = Reader::from_slice(&bytes).unwrap();
    assert!(reader.columns()[0].has_first_values() && !reader.columns()[3].has_first_values());
}

#[test]
fn first_values_need_a_column_without_lengths() {
    for path in ["list", "list.x", "list.y"] {
        let error = write(WriterBuilder::new().first_values([path])).unwrap_err();
        assert_eq!(error.category(), Category::Misuse);
        assert!(error.to_string().contains("first values need a column without lengths"), "{error}");
    }
}

#[test]
fn first_values_of_booleans_are_refused() {
    let error = write(WriterBuilder::new().first_values(["flag"])).unwrap_err();
    assert!(error.to_string().contains("first values of booleans, as \"flag\" has them"), "{error}");
    assert_eq!(error.location().row, Some(0), "{error}");
    let schema = r#"{"type":"record","name":"R","fields":[{"name":"flag","type":"boolean"}]}"#;
    let built = WriterBuilder::new().schema(schema).first_values(["flag"]).build(Vec::new());
    assert_eq!(built.map(drop).unwrap_err().category(), Category::Misuse);
}

#[test]
fn a_path_without_columns_is_refused() {
    for builder in [
        WriterBuilder::new().column_codec("nam", Codec::Null),
        WriterBuilder::new().column_checksum("list.z", Checksum::Null),
        WriterBuilder::new().column_metadata("list[]", "unit", "m"),
        WriterBuilder::new().first_values(["ID"]),
    ] {
        let error = write(builder).unwrap_err();
        assert_eq!(error.category(), Category::Misuse, "{error}");
    }
}

#[test]
fn version_1_has_no_runs() {
    let rows = [[]; 3].map(Vec::<i32>::from);
    let stored = |version| {
        let builder = WriterBuilder::new()
            .codec(Codec::Null)
            .checksum(Checksum::Null)
            .format(Trevni::new().version(version));
        let mut writer = builder.build(Vec::new()).unwrap();
        writer.write_all(&rows).unwrap();
        writer.write(&vec![7]).unwrap();
        let bytes = writer.finish().unwrap();
        assert_eq!(bytes[3], version.number());
        let read: Vec<Vec<i32>> = trevni::from_slice(&bytes).unwrap();
        assert_eq!((&read[..3], &read[3..]), (&rows[..], &[vec![7]][..]));
        let block = blocks(&bytes, "[]").remove(0);
        bytes[block.offset as usize..][..block.size as usize].to_vec()
    };
    assert_eq!(stored(Version::V1), [0, 0, 0, 2, 14]);
    assert_eq!(stored(Version::V2), [5, 2, 14]);
    write(WriterBuilder::new().format(Trevni::new().version(Version::V1))).unwrap();
    let error = write(WriterBuilder::new().format(Trevni::new().version(Version::V0))).unwrap_err();
    assert_eq!((error.category(), error.to_string().contains("version 0")), (Category::Misuse, true));
}

#[test]
fn codecs_that_are_left_out_are_named() {
    for codec in Codec::ALL {
        let result = write(WriterBuilder::new().codec(codec));
        let own = write(WriterBuilder::new().column_codec("name", codec));
        if codec.is_available() {
            assert_eq!(Reader::from_slice(&result.unwrap()).unwrap().columns()[0].codec_name(), codec.name());
            assert_eq!(Reader::from_slice(&own.unwrap()).unwrap().columns()[1].codec_name(), codec.name());
        } else {
            // The feature has the name of the codec, or of the one that it ends with.
            let feature = codec.name().rsplit('-').next().unwrap_or_default();
            for error in [result.unwrap_err(), own.unwrap_err()] {
                assert_eq!(error.category(), Category::Unsupported);
                assert!(error.to_string().contains(&format!("enable the feature `{feature}`")), "{error}");
            }
        }
    }
}

#[test]
fn auto_chooses_a_codec_for_each_column() {
    #[derive(Serialize)]
    struct Mixed {
        constant: i32,
        random: u64,
        fraction: f64,
        list: Vec<i32>,
        text: String,
    }
    let mut state = 1u64;
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        state ^ state >> 29
    };
    let mut row = |i| {
        let random = random();
        let text = format!("{}{i}", "a line of some words that come again ".repeat(random as usize % 9));
        Mixed { constant: 7, random, fraction: f64::from_bits(random), list: vec![i % 5; 2], text }
    };
    let rows: Vec<Mixed> = (0..20_000).map(&mut row).collect();
    let mut writer = WriterBuilder::new().codec(Codec::Auto).build(Vec::new()).unwrap();
    writer.write_all(&rows).unwrap();
    let bytes = writer.finish().unwrap();
    let reader = Reader::from_slice(&bytes).unwrap();
    // The file names the codec of most columns, and others have their own.
    assert_eq!(reader.metadata().get_str("trevni.codec"), Some("typed"));
    let codecs: Vec<&str> = reader.columns().iter().map(|column| column.codec_name()).collect();
    // Of 64 random bits, most take ten bytes where eight would do.
    assert_eq!(codecs, ["typed", "typed", "null", "typed", "zstandard"]);
    let own = |column: usize| reader.columns()[column].metadata().get_str("trevni.codec");
    assert_eq!([own(0), own(2), own(4)], [None, Some("null"), Some("zstandard")]);
    let last: serde_json::Value = reader.row(19_999).unwrap();
    assert_eq!(last["list"], serde_json::json!([4, 4]));
    // Blocks that were written before the shape grew are decoded with what was chosen for them.
    let grown = serde_json::json!([{ "a": 1 }, { "a": "text" }]);
    let mut writer =
        WriterBuilder::new().codec(Codec::Auto).batch_rows(1).block_size(1).build(Vec::new()).unwrap();
    writer.write_all(grown.as_array().unwrap()).unwrap();
    assert_eq!(trevni::from_slice::<serde_json::Value>(&writer.finish().unwrap()).unwrap(), grown);
    // No rows, no blocks to try.
    let empty = WriterBuilder::new().codec(Codec::Auto).build(Vec::new()).unwrap().finish().unwrap();
    assert_eq!(Reader::from_slice(&empty).unwrap().row_count(), 0);
}

#[test]
fn a_higher_level_is_smaller() {
    let size = |level| write(WriterBuilder::new().codec(Codec::Deflate).level(level)).unwrap().len();
    assert!(size(9) < size(0));
    for level in [-1, 10] {
        let error = WriterBuilder::new().codec(Codec::Deflate).level(level).build(Vec::new()).err().unwrap();
        assert_eq!(error.category(), Category::Misuse);
        assert!(error.to_string().contains(&format!("deflate has no level {level}")), "{error}");
    }
    // A level of nothing is a mistake.
    let error = WriterBuilder::new().codec(Codec::Snappy).level(3).build(Vec::new()).err().unwrap();
    assert_eq!(error.to_string(), "codec snappy has no levels, and level 3 is set");
}

/// A list that can be serialized only once.
struct Once(std::cell::RefCell<std::ops::Range<i32>>);

impl Serialize for Once {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_seq(&mut *self.0.borrow_mut())
    }
}

#[test]
fn rows_that_can_be_serialized_only_once_are_whole() {
    // In every tenth row a text in place of a number: these do not look like the others.
    #[derive(Serialize)]
    #[serde(untagged)]
    enum Tail {
        Number(i32),
        Text(String),
    }
    let mut writer = WriterBuilder::new().build(Vec::new()).unwrap();
    for row in 0..300 {
        let tail = if row % 10 == 9 { Tail::Text(row.to_string()) } else { Tail::Number(row) };
        writer.write(&(Once((0..row % 5).into()), tail)).unwrap();
    }
    let rows: Vec<(Vec<i32>, serde_json::Value)> = trevni::from_slice(&writer.finish().unwrap()).unwrap();
    for (row, (list, _)) in (0..300).zip(rows) {
        assert_eq!(list, (0..row % 5).collect::<Vec<_>>(), "row {row}");
    }
}
