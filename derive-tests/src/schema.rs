//! A strict reader of Avro schemas: the rules of Avro's specification about names and unions, and no more.

use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::HashSet;

const PRIMITIVES: [&str; 8] = ["null", "boolean", "int", "long", "float", "double", "bytes", "string"];

/// What is wrong with a schema, if anything.
pub fn check(schema: &str) -> Result<(), String> {
    let mut json = serde_json::Deserializer::from_str(schema);
    json.disable_recursion_limit();
    let schema = Value::deserialize(&mut json).map_err(|error| format!("no JSON: {error}"))?;
    json.end().map_err(|error| format!("no JSON: {error}"))?;
    Names::default().schema(&schema, "").map(|_| ())
}

/// The full names defined so far.
#[derive(Default)]
struct Names(HashSet<String>);

/// What counts as the same branch of a union: the type, or the full name.
enum Branch {
    Type(String),
    Named(String),
    Union,
}

impl Names {
    fn schema(&mut self, schema: &Value, namespace: &str) -> Result<Branch, String> {
        match schema {
            Value::String(name) => self.reference(name, namespace),
            Value::Array(branches) => self.union(branches, namespace),
            Value::Object(schema) => match schema.get("type") {
                Some(Value::String(name)) => self.object(name, schema, namespace),
                Some(_) => Err("a type that is no name".to_owned()),
                None => Err("a schema without a type".to_owned()),
            },
            other => Err(format!("{other} is no schema")),
        }
    }

    /// A primitive type, or a name that was defined before.
    fn reference(&self, name: &str, namespace: &str) -> Result<Branch, String> {
        if PRIMITIVES.contains(&name) {
            return Ok(Branch::Type(name.to_owned()));
        }
        let full = full_name(name, namespace)?;
        if self.0.contains(&full) {
            Ok(Branch::Named(full))
        } else {
            Err(format!("the name {full:?} is not defined before its use"))
        }
    }

    fn union(&mut self, branches: &[Value], namespace: &str) -> Result<Branch, String> {
        let (mut types, mut names) = (HashSet::new(), HashSet::new());
        for branch in branches {
            let (name, new) = match self.schema(branch, namespace)? {
                Branch::Union => return Err("a union directly within a union".to_owned()),
                Branch::Type(name) => (name.clone(), types.insert(name)),
                Branch::Named(name) => (name.clone(), names.insert(name)),
            };
            if !new {
                return Err(format!("a union has {name:?} twice"));
            }
        }
        Ok(Branch::Union)
    }

    fn object(&mut self, name: &str, schema: &Map<String, Value>, namespace: &str) -> Result<Branch, String> {
        let part = |key: &str| schema.get(key).ok_or_else(|| format!("{name} without {key}"));
        match name {
            "array" => self.schema(part("items")?, namespace)?,
            "map" => self.schema(part("values")?, namespace)?,
            "record" | "error" => return self.record(schema, namespace),
            "enum" => {
                let full = self.define(schema, namespace)?.0;
                symbols(part("symbols")?)?;
                return Ok(Branch::Named(full));
            }
            "fixed" => {
                if !part("size")?.is_u64() {
                    return Err("a size that is no number".to_owned());
                }
                return Ok(Branch::Named(self.define(schema, namespace)?.0));
            }
            _ => return self.reference(name, namespace),
        };
        Ok(Branch::Type(name.to_owned()))
    }

    fn record(&mut self, schema: &Map<String, Value>, namespace: &str) -> Result<Branch, String> {
        let (full, namespace) = self.define(schema, namespace)?;
        let fields = schema.get("fields").and_then(Value::as_array);
        let mut names = HashSet::new();
        for field in fields.ok_or("a record without fields")? {
            let name = field.get("name").and_then(Value::as_str).ok_or("a field without a name")?;
            if !is_name(name) {
                return Err(format!("{name:?} is no name of a field"));
            }
            if !names.insert(name) {
                return Err(format!("a record has the field {name:?} twice"));
            }
            self.schema(field.get("type").ok_or("a field without a type")?, &namespace)?;
        }
        Ok(Branch::Named(full))
    }

