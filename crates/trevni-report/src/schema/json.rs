//! A schema as JSON of its own kind, which has all that the library knows of it.

use crate::type_name::short_type_name;
use serde_json::{Map, Value, json};
use trevni::Shape;
use trevni::shape::{Form, Name, Null};

/// A shape as an object.
///
/// `type` is the word of [`short_type_name`]: `boolean`, `int32`, `int64`, `uint64`, `int128`, `uint128`, `float32`,
/// `float64`, `string`, `null`, or one that has more keys: `bytes` may have a `size`, `enum` has `symbols`, `struct`
/// and `tuple` have `fields`, each with its `name`, `list` has `item`, `map` has `key` and `value`, `union` has
/// `variants`. A value that may be missing has `optional`: `null`, or `absent` where the field is then absent;
/// an optional within an optional has the type `optional` and its `item`. Named types have a `type_name`, structs and
/// tuples that are variants of an enum a `variant`. `logical` is what values mean, `type` is then how they are stored.
pub(super) fn json(shape: &Shape) -> Value {
    Value::Object(node(shape))
}

fn node(shape: &Shape) -> Map<String, Value> {
    let mut out = Map::new();
    let mut put = |key: &str, value: Value| drop(out.insert(key.to_owned(), value));
    match shape.storage() {
        Shape::Optional(optional) => {
            if matches!(optional.item, Shape::Optional(_)) {
                put("type", json!("optional"));
                put("item", json(&optional.item));
            } else {
                out = node(&optional.item);
            }
            let stands_for = if optional.null == Null::Absent { "absent" } else { "null" };
            out.insert("optional".to_owned(), json!(stands_for));
        }
        Shape::Fixed(fixed) => {
            put("type", json!("bytes"));
            put("size", json!(fixed.size));
            put("type_name", json!(full(&fixed.namespace, &fixed.name)));
        }
        Shape::Enum(shape) => {
            put("type", json!("enum"));
            put("type_name", json!(full(&shape.namespace, &shape.name)));
            put("symbols", json!(shape.symbols));
        }
        Shape::Record(record) => {
            put("type", json!(if record.form == Form::Tuple { "tuple" } else { "struct" }));
            if record.form.is_variant() {
                let form = match record.form {
                    Form::NewtypeVariant => "newtype",
                    Form::TupleVariant => "tuple",
                    _ => "struct",
                };
                put("variant", json!(form));
            }
            put("type_name", json!(full(&record.namespace, &record.name)));
            let field = |field: &trevni::shape::FieldShape| {
                let mut object = Map::from_iter([("name".to_owned(), json!(field.name))]);
                object.extend(node(&field.shape));
                Value::Object(object)
            };
            put("fields", record.fields.iter().map(field).collect());
        }
        Shape::List(item) => {
            put("type", json!("list"));
            put("item", json(item));
        }
        Shape::Map(map) => {
            put("type", json!("map"));
            put("key", json(&map.key));
            put("value", json(&map.value));
        }
        Shape::Union(variants) => {
            put("type", json!("union"));
            put("variants", variants.iter().map(json).collect());
        }
        simple => put("type", json!(short_type_name(simple))),
    }
    if let Shape::Logical(logical) = shape {
        out.insert("logical".to_owned(), json!(logical.logical.to_string()));
    }
    out
}

fn full(namespace: &Name, name: &Name) -> String {
    if namespace.is_empty() { name.to_string() } else { format!("{namespace}.{name}") }
}
