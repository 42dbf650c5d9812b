//! The text of a schema as a tree of types.

use super::Error;
use super::kind::{Branch, Record, Type, Union};
use super::value::Source;
use std::collections::HashSet;
use std::sync::{LazyLock, Mutex, PoisonError};
use trevni::Shape;
use trevni::avro::{AvroSchema, NodeParts, ShapedNode};

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
        let schema = AvroSchema::parse(text).map_err(|error| Error::Schema(error.to_string()))?;
        kind(schema.shaped()).map(Self).map_err(Error::Schema)
    }

    /// The next value of a source, by this schema.
    pub fn value<'n, S: Source>(&'n self, source: &'n S) -> crate::Value<'n, S> {
        crate::Value { kind: &self.0, source }
    }
}

/// The tree has the position of null among the branches of a union, the shape the meaning of the types.
fn kind(node: ShapedNode<'_>) -> Result<Type, String> {
    Ok(match (node.parts(), node.shape) {
        (NodeParts::Record(parts), Shape::Record(record)) => {
            let mut fields = Vec::with_capacity(parts.len());
            for ((_, part), field) in parts.into_iter().zip(&record.fields) {
                fields.push((kept(&field.name), kind(part)?));
            }
            let (namespace, name) = (kept(&record.namespace), kept(&record.name));
            Type::Record(Record { form: record.form, namespace, name, fields })
        }
        (NodeParts::Items(item), Shape::List(_)) => Type::List(Box::new(kind(item)?)),
        (NodeParts::Items(value), _) => Type::Map(Box::new(kind(value)?)),
        (NodeParts::Entries([key, value]), _) => Type::Pairs(Box::new((kind(key)?, kind(value)?))),
        (NodeParts::Union(parts), _) => union(&parts)?,
        (_, shape) => simple(shape)?,
    })
}

fn union(parts: &[Option<ShapedNode<'_>>]) -> Result<Type, String> {
    let shapes: Vec<&Shape> = parts.iter().flatten().map(|part| part.shape).collect();
    let mut union = Union { branches: Vec::with_capacity(parts.len()), variants: Vec::new() };
    for (number, part) in parts.iter().enumerate() {
        let Some(part) = part else {
            union.branches.push(None);
            continue;
        };
        let name = branch_name(&shapes, union.variants.len())?;
        union.variants.push(number);
        union.branches.push(Some(Branch { name, kind: kind(*part)? }));
    }
    Ok(Type::Union(union))
}

/// The name by which a variant of a union is found; `None` where its kind is enough.
fn branch_name(variants: &[&Shape], tag: usize) -> Result<Option<&'static str>, String> {
    let Some(variant) = variants.get(tag) else {
        return Ok(None);
    };
    let is_variant = |shape: &&Shape| matches!(shape, Shape::Record(record) if record.form.is_variant());
    if is_variant(variant) {
        return Ok(None);
    }
    // Beside variants, names of other types say nothing.
    let is_marked = variants.iter().any(is_variant);
    let name = variant.branch_name();
    // A name without namespace is that of all namespaces.
    let is_found = |other: &&Shape| {
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
        shape => return Err(format!("a type that is no {}", shape.kind())),
    })
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