    /// Defines the name of a named type; gives it in full, and its namespace.
    fn define(&mut self, schema: &Map<String, Value>, outer: &str) -> Result<(String, String), String> {
        let name = schema.get("name").and_then(Value::as_str).ok_or("a named type without a name")?;
        let namespace = match schema.get("namespace") {
            Some(Value::String(namespace)) => namespace,
            Some(_) => return Err("a namespace that is no text".to_owned()),
            None => outer,
        };
        let full = full_name(name, namespace)?;
        let (namespace, simple) = full.rsplit_once('.').unwrap_or(("", &full));
        if PRIMITIVES.contains(&simple) {
            return Err(format!("{full:?} has the name of a primitive type"));
        }
        if !self.0.insert(full.clone()) {
            return Err(format!("the name {full:?} is defined twice"));
        }
        Ok((full.clone(), namespace.to_owned()))
    }
}

fn full_name(name: &str, namespace: &str) -> Result<String, String> {
    let full = if name.contains('.') || namespace.is_empty() {
        name.to_owned()
    } else {
        format!("{namespace}.{name}")
    };
    if full.split('.').all(is_name) { Ok(full) } else { Err(format!("{full:?} is no full name")) }
}

fn is_name(name: &str) -> bool {
    let mut letters = name.chars();
    letters.next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_')
        && letters.all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
}

fn symbols(symbols: &Value) -> Result<(), String> {
    let mut seen = HashSet::new();
    for symbol in symbols.as_array().ok_or("symbols that are no list")? {
        let symbol = symbol.as_str().ok_or("a symbol that is no text")?;
        if !is_name(symbol) {
            return Err(format!("{symbol:?} is no symbol"));
        }
        if !seen.insert(symbol) {
            return Err(format!("an enum has the symbol {symbol:?} twice"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::check;

    #[test]
    fn refuses_what_avro_forbids() {
        let wrong = [
            (r#"{"type":"record","name":"int","fields":[]}"#, "primitive"),
            (r#"{"type":"record","name":"n.int","fields":[]}"#, "primitive"),
            (r#"["int","int"]"#, "twice"),
            (r#"["int",["long"]]"#, "directly"),
            (r#"{"type":"record","name":"R","fields":[{"name":"a","type":"S"}]}"#, "before its use"),
            (
                r#"{"type":"record","name":"R","fields":[{"name":"a","type":
                   {"type":"record","name":"V","namespace":"n","fields":[{"name":"b","type":"R"}]}}]}"#,
                "before its use",
            ),
            (r#"{"type":"enum","name":"E","symbols":["a","a"]}"#, "twice"),
            (r#"{"type":"enum","name":"E","symbols":["a-b"]}"#, "no symbol"),
            (r#"{"type":"record","name":"R","fields":[{"name":"","type":"int"}]}"#, "no name"),
            (r#"[{"type":"fixed","name":"F","size":1},{"type":"enum","name":"F","symbols":[]}]"#, "twice"),
        ];
        for (schema, part) in wrong {
            let error = check(schema).expect_err(schema);
            assert!(error.contains(part), "{schema}: {error}");
        }
    }

    #[test]
    fn takes_what_avro_allows() {
        let right = [
            r#"["null","int",{"type":"array","items":"int"},{"type":"map","values":["null","int"]}]"#,
            r#"{"type":"record","name":"R","fields":[{"name":"a","type":["null","R"]}]}"#,
            r#"{"type":"record","name":"n.R","fields":[{"name":"int","type":["null","R"]}]}"#,
            r#"[{"type":"record","name":"map","fields":[]},{"type":"record","name":"n.map","fields":[]}]"#,
            r#"{"type":"long","serde":"u64"}"#,
        ];
        for schema in right {
            assert_eq!(check(schema), Ok(()), "{schema}");
        }
    }
}
