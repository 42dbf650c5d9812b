//! A shape as the text of an Avro schema.

use super::{MARK, NAME, mark};
use crate::schema::names::{self, full_name, numbered, valid_unique};
use crate::shape::branch::is_wrapped;
use crate::shape::{FixedShape, Logical, MAX_DEPTH, Null, Shape};
use std::borrow::Cow;
use std::collections::{BTreeSet, HashSet};

/// Nodes that every reader takes, however they are nested ([`super::most_nodes`]): a node is counted up to three times.
const NODES_SURE: usize = 1024 / 4;

/// Levels that every reader takes: a level takes up to three of types.
const DEPTH_SURE: usize = MAX_DEPTH / 4;

/// The schema of a shape.
pub(crate) struct Schema {
    /// Compact JSON.
    pub(crate) text: String,
    /// The shape with the names of the text.
    pub(crate) shape: Shape,
    /// Whether all names and types have the same form in the text, and there are no unions but with null.
    is_plain: bool,
}

impl Schema {
    /// The schema of a finished shape.
    pub(crate) fn from_finished(finished: Shape) -> Self {
        let (writer, shape) = written(Cow::Owned(names::resolve(finished)));
        Self { text: writer.out, shape: shape.into_owned().settled(), is_plain: !writer.is_marked }
    }

    /// Whether a reader certainly takes the text, and has the columns of this shape then.
    pub(crate) fn is_surely_readable(&self) -> bool {
        self.is_plain && self.shape.node_count() <= NODES_SURE && self.shape.depth() <= DEPTH_SURE
    }
}

/// The compact JSON of a shape whose names are resolved ([`names::resolve`]).
pub(crate) fn write(shape: &Shape) -> String {
    written(Cow::Borrowed(shape)).0.out
}

/// A shape whose names are resolved, with the names that were written.
///
/// A name without dots means a type of the namespace around it, so a type without a namespace cannot be
/// mentioned within one. Where that would be, the type gets a namespace, and all is written again.
fn written(mut shape: Cow<'_, Shape>) -> (Writer, Cow<'_, Shape>) {
    loop {
        let mut writer = Writer::default();
        writer.shape(&shape);
        if writer.out_of_reach.is_empty() {
            return (writer, shape);
        }
        names::into_namespace(shape.to_mut(), &writer.out_of_reach);
    }
}

#[derive(Default)]
struct Writer {
    out: String,
    /// Full names of the types that `out` defines so far.
    defined: HashSet<String>,
    /// The namespace of the type that is being written.
    namespace: String,
    /// Types without a namespace that are mentioned within one.
    out_of_reach: BTreeSet<String>,
    somes: usize,
    entries: usize,
    /// Whether some name or type has another form in the text, or is a union.
    is_marked: bool,
}

impl Writer {
    fn text(&mut self, text: &str) {
        if !text.bytes().any(|byte| byte < b' ' || byte == b'"' || byte == b'\\') {
            self.out.extend(["\"", text, "\""]);
            return;
        }
        self.out.push_str(&serde_json::Value::from(text).to_string());
    }

    fn property(&mut self, key: &str, value: &str) {
        self.out.push(',');
        self.text(key);
        self.out.push(':');
        self.text(value);
    }

