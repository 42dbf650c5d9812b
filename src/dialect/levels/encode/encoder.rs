//! Writes batches: a column for each field.

use super::super::derive::{self, Spec};
use super::column::ColumnEncoder;
use super::earlier::Earlier;
use super::{header, settings};
use crate::dialect::capabilities::Capabilities;
use crate::dialect::dremel::shred::{self, Sink};
use crate::dialect::dremel::{Field, Fields, widen};
use crate::dialect::sums::ColumnSums;
use crate::dialect::{Encode, FileSettings, Layout};
use crate::error::{Error, ErrorKind, Result};
use crate::levels::LevelsRef;
use crate::metadata::{self, Metadata};
use crate::schema::{avro, names};
use crate::shape::Shape;
use crate::shape::branch::depends_on_origin;
use crate::storage::blocks::output::Part;
use crate::storage::blocks::{Resources, Sealer};
use crate::storage::checksum::Checksum;
use crate::storage::temporary::TemporaryBytes;
use crate::tree::{Tree, resolve};
use crate::vector::Vector;
use std::io::Write;
use std::iter::once;

/// What rows may be.
const CAPABILITIES: Capabilities = Capabilities::all("Trevni with levels");

/// Takes batches and, in the end, gives the file.
pub(crate) struct Encoder {
    layout: Layout,
    settings: FileSettings,
    /// The shape of the last batch, and its fields.
    shape: Shape,
    fields: Fields,
    /// The shape that a reader gets.
    resolved: Shape,
    columns: Vec<ColumnEncoder>,
    rows: u64,
    sealer: Sealer,
    resources: Resources,
    /// Rows of shapes that had other columns, and their number.
    earlier: Vec<Earlier>,
    earlier_rows: u64,
}

impl Encoder {
    /// Takes no rows yet.
    pub(crate) fn new(layout: Layout, settings: FileSettings, resources: Resources) -> Self {
        let sealer = Sealer::new(resources.clone(), layout.form());
        let (shape, fields) = (Shape::Unknown, Fields::default());
        Self {
            layout,
            settings,
            shape,
            fields,
            resolved: Shape::Null,
            columns: Vec::new(),
            rows: 0,
            sealer,
            resources,
            earlier: Vec::new(),
            earlier_rows: 0,
        }
    }

    fn grow_to(&mut self, shape: &Shape) -> Result<()> {
        if self.shape == *shape && !self.columns.is_empty() {
            return Ok(());
        }
        let (_, resolved) = described(&self.settings, shape.clone().finished())?;
        let fields = self.settings.fields(&resolved)?;
        if self.columns.is_empty() || fields != self.fields || widen::is_restated(&self.shape, shape) {
            let columns = self.new_columns(&resolved, &fields)?;
            if self.rows > self.earlier_rows {
                self.put_aside()?;
            }
            self.columns = columns;
        }
        (self.shape, self.fields, self.resolved) = (shape.clone(), fields, resolved);
        Ok(())
    }

    fn new_columns(&self, shape: &Shape, fields: &Fields) -> Result<Vec<ColumnEncoder>> {
        let settings = self.settings.for_shape(shape);
        let column = |field: &Field| {
            let (value_type, options) = settings.field(field)?;
            Ok(ColumnEncoder::new(field, value_type, options, self.layout))
        };
        fields.list.iter().map(column).collect()
    }

    /// Puts the rows of the last shapes aside, until the shape of all is known.
    #[cold]
    fn put_aside(&mut self) -> Result<()> {
        let rows = self.rows - self.earlier_rows;
        self.seal()?;
        let mut bytes = TemporaryBytes::new(self.resources.memory, &self.resources.beside);
        self.write(rows, None, &mut bytes)?;
        self.sealer.clear();
        self.earlier.push(Earlier::new(self.shape.clone(), self.resolved.clone(), bytes));
        self.earlier_rows = self.rows;
        Ok(())
    }

