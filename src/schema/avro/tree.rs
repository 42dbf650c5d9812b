//! A schema as a tree of its types, with all that its text says of them, and a walk through it and its shape.

use super::{NAME, parse};
use crate::error::{Error, Result};
use crate::shape::{Name, Shape};
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::slice::from_ref;
use std::sync::Arc;

/// A schema: the tree of its types, and the shape that rows of it have.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct AvroSchema {
    /// The type of rows.
    pub root: Arc<AvroNode>,
    /// The shape of rows, as [`Shape::from_avro`] gives it.
    pub shape: Shape,
}

impl AvroSchema {
    /// Reads the text of a schema.
    ///
    /// ```
    /// let schema = trevni::avro::AvroSchema::parse(r#"["null", "long"]"#)?;
    /// assert_eq!(schema.shape, trevni::Shape::from_avro(r#"["null", "long"]"#)?);
    /// # Ok::<(), trevni::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Shape::from_avro`].
    pub fn parse(text: &str) -> Result<Self> {
        // Checks all of it; recursive types and those nested too deep do not get past this.
        let shape = Shape::from_avro(text)?;
        let root = read(text).ok_or_else(|| Error::schema("not an Avro schema").given())?;
        Ok(Self { root, shape })
    }

    /// The type of rows with its shape, for a walk through both.
    #[must_use]
    pub fn shaped(&self) -> ShapedNode<'_> {
        ShapedNode::new(&self.root, &self.shape)
    }
}

/// A type of a schema. One that the text mentions by its name is the same in all places.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct AvroNode {
    /// What it is, with the types in it.
    pub kind: AvroKind,
    /// The full name of a record, an enum or a fixed; otherwise the name of the type, such as `long` or `array`. It is
    /// the name of a branch in Avro's JSON encoding.
    pub name: Name,
    /// Other full names of a named type.
    pub aliases: Vec<String>,
    /// The documentation of a named type.
    pub doc: Option<String>,
    /// Its other properties, such as `logicalType`, `precision` and this crate's own `serde` and `serde.name`.
    pub properties: Map<String, Value>,
}

/// What a type is.
#[derive(Clone, Debug, PartialEq)]
pub enum AvroKind {
    /// A type without a name of its own and without parts: null, a boolean, a number, bytes or a string.
    Primitive(Shape),
    /// A `record` or an `error`, with its fields.
    Record(Vec<AvroField>),
    /// An `enum`.
    Enum {
        /// Its symbols, as Avro allows them.
        symbols: Vec<String>,
        /// The symbol that stands for those that a reader does not know.
        default: Option<String>,
    },
    /// A `fixed`, with its number of bytes.
    Fixed(usize),
    /// An `array`, with the type of its items.
    Array(Arc<AvroNode>),
    /// A `map`, with the type of its values.
    Map(Arc<AvroNode>),
    /// A union, with its branches in their order, null among them.
    Union(Vec<Arc<AvroNode>>),
}

/// A field of a record.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct AvroField {
    /// Its name.
    pub name: String,
    /// Its type.
    pub node: Arc<AvroNode>,
    /// The default value, as JSON.
    pub default: Option<Value>,
    /// Its other names.
    pub aliases: Vec<String>,
    /// Its documentation.
    pub doc: Option<String>,
    /// Its other properties, such as `order` and this crate's own `serde` and `serde.name`.
    pub properties: Map<String, Value>,
}

/// A type of a schema, and the shape that it has in its place.
///
/// Records that this crate puts around what a union cannot hold are passed over: their values lie as without them.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ShapedNode<'a> {
    /// The type.
    pub node: &'a AvroNode,
    /// Its shape.
    pub shape: &'a Shape,
}

