//! Writes batches: a column for each field.

use super::super::derive::{self, Spec};
use super::column::ColumnEncoder;
use super::{header, settings};
use crate::dialect::FileSettings;
use crate::dialect::capabilities::Capabilities;
use crate::dialect::dremel::shred::{self, Sink};
use crate::dialect::dremel::{LevelsRef, Message};
use crate::error::{Error, ErrorKind, Result};
use crate::metadata::{self, Metadata};
use crate::schema::{avro, names};
use crate::shape::Shape;
use crate::storage::blocks::output::Part;
use crate::storage::blocks::{Resources, Sealer};
use crate::tree::{Tree, resolve};
use crate::vector::Vector;
use std::io::Write;
use std::iter::once;

/// What rows may be.
pub(crate) const CAPABILITIES: Capabilities = Capabilities::all("Trevni with levels");

/// Takes batches and, in the end, gives the file.
pub(crate) struct Encoder {
    settings: FileSettings,
    /// The shape of the last batch, and its fields.
    shape: Shape,
    message: Message,
    columns: Vec<ColumnEncoder>,
    rows: u64,
    sealer: Sealer,
}

impl Encoder {
    /// Takes no rows yet.
    pub(crate) fn new(settings: FileSettings, resources: Resources) -> Self {
        let sealer = Sealer::new(resources, settings.layout.form());
        let (shape, message) = (Shape::Unknown, Message::default());
        Self { settings, shape, message, columns: Vec::new(), rows: 0, sealer }
    }

    /// Says that the shape is that of a file whose branches of unions are variants.
    pub(crate) fn set_foreign(&mut self) {
        self.settings.derived = false;
    }

    /// Checks that rows of a shape can be written with the options of the columns.
    pub(crate) fn check(&self, shape: &Shape) -> Result<()> {
        settings::check(&self.settings)?;
        let message = self.settings.message(&shape.clone().settled())?;
        message.fields.iter().try_for_each(|field| self.settings.field(field).map(|_| ()))
    }

    /// Appends the rows of a batch, whose shape is the last one or has grown from it.
    pub(crate) fn append(&mut self, shape: &Shape, vector: &Vector) -> Result<()> {
        self.grow_to(shape)?;
        let Self { message, columns, sealer, .. } = self;
        let mut sink = Columns { message, columns, sealer, next: 0 };
        shred::shred(shape, vector, &mut sink)?;
        self.rows += vector.len() as u64;
        Ok(())
    }

    fn grow_to(&mut self, shape: &Shape) -> Result<()> {
        if self.shape == *shape && !self.columns.is_empty() {
            return Ok(());
        }
        let settled = shape.clone().settled();
        described(&self.settings, settled.clone())?;
        let message = self.settings.message(&settled)?;
        if self.columns.is_empty() || message != self.message {
            if self.rows > 0 {
                return Err(Error::option("the shape of the rows has grown after a batch was written"));
            }
            self.columns = message
                .fields
                .iter()
                .map(|field| {
                    let (value_type, options) = self.settings.field(field)?;
                    Ok(ColumnEncoder::new(field, value_type, options, self.settings.layout))
                })
                .collect::<Result<_>>()?;
        }
        (self.shape, self.message) = (shape.clone(), message);
        Ok(())
    }

    /// Rows taken so far.
    pub(crate) fn rows(&self) -> u64 {
        self.rows
    }

    /// Bytes that the columns have come to so far, about.
    pub(crate) fn size(&self) -> u64 {
        self.columns.iter().map(|column| column.size(self.sealer.store())).sum()
    }

    /// Waits until the bytes of all sealed blocks are known.
    pub(crate) fn settle(&mut self) -> Result<()> {
        self.sealer.settle()
    }

    /// Gives up all that it has, but for the number of rows: nothing can be appended any more.
    pub(crate) fn discard(&mut self) {
        self.columns.clear();
        self.sealer.clear();
    }

