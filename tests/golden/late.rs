//! Columns that are first asked for far behind the first row are positioned there.

use crate::data::{self, Golden};
use crate::schema::Schema;
use crate::serialize::{Row, Style};
use crate::values::untagged;
use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::Value;
use std::cell::Cell;
use trevni::{Reader, Writer};

/// Rows of the files made here; some thousand are decoded together, so these are several batches.
const ROWS: usize = 9000;

thread_local! {
    /// The number of the row that `Late` reads next, and of the first for which it reads a value.
    static ROW: Cell<(usize, usize)> = const { Cell::new((0, 0)) };
}

/// The value of a row with one field, left unread in the first rows.
struct Late(Option<Value>);

impl<'de> Deserialize<'de> for Late {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Fields;
        impl<'de> Visitor<'de> for Fields {
            type Value = Late;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a row")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Late, A::Error> {
                let (row, start) = ROW.get();
                ROW.set((row + 1, start));
                let mut value = None;
                while map.next_key::<IgnoredAny>()?.is_some() {
                    if row < start {
                        map.next_value::<IgnoredAny>()?;
                    } else {
                        value = Some(map.next_value()?);
                    }
                }
                Ok(Late(value))
            }
        }
        deserializer.deserialize_map(Fields)
    }
}

/// A file of a golden's rows, over and over, in small blocks.
fn repeated(golden: &Golden, schema: &Schema) -> Vec<u8> {
    let builder = Writer::builder().block_size(200).schema(golden.schema_text());
    let mut writer = builder.build(Vec::new()).unwrap();
    for line in golden.lines().iter().cycle().take(ROWS) {
        writer.write(&Row { schema, value: line, style: Style::Derived }).unwrap();
    }
    writer.finish().unwrap()
}

/// Compares one field, read from the row `start` on.
fn compare(reader: &Reader<'_>, name: &str, start: usize, values: &[Value]) {
    ROW.set((0, start));
    let rows = reader.project([name]).unwrap().rows::<Late>().unwrap();
    let mut read = 0;
    for (index, row) in rows.enumerate() {
        read += 1;
        let row = row.unwrap_or_else(|error| panic!("{name}: {error}"));
        let expected = (index >= start).then(|| &values[index % values.len()]);
        assert_eq!(row.0.as_ref(), expected, "{name}, row {index}");
    }
    assert_eq!(read, reader.row_count());
    // A row that asks for more of the field than those before is visited once more for each level of it, each other row once.
    let visits = ROW.get().0 as u64;
    assert!((read..=read + 16).contains(&visits), "{name}: {visits} visits of {read} rows");
}

#[test]
fn every_kind_of_field_may_be_asked_for_late() {
    // Codecs, and the same schema again, add nothing here.
    let skipped =
        ["codec_", "old_", "quirk_", "zero_", "top_", "proj", "multiblock", "arrays_empty", "one_row"];
    for golden in data::with_schema() {
        if skipped.iter().any(|start| golden.name.starts_with(start)) {
            continue;
        }
        let (schema, lines) = (golden.schema(), golden.lines());
        let bytes = repeated(&golden, &schema);
        let reader = Reader::from_slice(&bytes).unwrap();
        assert_eq!(reader.row_count(), ROWS as u64);
        let Schema::Record { fields, .. } = &schema else { panic!("{} has no fields", golden.name) };
        for (name, field) in fields {
            let values: Vec<Value> =
                lines.iter().map(|line| untagged(field, line.get(name).unwrap())).collect();
            for start in [5000, ROWS - 1] {
                compare(&reader, name, start, &values);
            }
        }
    }
}

#[test]
fn a_file_of_java_with_many_rows() {
    let bytes = data::named("raw_index_int").bytes();
    let reader = Reader::from_slice(&bytes).unwrap();
    for number in 0..reader.columns().len() {
        let values: Vec<Value> = reader.raw_column(number).unwrap().rows().map(Result::unwrap).collect();
        for start in [1, 4096, 16_912, 16_913, 33_000] {
            compare(&reader, reader.columns()[number].name(), start, &values);
        }
    }
}
