//! The text of an Avro schema as a shape.

use super::json::{Document, Json, List, Object, Token, Unreadable};
use super::key::Key;
use super::mark;
use crate::error::{Error, ErrorKind, Result};
use crate::shape::{
    EnumShape, FieldShape, FixedShape, Logical, LogicalShape, MAX_DEPTH, MapShape, Name, Null, OptionalShape,
    RecordShape, Shape,
};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The shape that a schema describes. Names are resolved; defaults, documentation, other properties, and logical
/// types that their type cannot store are ignored.
///
/// # Errors
///
/// Text that is no JSON or no Avro schema, recursive types, and types nested too deep or repeated
/// out of all proportion.
pub(crate) fn parse(text: &str) -> Result<Shape> {
    parse_counting(text).map(|(shape, _)| shape)
}

/// The shape of the rows of a file.
pub(crate) struct Parsed {
    pub(crate) shape: Shape,
    /// The nodes, in preorder from 0, that are null because no value has been seen.
    pub(crate) unseen: Vec<u32>,
}

/// As [`parse`], with the number of nodes that [`parse_within`] would count.
pub(crate) fn parse_counting(text: &str) -> Result<(Shape, usize)> {
    let nodes = most_nodes_alone(text);
    let (shape, left) = parse_leaving(text, nodes)?;
    Ok((shape.settled(), nodes - left))
}

/// As [`parse`], with at most `nodes` nodes: few names may stand for many.
pub(crate) fn parse_within(text: &str, nodes: usize) -> Result<Parsed> {
    let (shape, _) = parse_leaving(text, nodes)?;
    let unseen = shape.unknown_nodes();
    let shape = if unseen.is_empty() { shape } else { shape.settled() };
    Ok(Parsed { shape, unseen })
}

/// The shape of a schema of at most `nodes` nodes, and how many of them are left.
fn parse_leaving(text: &str, nodes: usize) -> Result<(Shape, usize)> {
    // A level of a shape takes up to four of JSON.
    let limit = MAX_DEPTH * 4 + 8;
    let document = Document::read(text, limit).map_err(|error| match error {
        Unreadable::Deep => ErrorKind::TooDeep { limit: MAX_DEPTH }.into(),
        Unreadable::Json(error) => Error::schema(format!("not JSON: {error}")),
    })?;
    let types = BTreeMap::new();
    let mut parser = Parser { types, mentions: mentions(&document), budget: nodes, depth: 0 };
    let shape = parser.shape(document.value(), "")?;
    Ok((shape, parser.budget))
}

/// The most nodes that the schema of a file may have, by the bytes of its text and the names of its columns:
/// each part of a column's path shows in its name, and types without columns are in the text.
pub(crate) fn most_nodes<'a>(text: &str, columns: impl Iterator<Item = &'a str>) -> usize {
    let names: usize = columns.map(|name| name.len() + 16).sum();
    text.len().max(1024) + 4 * names
}

/// The same, by the bytes of the text alone.
pub(crate) fn most_nodes_alone(text: &str) -> usize {
    text.len().saturating_mul(64).saturating_add(1 << 16)
}

/// The error of a schema that has more nodes than it may.
#[cold]
pub(crate) fn repeated_too_often() -> Error {
    Error::schema("named types are repeated too often")
}

/// How often names stand in place of types, without namespaces; among them are some that do not.
fn mentions<'a>(document: &'a Document<'_>) -> BTreeMap<&'a str, usize> {
    let mut names = BTreeMap::new();
    for pair in document.tokens().windows(2) {
        let [before, Token::Text(name)] = pair else {
            continue;
        };
        let is_type = !matches!(before, Token::Key(key) if !key.is_before_type());
        if is_type && primitive(name).is_none() {
            *names.entry(last_part(name)).or_default() += 1;
        }
    }
    names
}

/// A name without its namespace.
fn last_part(name: &str) -> &str {
    name.rsplit_once('.').map_or(name, |(_, name)| name)
}

/// The deepest nesting of types in a schema; unions count.
const DEEPEST: usize = MAX_DEPTH + 2;

struct Parser<'a> {
    /// Types by full name; `None` while the type is being read, and for types that nothing mentions from here on.
    types: BTreeMap<Cow<'a, str>, Option<Shape>>,
    /// How often each name is still to come in place of a type, at most.
    mentions: BTreeMap<&'a str, usize>,
    /// Nodes that may still be made.
    budget: usize,
    depth: usize,
}

impl<'a> Parser<'a> {
    fn spend(&mut self, nodes: usize) -> Result<()> {
        match self.budget.checked_sub(nodes) {
            Some(rest) => {
                self.budget = rest;
                Ok(())
            }
            None => Err(repeated_too_often()),
        }
    }