/// What is in a type.
#[derive(Clone, Debug)]
pub enum NodeParts<'a> {
    /// Nothing.
    Leaf,
    /// Fields, with their types.
    Record(Vec<(&'a AvroField, ShapedNode<'a>)>),
    /// The items of an array, or the values of a map.
    Items(ShapedNode<'a>),
    /// The keys and the values of a map whose keys are not text: to Avro an array of records.
    Entries([ShapedNode<'a>; 2]),
    /// The branches in their order; `None` for null.
    Union(Vec<Option<ShapedNode<'a>>>),
}

impl<'a> ShapedNode<'a> {
    /// A shape as [`Shape::from_avro`] has it for the type.
    pub(crate) fn new(mut node: &'a AvroNode, shape: &'a Shape) -> Self {
        while let AvroKind::Record(fields) = &node.kind
            && let [field] = fields.as_slice()
            && !matches!(shape, Shape::Record(_))
        {
            node = &field.node;
        }
        Self { node, shape }
    }

    /// What is in it.
    #[must_use]
    pub fn parts(self) -> NodeParts<'a> {
        match (&self.node.kind, self.shape) {
            (AvroKind::Record(fields), Shape::Record(record)) => {
                let both = fields.iter().zip(&record.fields);
                let parts = both.map(|(own, field)| (own, Self::new(&own.node, &field.shape)));
                NodeParts::Record(parts.collect())
            }
            (AvroKind::Array(item), Shape::List(shape)) => NodeParts::Items(Self::new(item, shape)),
            (AvroKind::Map(value), Shape::Map(map)) => NodeParts::Items(Self::new(value, &map.value)),
            (AvroKind::Array(entry), Shape::Map(map)) => {
                let fields = if let AvroKind::Record(fields) = &entry.kind { &fields[..] } else { &[] };
                let [key, value] = fields else { return NodeParts::Leaf };
                NodeParts::Entries([Self::new(&key.node, &map.key), Self::new(&value.node, &map.value)])
            }
            (AvroKind::Union(branches), shape) => {
                let shape = if let Shape::Optional(optional) = shape { &optional.item } else { shape };
                let shapes = if let Shape::Union(variants) = shape { variants } else { from_ref(shape) };
                let mut shapes = shapes.iter();
                let branches = branches.iter().map(|node| match node.kind {
                    AvroKind::Primitive(Shape::Null) => None,
                    _ => Some(Self::new(node, shapes.next()?)),
                });
                NodeParts::Union(branches.collect())
            }
            _ => NodeParts::Leaf,
        }
    }
}

type Object = Map<String, Value>;
/// The named types so far, by full name.
type Types = HashMap<Name, Arc<AvroNode>>;

/// The tree of a text that has a shape, so it is not too deep, and all is there that has to be.
pub(crate) fn read(text: &str) -> Option<Arc<AvroNode>> {
    let mut json = serde_json::Deserializer::from_str(text);
    json.disable_recursion_limit();
    node(&mut Types::new(), Value::deserialize(&mut json).ok()?, "")
}

fn node(types: &mut Types, value: Value, around: &str) -> Option<Arc<AvroNode>> {
    match value {
        Value::String(name) => named(types, &name, around, Object::new()),
        Value::Array(branches) => {
            let branches = branches.into_iter().map(|branch| node(types, branch, around));
            unnamed("union", AvroKind::Union(branches.collect::<Option<_>>()?), Object::new())
        }
        Value::Object(mut raw) => match raw.remove("type")? {
            Value::String(word) => match &*word {
                "array" => unnamed("array", AvroKind::Array(node(types, raw.remove("items")?, around)?), raw),
                "map" => unnamed("map", AvroKind::Map(node(types, raw.remove("values")?, around)?), raw),
                "record" | "error" | "enum" | "fixed" => define(types, &word, raw, around),
                name => named(types, name, around, raw),
            },
            // {"type": {"type": …}} is the same as its inside.
            inner => node(types, inner, around),
        },
        _ => None,
    }
}

/// A primitive type with its properties, or the type that a name means.
fn named(types: &Types, name: &str, around: &str, properties: Object) -> Option<Arc<AvroNode>> {
    match parse::primitive(name) {
        Some(shape) => unnamed(shape.kind(), AvroKind::Primitive(shape), properties),
        None => types.get(&*parse::full(around, name)).or_else(|| types.get(name)).cloned(),
    }
}

fn define(types: &mut Types, word: &str, mut raw: Object, around: &str) -> Option<Arc<AvroNode>> {
    let [name, namespace, doc] = ["name", "namespace", "doc"].map(|key| text(&mut raw, key));
    let (name, namespace) = (name?, namespace.as_deref().unwrap_or(around));
    let (namespace, name) = name.rsplit_once('.').unwrap_or((namespace, &name));
    let kind = match word {
        "enum" => AvroKind::Enum { symbols: texts(&mut raw, "symbols"), default: text(&mut raw, "default") },
        "fixed" => AvroKind::Fixed(usize::try_from(raw.remove("size")?.as_u64()?).ok()?),
        _ => {
            let Value::Array(fields) = raw.remove("fields")? else { return None };
            let fields = fields.into_iter().map(|value| field(types, value, namespace));
            AvroKind::Record(fields.collect::<Option<_>>()?)
        }
    };
    let aliases =
        texts(&mut raw, "aliases").iter().map(|alias| parse::full(namespace, alias).into_owned()).collect();
    let name = Name::Owned(parse::full(namespace, name).into_owned());
    let node = Arc::new(AvroNode { kind, name: name.clone(), aliases, doc, properties: raw });
    types.insert(name, Arc::clone(&node));
    Some(node)
}

fn field(types: &mut Types, value: Value, namespace: &str) -> Option<AvroField> {
    let Value::Object(mut raw) = value else { return None };
    let node = node(types, raw.remove("type")?, namespace)?;
    let name = text(&mut raw, "name").or_else(|| text(&mut raw, NAME))?;
    let (default, aliases) = (raw.remove("default"), texts(&mut raw, "aliases"));
    Some(AvroField { name, node, default, aliases, doc: text(&mut raw, "doc"), properties: raw })
}

fn unnamed(name: &'static str, kind: AvroKind, properties: Object) -> Option<Arc<AvroNode>> {
    Some(Arc::new(AvroNode { kind, name: Name::Borrowed(name), aliases: Vec::new(), doc: None, properties }))
}

/// Takes a text from an object.
fn text(raw: &mut Object, key: &str) -> Option<String> {
    if let Some(Value::String(text)) = raw.remove(key) { Some(text) } else { None }
}

/// Takes strings from an object.
fn texts(raw: &mut Object, key: &str) -> Vec<String> {
    let values = raw.remove(key).unwrap_or_default();
    values.as_array().into_iter().flatten().filter_map(|text| Some(text.as_str()?.to_owned())).collect()
}

#[cfg(test)]
mod tests;
