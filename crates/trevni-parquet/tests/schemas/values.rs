//! Random values of schemas, and parts of both.

use super::random::Random;
use apache_avro::Schema;
use apache_avro::types::Value;
use serde_json::Value as Json;
use std::collections::{HashMap, HashSet};

/// A value of a schema.
pub(super) fn value(random: &mut Random, schema: &Schema) -> Value {
    let number = random.next() as i64 >> random.below(64);
    match schema {
        Schema::Null => Value::Null,
        Schema::Boolean => Value::Boolean(random.chance(50)),
        Schema::Int => Value::Int(number as i32),
        Schema::Long => Value::Long(number),
        Schema::Float => Value::Float(number as f32 / 3.0),
        Schema::Double => Value::Double(number as f64 / 3.0),
        Schema::String => Value::String(format!("é{number}")),
        Schema::Bytes => Value::Bytes(format!("ü{number}").into_bytes()),
        Schema::Fixed(fixed) => Value::Fixed(fixed.size, vec![number as u8; fixed.size]),
        Schema::Enum(symbols) => {
            let at = random.below(symbols.symbols.len());
            Value::Enum(at as u32, symbols.symbols[at].clone())
        }
        Schema::Date => Value::Date(number as i32 % 100_000),
        Schema::TimeMillis => Value::TimeMillis(random.below(86_400_000) as i32),
        Schema::TimeMicros => Value::TimeMicros(random.below(86_400_000) as i64 * 1000 + 7),
        Schema::TimestampMillis => Value::TimestampMillis(number),
        Schema::TimestampMicros => Value::TimestampMicros(number),
        Schema::TimestampNanos => Value::TimestampNanos(number),
        Schema::LocalTimestampMicros => Value::LocalTimestampMicros(number),
        Schema::Array(array) => {
            Value::Array((0..random.below(4)).map(|_| value(random, &array.items)).collect())
        }
        Schema::Map(map) => {
            let entries = (0..random.below(4)).map(|at| (format!("k{at}"), value(random, &map.types)));
            Value::Map(entries.collect())
        }
        Schema::Record(record) => {
            let field =
                |field: &apache_avro::schema::RecordField| (field.name.clone(), value(random, &field.schema));
            Value::Record(record.fields.iter().map(field).collect())
        }
        Schema::Union(union) => {
            let at = random.below(union.variants().len());
            Value::Union(at as u32, Box::new(value(random, &union.variants()[at])))
        }
        other => panic!("{other:?}"),
    }
}

/// The value with the names that its fields have later.
pub(super) fn renamed(value: Value, names: &HashMap<String, String>) -> Value {
    match value {
        Value::Record(fields) => {
            let field = |(name, value): (String, Value)| {
                (names.get(&name).cloned().unwrap_or(name), renamed(value, names))
            };
            Value::Record(fields.into_iter().map(field).collect())
        }
        Value::Array(items) => Value::Array(items.into_iter().map(|item| renamed(item, names)).collect()),
        Value::Map(map) => {
            Value::Map(map.into_iter().map(|(key, value)| (key, renamed(value, names))).collect())
        }
        Value::Union(at, value) => Value::Union(at, Box::new(renamed(*value, names))),
        other => other,
    }
}

/// A schema with some of the fields of another, and the names of the others.
pub(super) fn part(random: &mut Random, schema: &Json, gone: &mut HashSet<String>) -> Json {
    match schema {
        Json::Array(branches) => branches.iter().map(|branch| part(random, branch, gone)).collect(),
        Json::Object(object) => {
            let mut object = object.clone();
            if let Some(Json::Array(fields)) = object.get_mut("fields") {
                let kept = random.below(fields.len());
                let mut at = 0;
                fields.retain(|field| {
                    at += 1;
                    let stays = at - 1 == kept || random.chance(60);
                    if !stays {
                        gone.insert(field["name"].as_str().unwrap().to_owned());
                    }
                    stays
                });
                for field in fields {
                    let kind = part(random, &field["type"], gone);
                    field["type"] = kind;
                }
            }
            for key in ["items", "values"] {
                if let Some(inner) = object.get_mut(key) {
                    *inner = part(random, inner, gone);
                }
            }
            Json::Object(object)
        }
        other => other.clone(),
    }
}

/// The value without some fields.
pub(super) fn without(value: Value, gone: &HashSet<String>) -> Value {
    match value {
        Value::Record(fields) => {
            let fields = fields.into_iter().filter(|(name, _)| !gone.contains(name));
            Value::Record(fields.map(|(name, value)| (name, without(value, gone))).collect())
        }
        Value::Array(items) => Value::Array(items.into_iter().map(|item| without(item, gone)).collect()),
        Value::Map(map) => {
            Value::Map(map.into_iter().map(|(key, value)| (key, without(value, gone))).collect())
        }
        Value::Union(at, value) => Value::Union(at, Box::new(without(*value, gone))),
        other => other,
    }
}