    fn shape(&mut self, value: Json<'a>, namespace: &'a str) -> Result<Shape> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(ErrorKind::TooDeep { limit: MAX_DEPTH }.into());
        }
        self.spend(1)?;
        let shape = match (value.as_text(), value.as_object(), value.as_list()) {
            (Some(name), ..) => self.named(name, namespace),
            (_, Some(object), _) => self.object(object, namespace),
            (.., Some(branches)) => self.union(branches, namespace),
            _ => Err(Error::schema(format!("{value} is no type"))),
        }?;
        self.depth -= 1;
        Ok(shape)
    }

    fn named(&mut self, name: &'a str, namespace: &str) -> Result<Shape> {
        if let Some(shape) = primitive(name) {
            return Ok(shape);
        }
        let within = if name.contains('.') { Cow::Borrowed(name) } else { full(namespace, name) };
        let is_last = self.mention(name);
        let known = match self.types.get_mut(&within) {
            None => self.types.get_mut(name),
            known => known,
        };
        match known {
            Some(kept @ Some(_)) => {
                let shape = if is_last { kept.take() } else { kept.clone() }.unwrap_or(Shape::Null);
                self.spend(shape.node_count())?;
                if self.depth + shape.depth() > DEEPEST + 1 {
                    return Err(ErrorKind::TooDeep { limit: MAX_DEPTH }.into());
                }
                Ok(shape)
            }
            Some(None) => {
                Err(Error::schema(format!("type {name:?} is recursive, which columns cannot hold")))
            }
            None => Err(Error::schema(format!("type {name:?} is not known"))),
        }
    }

    /// Counts a name in place of a type; whether it is the last of this name.
    fn mention(&mut self, name: &str) -> bool {
        self.mentions.get_mut(last_part(name)).is_some_and(|left| {
            *left = left.saturating_sub(1);
            *left == 0
        })
    }

    fn union(&mut self, branches: List<'a>, namespace: &'a str) -> Result<Shape> {
        let mut nullable = false;
        let mut variants = Vec::with_capacity(branches.count());
        for branch in branches {
            let shape = self.shape(branch, namespace)?;
            match shape {
                Shape::Null | Shape::Unknown if is_null(branch) => nullable = true,
                Shape::Optional(_) | Shape::Union(_) if is_union(branch) => {
                    return Err(Error::schema("a union directly within a union"));
                }
                shape => variants.push(shape),
            }
        }
        if variants.len() > usize::from(u16::MAX) {
            return Err(Error::schema("a union of too many types"));
        }
        // But for one type beside null, this crate puts such a map in a record; others have an array.
        if !(nullable && variants.len() == 1) {
            let branches = branches.filter(|branch| !is_null(*branch));
            for (variant, _) in variants.iter_mut().zip(branches).filter(|(_, branch)| is_array(*branch)) {
                *variant = entry_list(std::mem::replace(variant, Shape::Null));
            }
        }
        Ok(match (nullable, variants.len()) {
            (true, 1) => Shape::optional(variants.remove(0)),
            (true, _) => Shape::optional(Shape::Union(variants)),
            (false, _) => Shape::Union(variants),
        })
    }

    fn object(&mut self, object: Object<'a>, namespace: &'a str) -> Result<Shape> {
        let [kind, mark] = object.all([Key::Type, Key::Mark]);
        let kind = kind.ok_or_else(|| Error::schema("a type without \"type\""))?;
        let Some(kind) = kind.as_text() else {
            // {"type": {"type": …}} is the same as its inside.
            return self.shape(kind, namespace);
        };
        let mark = mark.and_then(Json::as_text);
        match kind {
            "long" if mark == Some(mark::U64) => Ok(logical(object, Shape::U64)),
            "null" if mark == Some(mark::UNSEEN) => Ok(Shape::Unknown),
            "array" => {
                let items =
                    object.get(Key::Items).ok_or_else(|| Error::schema("an array without \"items\""))?;
                let item = self.shape(items, namespace)?;
                Ok(match item {
                    Shape::Record(record) if object.text(Key::LogicalType) == Some("map") => entries(record),
                    item => Shape::List(Box::new(item)),
                })
            }
            "map" => {
                let values =
                    object.get(Key::Values).ok_or_else(|| Error::schema("a map without \"values\""))?;
                let value = self.shape(values, namespace)?;
                Ok(Shape::Map(Box::new(MapShape { key: Shape::String, value })))
            }
            "record" | "error" => self.define(object, namespace, |parser, namespace, name| {
                parser.record(object, namespace, name, mark)
            }),
            "enum" => self.define(object, namespace, |_, namespace, name| {
                let symbols = match texts(object, Key::OwnName) {
                    Some(symbols) => Some(symbols),
                    None => texts(object, Key::Symbols),
                };
                let symbols =
                    symbols.ok_or_else(|| Error::schema(format!("enum {name:?} without symbols")))?;
                Ok(Shape::Enum(EnumShape { namespace: owned(namespace), name: owned(name), symbols }))
            }),
            "fixed" => self.define(object, namespace, |_, namespace, name| {
                let size =
                    object.get(Key::Size).and_then(Json::as_natural).and_then(|n| usize::try_from(n).ok());
                match (size, mark) {
                    (Some(16), Some(mark::I128)) => Ok(Shape::I128),
                    (Some(16), Some(mark::U128)) => Ok(Shape::U128),
                    (Some(size), _) => {
                        let fixed = FixedShape { namespace: owned(namespace), name: owned(name), size };
                        Ok(logical(object, Shape::Fixed(fixed)))
                    }
                    (None, _) => Err(Error::schema(format!("fixed {name:?} without a size"))),
                }
            }),
            other => match primitive(other) {
                Some(storage) => Ok(logical(object, storage)),
                None => self.named(other, namespace),
            },
        }
    }

    /// Reads the definition of a named type and keeps it under its full name.
    fn define(
        &mut self,
        object: Object<'a>,
        around: &'a str,
        read: impl FnOnce(&mut Self, &'a str, &'a str) -> Result<Shape>,
    ) -> Result<Shape> {
        let [name, namespace] =
            object.all([Key::Name, Key::Namespace]).map(|value| value.and_then(Json::as_text));
        let name = name.ok_or_else(|| Error::schema("a named type without \"name\""))?;
        let (namespace, name) = match (name.rsplit_once('.'), namespace) {
            (Some((namespace, name)), _) => (namespace, name),
            (None, Some(namespace)) => (namespace, name),
            (None, None) => (around, name),
        };
        let full = full(namespace, name);
        if self.types.insert(full.clone(), None).is_some() {
            return Err(Error::schema(format!("type {full:?} is defined twice")));
        }
        let shape = read(self, namespace, name)?;
        if self.mentions.get(name).is_some_and(|left| *left > 0) {
            self.types.insert(full, Some(shape.clone()));
        }
        Ok(shape)
    }

    fn record(
        &mut self,
        object: Object<'a>,
        namespace: &'a str,
        name: &'a str,
        mark: Option<&str>,
    ) -> Result<Shape> {
        let [fields, own] = object.all([Key::Fields, Key::OwnName]);
        let fields = fields.and_then(Json::as_list);
        let fields = fields.ok_or_else(|| Error::schema(format!("record {name:?} without \"fields\"")))?;
        let mut shapes: Vec<FieldShape> = Vec::with_capacity(fields.count());
        for field in fields {
            shapes.push(self.field(field, namespace)?);
        }
        match mark {
            Some(mark::UNIT) if shapes.is_empty() => return Ok(Shape::Null),
            Some(mark::SOME) if shapes.len() == 1 => {
                if let Some(field) = shapes.pop() {
                    return Ok(field.shape);
                }
            }
            _ => {}
        }
        if let Some(twice) = twice(&shapes) {
            return Err(Error::schema(format!("record {name:?} has two fields {twice:?}")));
        }
        let (namespace, name) = (owned(namespace), owned(own.and_then(Json::as_text).unwrap_or(name)));
        let form = mark.map_or(crate::shape::Form::Struct, mark::form);
        Ok(Shape::Record(RecordShape { namespace, name, form, fields: shapes }))
    }

    fn field(&mut self, field: Json<'a>, namespace: &'a str) -> Result<FieldShape> {
        let object = field.as_object().ok_or_else(|| Error::schema("a field that is no object"))?;
        let [own, name, kind, mark] = object.all([Key::OwnName, Key::Name, Key::Type, Key::Mark]);
        let name = own.and_then(Json::as_text).or_else(|| name.and_then(Json::as_text));
        let name = name.ok_or_else(|| Error::schema("a field without \"name\""))?;
        let kind = kind.ok_or_else(|| Error::schema(format!("field {name:?} without \"type\"")))?;
        let mut shape = self.shape(kind, namespace)?;
        if let (Shape::Optional(optional), Some(mark)) = (&mut shape, mark.and_then(Json::as_text)) {
            match mark {
                mark::ABSENT => optional.null = Null::Absent,
                mark::UNSEEN => **optional = OptionalShape { null: Null::Absent, item: Shape::Unknown },
                _ => {}
            }
        }
        Ok(FieldShape { name: owned(name), shape })
    }
}

