//! What a file says of itself, as objects.

use crate::fault::Result;
use crate::to_js::set;
use js_sys::{Array, Object, Uint8Array};
use std::collections::HashMap;
use trevni::path::{self, Root};
use trevni::{Dialect, Reader, Shape};
use trevni_print::type_name::{short_type_name, type_name};
use wasm_bindgen::JsValue;

/// Bytes of each column. Those of Trevni follow each other; other formats say so block by block.
pub(crate) fn sizes(reader: &Reader<'_>, file_bytes: u64) -> Result<Vec<u64>> {
    let columns = reader.columns();
    if reader.dialect() == Dialect::Trevni {
        let mut starts: Vec<u64> = columns.iter().map(|column| column.start()).collect();
        starts.push(file_bytes.max(starts.last().copied().unwrap_or(0)));
        return Ok(starts.windows(2).map(|pair| pair[1].saturating_sub(pair[0])).collect());
    }
    // All tables are asked for before the first that is missing stops this.
    let blocks: Vec<_> = (0..columns.len()).map(|column| reader.blocks(column)).collect();
    let size = |blocks: trevni::Result<Vec<trevni::BlockInfo>>| {
        Ok(blocks?.iter().map(|block| u64::from(block.compressed_size)).sum())
    };
    blocks.into_iter().map(size).collect()
}

/// The rows' number, format, columns, metadata and fields.
pub(crate) fn about(reader: &Reader<'_>, sizes: &[u64]) -> Object {
    let about = Object::new();
    set(&about, "rowCount", &(reader.row_count() as f64).into());
    set(&about, "format", &reader.dialect().name().into());
    set(&about, "avro", &reader.shape().to_avro().into());
    let metadata = Object::new();
    for (key, value) in reader.metadata().iter() {
        let value = match std::str::from_utf8(value) {
            Ok(text) => text.into(),
            Err(_) => Uint8Array::from(value).into(),
        };
        set(&metadata, key, &value);
    }
    set(&about, "metadata", &metadata);

    let columns = Array::new();
    let mut below: HashMap<&[String], u64> = HashMap::new();
    for (column, bytes) in reader.columns().iter().zip(sizes) {
        let object = Object::new();
        set(&object, "name", &column.name().into());
        set(&object, "path", &column.path().into());
        set(&object, "type", &column.value_type().to_string().into());
        set(&object, "codec", &column.codec_name().into());
        set(&object, "bytes", &(*bytes as f64).into());
        columns.push(&object);
        let names = column.path_names().unwrap_or_default();
        for len in 0..=names.len() {
            *below.entry(&names[..len]).or_default() += bytes;
        }
    }
    set(&about, "columns", &columns);

    let mut tree = Tree { below: &below, names: Vec::new(), paths: Vec::new() };
    let schema = tree.node("", reader.shape());
    set(&about, "schema", &schema);
    about
}

/// The fields of a shape as a tree.
struct Tree<'t> {
    /// The bytes of all columns below some names.
    below: &'t HashMap<&'t [String], u64>,
    names: Vec<String>,
    /// The same names as paths have them.
    paths: Vec<String>,
}

impl Tree<'_> {
    fn node(&mut self, name: &str, shape: &Shape) -> Object {
        let node = Object::new();
        set(&node, "name", &name.into());
        set(&node, "path", &path::format(&self.paths).into());
        set(&node, "type", &type_name(shape).into());
        set(&node, "kind", &kind(shape));
        let bytes = self.below.get(&self.names[..]).copied().unwrap_or(0);
        set(&node, "bytes", &(bytes as f64).into());
        let children = Array::new();
        let root = Root::Shape(shape);
        // A record, or one within lists, optionals and maps.
        for named in root.named() {
            self.names.push(named.name().into_owned());
            self.paths.push(named.path_name().into_owned());
            children.push(&self.node(&named.path_name(), named.shape()));
            self.paths.pop();
            self.names.pop();
        }
        set(&node, "fields", &children);
        node
    }
}

/// The kind of values in a word, which the viewer has colours for.
fn kind(shape: &Shape) -> JsValue {
    match shape {
        Shape::Optional(optional) => kind(&optional.item),
        Shape::List(_) => "list".into(),
        Shape::Map(_) => "map".into(),
        Shape::Union(_) => "union".into(),
        Shape::Record(record) if record.form.is_tuple() => "tuple".into(),
        Shape::Record(_) => "struct".into(),
        Shape::Logical(_) => "logical".into(),
        shape => short_type_name(shape).into(),
    }
}