    /// Writes the rows that were put aside once more, before the others.
    fn write_earlier(&mut self, settled: &Shape) -> Result<()> {
        if self.earlier.is_empty() {
            return Ok(());
        }
        let mut columns = self.new_columns(&self.resolved, &self.fields)?;
        for (column, later) in
            columns.iter_mut().zip(&self.columns).filter(|(_, later)| !later.blocks.is_empty())
        {
            column.options.column.codec = later.codec();
            (column.value_type, column.undecided) = (later.value_type, later.undecided);
        }
        let Self { fields, sealer, earlier, .. } = self;
        for rows in earlier.drain(..) {
            rows.each(settled, |vector| {
                let mut sink = Columns { fields, columns: &mut columns, sealer, next: 0 };
                shred::shred(settled, vector, &mut sink)
            })?;
        }
        columns.iter_mut().try_for_each(|column| column.seal(sealer))?;
        for (later, earlier) in self.columns.iter_mut().zip(columns) {
            later.put_before(earlier);
        }
        Ok(())
    }

    /// Seals all blocks.
    fn seal(&mut self) -> Result<()> {
        let Self { columns, sealer, .. } = self;
        columns.iter_mut().try_for_each(|column| column.seal(sealer))?;
        sealer.settle()
    }

    /// Whether a file needs the text of its schema: names, parents and levels may say the same.
    fn needs(&self, resolved: &Shape) -> Result<bool> {
        if self.settings.derived && depends_on_origin(resolved) {
            return Ok(true);
        }
        let paths = self.paths();
        let Ok((own, _)) = derive::shape(&self.specs(&paths)) else {
            return Ok(true);
        };
        Ok(avro::parse(&avro::write(&names::resolve(own)))? != *resolved)
    }

    fn paths(&self) -> Vec<String> {
        (0..self.fields.list.len()).map(|field| self.fields.path(field)).collect()
    }

    /// The columns of the fields, which have these names.
    fn specs<'p>(&self, paths: &'p [String]) -> Vec<Spec<'p>> {
        let columns = self.fields.list.iter().zip(&self.columns).zip(paths);
        let spec = |((field, column), name): ((&Field, &ColumnEncoder), &'p String)| Spec {
            name,
            value_type: column.value_type,
            greatest: field.greatest,
            parent: field.parent,
            width: field.width,
        };
        columns.map(spec).collect()
    }

    /// Writes a file with a number of rows, whose blocks are all sealed.
    fn write(&self, rows: u64, text: Option<String>, sink: &mut dyn Write) -> Result<()> {
        let Self { settings, fields, columns, sealer, .. } = self;
        let of_shape = settings.for_shape(&self.resolved);
        let paths = self.paths();
        let specs = self.specs(&paths);
        let has_levels = specs.iter().any(|spec| spec.greatest.definition > 0);
        let file = header::file_metadata(
            settings,
            self.layout,
            has_levels,
            text.map(|text| schema(settings, text, depends_on_origin(&self.shape))),
        );
        let mut headers: Vec<Metadata> = Vec::with_capacity(specs.len());
        let store = sealer.store();
        let tables: Vec<Vec<u8>> = columns.iter().map(|column| column.descriptors(store)).collect();
        let checksums = columns.iter().map(|column| column.options.column.checksum);
        let mut checksums = once(settings.columns.checksum).chain(checksums);
        // Without zone maps nothing is of this crate.
        let has_sum = settings.columns.zones && checksums.any(|sum| sum != Checksum::Null);
        for (((spec, field), column), table) in specs.iter().zip(&fields.list).zip(columns).zip(&tables) {
            let parent = spec.parent.and_then(|parent| paths.get(parent)).map(String::as_str);
            let more = of_shape.metadata_of(settings, field, column.codec());
            let checksum = column.options.column.checksum;
            let sums =
                has_sum.then(|| ColumnSums::from_blocks(table, &column.blocks, checksum, store).encode());
            let own = [
                (metadata::BLOCK_ROWS, column.block_rows()),
                (metadata::COLUMN_SUMS, sums),
                (metadata::ZONE_MAP, column.zone_map()),
            ];
            headers.push(header::column_metadata(
                spec,
                parent,
                column.options.column.first_values,
                &more,
                own,
            ));
        }
        let sizes: Vec<u64> =
            columns.iter().map(|column| store.column_bytes(&column.blocks, &column.first_values)).collect();
        let mut start = Vec::new();
        header::encode(rows, &file, has_sum, &headers, &sizes, &mut start);
        let parts = columns.iter().zip(&tables).flat_map(|(column, table)| {
            let blocks = column.blocks.iter().map(|block| store.part(block.id));
            once(Ok(Part::Memory(table))).chain(blocks)
        });
        sealer.write(sink, once(Ok(Part::Memory(&start))).chain(parts))
    }
}