/// A type with its logical type, where it has one that it can store.
fn logical(object: Object<'_>, storage: Shape) -> Shape {
    let [name, precision, scale] = object.all([Key::LogicalType, Key::Precision, Key::Scale]);
    let Some(name) = name.and_then(Json::as_text) else {
        return storage;
    };
    let number =
        |value: Option<Json<'_>>| value.map(|value| value.as_natural().and_then(|n| u32::try_from(n).ok()));
    let logical = match (name, number(precision), number(scale)) {
        ("decimal", Some(Some(precision)), None) => Some(Logical::Decimal { precision, scale: 0 }),
        ("decimal", Some(Some(precision)), Some(Some(scale))) => Some(Logical::Decimal { precision, scale }),
        ("decimal", ..) => None,
        (name, ..) => Some(Logical::of_name(name)),
    };
    match logical {
        Some(logical) if logical.fits(&storage) => {
            Shape::Logical(Box::new(LogicalShape { logical, storage }))
        }
        _ => storage,
    }
}

fn owned(name: &str) -> Name {
    Name::Owned(name.to_owned())
}

/// A name with its namespace.
fn full<'a>(namespace: &str, name: &'a str) -> Cow<'a, str> {
    if namespace.is_empty() { Cow::Borrowed(name) } else { Cow::Owned(format!("{namespace}.{name}")) }
}

