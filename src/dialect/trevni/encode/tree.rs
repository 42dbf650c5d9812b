//! Writes batches: a tree of columns of the same form as the shape.

use super::super::version::Version;
use super::super::{Ends, Header};
use super::column::{ColumnEncoder, ColumnSettings};
use super::header;
use crate::codec::Compressors;
use crate::error::{Error, Result};
use crate::metadata::{self, Metadata};
use crate::schema::{avro, columns, names, path};
use crate::shape::Shape;
use crate::vector::{Offsets, UnionVector, Vector};
use std::io::Write;

/// How the columns of a file are written: file-wide settings, and more for parts of the shape.
#[derive(Clone, Debug)]
pub(crate) struct FileSettings {
    pub(crate) version: Version,
    pub(crate) columns: ColumnSettings,
    /// Settings for all columns at and below a path.
    pub(crate) paths: Vec<PathSettings>,
    /// Metadata of the file; codec and checksum stand in it already.
    pub(crate) metadata: Metadata,
    /// The text of a schema that was given, to be kept as it is.
    pub(crate) schema: Option<String>,
}

/// Settings for the columns at and below a path of the shape.
#[derive(Clone, Debug)]
pub(crate) struct PathSettings {
    pub(crate) path: String,
    pub(crate) codec: Option<crate::codec::Codec>,
    pub(crate) checksum: Option<crate::checksum::Checksum>,
    pub(crate) first_values: bool,
    pub(crate) metadata: Metadata,
}

/// Takes batches and, in the end, gives the file.
pub(crate) struct Encoder {
    pub(super) settings: FileSettings,
    pub(super) shape: Shape,
    root: Node,
    rows: u64,
    compressors: Compressors,
}

/// The columns of a node of the shape.
pub(super) enum Node {
    /// No column: the shape is still unknown.
    Unknown,
    /// Values without lengths.
    Leaf(ColumnEncoder),
    /// The fields.
    Record(Vec<Node>),
    /// A list or an optional.
    Array(Box<ArrayNode>),
    Map(Box<MapNode>),
    /// An array of none or one for each variant.
    Union(Vec<ArrayNode>),
}

/// A column with lengths.
pub(super) struct ArrayNode {
    pub(super) column: ColumnEncoder,
    /// The columns below; none where the values are in the same column, or unknown.
    pub(super) item: Option<Node>,
}

/// A column with lengths, keys and values.
pub(super) struct MapNode {
    pub(super) column: ColumnEncoder,
    pub(super) key: Node,
    pub(super) value: Node,
}

impl Encoder {
    pub(crate) fn new(settings: FileSettings) -> Self {
        Self {
            settings,
            shape: Shape::Unknown,
            root: Node::Unknown,
            rows: 0,
            compressors: Compressors::default(),
        }
    }

    /// Appends the rows of a batch, whose shape is the last one or has grown from it.
    pub(crate) fn append(&mut self, shape: &Shape, vector: &Vector) -> Result<()> {
        let rows = vector.len();
        self.grow_to(shape)?;
        self.root.append(&mut self.compressors, vector, Ends::Each(rows))?;
        self.rows += rows as u64;
        Ok(())
    }

    fn grow_to(&mut self, shape: &Shape) -> Result<()> {
        if self.shape == *shape {
            return Ok(());
        }
        let old = std::mem::replace(&mut self.shape, shape.clone());
        let root = std::mem::replace(&mut self.root, Node::Unknown);
        self.root = super::grow::grow(&self.settings, &mut self.compressors, root, &old, shape, self.rows)?;
        Ok(())
    }

    /// Rows taken so far.
    pub(crate) fn rows(&self) -> u64 {
        self.rows
    }

