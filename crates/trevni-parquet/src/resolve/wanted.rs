//! The schema that rows are to be read as: what its shape says, and the aliases and defaults that a shape has not.

use crate::error::{Error, Result};
use serde::Deserialize;
use serde_json::{Map, Value};
use trevni::Shape;
use trevni_avro::Definitions;

/// A type of the schema.
pub(super) struct Wanted {
    pub(super) shape: Shape,
    pub(super) kind: Kind,
}

/// What is in a type.
pub(super) enum Kind {
    /// Nothing.
    Leaf,
    /// Other names of a fixed.
    Fixed {
        aliases: Vec<String>,
    },
    /// Other names of an enum, and the symbol for those that it has not.
    Enum {
        aliases: Vec<String>,
        default: Option<i32>,
    },
    /// Other names of a record, and its fields.
    Record {
        aliases: Vec<String>,
        fields: Vec<WantedField>,
    },
    List(Box<Wanted>),
    /// Keys and values.
    Map(Box<(Wanted, Wanted)>),
    Optional(Box<Wanted>),
    Union(Vec<Wanted>),
}

/// A field of a record.
pub(super) struct WantedField {
    pub(super) name: String,
    pub(super) aliases: Vec<String>,
    pub(super) default: Option<Value>,
    pub(super) wanted: Wanted,
}

impl Wanted {
    /// Reads the text of an Avro schema.
    pub(super) fn parse(text: &str) -> Result<Self> {
        // Checks all of it; recursive types and those nested too deep do not get past this.
        let shape = Shape::from_avro(text).map_err(|error| Error::Schema(error.to_string()))?;
        let mut deserializer = serde_json::Deserializer::from_str(text);
        deserializer.disable_recursion_limit();
        let json = Value::deserialize(&mut deserializer).map_err(|error| Error::Schema(error.to_string()))?;
        Walk::default()
            .wanted(&json, &shape, "")
            .ok_or_else(|| Error::Schema("not an Avro schema".to_owned()))
    }
}

/// Follows the text of a schema along its shape. None is where they differ, which no text gives.
#[derive(Default)]
struct Walk<'j> {
    types: Definitions<'j>,
}

impl<'j> Walk<'j> {
    fn wanted(&mut self, json: &'j Value, shape: &Shape, namespace: &str) -> Option<Wanted> {
        match json {
            Value::String(name) => match self.types.named(name, namespace) {
                Some((definition, namespace)) => self.complex(definition, shape, &namespace),
                None => Some(Wanted { shape: shape.clone(), kind: Kind::Leaf }),
            },
            Value::Array(branches) => self.union(branches, shape, namespace),
            Value::Object(object) => match object.get("type")? {
                Value::String(kind) if is_complex(kind) => {
                    let namespace = self.types.define(object, namespace);
                    self.complex(object, shape, &namespace)
                }
                // A logical type stands here, not within.
                Value::String(kind) if self.types.named(kind, namespace).is_none() => {
                    Some(Wanted { shape: shape.clone(), kind: Kind::Leaf })
                }
                inner => self.wanted(inner, shape, namespace),
            },
            _ => None,
        }
    }

    fn complex(&mut self, object: &'j Map<String, Value>, shape: &Shape, namespace: &str) -> Option<Wanted> {
        let kind = match (text(object, "type")?, shape.storage()) {
            ("array", Shape::List(item)) => {
                Kind::List(Box::new(self.wanted(object.get("items")?, item, namespace)?))
            }
            ("array", Shape::Map(map)) => {
                let entry = Shape::record("", [("key", map.key.clone()), ("value", map.value.clone())]);
                match self.wanted(object.get("items")?, &entry, namespace)?.kind {
                    Kind::Record { fields, .. } => {
                        let mut fields = fields.into_iter().map(|field| field.wanted);
                        Kind::Map(Box::new((fields.next()?, fields.next()?)))
                    }
                    _ => return None,
                }
            }
            ("map", Shape::Map(map)) => {
                let key = Wanted { shape: map.key.clone(), kind: Kind::Leaf };
                Kind::Map(Box::new((key, self.wanted(object.get("values")?, &map.value, namespace)?)))
            }
            ("record" | "error", shape) => return self.record(object, shape, namespace),
            ("enum", Shape::Enum(_)) => {
                let symbol = object.get("default").and_then(Value::as_str);
                let symbols =
                    object.get("symbols").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
                let place =
                    symbol.and_then(|symbol| symbols.iter().position(|known| known.as_str() == Some(symbol)));
                let default = place.and_then(|place| i32::try_from(place).ok());
                Kind::Enum { aliases: aliases(object), default }
            }
            ("fixed", Shape::Fixed(_)) => Kind::Fixed { aliases: aliases(object) },
            _ => Kind::Leaf,
        };
        Some(Wanted { shape: shape.clone(), kind })
    }

    fn record(&mut self, object: &'j Map<String, Value>, shape: &Shape, namespace: &str) -> Option<Wanted> {
        let fields = object.get("fields").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        match (text(object, "serde"), fields, shape) {
            (Some("unit"), [], Shape::Null) => {
                return Some(Wanted { shape: Shape::Null, kind: Kind::Leaf });
            }
            // A record around what a union cannot hold: the value lies as without it.
            (Some("some"), [field], shape) => return self.wanted(field.get("type")?, shape, namespace),
            _ => {}
        }
        let Shape::Record(record) = shape else { return None };
        let mut wanted = Vec::with_capacity(fields.len());
        for (field, known) in fields.iter().zip(&record.fields) {
            let field = field.as_object()?;
            wanted.push(WantedField {
                name: known.name.to_string(),
                aliases: aliases(field),
                default: field.get("default").cloned(),
                wanted: self.wanted(field.get("type")?, &known.shape, namespace)?,
            });
        }
        Some(Wanted { shape: shape.clone(), kind: Kind::Record { aliases: aliases(object), fields: wanted } })
    }

    fn union(&mut self, branches: &'j [Value], shape: &Shape, namespace: &str) -> Option<Wanted> {
        let others: Vec<&Value> = branches.iter().filter(|branch| !is_null(branch)).collect();
        let whole = shape;
        let (shape, is_optional) = match shape {
            Shape::Optional(optional) => (&optional.item, true),
            shape => (shape, false),
        };
        let inner = match (shape, &others[..]) {
            (item, [branch]) if is_optional => self.wanted(branch, item, namespace)?,
            (Shape::Union(variants), others) if variants.len() == others.len() => {
                let pairs = others.iter().zip(variants);
                let wanted = pairs.map(|(branch, variant)| self.wanted(branch, variant, namespace));
                Wanted { shape: shape.clone(), kind: Kind::Union(wanted.collect::<Option<_>>()?) }
            }
            _ => return None,
        };
        Some(match is_optional {
            true => Wanted { shape: whole.clone(), kind: Kind::Optional(Box::new(inner)) },
            false => inner,
        })
    }
}

/// The other names of a type or field, without namespaces.
fn aliases(object: &Map<String, Value>) -> Vec<String> {
    let names = object.get("aliases").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let last = |name: &str| name.rsplit_once('.').map_or(name, |(_, name)| name).to_owned();
    names.iter().filter_map(Value::as_str).map(last).collect()
}

fn is_complex(kind: &str) -> bool {
    matches!(kind, "array" | "map" | "record" | "error" | "enum" | "fixed")
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
