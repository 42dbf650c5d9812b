//! The rows of golden files, written once more, give the same bytes.

use crate::data::{self, Golden};
use serde_json::Value;
use trevni::{Checksum, Codec, Dialect, Layout, Reader, ValueType, Writer, WriterBuilder};

/// The options that a file was written with, as far as this crate has them.
fn options(golden: &Golden) -> WriterBuilder {
    let schema = golden.schema();
    let options = &schema["options"];
    let layout = match options["layout"].as_str() {
        Some("values-first") => Layout::ValuesFirst,
        _ => Layout::LevelsFirst,
    };
    let mut builder = Writer::builder()
        .dialect(Dialect::Levels)
        .layout(layout)
        .codec(Codec::Null)
        .checksum(checksum(&options["checksum"]))
        .without_zone_maps();
    if let Some(rows) = options["records_per_block"].as_u64() {
        builder = builder.block_rows("", rows as u32);
    }
    fields(builder, &schema["fields"], "")
}

fn checksum(name: &Value) -> Checksum {
    if name == "crc-32" { Checksum::Crc32 } else { Checksum::Null }
}

fn fields(mut builder: WriterBuilder, list: &Value, above: &str) -> WriterBuilder {
    for field in list.as_array().unwrap() {
        let name = field["name"].as_str().unwrap();
        let path = if above.is_empty() { name.to_owned() } else { format!("{above}.{name}") };
        builder = match field["type"].as_str() {
            None => fields(builder, &field["fields"], &path),
            Some("fixed8") => builder.value_type(&path, ValueType::Fixed8),
            Some("fixed16") => builder.value_type(&path, ValueType::Fixed16),
            Some("fixed32") => builder.value_type(&path, ValueType::Fixed32),
            Some("fixed64") => builder.value_type(&path, ValueType::Fixed64),
            Some(_) => builder,
        };
        if let Some(width) = field["width"].as_u64() {
            builder = builder.array_width(&path, width as usize);
        }
        if let Some(rows) = field["records_per_block"].as_u64() {
            builder = builder.block_rows(&path, rows as u32);
        }
        if field["values"] == true {
            builder = builder.first_values([&path]);
        }
        if !field["checksum"].is_null() {
            builder = builder.column_checksum(&path, checksum(&field["checksum"]));
        }
    }
    builder
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
            let options = Writer::builder().dialect(Dialect::Levels).value_type("_0", value_type);
            let mut writer = options.build(Vec::new())?;
            writer.write(&(value, true))?;
            writer.finish()
        };
        let file = write(most).unwrap();
        assert_eq!(Reader::from_slice(&file).unwrap().row::<(i32, bool)>(0).unwrap().0, most);
        assert!(write(most + 1).is_err() && write(-most - 2).is_err());
    }
}