    /// Seals all blocks and writes the file.
    pub(crate) fn finish<W: Write>(mut self, shape: Shape, sink: &mut W) -> Result<()> {
        self.grow_to(&shape)?;
        let settled = shape.settled();
        self.grow_to(&settled)?;
        let (text, resolved) = self.schema(settled)?;
        let (layout, specs) = columns::columns(&resolved);
        for part in self.settings.paths.iter().filter(|_| self.rows > 0) {
            path::project(&resolved, &layout, &[&part.path])?;
        }
        let mut encoders = Vec::with_capacity(specs.len());
        self.root.collect(&mut encoders);
        if encoders.len() != specs.len() {
            return Err(Error::value(format!(
                "{} columns for {} of the schema",
                encoders.len(),
                specs.len()
            )));
        }
        let mut headers = Vec::with_capacity(specs.len());
        let mut more = Vec::with_capacity(specs.len());
        collect_metadata(&self.settings, &self.shape, &mut String::new(), &mut more);
        for ((spec, encoder), more) in specs.iter().zip(&mut encoders).zip(&more) {
            if (spec.value_type, spec.array) != (encoder.value_type, encoder.array) {
                return Err(Error::value(format!("column {:?} is not what the schema says", spec.name)));
            }
            let first_values = encoder.settings.first_values;
            if first_values && (spec.array || spec.parent.is_some()) {
                return Err(Error::option(format!(
                    "first values need a column without lengths and parents, which {:?} is not",
                    spec.name
                )));
            }
            encoder.seal(&mut self.compressors)?;
            let parent = spec.parent.and_then(|parent| specs.get(parent)).map(|parent| &*parent.name);
            headers.push(header::column_header(spec.clone(), parent, first_values, more));
        }
        let mut file = std::mem::take(&mut self.settings.metadata);
        file.remove(metadata::SCHEMA);
        file.insert(metadata::SCHEMA, text.into_bytes());
        let header =
            Header { version: self.settings.version, rows: self.rows, metadata: file, columns: headers };
        let sizes: Vec<u64> = encoders.iter().map(|encoder| encoder.file_size()).collect();
        let mut out = Vec::new();
        header::encode(&header, &sizes, &mut out);
        sink.write_all(&out)?;
        for encoder in encoders {
            out.clear();
            encoder.encode_descriptors(&mut out);
            sink.write_all(&out)?;
            for block in &encoder.blocks {
                sink.write_all(&block.stored)?;
            }
        }
        Ok(())
    }

    /// The text of the schema, and the shape that a reader will get from it.
    fn schema(&self, settled: Shape) -> Result<(String, Shape)> {
        if let Some(text) = &self.settings.schema {
            return Ok((text.clone(), avro::parse(text)?));
        }
        let text = avro::write(&names::resolve(settled));
        let shape = avro::parse(&text)?;
        Ok((text, shape))
    }
}

impl Node {
    /// Appends the values of a batch; `ends` are those of this node's entries.
    fn append(&mut self, compressors: &mut Compressors, vector: &Vector, ends: Ends<'_>) -> Result<()> {
        match (self, vector) {
            (Self::Unknown, _) => Ok(()),
            (Self::Leaf(column), vector) => column.append_values(compressors, vector, ends),
            (Self::Record(nodes), Vector::Record(record)) => nodes
                .iter_mut()
                .zip(&record.fields)
                .try_for_each(|(node, field)| node.append(compressors, field, ends)),
            (Self::Array(node), Vector::List(list) | Vector::Optional(list)) => {
                node.append(compressors, &list.offsets, &list.item, ends)
            }
            (Self::Map(node), Vector::Map(map)) => {
                node.column.append_arrays(compressors, map.offsets.as_slice(), None, ends)?;
                let ends = ends.through(&map.offsets);
                node.key.append(compressors, &map.key, Ends::At(&ends))?;
                node.value.append(compressors, &map.value, Ends::At(&ends))
            }
            (Self::Union(branches), Vector::Union(union)) => {
                append_union(compressors, branches, None, union, ends)
            }
            (Self::Union(branches), Vector::Optional(list)) => match &list.item {
                Vector::Union(union) => append_union(compressors, branches, Some(&list.offsets), union, ends),
                _ => Err(Error::value("a union whose vector is none")),
            },
            _ => Err(Error::value("columns and vectors differ")),
        }
    }

