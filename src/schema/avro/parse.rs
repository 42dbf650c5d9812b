//! The text of an Avro schema as a shape.

use super::json::{Document, Json, List, Object, Token, Unreadable};
use super::key::Key;
use super::mark;
use super::names::{Named, PathName};
use crate::error::{Error, ErrorKind, Result};
use crate::shape::branch::is_wrapped;
use crate::shape::{
    EnumShape, FieldShape, FixedShape, Logical, LogicalShape, MAX_DEPTH, MapShape, Name, Null, OptionalShape,
    RecordShape, Shape, StringStyle,
};
use crate::sort;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

/// The shape that a schema describes. Names are resolved; defaults, documentation, other properties, and logical
/// types that their type cannot store are ignored.
///
/// # Errors
///
/// Text that is no JSON or no Avro schema, recursive types, and types nested too deep or repeated
/// out of all proportion.
pub(crate) fn parse(text: &str) -> Result<Shape> {
    parse_within(text, most_nodes_alone(text)).map(|parsed| parsed.shape)
}

/// The shape of the rows of a file.
pub(crate) struct Parsed {
    pub(crate) shape: Shape,
    /// The nodes, in preorder from 0, that are null because no value has been seen.
    pub(crate) unseen: Vec<u32>,
}

/// As [`parse`], with at most `nodes` nodes: few names may stand for many.
pub(crate) fn parse_within(text: &str, nodes: usize) -> Result<Parsed> {
    let document = read(text)?;
    let shape = Parser::new(&document, nodes).shape(document.value(), "")?;
    let unseen = shape.unknown_nodes();
    let shape = if unseen.is_empty() { shape } else { shape.settled() };
    Ok(Parsed { shape, unseen })
}

/// Calls with a schema of at most `nodes` nodes and the names that the text has for its parts.
///
/// # Errors
///
/// As [`parse`], and those of the call.
pub(crate) fn parse_names<T>(
    text: &str,
    nodes: usize,
    call: impl FnOnce(&Named<'_>) -> Result<T>,
) -> Result<T> {
    let document = read(text)?;
    let mut parser = Parser { names: Some(Vec::new()), ..Parser::new(&document, nodes) };
    let root = parser.begin_name();
    let shape = parser.shape(document.value(), "")?.settled();
    parser.end_name(root);
    call(&Named { shape, nodes: nodes - parser.budget, names: parser.names.unwrap_or_default() })
}

fn read(text: &str) -> Result<Document<'_>> {
    // A level of a shape takes up to four of JSON.
    let limit = MAX_DEPTH * 4 + 8;
    Document::read(text, limit).map_err(|error| match error {
        Unreadable::Deep => ErrorKind::TooDeep { limit: MAX_DEPTH }.into(),
        Unreadable::Json(error) => Error::schema(format!("not JSON: {error}")),
    })
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
    types: BTreeMap<Cow<'a, str>, Option<Known<'a>>>,
    /// How often each name is still to come in place of a type, at most.
    mentions: BTreeMap<&'a str, usize>,
    /// Nodes that may still be made.
    budget: usize,
    depth: usize,
    /// What the next type is a branch of.
    within: Within,
    /// Name of the type that was read last.
    name: PathName<'a>,
    /// Names of the parts of paths so far, if they are wanted.
    names: Option<Vec<PathName<'a>>>,
}

/// A type that may be mentioned again.
#[derive(Clone)]
struct Known<'a> {
    shape: Shape,
    name: PathName<'a>,
    /// Which names it has added.
    names: Range<usize>,
}

/// What a type is a branch of: there are records that only unions need.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Within {
    #[default]
    NoUnion,
    /// The one type beside null.
    Optional,
    Union,
}

impl Within {
    /// Whether a type stands in a record of its own here.
    fn wraps(self, shape: &Shape) -> bool {
        match self {
            Self::NoUnion => false,
            Self::Optional => matches!(shape, Shape::Optional(_)),
            Self::Union => is_wrapped(shape),
        }
    }
}

impl<'a> Parser<'a> {
    fn new(document: &'a Document<'_>, nodes: usize) -> Self {
        Self {
            types: BTreeMap::new(),
            mentions: mentions(document),
            budget: nodes,
            depth: 0,
            within: Within::NoUnion,
            name: PathName::default(),
            names: None,
        }
    }

    /// Keeps the place of a name whose type is read next.
    fn begin_name(&mut self) -> usize {
        self.add_name(PathName::default());
        self.name_count().saturating_sub(1)
    }

