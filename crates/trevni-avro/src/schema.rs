//! The text of a schema as a tree of types.

use super::Error;
use super::definitions::Definitions;
use super::kind::{Branch, Record, Type, Union};
use super::value::Source;
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::HashSet;
use std::sync::{LazyLock, Mutex, PoisonError};
use trevni::Shape;

/// A schema whose rows columns can hold.
#[derive(Debug)]
pub struct Schema(pub(crate) Type);

impl Schema {
    /// Reads the text of a schema.
    ///
    /// # Errors
    ///
    /// Columns cannot hold such rows, and why not.
    pub fn parse(text: &str) -> Result<Self, Error> {
        // Checks all of it; recursive types and those nested too deep do not get past this.
        let shape = Shape::from_avro(text).map_err(|error| Error::Schema(error.to_string()))?;
        let mut deserializer = serde_json::Deserializer::from_str(text);
        deserializer.disable_recursion_limit();
        let json = Value::deserialize(&mut deserializer).map_err(|error| Error::Schema(error.to_string()))?;
        Walk::default().kind(&json, &shape, "").map(Self).map_err(Error::Schema)
    }

    /// The next value of a source, by this schema.
    pub fn value<'n, S: Source>(&'n self, source: &'n S) -> crate::Value<'n, S> {
        crate::Value { kind: &self.0, source }
    }
}

/// Follows the text of a schema along its shape: the text has the position of null among the branches of a
/// union, the shape the meaning of the types.
#[derive(Default)]
struct Walk<'j> {
    types: Definitions<'j>,
}

impl<'j> Walk<'j> {
    fn kind(&mut self, json: &'j Value, shape: &Shape, namespace: &str) -> Result<Type, String> {
        match json {
            Value::String(name) if is_primitive(name) => simple(shape),
            Value::String(name) => match self.types.named(name, namespace) {
                Some((definition, namespace)) => self.complex(definition, shape, &namespace),
                None => Err(unlike(shape)),
            },
            Value::Array(branches) => self.union(branches, shape, namespace),
            Value::Object(object) => match object.get("type") {
                Some(Value::String(kind)) if is_complex(kind) => {
                    let namespace = self.types.define(object, namespace);
                    self.complex(object, shape, &namespace)
                }
                Some(inner) => self.kind(inner, shape, namespace),
                None => Err(unlike(shape)),
            },
            _ => Err(unlike(shape)),
        }
    }

    fn complex(
        &mut self,
        object: &'j Map<String, Value>,
        shape: &Shape,
        namespace: &str,
    ) -> Result<Type, String> {
        let inner = |key| object.get(key).ok_or_else(|| unlike(shape));
        match (text(object, "type").unwrap_or_default(), shape.storage()) {
            ("array", Shape::List(item)) => {
                Ok(Type::List(Box::new(self.kind(inner("items")?, item, namespace)?)))
            }
            ("array", Shape::Map(map)) => {
                let record = Shape::record("", [("key", map.key.clone()), ("value", map.value.clone())]);
                match self.kind(inner("items")?, &record, namespace)? {
                    Type::Record(record) => {
                        let mut fields = record.fields.into_iter().map(|(_, kind)| kind);
                        match (fields.next(), fields.next()) {
                            (Some(key), Some(value)) => Ok(Type::Pairs(Box::new((key, value)))),
                            _ => Err(unlike(shape)),
                        }
                    }
                    _ => Err(unlike(shape)),
                }
            }
            ("map", Shape::Map(map)) => {
                Ok(Type::Map(Box::new(self.kind(inner("values")?, &map.value, namespace)?)))
            }
            ("record" | "error", shape) => self.record(object, shape, namespace),
            _ => simple(shape),
        }
    }