    fn shape(&mut self, shape: &Shape) {
        match shape {
            Shape::Null => self.out.push_str("\"null\""),
            Shape::Unknown => {
                self.out.push_str("{\"type\":\"null\"");
                self.property(MARK, mark::UNSEEN);
                self.out.push('}');
            }
            Shape::U64 => self.out.push_str(r#"{"type":"long","serde":"u64"}"#),
            Shape::I128 => self.integer(mark::I128),
            Shape::U128 => self.integer(mark::U128),
            Shape::Fixed(fixed) => self.fixed(shape, fixed, None),
            Shape::Logical(logical) => match &logical.storage {
                Shape::Fixed(fixed) => self.fixed(shape, fixed, Some(&logical.logical)),
                storage => {
                    let is_unsigned = *storage == Shape::U64;
                    self.out.push_str("{\"type\":");
                    self.text(if is_unsigned { Shape::Long.kind() } else { storage.kind() });
                    if is_unsigned {
                        self.property(MARK, mark::U64);
                    }
                    self.logical(&logical.logical);
                    let style = mark::STYLES.iter().find(|(style, _)| *style == logical.style);
                    if let Some((_, name)) = style {
                        self.property(MARK, name);
                    }
                    self.out.push('}');
                }
            },
            Shape::Enum(symbols) => {
                if let Some(around) = self.open(shape, "enum", &symbols.namespace, &symbols.name) {
                    self.symbols(&symbols.symbols);
                    self.close(around);
                }
            }
            Shape::Record(record) => {
                let name = names::valid_type(&record.namespace, &record.name);
                if let Some(around) = self.open(shape, "record", &record.namespace, &name) {
                    if let Some(mark) = mark::of_form(record.form) {
                        self.property(MARK, mark);
                    }
                    if name != record.name {
                        self.is_marked = true;
                        self.property(NAME, &record.name);
                    }
                    self.fields(record);
                    self.close(around);
                }
            }
            Shape::List(item) => {
                self.out.push_str(r#"{"type":"array","items":"#);
                self.shape(item);
                self.out.push('}');
            }
            Shape::Map(map) if map.key == Shape::String => {
                self.out.push_str(r#"{"type":"map","values":"#);
                self.shape(&map.value);
                if map.open {
                    self.property(MARK, mark::OPEN);
                }
                self.out.push('}');
            }
            Shape::Map(map) => {
                self.entries += 1;
                self.is_marked = true;
                let name = numbered(names::ENTRY, self.entries);
                self.out.push_str(r#"{"type":"array","items":{"type":"record","name":"#);
                self.text(&name);
                self.property("namespace", names::RESERVED);
                let around = self.enter(names::RESERVED);
                self.out.push_str(r#","fields":[{"name":"key","type":"#);
                self.shape(&map.key);
                self.out.push_str(r#"},{"name":"value","type":"#);
                self.shape(&map.value);
                self.out.push_str("}]");
                self.close(around);
                self.out.push_str(r#","logicalType":"map"}"#);
            }
            Shape::Optional(optional) => self.optional(&optional.item),
            Shape::Union(variants) => {
                self.is_marked = true;
                self.out.push('[');
                self.variants(variants);
                self.out.push(']');
            }
            simple => self.text(simple.kind()),
        }
    }

    /// A `fixed`, with the logical type of its values.
    fn fixed(&mut self, shape: &Shape, fixed: &FixedShape, logical: Option<&Logical>) {
        if let Some(around) = self.open(shape, "fixed", &fixed.namespace, &fixed.name) {
            self.out.push_str(&format!(",\"size\":{}", fixed.size));
            if let Some(logical) = logical {
                self.logical(logical);
            }
            self.close(around);
        }
    }

    fn logical(&mut self, logical: &Logical) {
        self.property("logicalType", logical.name());
        if let Logical::Decimal { precision, scale } = logical {
            self.out.push_str(&format!(",\"precision\":{precision},\"scale\":{scale}"));
        }
    }

    /// Begins the definition of a named type; gives the namespace around it for [`close`](Self::close). Or
    /// mentions a type that is defined already.
    fn open(&mut self, shape: &Shape, kind: &str, namespace: &str, name: &str) -> Option<String> {
        let full = full_name(shape);
        if self.defined.contains(&full) {
            self.text(&full);
            if !self.namespace.is_empty() && !full.contains('.') {
                self.out_of_reach.insert(full);
            }
            return None;
        }
        self.defined.insert(full);
        self.out.push_str("{\"type\":");
        self.text(kind);
        self.property("name", name);
        // Also an empty one, where the namespace around it would count.
        if !namespace.is_empty() || !self.namespace.is_empty() {
            self.property("namespace", namespace);
        }
        Some(self.enter(namespace))
    }

    /// Begins what is in a namespace; gives the namespace around it.
    fn enter(&mut self, namespace: &str) -> String {
        std::mem::replace(&mut self.namespace, namespace.to_owned())
    }

    /// Ends the definition of a named type.
    fn close(&mut self, around: String) {
        self.out.push('}');
        self.namespace = around;
    }

    /// A `fixed` of 16 bytes for an integer of 128 bits.
    fn integer(&mut self, mark: &str) {
        let full = format!("{}.{mark}", names::RESERVED);
        if self.defined.contains(&full) {
            self.text(&full);
            return;
        }
        self.out.push_str("{\"type\":\"fixed\"");
        self.property("name", mark);
        self.property("namespace", names::RESERVED);
        self.out.push_str(",\"size\":16");
        self.property(MARK, mark);
        self.out.push('}');
        self.defined.insert(full);
    }

    fn symbols(&mut self, symbols: &[crate::shape::Name]) {
        let list =
            |symbols: &[Cow<'_, str>]| serde_json::Value::from_iter(symbols.iter().cloned()).to_string();
        let valid = valid_unique(symbols.iter().map(|symbol| &**symbol));
        self.out.push_str(&format!(",\"symbols\":{}", list(&valid)));
        if valid != symbols {
            self.out.push_str(&format!(",\"{NAME}\":{}", list(symbols)));
        }
    }

    fn fields(&mut self, record: &crate::shape::RecordShape) {
        self.out.push_str(",\"fields\":[");
        let valid = valid_unique(record.fields.iter().map(|field| &*field.name));
        for (index, (field, name)) in record.fields.iter().zip(&valid).enumerate() {
            if index > 0 {
                self.out.push(',');
            }
            self.out.push_str("{\"name\":");
            self.text(name);
            self.out.push_str(",\"type\":");
            self.shape(&field.shape);
            match &field.shape {
                Shape::Optional(optional) if optional.null != Null::Absent => {}
                Shape::Optional(optional) if optional.item == Shape::Unknown => {
                    self.property(MARK, mark::UNSEEN);
                }
                Shape::Optional(_) => self.property(MARK, mark::ABSENT),
                _ => {}
            }
            if *name != field.name {
                self.is_marked = true;
                self.property(NAME, &field.name);
            }
            self.out.push('}');
        }
        self.out.push(']');
    }

    fn optional(&mut self, item: &Shape) {
        self.is_marked |= matches!(item, Shape::Null | Shape::Unknown | Shape::Union(_));
        self.out.push_str("[\"null\"");
        match item {
            Shape::Null | Shape::Unknown => {
                self.out.push(',');
                let full = format!("{}.{}", names::RESERVED, names::UNIT);
                if self.defined.contains(&full) {
                    self.text(&full);
                } else {
                    self.out.push_str("{\"type\":\"record\"");
                    self.property("name", names::UNIT);
                    self.property("namespace", names::RESERVED);
                    self.property(MARK, mark::UNIT);
                    self.out.push_str(",\"fields\":[]}");
                    self.defined.insert(full);
                }
            }
            Shape::Optional(_) => {
                self.out.push(',');
                self.wrapped(item);
            }
            Shape::Union(variants) => {
                if !variants.is_empty() {
                    self.out.push(',');
                }
                self.variants(variants);
            }
            other => {
                self.out.push(',');
                self.shape(other);
            }
        }
        self.out.push(']');
    }

    fn variants(&mut self, variants: &[Shape]) {
        for (index, variant) in variants.iter().enumerate() {
            if index > 0 {
                self.out.push(',');
            }
            if is_wrapped(variant) { self.wrapped(variant) } else { self.shape(variant) }
        }
    }

    /// A record with one field, for what a union cannot hold directly.
    fn wrapped(&mut self, shape: &Shape) {
        self.is_marked = true;
        self.somes += 1;
        let name = numbered(names::SOME, self.somes);
        self.out.push_str("{\"type\":\"record\"");
        self.property("name", &name);
        self.property("namespace", names::RESERVED);
        self.property(MARK, mark::SOME);
        self.out.push_str(",\"fields\":[{\"name\":\"value\",\"type\":");
        let around = self.enter(names::RESERVED);
        self.shape(shape);
        self.out.push_str("}]");
        self.close(around);
    }
}