    /// Gives that place the name of the type.
    fn end_name(&mut self, place: usize) {
        if let Some(name) = self.names.as_mut().and_then(|names| names.get_mut(place)) {
            *name = self.name;
        }
    }

    fn add_name(&mut self, name: PathName<'a>) {
        if let Some(names) = &mut self.names {
            names.push(name);
        }
    }

    fn name_count(&self) -> usize {
        self.names.as_ref().map_or(0, Vec::len)
    }

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
        let within = std::mem::take(&mut self.within);
        let shape = match (value.as_text(), value.as_object(), value.as_list()) {
            (Some(name), ..) => self.named(name, namespace),
            (_, Some(object), _) => self.object(object, namespace, within),
            (.., Some(branches)) => self.union(branches, namespace),
            _ => Err(Error::schema(format!("{value} is no type"))),
        }?;
        self.depth -= 1;
        Ok(shape)
    }

    fn named(&mut self, name: &'a str, namespace: &str) -> Result<Shape> {
        if let Some(shape) = primitive(name) {
            self.name = PathName::from_path(name);
            return Ok(shape);
        }
        let within = full(namespace, name);
        let is_last = self.mention(name);
        let known = match self.types.get_mut(&within) {
            None => self.types.get_mut(name),
            known => known,
        };
        match known {
            Some(kept @ Some(_)) => {
                let known = if is_last { kept.take() } else { kept.clone() };
                let Some(Known { shape, name, names }) = known else { return Ok(Shape::Null) };
                self.spend(shape.node_count())?;
                self.name = name;
                if let Some(all) = &mut self.names {
                    all.extend_from_within(names);
                }
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
        let nullable = branches.into_iter().any(is_null);
        let within = match branches.filter(|branch| !is_null(*branch)).count() {
            1 if nullable => Within::Optional,
            _ => Within::Union,
        };
        let mut variants = Vec::with_capacity(branches.count());
        for branch in branches {
            let place = (!is_null(branch)).then(|| self.begin_name());
            self.within = within;
            let shape = self.shape(branch, namespace)?;
            place.into_iter().for_each(|place| self.end_name(place));
            match shape {
                Shape::Null | Shape::Unknown if is_null(branch) => {}
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

    fn object(&mut self, object: Object<'a>, namespace: &'a str, within: Within) -> Result<Shape> {
        let [kind, mark] = object.all([Key::Type, Key::Mark]);
        let kind = kind.ok_or_else(|| Error::schema("a type without \"type\""))?;
        let Some(kind) = kind.as_text() else {
            // {"type": {"type": …}} is the same as its inside.
            self.within = within;
            return self.shape(kind, namespace);
        };
        let mark = mark.and_then(Json::as_text);
        match kind {
            "long" if mark == Some(mark::U64) => {
                self.name = PathName::from_path(kind);
                Ok(logical(object, Shape::U64))
            }
            "null" if mark == Some(mark::UNSEEN) => {
                self.name = PathName::from_path(kind);
                Ok(Shape::Unknown)
            }
            "array" => {
                let items =
                    object.get(Key::Items).ok_or_else(|| Error::schema("an array without \"items\""))?;
                let item = self.shape(items, namespace)?;
                self.name = PathName::from_path(kind);
                Ok(match item {
                    Shape::Record(record) if object.text(Key::LogicalType) == Some("map") => entries(record),
                    item => Shape::List(Box::new(item)),
                })
            }
            "map" => {
                let values =
                    object.get(Key::Values).ok_or_else(|| Error::schema("a map without \"values\""))?;
                let value = self.shape(values, namespace)?;
                self.name = PathName::from_path(kind);
                let open = mark == Some(mark::OPEN);
                Ok(Shape::Map(Box::new(MapShape { key: Shape::String, value, open })))
            }
            "record" | "error" => self.define(object, namespace, |parser, namespace, name| {
                parser.record(object, namespace, name, (mark, within))
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
                Some(storage) => {
                    self.name = PathName::from_path(kind);
                    Ok(logical(object, storage))
                }
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
        let first = self.name_count();
        let shape = read(self, namespace, name)?;
        self.name = PathName { namespace, name };
        if self.mentions.get(name).is_some_and(|left| *left > 0) {
            let names = first..self.name_count();
            self.types.insert(full, Some(Known { shape: shape.clone(), name: self.name, names }));
        }
        Ok(shape)
    }

    fn record(
        &mut self,
        object: Object<'a>,
        namespace: &'a str,
        name: &'a str,
        (mark, within): (Option<&str>, Within),
    ) -> Result<Shape> {
        let [fields, own] = object.all([Key::Fields, Key::OwnName]);
        let fields = fields.and_then(Json::as_list);
        let fields = fields.ok_or_else(|| Error::schema(format!("record {name:?} without \"fields\"")))?;
        let mut shapes: Vec<FieldShape> = Vec::with_capacity(fields.count());
        for field in fields {
            shapes.push(self.field(field, namespace)?);
        }
        match mark {
            Some(mark::UNIT) if shapes.is_empty() && within != Within::NoUnion => return Ok(Shape::Null),
            Some(mark::SOME)
                if shapes.len() == 1 && shapes.iter().all(|field| within.wraps(&field.shape)) =>
            {
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
        let [own, name] = [own, name].map(|name| name.and_then(Json::as_text));
        self.add_name(PathName::from_path(name.or(own).unwrap_or_default()));
        let name = own.or(name).ok_or_else(|| Error::schema("a field without \"name\""))?;
        let kind = kind.ok_or_else(|| Error::schema(format!("field {name:?} without \"type\"")))?;
        let mut shape = self.shape(kind, namespace)?;
        if let (Shape::Optional(optional), Some(mark)) = (&mut shape, mark.and_then(Json::as_text)) {
            match mark {
                mark::ABSENT => optional.null = Null::Absent,
                // Beside a type there are values.
                mark::UNSEEN if optional.item == Shape::Union(Vec::new()) => {
                    **optional = OptionalShape { null: Null::Absent, item: Shape::Unknown };
                }
                _ => {}
            }
        }
        Ok(FieldShape { name: owned(name), shape })
    }
}

/// A type with its logical type, where it has one that it can store.
fn logical(object: Object<'_>, storage: Shape) -> Shape {
    let [name, precision, scale, mark] =
        object.all([Key::LogicalType, Key::Precision, Key::Scale, Key::Mark]);
    let Some(name) = name.and_then(Json::as_text) else {
        return storage;
    };
    let number =
        |value: Option<Json<'_>>| value.map(|value| value.as_natural().and_then(|n| u32::try_from(n).ok()));
    let logical = match (name, number(precision), number(scale)) {
        ("decimal", Some(Some(precision)), None) => Some(Logical::Decimal { precision, scale: 0 }),
        ("decimal", Some(Some(precision)), Some(Some(scale))) => Some(Logical::Decimal { precision, scale }),
        ("decimal", ..) => None,
        (name, ..) => Some(Logical::from_name(name)),
    };
    match logical {
        Some(logical) if logical.fits(&storage) => {
            let mark = mark.and_then(Json::as_text).filter(|_| logical.has_styles());
            let style = mark::STYLES.iter().find(|(_, name)| mark == Some(*name));
            let style = style.map_or(StringStyle::Iso, |(style, _)| *style);
            Shape::Logical(Box::new(LogicalShape { logical, storage, style }))
        }
        _ => storage,
    }
}

fn owned(name: &str) -> Name {
    Name::Owned(name.to_owned())
}

/// Qualifies a name with the enclosing namespace, unless it has its own.
pub(super) fn full<'a>(namespace: &str, name: &'a str) -> Cow<'a, str> {
    if namespace.is_empty() || name.contains('.') {
        Cow::Borrowed(name)
    } else {
        Cow::Owned(format!("{namespace}.{name}"))
    }
}

/// A name that two fields have.
fn twice(fields: &[FieldShape]) -> Option<&str> {
    // Names that differ in these bits need not be compared.
    let mut bits: Vec<u64> = fields.iter().map(|field| bits(field.name.as_bytes())).collect();
    sort::by_key(&mut bits, |bits| *bits);
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
fn entries(mut record: RecordShape) -> Shape {
    match record.fields.as_mut_slice() {
        [key, value] if key.name == "key" && value.name == "value" && key.shape != Shape::String => {
            let [key, value] = [key, value].map(|field| std::mem::replace(&mut field.shape, Shape::Null));
            Shape::Map(Box::new(MapShape::new(key, value)))
        }
        _ => Shape::List(Box::new(Shape::Record(record))),
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
    match branch.as_object().and_then(|object| object.get(Key::Type)) {
        Some(inner) => inner.as_text() == Some("array") || is_array(inner),
        None => false,
    }
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

pub(super) fn primitive(name: &str) -> Option<Shape> {
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