    fn record(
        &mut self,
        object: &'j Map<String, Value>,
        shape: &Shape,
        namespace: &str,
    ) -> Result<Type, String> {
        let fields = object.get("fields").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        match (text(object, "serde"), fields, shape) {
            (Some("unit"), [], Shape::Null) => return Ok(Type::Null),
            // A record around what a union cannot hold: the value lies as without it.
            (Some("some"), [field], shape) => {
                let kind = field.get("type").ok_or_else(|| unlike(shape))?;
                return self.kind(kind, shape, namespace);
            }
            _ => {}
        }
        let Shape::Record(record) = shape else {
            return Err(unlike(shape));
        };
        let mut kinds = Vec::with_capacity(fields.len());
        for (field, known) in fields.iter().zip(&record.fields) {
            let kind = field.get("type").ok_or_else(|| unlike(shape))?;
            kinds.push((kept(&known.name), self.kind(kind, &known.shape, namespace)?));
        }
        let (namespace, name) = (kept(&record.namespace), kept(&record.name));
        Ok(Type::Record(Record { form: record.form, namespace, name, fields: kinds }))
    }

    fn union(&mut self, branches: &'j [Value], shape: &Shape, namespace: &str) -> Result<Type, String> {
        let others = branches.iter().filter(|branch| !is_null(branch)).count();
        let shapes = match shape {
            Shape::Optional(optional) => match &optional.item {
                Shape::Union(variants) if others != 1 => variants.as_slice(),
                item => std::slice::from_ref(item),
            },
            Shape::Union(variants) => variants.as_slice(),
            _ => return Err(unlike(shape)),
        };
        if shapes.len() != others {
            return Err(unlike(shape));
        }
        let mut union = Union { branches: Vec::with_capacity(branches.len()), variants: Vec::new() };
        for (number, branch) in branches.iter().enumerate() {
            if is_null(branch) {
                union.branches.push(None);
                continue;
            }
            let tag = union.variants.len();
            let shape = shapes.get(tag).ok_or_else(|| unlike(shape))?;
            let kind = self.kind(branch, shape, namespace)?;
            union.variants.push(number);
            union.branches.push(Some(Branch { name: branch_name(shapes, tag)?, kind }));
        }
        Ok(Type::Union(union))
    }
}

/// The name by which a variant of a union is found; none where its kind is enough.
fn branch_name(variants: &[Shape], tag: usize) -> Result<Option<&'static str>, String> {
    let Some(variant) = variants.get(tag) else {
        return Ok(None);
    };
    let is_variant = |shape: &Shape| matches!(shape, Shape::Record(record) if record.form.is_variant());
    if is_variant(variant) {
        return Ok(None);
    }
    // Beside variants, names of other types say nothing.
    let is_marked = variants.iter().any(is_variant);
    let name = variant.branch_name();
    // A name without namespace is that of all namespaces.
    let is_found = |other: &Shape| {
        let full = other.branch_name();
        full == name || full.rsplit_once('.').is_some_and(|(_, short)| short == name)
    };
    if !is_marked && variants.iter().position(is_found) == Some(tag) {
        return Ok(Some(kept(&name)));
    }
    match variants.iter().filter(|other| other.kind() == variant.kind()).count() {
        1 => Ok(None),
        _ => Err(format!("two types of a union are named {name}")),
    }
}

fn simple(shape: &Shape) -> Result<Type, String> {
    Ok(match shape.storage() {
        Shape::Null => Type::Null,
        Shape::Boolean => Type::Boolean,
        Shape::Int => Type::Int,
        Shape::Long => Type::Long,
        Shape::U64 => Type::U64,
        Shape::I128 => Type::I128,
        Shape::U128 => Type::U128,
        Shape::Float => Type::Float,
        Shape::Double => Type::Double,
        Shape::String => Type::String,
        Shape::Bytes => Type::Bytes,
        Shape::Fixed(fixed) => Type::Fixed(fixed.size),
        Shape::Enum(shape) => Type::Enum {
            name: kept(&shape.name),
            symbols: shape.symbols.iter().map(|symbol| kept(symbol)).collect(),
        },
        shape => return Err(unlike(shape)),
    })
}

fn unlike(shape: &Shape) -> String {
    format!("a type that is no {}", shape.kind())
}