    /// Seals all blocks and writes the file.
    pub(crate) fn finish<W: Write>(mut self, shape: &Shape, sink: &mut W) -> Result<()> {
        self.grow_to(shape)?;
        let (text, resolved) = described(&self.settings, shape.clone().settled())?;
        let tree = Tree::of(&resolved);
        for part in self.settings.paths.iter().filter(|_| self.rows > 0) {
            resolve(&resolved, &tree, &*part.path)?;
        }
        let Self { settings, message, columns, sealer, rows, .. } = &mut self;
        columns.iter_mut().try_for_each(|column| column.seal(sealer))?;
        sealer.settle()?;
        let paths: Vec<String> = (0..message.fields.len()).map(|field| message.path(field)).collect();
        let specs = specs(message, columns, &paths);
        let own = derive::shape(&specs).is_ok_and(|(shape, _)| shape == resolved);
        let schema = (!own).then(|| schema(settings, text));
        let has_levels = specs.iter().any(|spec| spec.greatest.definition > 0);
        let file = header::file_metadata(settings, has_levels, schema);
        let headers: Vec<Metadata> = specs
            .iter()
            .zip(&message.fields)
            .zip(columns.iter())
            .map(|((spec, field), column)| {
                let parent = spec.parent.and_then(|parent| paths.get(parent)).map(String::as_str);
                let more = settings.metadata_of(field, column.codec());
                let own =
                    [(metadata::BLOCK_ROWS, column.block_rows()), (metadata::ZONE_MAP, column.zone_map())];
                header::column_metadata(spec, parent, column.options.column.first_values, &more, own)
            })
            .collect();
        let store = sealer.store();
        let sizes: Vec<u64> = columns.iter().map(|column| column.file_size(store)).collect();
        let mut start = Vec::new();
        header::encode(*rows, &file, &headers, &sizes, &mut start);
        let tables: Vec<Vec<u8>> = columns.iter().map(|column| column.descriptors(store)).collect();
        let parts = columns.iter().zip(&tables).flat_map(|(column, table)| {
            let blocks = column.blocks.iter().map(|block| store.part(block.id));
            once(Ok(Part::Memory(table))).chain(blocks)
        });
        sealer.write(sink, once(Ok(Part::Memory(&start))).chain(parts))
    }
}

/// The columns of the fields.
fn specs<'p>(message: &Message, columns: &[ColumnEncoder], paths: &'p [String]) -> Vec<Spec<'p>> {
    let fields = message.fields.iter().zip(columns).zip(paths);
    let spec =
        |((field, column), name): ((&crate::dialect::dremel::Field, &ColumnEncoder), &'p String)| Spec {
            name,
            value_type: column.value_type,
            greatest: field.greatest,
            parent: field.parent,
            width: field.width,
        };
    fields.map(spec).collect()
}

/// The metadata that tell of the schema.
fn schema(settings: &FileSettings, text: String) -> Metadata {
    let mut schema = Metadata::default();
    if settings.derived {
        schema.insert(metadata::SCHEMA_KIND, metadata::DERIVED);
    }
    schema.insert(metadata::SCHEMA, text.into_bytes());
    schema
}

/// The schema of a settled shape, unless one was given, and the shape that a reader gets from it.
///
/// # Errors
///
/// A shape that a reader would refuse.
fn described(settings: &FileSettings, settled: Shape) -> Result<(String, Shape)> {
    match &settings.schema {
        Some(text) => Ok((text.clone(), avro::parse(text)?)),
        None => {
            let text = avro::write(&names::resolve(settled));
            let shape = avro::parse(&text).map_err(|error| match error.kind() {
                ErrorKind::TooDeep { .. } => error,
                _ => Error::option(format!("rows of this shape cannot be read back: {error}")),
            })?;
            Ok((text, shape))
        }
    }
}

/// The columns, as fields are shredded into them.
struct Columns<'e> {
    message: &'e Message,
    columns: &'e mut [ColumnEncoder],
    sealer: &'e mut Sealer,
    next: usize,
}

impl Sink for Columns<'_> {
    fn take(&mut self, levels: LevelsRef<'_>, values: Option<&Vector>) -> Result<()> {
        let Some(column) = self.columns.get_mut(self.next) else {
            return Err(Error::internal("a field without a column"));
        };
        self.next += 1;
        column.append(self.sealer, levels, values)
    }

    fn width(&self) -> Option<usize> {
        self.message.fields.get(self.next).and_then(|field| field.width)
    }
}
