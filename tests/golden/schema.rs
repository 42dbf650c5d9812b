//! Avro schemas, read as strictly as Java reads them.

use crate::json::Json;
use std::collections::{HashMap, HashSet};

/// A schema; what columns do not need is left aside.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Schema {
    Null,
    Boolean,
    Int,
    Long,
    Float,
    Double,
    Text,
    Bytes,
    Fixed { name: String, size: usize },
    Enum { name: String, symbols: Vec<String> },
    Record { name: String, fields: Vec<(String, Schema)> },
    Array(Box<Schema>),
    Map(Box<Schema>),
    Union(Vec<Schema>),
}

impl Schema {
    /// Parses a schema; panics where Java would refuse it.
    pub(crate) fn parse(text: &str) -> Self {
        Parser::default().schema(&Json::parse(text), "")
    }

    /// The name of a branch: the full name of named types, otherwise that of the type.
    pub(crate) fn name(&self) -> &str {
        match self {
            Self::Null => "null",
            Self::Boolean => "boolean",
            Self::Int => "int",
            Self::Long => "long",
            Self::Float => "float",
            Self::Double => "double",
            Self::Text => "string",
            Self::Bytes => "bytes",
            Self::Fixed { name, .. } | Self::Enum { name, .. } | Self::Record { name, .. } => name,
            Self::Array(_) => "array",
            Self::Map(_) => "map",
            Self::Union(_) => "union",
        }
    }

    /// The branch of a union that a value in Avro's JSON encoding has, and the value in it.
    pub(crate) fn branch<'s, 'j>(branches: &'s [Self], value: &'j Json) -> (&'s Self, &'j Json) {
        let (name, value) = match value {
            Json::Null => ("null", value),
            Json::Object(entries) if entries.len() == 1 => (entries[0].0.as_str(), &entries[0].1),
            other => panic!("{other:?} names no branch"),
        };
        let branch = branches.iter().find(|branch| branch.name() == name);
        (branch.unwrap_or_else(|| panic!("no branch {name}")), value)
    }
}

#[derive(Default)]
struct Parser {
    /// Named types by full name; none while one is being read.
    types: HashMap<String, Option<Schema>>,
}

impl Parser {
    fn schema(&mut self, json: &Json, space: &str) -> Schema {
        match json {
            Json::Text(name) => self.named(name, space),
            Json::Array(branches) => {
                let branches: Vec<Schema> =
                    branches.iter().map(|branch| self.schema(branch, space)).collect();
                assert!(!branches.iter().any(|branch| matches!(branch, Schema::Union(_))), "union in union");
                assert_unique(branches.iter().map(Schema::name));
                Schema::Union(branches)
            }
            Json::Object(_) => self.object(json, space),
            other => panic!("{other:?} is no schema"),
        }
    }

    fn named(&self, name: &str, space: &str) -> Schema {
        match name {
            "null" => return Schema::Null,
            "boolean" => return Schema::Boolean,
            "int" => return Schema::Int,
            "long" => return Schema::Long,
            "float" => return Schema::Float,
            "double" => return Schema::Double,
            "string" => return Schema::Text,
            "bytes" => return Schema::Bytes,
            _ => {}
        }
        let here = if name.contains('.') { name.to_owned() } else { full(space, name) };
        let found = self.types.get(&here).or_else(|| self.types.get(name));
        let found = found.unwrap_or_else(|| panic!("no type {name} in namespace {space:?}"));
        found.clone().unwrap_or_else(|| panic!("{name} is recursive"))
    }

    fn object(&mut self, json: &Json, space: &str) -> Schema {
        let inner = |key: &str| json.get(key).unwrap_or_else(|| panic!("no {key} in {json:?}"));
        match json.get("type") {
            Some(Json::Text(kind)) => match kind.as_str() {
                "array" => Schema::Array(Box::new(self.schema(inner("items"), space))),
                "map" => Schema::Map(Box::new(self.schema(inner("values"), space))),
                "fixed" => self
                    .define(json, space, |_, name, _| Schema::Fixed { name, size: inner("size").integer() }),
                "enum" => self.define(json, space, |_, name, _| {
                    let symbols: Vec<String> =
                        inner("symbols").items().iter().map(|s| s.text().to_owned()).collect();
                    symbols.iter().for_each(|symbol| assert_name(symbol));
                    assert_unique(symbols.iter().map(String::as_str));
                    Schema::Enum { name, symbols }
                }),
                "record" => self.define(json, space, |parser, name, space| {
                    let fields: Vec<(String, Schema)> = inner("fields")
                        .items()
                        .iter()
                        .map(|field| {
                            let name = field.get("name").unwrap().text();
                            assert_name(name);
                            (name.to_owned(), parser.schema(field.get("type").unwrap(), space))
                        })
                        .collect();
                    assert_unique(fields.iter().map(|(name, _)| name.as_str()));
                    Schema::Record { name, fields }
                }),
                other => self.named(other, space),
            },
            Some(nested) => self.schema(nested, space),
            None => panic!("{json:?} has no type"),
        }
    }

    /// Reads a named type; inner ones are in its namespace.
    fn define(
        &mut self,
        json: &Json,
        space: &str,
        read: impl FnOnce(&mut Self, String, &str) -> Schema,
    ) -> Schema {
        let name = json.get("name").expect("a name").text();
        let (space, name) = match (name.rsplit_once('.'), json.get("namespace")) {
            (Some((space, name)), _) => (space, name),
            (None, Some(space)) => (space.text(), name),
            (None, None) => (space, name),
        };
        let name = full(space, name);
        name.split('.').for_each(assert_name);
        assert!(self.types.insert(name.clone(), None).is_none(), "{name} is defined twice");
        let schema = read(self, name.clone(), space);
        self.types.insert(name, Some(schema.clone()));
        schema
    }
}

fn full(space: &str, name: &str) -> String {
    if space.is_empty() { name.to_owned() } else { format!("{space}.{name}") }
}

/// Avro's rule for names.
fn assert_name(name: &str) {
    let good = |character: char| character.is_ascii_alphanumeric() || character == '_';
    let digit = name.starts_with(|first: char| first.is_ascii_digit());
    assert!(!name.is_empty() && !digit && name.chars().all(good), "{name:?} is no name");
}

fn assert_unique<'a>(names: impl Iterator<Item = &'a str>) {
    let mut seen = HashSet::new();
    for name in names {
        assert!(seen.insert(name), "{name:?} comes twice");
    }
}