fn is_complex(kind: &str) -> bool {
    matches!(kind, "array" | "map" | "record" | "error" | "enum" | "fixed")
}

fn is_primitive(name: &str) -> bool {
    matches!(name, "null" | "boolean" | "int" | "long" | "float" | "double" | "string" | "bytes")
}

fn is_null(branch: &Value) -> bool {
    match branch {
        Value::String(name) => name == "null",
        Value::Object(object) => object.get("type").is_some_and(is_null),
        _ => false,
    }
}

fn text<'a>(object: &'a Map<String, Value>, key: &str) -> Option<&'a str> {
    object.get(key).and_then(Value::as_str)
}

/// The text with the lifetime that serde wants of names. Each is kept once, to the end of the program.
fn kept(text: &str) -> &'static str {
    static KEPT: LazyLock<Mutex<HashSet<&'static str>>> = LazyLock::new(Mutex::default);
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(text) = kept.get(text) {
        return text;
    }
    let text: &'static str = Box::leak(text.to_owned().into_boxed_str());
    kept.insert(text);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> String {
        match Schema::parse(text) {
            Ok(Schema(kind)) => format!("{kind:?}"),
            Err(Error::Schema(error)) => error,
            Err(other) => panic!("{other}"),
        }
    }

    #[test]
    fn names_are_found_as_avro_has_it() {
        let schema = r#"{"type": "record", "name": "a.R", "fields": [
            {"name": "x", "type": {"type": {"type": "fixed", "name": "F", "size": 2}}},
            {"name": "y", "type": ["F", "null"]},
            {"name": "z", "type": {"type": "record", "name": "S", "namespace": "b", "fields": [
                {"name": "f", "type": {"type": "fixed", "name": "F", "size": 3}}, {"name": "g", "type": "F"},
                {"name": "h", "type": {"type": "a.F", "serde": "other"}}]}},
            {"name": "long", "type": {"type": "enum", "name": "long_", "symbols": ["A"]}}]}"#;
        let kind = parsed(schema);
        let found: Vec<&str> = kind.split("Fixed(").skip(1).map(|rest| &rest[..1]).collect();
        assert_eq!(found, ["2", "2", "3", "3", "2"], "{kind}");
        assert!(kind.contains(r#"name: Some("a.F")"#) && kind.contains("variants: [0]"), "{kind}");
    }

    #[test]
    fn branches_are_told_apart() {
        let record = |name: &str| format!(r#"{{"type": "record", "name": "{name}", "fields": []}}"#);
        let (one, other) = (record("a.X"), record("b.X"));
        let kind = parsed(&format!(r#"[{one}, "null", {other}]"#));
        assert!(kind.contains(r#"Some("a.X")"#) && kind.contains(r#"Some("b.X")"#), "{kind}");
        // A name without namespace is found as that of another.
        let kind = parsed(&format!(r#"[{one}, {}]"#, record("X")));
        assert_eq!(kind, "two types of a union are named X");
        let kind = parsed(&format!(r#"[{one}, {{"type": "enum", "name": "X", "symbols": ["A"]}}]"#));
        assert!(kind.contains(r#"name: None, kind: Enum"#), "{kind}");
    }

    #[test]
    fn marks_say_what_types_stand_for() {
        assert_eq!(parsed(r#"{"type": "long", "serde": "u64"}"#), "U64");
        assert_eq!(parsed(r#"{"type": "fixed", "name": "u", "size": 16, "serde": "u128"}"#), "U128");
        assert_eq!(parsed(r#"{"type": "string", "logicalType": "uuid"}"#), "String");
        let entry = r#"{"type": "record", "name": "E", "fields": [{"name": "key", "type": "int"}, {"name": "value", "type": "boolean"}]}"#;
        assert_eq!(
            parsed(&format!(r#"{{"type": "array", "items": {entry}, "logicalType": "map"}}"#)),
            "Pairs((Int, Boolean))"
        );
        assert!(
            parsed(r#"{"type": "record", "name": "R", "fields": [{"name": "r", "type": "R"}]}"#)
                .contains("recursive")
        );
    }
}