/// The metadata that tell of the schema.
fn schema(settings: &FileSettings, text: String, depends_on_origin: bool) -> Metadata {
    let mut schema = Metadata::default();
    if settings.derived && depends_on_origin {
        schema.insert(metadata::SCHEMA_KIND, metadata::DERIVED);
    }
    schema.insert(metadata::SCHEMA, text.into_bytes());
    schema
}

/// The schema of a finished shape, unless one was given, and the shape that a reader gets from it.
///
/// # Errors
///
/// A shape that a reader would refuse.
fn described(settings: &FileSettings, finished: Shape) -> Result<(String, Shape)> {
    match &settings.schema {
        Some(text) => Ok((text.clone(), avro::parse(text)?)),
        None => {
            let text = avro::write(&names::resolve(finished));
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
    fields: &'e Fields,
    columns: &'e mut [ColumnEncoder],
    sealer: &'e mut Sealer,
    next: usize,
}

impl Sink for Columns<'_> {
    fn take(&mut self, levels: LevelsRef<'_>, values: Option<&Vector>) -> Result<()> {
        let Some(column) = self.columns.get_mut(self.next) else {
            return Err(Error::internal("a field without a column"));
        };
        let field = self.next;
        self.next += 1;
        column.append(self.sealer, levels, values).map_err(|error| error.in_column(&self.fields.path(field)))
    }

    fn width(&self) -> Option<usize> {
        self.fields.list.get(self.next).and_then(|field| field.width)
    }
}

impl Encode for Encoder {
    fn capabilities(&self) -> Capabilities {
        CAPABILITIES
    }

    fn may_refuse(&self) -> bool {
        !self.settings.paths.is_empty()
    }

    fn check(&self, shape: &Shape) -> Result<()> {
        settings::check(&self.settings)?;
        let settled = shape.clone().settled();
        let fields = self.settings.fields(&settled)?;
        self.settings.check_widths(&settled, &fields)?;
        let settings = self.settings.for_shape(&settled);
        fields.list.iter().try_for_each(|field| settings.field(field).map(|_| ()))
    }

    fn set_metadata(&mut self, key: &str, value: &[u8]) {
        self.settings.metadata.insert(key, value);
    }

    fn set_foreign(&mut self) {
        self.settings.derived = false;
    }

    fn append(&mut self, shape: &Shape, vector: &Vector, _: &mut dyn Write) -> Result<()> {
        self.grow_to(shape)?;
        let Self { fields, columns, sealer, .. } = self;
        let mut sink = Columns { fields, columns, sealer, next: 0 };
        if let Err(error) = shred::shred(shape, vector, &mut sink) {
            // The field that is next has been looked at; errors of those before it say so.
            return Err(error.in_batch_at(self.rows).in_column(&fields.path(sink.next)));
        }
        self.rows += vector.len() as u64;
        Ok(())
    }

    fn rows(&self) -> u64 {
        self.rows
    }

    fn size(&self) -> u64 {
        let store = self.sealer.store();
        let size = |column: &ColumnEncoder| {
            store.likely_bytes(&column.blocks, &column.first_values, column.open_size())
        };
        self.columns.iter().map(size).sum()
    }

    fn settle(&mut self) -> Result<()> {
        self.sealer.settle()
    }

    fn discard(&mut self) {
        self.columns.clear();
        self.earlier.clear();
        self.sealer.clear();
    }

    fn finish(mut self: Box<Self>, shape: Shape, mut sink: &mut dyn Write) -> Result<()> {
        self.grow_to(&shape)?;
        let settled = shape.clone().settled();
        let (text, resolved) = described(&self.settings, shape.clone().finished())?;
        let tree = Tree::new(&resolved);
        for part in self.settings.paths.iter().filter(|_| self.rows > 0) {
            resolve(&resolved, &tree, &part.path)?;
        }
        self.seal()?;
        self.write_earlier(&settled)?;
        self.sealer.settle()?;
        let is_seen = shape.clone().finished() == settled;
        let text = (!is_seen || self.needs(&resolved)?).then_some(text);
        self.write(self.rows, text, &mut sink)
    }
}
