//! The rows of golden files, written once more, give the same bytes.

use crate::data::{self, Golden};
use serde::Serialize;
use serde_json::Value;
use trevni::column::ValueType;
use trevni::formats::{Layout, Levels};
use trevni::{Checksum, Codec, Dialect, Reader, Writer, WriterBuilder};

/// The options that a file was written with, as far as this crate has them.
fn options(golden: &Golden) -> WriterBuilder {
    let schema = golden.schema();
    let options = &schema["options"];
    let layout = match options["layout"].as_str() {
        Some("values-first") => Layout::ValuesFirst,
        _ => Layout::LevelsFirst,
    };
    let builder =
        Writer::builder().codec(Codec::Null).checksum(checksum(&options["checksum"])).without_zone_maps();
    let mut format = Levels::new().layout(layout);
    if let Some(rows) = options["records_per_block"].as_u64() {
        format = format.block_rows("", rows as u32);
    }
    let (builder, format) = fields((builder, format), &schema["fields"], "");
    builder.format(format)
}

fn checksum(name: &Value) -> Checksum {
    if name == "crc-32" { Checksum::Crc32 } else { Checksum::Null }
}

fn fields(
    (mut builder, mut format): (WriterBuilder, Levels),
    list: &Value,
    above: &str,
) -> (WriterBuilder, Levels) {
    for field in list.as_array().unwrap() {
        let name = field["name"].as_str().unwrap();
        let path = if above.is_empty() { name.to_owned() } else { format!("{above}.{name}") };
        let value_type = match field["type"].as_str() {
            None => {
                (builder, format) = fields((builder, format), &field["fields"], &path);
                None
            }
            Some("fixed8") => Some(ValueType::Fixed8),
            Some("fixed16") => Some(ValueType::Fixed16),
            Some("fixed32") => Some(ValueType::Fixed32),
            Some("fixed64") => Some(ValueType::Fixed64),
            Some(_) => None,
        };
        if let Some(value_type) = value_type {
            format = format.value_type(&path, value_type);
        }
        if let Some(width) = field["width"].as_u64() {
            format = format.array_width(&path, width as usize);
        }
        if let Some(rows) = field["records_per_block"].as_u64() {
            format = format.block_rows(&path, rows as u32);
        }
        if field["values"] == true {
            builder = builder.first_values([&path]);
        }
        if !field["checksum"].is_null() {
            builder = builder.column_checksum(&path, checksum(&field["checksum"]));
        }
    }
    (builder, format)
}

/// Sets the stored size of all blocks to 0, as Impala does where there is no codec.
fn without_sizes(mut bytes: Vec<u8>) -> Vec<u8> {
    let reader = Reader::from_slice(&bytes).unwrap();
    let places: Vec<usize> = (0..reader.columns().len())
        .flat_map(|column| {
            let table = reader.columns()[column].start() as usize + 4;
            (0..reader.blocks(column).unwrap().len()).map(move |block| table + 12 * block + 8)
        })
        .collect();
    drop(reader);
    places.into_iter().for_each(|place| bytes[place..place + 4].fill(0));
    bytes
}

#[test]
fn rows_without_codec_give_the_same_bytes() {
    let mut compared = 0;
    for golden in data::all() {
        let schema = golden.schema();
        let text = schema.to_string();
        // Compressors differ; groups always have columns; Impala's own borders of blocks have no rule.
        let other = text.contains("\"codec\"") || schema["options"]["group_columns"] == false;
        if other || golden.name.ends_with("lenient") || golden.name.ends_with("spare_bytes") {
            continue;
        }
        let bytes = golden.bytes();
        let reader = golden.reader(&bytes);
        let mut writer = options(&golden).shape(reader.shape()).build(Vec::new()).unwrap();
        for batch in reader.batches().unwrap() {
            writer.write_batch(&batch.unwrap()).unwrap();
        }
        let mut written = writer.finish().unwrap();
        if schema["options"]["none_compressed_size"] == "zero" {
            written = without_sizes(written);
        }
        if golden.rows().is_empty() && schema["options"]["layout"] == "values-first" {
            // Impala writes an empty block where there are no rows.
            continue;
        }
        assert!(written == bytes, "{}: {} bytes, not {}", golden.name, written.len(), bytes.len());
        compared += 1;
    }
    assert!(compared >= 12, "{compared}");
}

#[test]
fn integers_that_do_not_fit_their_type_are_refused() {
    for (value_type, most) in [(ValueType::Fixed8, 127), (ValueType::Fixed16, 32_767)] {
        let write = |value: i32| {
            let options = Writer::builder().format(Levels::new().value_type("_0", value_type));
            let mut writer = options.build(Vec::new())?;
            writer.write(&(value, true))?;
            writer.finish()
        };
        let file = write(most).unwrap();
        assert_eq!(Reader::from_slice(&file).unwrap().row::<(i32, bool)>(0).unwrap().0, most);
        assert!(write(most + 1).is_err() && write(-most - 2).is_err());
    }
}

/// A hash, a small number, hashes that may be missing, hashes in lists, and a day that is an int.
type Hashed = (u64, i64, Option<i32>, Vec<i64>, Option<u8>);

