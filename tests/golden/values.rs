//! serde reads the rows of the files: into `serde_json::Value`, where unions have no tags.

use crate::data;
use crate::json::Json;
use crate::schema::Schema;
use serde_json::Value;
use trevni::Reader;

/// What serde makes of a value in Avro's JSON encoding: unions without tags, bytes as numbers, null
/// for the doubles that JSON does not have.
pub(crate) fn untagged(schema: &Schema, json: &Json) -> Value {
    match schema {
        Schema::Null => Value::Null,
        Schema::Boolean => Value::Bool(*json == Json::Boolean(true)),
        Schema::Int => json.integer::<i32>().into(),
        Schema::Long => json.integer::<i64>().into(),
        Schema::Float => f64::from(json.float()).into(),
        Schema::Double => json.double().into(),
        Schema::Text | Schema::Enum { .. } => json.text().into(),
        Schema::Bytes | Schema::Fixed { .. } => json.bytes().into(),
        Schema::Record { fields, .. } => {
            let field = |(name, schema): &(String, Schema)| {
                let value = json.get(name).unwrap_or_else(|| panic!("no field {name}"));
                (name.clone(), untagged(schema, value))
            };
            Value::Object(fields.iter().map(field).collect())
        }
        Schema::Array(items) => json.items().iter().map(|item| untagged(items, item)).collect(),
        Schema::Map(values) => {
            json.entries().iter().map(|(key, value)| (key.clone(), untagged(values, value))).collect()
        }
        Schema::Union(branches) => {
            let (branch, value) = Schema::branch(branches, json);
            untagged(branch, value)
        }
    }
}

/// Compares the rows that a reader gives, read one by one and all at once from the same bytes. The
/// comparison is of the text, which tells integers from doubles and -0.0 from 0.0.
pub(crate) fn compare_all(name: &str, reader: &Reader<'_>, schema: &Schema, lines: &[Json]) {
    let rows = reader.rows::<Value>().unwrap();
    assert_eq!(rows.size_hint().1, Some(lines.len()), "{name}");
    let mut count = 0;
    for (number, (row, line)) in rows.zip(lines).enumerate() {
        let row = row.unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(row.to_string(), untagged(schema, line).to_string(), "{name}, row {number}");
        count += 1;
    }
    assert_eq!(count, lines.len(), "{name}: rows");
}

#[test]
fn values_hold_what_java_wrote() {
    for golden in data::with_schema() {
        let bytes = golden.bytes();
        let reader = Reader::from_slice(&bytes).unwrap();
        let (schema, lines) = (golden.schema(), golden.lines());
        compare_all(&golden.name, &reader, &schema, &lines);
        let found: Vec<Value> = trevni::from_slice(&bytes).unwrap();
        let expected: Vec<Value> = lines.iter().map(|line| untagged(&schema, line)).collect();
        assert_eq!(found, expected, "{}", golden.name);
    }
}

#[test]
fn batches_give_the_same_values_as_rows() {
    for golden in data::with_schema() {
        let bytes = golden.bytes();
        let reader = Reader::from_slice(&bytes).unwrap();
        let mut rows = reader.rows::<Value>().unwrap();
        for batch in reader.batches().unwrap() {
            for value in batch.unwrap().rows::<Value>() {
                let (one, other) = (value.unwrap(), rows.next().unwrap().unwrap());
                assert_eq!(one.to_string(), other.to_string(), "{}", golden.name);
            }
        }
        assert!(rows.next().is_none(), "{}", golden.name);
    }
}
