//! Batches hold the rows of the files: shape and vectors against Avro's JSON encoding.

use crate::data;
use crate::json::Json;
use trevni::{Reader, Shape, Vector};

/// Compares an entry of a vector with a value in Avro's JSON encoding; the path is for messages.
pub(crate) fn compare(shape: &Shape, vector: &Vector, index: usize, json: &Json, path: &str) {
    let items = |range: std::ops::Range<usize>, shape: &Shape, vector: &Vector, json: &[Json], name: &str| {
        assert_eq!(range.len(), json.len(), "{path}: length");
        for (number, (index, json)) in range.zip(json).enumerate() {
            compare(shape, vector, index, json, &format!("{path}{name}[{number}]"));
        }
    };
    match (shape.storage(), vector) {
        (Shape::Null, Vector::Null(len)) => assert!(index < *len && *json == Json::Null, "{path}"),
        (Shape::Boolean, Vector::Boolean(values)) => {
            assert_eq!(Json::Boolean(values[index]), *json, "{path}")
        }
        (Shape::Int, Vector::Int(values)) => assert_eq!(values[index], json.integer::<i32>(), "{path}"),
        (Shape::Long, Vector::Long(values)) => assert_eq!(values[index], json.integer::<i64>(), "{path}"),
        (Shape::Float, Vector::Float(values)) => {
            assert_eq!(values[index].to_bits(), json.float().to_bits(), "{path}: {}", values[index]);
        }
        (Shape::Double, Vector::Double(values)) => {
            assert_eq!(values[index].to_bits(), json.double().to_bits(), "{path}: {}", values[index]);
        }
        (Shape::String, Vector::String(values)) => {
            assert_eq!(values.get(index).unwrap(), json.text(), "{path}")
        }
        (Shape::Bytes, Vector::Bytes(values)) => {
            assert_eq!(values.get(index).unwrap(), json.bytes(), "{path}")
        }
        (Shape::Fixed(fixed), Vector::Bytes(values)) => {
            assert_eq!(values.get(index).unwrap(), json.bytes(), "{path}");
            assert_eq!(fixed.size, json.bytes().len(), "{path}");
        }
        (Shape::Enum(symbols), Vector::Enum(ordinals)) => {
            assert_eq!(symbols.symbols[ordinals[index] as usize], json.text(), "{path}");
        }
        (Shape::Record(record), Vector::Record(fields)) => {
            assert!(index < fields.len, "{path}");
            assert_eq!(record.fields.len(), json.entries().len(), "{path}: fields");
            let both = record.fields.iter().zip(&fields.fields).zip(json.entries());
            for ((field, vector), (name, json)) in both {
                assert_eq!(field.name, *name, "{path}");
                compare(&field.shape, vector, index, json, &format!("{path}.{name}"));
            }
        }
        (Shape::List(item), Vector::List(list)) => {
            items(list.offsets.range(index).unwrap(), item, &list.item, json.items(), "");
        }
        (Shape::Map(map), Vector::Map(vector)) => {
            let (keys, values): (Vec<Json>, Vec<Json>) =
                json.entries().iter().map(|(key, value)| (Json::Text(key.clone()), value.clone())).unzip();
            let range = vector.offsets.range(index).unwrap();
            items(range.clone(), &map.key, &vector.key, &keys, ".key");
            items(range, &map.value, &vector.value, &values, ".value");
        }
        (Shape::Optional(optional), Vector::Optional(list)) => {
            let range = list.offsets.range(index).unwrap();
            match (&optional.item, json) {
                (_, Json::Null) => assert!(range.is_empty(), "{path}: not null"),
                (union @ Shape::Union(_), json) => {
                    items(range, union, &list.item, std::slice::from_ref(json), "")
                }
                (item, json) => {
                    let (name, json) = &json.entries()[0];
                    assert_eq!(branch_name(item), *name, "{path}");
                    items(range, item, &list.item, std::slice::from_ref(json), name);
                }
            }
        }
        (Shape::Union(variants), Vector::Union(union)) => {
            let (tag, position) = (usize::from(union.tags[index]), union.positions[index] as usize);
            let (name, json) = &json.entries()[0];
            assert_eq!(branch_name(&variants[tag]), *name, "{path}");
            compare(&variants[tag], &union.variants[tag], position, json, &format!("{path}/{name}"));
        }
        (shape, vector) => panic!("{path}: {vector:?} for {shape:?}"),
    }
}

/// The name of a branch: the full name of named types, otherwise that of the type.
fn branch_name(shape: &Shape) -> String {
    let (space, name) = match shape {
        Shape::Record(record) => (&record.namespace, &record.name),
        Shape::Enum(symbols) => (&symbols.namespace, &symbols.name),
        Shape::Fixed(fixed) => (&fixed.namespace, &fixed.name),
        Shape::List(_) => return "array".to_owned(),
        other => return other.kind().to_owned(),
    };
    if space.is_empty() { name.to_string() } else { format!("{space}.{name}") }
}

/// Compares all batches of a reader with rows.
pub(crate) fn compare_all(name: &str, reader: &Reader<'_>, lines: &[Json]) {
    let mut rows = 0;
    for batch in reader.batches().unwrap() {
        let batch = batch.unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(batch.first_row(), rows as u64, "{name}");
        for index in 0..batch.len() {
            let line = lines.get(rows).unwrap_or_else(|| panic!("{name}: too many rows"));
            compare(batch.shape(), batch.vector(), index, line, &format!("{name} row {rows}: "));
            rows += 1;
        }
    }
    assert_eq!(rows, lines.len(), "{name}: rows");
}

#[test]
fn batches_hold_what_java_wrote() {
    for golden in data::with_schema() {
        let bytes = golden.bytes();
        let reader = Reader::from_slice(&bytes).unwrap();
        assert_eq!(Some(reader.row_count()), golden.rows, "{}", golden.name);
        compare_all(&golden.name, &reader, &golden.lines());
    }
}
