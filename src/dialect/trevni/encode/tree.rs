//! Writes batches: a tree of columns of the same form as the shape.

use super::super::Ends;
use super::node::Node;
use super::output::Part;
use super::sealer::{Resources, Sealer};
use super::settings::{FileSettings, collect_metadata};
use super::{grow, header};
use crate::codec::Codec;
use crate::error::{Error, Result};
use crate::metadata;
use crate::schema::{avro, columns, names, path};
use crate::shape::Shape;
use crate::vector::Vector;
use std::collections::HashSet;
use std::io::Write;
use std::iter::once;

/// Takes batches and, in the end, gives the file.
pub(crate) struct Encoder {
    pub(super) settings: FileSettings,
    pub(super) shape: Shape,
    root: Node,
    rows: u64,
    sealer: Sealer,
}

impl Encoder {
    /// Takes no rows yet.
    pub(crate) fn new(settings: FileSettings, resources: Resources) -> Self {
        Self { settings, shape: Shape::Unknown, root: Node::Unknown, rows: 0, sealer: Sealer::new(resources) }
    }

    /// Appends the rows of a batch, whose shape is the last one or has grown from it.
    pub(crate) fn append(&mut self, shape: &Shape, vector: &Vector) -> Result<()> {
        let rows = vector.len();
        self.grow_to(shape)?;
        self.root.append(&mut self.sealer, vector, Ends::Each(rows))?;
        self.rows += rows as u64;
        Ok(())
    }

    fn grow_to(&mut self, shape: &Shape) -> Result<()> {
        if self.shape == *shape {
            return Ok(());
        }
        let old = std::mem::replace(&mut self.shape, shape.clone());
        let root = std::mem::replace(&mut self.root, Node::Unknown);
        self.root = grow::grow(&self.settings, &mut self.sealer, root, &old, shape, self.rows)?;
        Ok(())
    }

    /// Rows taken so far.
    pub(crate) fn rows(&self) -> u64 {
        self.rows
    }

    /// Bytes that the columns have come to so far, about; walks through all of them.
    pub(crate) fn size(&self) -> u64 {
        self.root.size(self.sealer.store())
    }

    /// Waits until the bytes of all sealed blocks are known.
    pub(crate) fn settle(&mut self) -> Result<()> {
        self.sealer.settle()
    }

    /// Gives up all that it has, but for the number of rows: nothing can be appended any more.
    pub(crate) fn discard(&mut self) {
        self.root = Node::Unknown;
        self.sealer.clear();
    }

    /// Seals all blocks and writes the file.
    pub(crate) fn finish<W: Write>(mut self, shape: Shape, sink: &mut W) -> Result<()> {
        self.grow_to(&shape)?;
        let settled = shape.settled();
        self.grow_to(&settled)?;
        let (text, resolved) = self.schema(settled)?;
        let (layout, mut specs) = columns::columns(&resolved);
        for part in self.settings.paths.iter().filter(|_| self.rows > 0) {
            path::project(&resolved, &layout, &[&part.path])?;
        }
        let mut names = HashSet::with_capacity(specs.len());
        if let Some(twice) = specs.iter().find(|spec| !names.insert(&*spec.name)) {
            return Err(Error::value(format!("the schema gives two columns the name {:?}", twice.name)));
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
        // The last block may be the first, which decides on the codec.
        encoders.iter_mut().try_for_each(|encoder| encoder.seal(&mut self.sealer))?;
        self.sealer.settle()?;
        let codecs: Vec<Codec> = encoders.iter().map(|encoder| encoder.codec()).collect();
        let more = collect_metadata(&self.settings, &self.shape, &codecs);
        let mut headers = Vec::with_capacity(specs.len());
        for (spec, encoder) in specs.iter_mut().zip(&encoders) {
            if !encoder.value_type.fits(spec.value_type) || spec.array != encoder.array {
                return Err(Error::value(format!("column {:?} is not what the schema says", spec.name)));
            }
            spec.value_type = encoder.value_type;
        }
        for ((spec, encoder), more) in specs.iter().zip(&encoders).zip(&more) {
            let first_values = encoder.settings.first_values;
            if first_values && (spec.array || spec.parent.is_some()) {
                return Err(Error::option(format!(
                    "first values need a column without lengths and parents, which {:?} is not",
                    spec.name
                )));
            }
            let parent = spec.parent.and_then(|parent| specs.get(parent)).map(|parent| &*parent.name);
            let zone_map = encoder.zone_map();
            headers.push(header::column_metadata(spec, parent, first_values, more, zone_map));
        }
        let mut file = std::mem::take(&mut self.settings.metadata);
        file.remove(metadata::SCHEMA);
        file.insert(metadata::SCHEMA, text.into_bytes());
        let version = self.settings.version;
        let header = header::Header { version, rows: self.rows, metadata: file, columns: headers };
        let store = self.sealer.store();
        let sizes: Vec<u64> = encoders.iter().map(|encoder| encoder.file_size(store)).collect();
        let mut start = Vec::new();
        header::encode(&header, &sizes, &mut start);
        let tables: Vec<Vec<u8>> = encoders.iter().map(|encoder| encoder.descriptors(store)).collect();
        let columns = encoders.iter().zip(&tables).flat_map(|(encoder, table)| {
            let blocks = encoder.blocks.iter().map(|block| store.part(block.id));
            once(Ok(Part::Memory(table))).chain(blocks)
        });
        self.sealer.write(sink, once(Ok(Part::Memory(&start))).chain(columns))
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