    /// The columns, depth first, as the schema orders them.
    fn collect(self, out: &mut Vec<ColumnEncoder>) {
        match self {
            Self::Unknown => {}
            Self::Leaf(column) => out.push(column),
            Self::Record(nodes) => nodes.into_iter().for_each(|node| node.collect(out)),
            Self::Array(node) => node.collect(out),
            Self::Map(node) => {
                out.push(node.column);
                node.key.collect(out);
                node.value.collect(out);
            }
            Self::Union(branches) => branches.into_iter().for_each(|branch| branch.collect(out)),
        }
    }
}

impl ArrayNode {
    fn append(
        &mut self,
        compressors: &mut Compressors,
        offsets: &Offsets,
        item: &Vector,
        ends: Ends<'_>,
    ) -> Result<()> {
        match &mut self.item {
            None => self.column.append_arrays(compressors, offsets.as_slice(), Some(item), ends),
            Some(node) => {
                self.column.append_arrays(compressors, offsets.as_slice(), None, ends)?;
                node.append(compressors, item, Ends::At(&ends.through(offsets)))
            }
        }
    }

    fn collect(self, out: &mut Vec<ColumnEncoder>) {
        out.push(self.column);
        if let Some(item) = self.item {
            item.collect(out);
        }
    }
}

/// Appends a union: each variant has an array of one where it is the entry's, of none elsewhere.
fn append_union(
    compressors: &mut Compressors,
    branches: &mut [ArrayNode],
    present: Option<&Offsets>,
    union: &UnionVector,
    ends: Ends<'_>,
) -> Result<()> {
    for (tag, (branch, values)) in branches.iter_mut().zip(&union.variants).enumerate() {
        let mut offsets = Offsets::default();
        let mut push = |own: Option<&u16>| {
            if own.is_some_and(|own| usize::from(*own) == tag) {
                offsets.push_one()
            } else {
                offsets.push_empty()
            }
        };
        match present {
            None => union.tags.iter().for_each(|own| push(Some(own))),
            Some(present) => (0..present.len()).for_each(|entry| {
                push(
                    present
                        .range(entry)
                        .filter(|range| !range.is_empty())
                        .and_then(|r| union.tags.get(r.start)),
                );
            }),
        }
        branch.append(compressors, &offsets, values, ends)?;
    }
    Ok(())
}

/// The metadata that the settings give to each column, in the order of [`Node::collect`].
fn collect_metadata(settings: &FileSettings, shape: &Shape, path: &mut String, out: &mut Vec<Metadata>) {
    let own = |path: &str| column_metadata(settings, path);
    match shape {
        Shape::Unknown => {}
        Shape::Record(record) => {
            for field in &record.fields {
                super::grow::below(path, &field.name, |path| {
                    collect_metadata(settings, &field.shape, path, out);
                });
            }
        }
        Shape::List(item) => collect_array(settings, item, path, out),
        Shape::Map(map) => {
            out.push(own(path));
            super::grow::below(path, "key", |path| collect_metadata(settings, &map.key, path, out));
            super::grow::below(path, "value", |path| collect_metadata(settings, &map.value, path, out));
        }
        Shape::Optional(optional) => match &optional.item {
            Shape::Unknown => {}
            Shape::Union(_) => collect_metadata(settings, &optional.item, path, out),
            item => collect_array(settings, item, path, out),
        },
        Shape::Union(variants) => {
            for variant in variants {
                super::grow::below(path, crate::schema::branch_name(variant).name, |path| {
                    collect_array(settings, variant, path, out);
                });
            }
        }
        _ => out.push(own(path)),
    }
}

fn collect_array(settings: &FileSettings, item: &Shape, path: &mut String, out: &mut Vec<Metadata>) {
    out.push(column_metadata(settings, path));
    if !item.is_simple() {
        collect_metadata(settings, item, path, out);
    }
}

fn column_metadata(settings: &FileSettings, path: &str) -> Metadata {
    let mut own = Metadata::default();
    let column = super::grow::settings_at(settings, path);
    if column.codec != settings.columns.codec {
        own.insert(metadata::CODEC, column.codec.name().as_bytes());
    }
    if column.checksum != settings.columns.checksum {
        own.insert(metadata::CHECKSUM, column.checksum.name().as_bytes());
    }
    for part in settings.paths.iter().filter(|part| part.path == path) {
        for (key, value) in part.metadata.iter() {
            own.insert(key, value);
        }
    }
    own
}
