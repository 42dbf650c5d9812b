//! The names that an Avro schema gives to branches, fields and symbols.

use serde::Deserialize;
use serde_json::Value;
use std::collections::HashMap;

/// What a schema says of a value.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) enum SchemaNames {
    /// Nothing that has names.
    #[default]
    Plain,
    /// Symbols, by ordinal.
    Enum(Vec<String>),
    /// Fields and their names.
    Record(Vec<(String, SchemaNames)>),
    Array(Box<SchemaNames>),
    Map(Box<SchemaNames>),
    /// Branches and their names, without null.
    Union(Vec<(String, SchemaNames)>),
}

impl SchemaNames {
    /// What a schema says that the library has read or made, which limits how deep it may be; nothing where
    /// it is no JSON.
    pub(super) fn of(schema: &str) -> Self {
        let mut json = serde_json::Deserializer::from_str(schema);
        json.disable_recursion_limit();
        let schema = Value::deserialize(&mut json).unwrap_or_default();
        Names::default().node(&schema, "").1
    }
}

/// Named types that have been defined so far, with what they are.
#[derive(Default)]
struct Names(HashMap<String, SchemaNames>);

impl Names {
    /// The name of a type as a branch, and what it is. `space` is the namespace around it.
    fn node(&mut self, schema: &Value, space: &str) -> (String, SchemaNames) {
        match schema {
            // No type of any namespace is called like these.
            Value::String(name) if PRIMITIVES.contains(&name.as_str()) => (name.clone(), SchemaNames::Plain),
            Value::String(name) => match self.0.get(&full(name, None, space)) {
                Some(node) => (full(name, None, space), node.clone()),
                None => match self.0.get(name) {
                    Some(node) => (name.clone(), node.clone()),
                    None => (name.clone(), SchemaNames::Plain),
                },
            },
            Value::Array(branches) => {
                let branches = branches.iter().filter(|branch| *branch != "null");
                (
                    "union".to_owned(),
                    SchemaNames::Union(branches.map(|branch| self.node(branch, space)).collect()),
                )
            }
            schema => self.object(schema, space),
        }
    }

    fn object(&mut self, schema: &Value, space: &str) -> (String, SchemaNames) {
        let text = |key: &str| schema.get(key).and_then(Value::as_str);
        let list =
            |key: &str| schema.get(key).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        let kind = match schema.get("type") {
            Some(Value::String(kind)) => kind.as_str(),
            Some(within) => return self.node(within, space),
            None => return ("null".to_owned(), SchemaNames::Plain),
        };
        let below = |names: &mut Self, key: &str| {
            let (_, node) = names.node(schema.get(key).unwrap_or(&Value::Null), space);
            Box::new(node)
        };
        match kind {
            "array" => (kind.to_owned(), SchemaNames::Array(below(self, "items"))),
            "map" => (kind.to_owned(), SchemaNames::Map(below(self, "values"))),
            "record" | "error" | "enum" | "fixed" => {
                let name = full(text("name").unwrap_or_default(), text("namespace"), space);
                let node = match kind {
                    "record" | "error" => {
                        let space = name.rsplit_once('.').map_or("", |(space, _)| space);
                        let mut field = |field: &Value| {
                            let name = field.get("name").and_then(Value::as_str).unwrap_or_default();
                            (name.to_owned(), self.node(field.get("type").unwrap_or(&Value::Null), space).1)
                        };
                        SchemaNames::Record(list("fields").iter().map(&mut field).collect())
                    }
                    "enum" => {
                        let symbols = list("symbols").iter().filter_map(Value::as_str);
                        SchemaNames::Enum(symbols.map(str::to_owned).collect())
                    }
                    _ => SchemaNames::Plain,
                };
                self.0.insert(name.clone(), node.clone());
                (name, node)
            }
            _ => self.node(&Value::from(kind), space),
        }
    }
}

/// Names of types that have none of their own.
const PRIMITIVES: [&str; 8] = ["null", "boolean", "int", "long", "float", "double", "bytes", "string"];

/// The full name of a type.
fn full(name: &str, namespace: Option<&str>, around: &str) -> String {
    match namespace.unwrap_or(around) {
        "" => name.to_owned(),
        _ if name.contains('.') => name.to_owned(),
        space => format!("{space}.{name}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_full() {
        let schema = r#"{"type":"record","name":"R","namespace":"a.b","fields":[
            {"name":"x","type":["null",{"type":"enum","name":"E","symbols":["S"]},"long"]},
            {"name":"y","type":["null","E"]},
            {"name":"z","type":{"type":"array","items":["null",{"type":"fixed","name":"F","namespace":"","size":2}]}}
        ]}"#;
        let symbols = || SchemaNames::Enum(vec!["S".to_owned()]);
        let union = |branches: &[(&str, SchemaNames)]| {
            SchemaNames::Union(
                branches.iter().map(|(name, node)| ((*name).to_owned(), node.clone())).collect(),
            )
        };
        let expected = SchemaNames::Record(vec![
            ("x".to_owned(), union(&[("a.b.E", symbols()), ("long", SchemaNames::Plain)])),
            ("y".to_owned(), union(&[("a.b.E", symbols())])),
            ("z".to_owned(), SchemaNames::Array(Box::new(union(&[("F", SchemaNames::Plain)])))),
        ]);
        assert_eq!(SchemaNames::of(schema), expected);
    }

    #[test]
    fn names_of_primitives_stand_for_these() {
        let schema = r#"[{"type":"record","name":"int","namespace":"E","fields":[{"name":"_0","type":"int"}]},
            {"type":"record","name":"string","namespace":"E","fields":[{"name":"_0","type":{"type":"string"}}]}]"#;
        let variant =
            |name: &str| (name.to_owned(), SchemaNames::Record(vec![("_0".to_owned(), SchemaNames::Plain)]));
        assert_eq!(SchemaNames::of(schema), SchemaNames::Union(vec![variant("E.int"), variant("E.string")]));
    }

    #[test]
    fn schemas_may_be_deep() {
        let depth = 200;
        let lists = "{\"type\":\"array\",\"items\":".repeat(depth);
        let schema = format!("{lists}[\"null\",\"int\"]{}", "}".repeat(depth));
        let mut node = SchemaNames::of(&schema);
        for _ in 0..depth {
            let SchemaNames::Array(item) = node else { panic!("{node:?}") };
            node = *item;
        }
        assert_eq!(node, SchemaNames::Union(vec![("int".to_owned(), SchemaNames::Plain)]));
    }
}