fn hashed(number: u64) -> Hashed {
    let hash = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let list = (0..number % 4).map(|item| (hash ^ item << 60) as i64).collect();
    // What is the first to be there comes late.
    let late = (number > 300).then_some(number as u8);
    (hash >> 1, number as i64 % 50, number.is_multiple_of(3).then_some(hash as i32 | 1 << 30), list, late)
}

#[test]
fn integers_have_a_fixed_width_where_that_is_smaller() {
    let rows: Vec<Hashed> = (0..1000).map(hashed).collect();
    let write = |builder: WriterBuilder| {
        let mut writer = builder.dialect(Dialect::Levels).block_size(300).batch_rows(16).build(Vec::new())?;
        writer.write_all(&rows)?;
        writer.finish()
    };
    let types = |file: &[u8]| -> Vec<ValueType> {
        let reader = Reader::from_slice(file).unwrap();
        let rows_read: Vec<Hashed> = reader.rows().unwrap().map(Result::unwrap).collect();
        assert!(rows_read == rows);
        assert_eq!(reader.row::<Hashed>(777).unwrap(), rows[777]);
        reader.columns().iter().map(|column| column.value_type()).collect()
    };
    for layout in [Layout::LevelsFirst, Layout::ValuesFirst] {
        for codec in [Codec::Null, Codec::Snappy, Codec::Auto] {
            let format = || Levels::new().layout(layout);
            let builder = || Writer::builder().format(format()).codec(codec).checksum(Checksum::Crc32);
            let (plain, fixed) = (write(builder()).unwrap(), write(builder().fixed_integers()).unwrap());
            use ValueType::{Fixed32, Fixed64, Int, Long};
            assert_eq!(types(&plain), [Long, Long, Int, Long, Int]);
            assert_eq!(types(&fixed), [Fixed64, Long, Fixed32, Fixed64, Int]);
            assert!(codec != Codec::Null || fixed.len() < plain.len());
            // A type that is asked for stays, and first values are those of the type.
            let format = format().value_type("_1", Fixed64).value_type("_0", Long);
            let asked = builder().fixed_integers().format(format);
            assert_eq!(types(&write(asked).unwrap())[..3], [Long, Fixed64, Fixed32]);
            let first = write(builder().fixed_integers().first_values(["_0"])).unwrap();
            assert_eq!(types(&first)[0], Fixed64);
        }
    }
}

#[test]
fn integers_get_their_width_from_rows_of_any_shape() {
    for late in [0u64, 1, 500] {
        let row = |number: u64| match number < late {
            true => serde_json::json!({ "hash": number | 1 << 62 }),
            false => serde_json::json!({ "hash": number | 1 << 62, "more": [number | 1 << 61] }),
        };
        for codec in [Codec::Null, Codec::Auto] {
            let options = Writer::builder().dialect(Dialect::Levels).fixed_integers().codec(codec);
            let mut writer = options.block_size(400).batch_rows(8).build(Vec::new()).unwrap();
            writer.write_all((0..600).map(row)).unwrap();
            let file = writer.finish().unwrap();
            let reader = Reader::from_slice(&file).unwrap();
            // A list that may be missing is in a group.
            let types = reader.columns().iter().map(|column| column.value_type());
            let types: Vec<ValueType> = types.filter(|own| *own != ValueType::Null).collect();
            assert_eq!(types, [ValueType::Fixed64; 2]);
            let found: Vec<Value> = reader.rows().unwrap().map(Result::unwrap).collect();
            assert!(found == (0..600).map(row).collect::<Vec<_>>(), "{late}");
        }
    }
}

#[test]
fn values_that_do_not_fit_say_their_row_and_column() {
    #[derive(Serialize)]
    struct Reading {
        name: &'static str,
        values: Vec<Option<i32>>,
    }
    let build = || {
        let builder = Writer::builder().format(Levels::new().value_type("values", ValueType::Fixed8));
        builder.batch_rows(100).build(Vec::new()).unwrap()
    };
    let mut writer = build();
    let mut write = || {
        for row in 0..1000 {
            let values = vec![None, Some(if row == 777 { 300 } else { 7 }), Some(1)];
            writer.write(&Reading { name: "a", values: if row % 2 == 0 { Vec::new() } else { values } })?;
        }
        std::mem::replace(&mut writer, build()).finish()
    };
    let error = write().unwrap_err();
    assert!(error.to_string().contains("300 does not fit into fixed8"), "{error}");
    assert_eq!(error.location().row, Some(777), "{error}");
    assert!(error.location().column.as_deref().is_some_and(|column| column.starts_with("values")), "{error}");

    let mut writer = Writer::builder().format(Levels::new().array_width("_1", 2)).build(Vec::new()).unwrap();
    for row in 0..1000 {
        writer.write(&(row, if row == 321 { vec![1.0; 3] } else { vec![0.5; 2] })).unwrap();
    }
    let error = writer.finish().unwrap_err();
    assert!(error.to_string().contains("a list has 3 items where the array width is 2"), "{error}");
    assert_eq!(error.location().row, Some(321), "{error}");
    assert_eq!(error.location().column.as_deref(), Some("_1"), "{error}");
}