/// A name that two fields have.
fn twice(fields: &[FieldShape]) -> Option<&str> {
    // Names that differ in these bits need not be compared.
    let mut bits: Vec<u64> = fields.iter().map(|field| bits(field.name.as_bytes())).collect();
    bits.sort_unstable();
    if bits.windows(2).all(|pair| pair[0] != pair[1]) {
        return None;
    }
    let mut names: Vec<&str> = fields.iter().map(|field| &*field.name).collect();
    names.sort_unstable();
    names.windows(2).find(|pair| pair[0] == pair[1]).map(|pair| pair[0])
}

/// Bits that mostly tell names apart.
fn bits(name: &[u8]) -> u64 {
    const MIX: u64 = 0x9e37_79b9_7f4a_7c15;
    let (words, rest) = name.as_chunks::<8>();
    let rest = rest.iter().fold(name.len() as u64, |bits, byte| bits << 8 | u64::from(*byte));
    let mix = |bits: u64, word: u64| (bits ^ word).wrapping_mul(MIX).rotate_left(29);
    words.iter().fold(mix(0, rest), |bits, word| mix(bits, u64::from_le_bytes(*word)))
}

/// A list of records of key and value as a map.
fn entries(record: RecordShape) -> Shape {
    let is_entry = matches!(record.fields.as_slice(), [k, v] if k.name == "key" && v.name == "value");
    let mut fields = record.fields.into_iter().map(|field| field.shape);
    match (is_entry, fields.next(), fields.next()) {
        (true, Some(key), Some(value)) if key != Shape::String => {
            Shape::Map(Box::new(MapShape { key, value }))
        }
        (_, key, value) => {
            let field = |name: &'static str, shape| FieldShape { name: Name::Borrowed(name), shape };
            let fields = key.map(|k| field("key", k)).into_iter().chain(value.map(|v| field("value", v)));
            let record = RecordShape {
                namespace: record.namespace,
                name: record.name,
                form: record.form,
                fields: fields.collect(),
            };
            Shape::List(Box::new(Shape::Record(record)))
        }
    }
}

/// A map whose keys are not text as the list of records that it is to Avro.
fn entry_list(shape: Shape) -> Shape {
    let field = |name, shape| FieldShape { name: Name::Borrowed(name), shape };
    match shape {
        Shape::Map(map) if map.key != Shape::String => {
            let fields = vec![field("key", map.key), field("value", map.value)];
            let (namespace, name) = (Name::Borrowed(""), Name::Borrowed("Entry"));
            let form = crate::shape::Form::Struct;
            Shape::List(Box::new(Shape::Record(RecordShape { namespace, name, form, fields })))
        }
        other => other,
    }
}

fn is_array(branch: Json<'_>) -> bool {
    branch.as_object().and_then(|object| object.text(Key::Type)) == Some("array")
}

/// Whether a type is a union, rather than a record that this crate puts around one.
fn is_union(branch: Json<'_>) -> bool {
    match branch.as_object().and_then(|object| object.get(Key::Type)) {
        Some(inner) => is_union(inner),
        None => branch.as_list().is_some(),
    }
}

fn is_null(branch: Json<'_>) -> bool {
    match (branch.as_text(), branch.as_object()) {
        (Some(name), _) => name == "null",
        (_, Some(object)) => object.get(Key::Type).is_some_and(is_null),
        _ => false,
    }
}

fn primitive(name: &str) -> Option<Shape> {
    Some(match name {
        "null" => Shape::Null,
        "boolean" => Shape::Boolean,
        "int" => Shape::Int,
        "long" => Shape::Long,
        "float" => Shape::Float,
        "double" => Shape::Double,
        "string" => Shape::String,
        "bytes" => Shape::Bytes,
        _ => return None,
    })
}

fn texts(object: Object<'_>, key: Key) -> Option<Vec<Name>> {
    let values = object.get(key)?.as_list()?;
    values.map(|value| value.as_text().map(owned)).collect()
}
