//! Writes batches: a tree of columns of the same form as the shape.

use super::super::Ends;
use super::column::ColumnEncoder;
use super::header::{self, Described};
use super::{compact, grow, settings};
use crate::dialect::sums::ColumnSums;
use crate::dialect::trevni::Version;
use crate::dialect::{Capabilities, Encode, FileSettings};
use crate::error::{Error, Result};
use crate::metadata;
use crate::shape::Shape;
use crate::shape::branch::depends_on_origin;
use crate::storage::blocks::output::Part;
use crate::storage::blocks::{BlockForm, Resources, Sealer, Store};
use crate::storage::checksum::Checksum;
use crate::storage::codec::Codec;
use crate::storage::temporary::TemporaryBytes;
use crate::tree::{Tree, resolve};
use crate::vector::{Offsets, UnionVector, Vector};
use std::io::Write;
use std::iter::once;

/// The most bytes of the blocks of all columns that are longer than those of most codecs, for a reader holds a block of each column.
const LONG_BYTES: usize = 64 << 20;

/// Takes batches and, in the end, gives the file.
pub(crate) struct Encoder {
    version: Version,
    /// Whether header and small columns are compressed together.
    compact: bool,
    pub(super) settings: FileSettings,
    pub(super) shape: Shape,
    /// How a file describes the shape.
    described: Option<Described>,
    root: Node,
    rows: u64,
    sealer: Sealer,
    resources: Resources,
}

impl Encoder {
    /// Takes no rows yet.
    pub(crate) fn new(
        version: Version,
        compact: bool,
        mut settings: FileSettings,
        resources: Resources,
    ) -> Self {
        settings.columns.runs = version.has_length_runs();
        Self {
            version,
            compact,
            settings,
            shape: Shape::Unknown,
            described: None,
            root: Node::default(),
            rows: 0,
            sealer: Sealer::new(resources.clone(), BlockForm::default()),
            resources,
        }
    }

    fn grow_to(&mut self, shape: &Shape) -> Result<()> {
        if self.shape == *shape {
            return Ok(());
        }
        self.check(shape)?;
        self.describe(shape.clone().finished())?;
        let old = std::mem::replace(&mut self.shape, shape.clone());
        let root = std::mem::take(&mut self.root);
        self.root = grow::grow(&self.settings, &mut self.sealer, root, &old, shape, self.rows)?;
        Ok(())
    }

    /// Describes a finished shape, unless it is described already.
    fn describe(&mut self, finished: Shape) -> Result<()> {
        if self.described.as_ref().is_none_or(|described| described.finished != finished) {
            self.described = Some(Described::from_header(self.settings.schema.as_deref(), finished)?);
        }
        Ok(())
    }
}

impl Encode for Encoder {
    fn capabilities(&self) -> Capabilities {
        Capabilities::all("Trevni")
    }

    fn may_refuse(&self) -> bool {
        !self.settings.paths.is_empty()
    }

    fn check(&self, shape: &Shape) -> Result<()> {
        self.settings.check(shape)
    }

    fn set_metadata(&mut self, key: &str, value: &[u8]) {
        self.settings.metadata.insert(key, value);
    }

    fn set_foreign(&mut self) {
        self.settings.derived = false;
    }

    fn append(&mut self, shape: &Shape, vector: &Vector, _: &mut dyn Write) -> Result<()> {
        let rows = vector.len();
        self.grow_to(shape)?;
        self.root.append(&mut self.sealer, vector, Ends::Each(rows))?;
        self.rows += rows as u64;
        if cfg!(feature = "archive") && self.root.long_bytes() > LONG_BYTES {
            self.root.seal_long(&mut self.sealer)?;
        }
        Ok(())
    }

    fn take_rows(&mut self) -> Result<Option<TemporaryBytes>> {
        let again = Self::new(self.version, self.compact, self.settings.clone(), self.resources.clone());
        let mut bytes = TemporaryBytes::new(self.resources.memory, &self.resources.beside);
        let mut old = std::mem::replace(self, again);
        let (shape, tree) = (old.shape.clone(), Tree::new(&old.shape));
        // What has options of its own may be still to come.
        old.settings.paths.retain(|part| resolve(&shape, &tree, &part.path).is_ok());
        Box::new(old).finish(shape, &mut bytes)?;
        Ok(Some(bytes))
    }

    fn rows(&self) -> u64 {
        self.rows
    }

    fn size(&self) -> u64 {
        self.root.size(self.sealer.store())
    }

    fn settle(&mut self) -> Result<()> {
        self.sealer.settle()
    }

    fn discard(&mut self) {
        self.root = Node::default();
        self.sealer.clear();
    }

    fn finish(mut self: Box<Self>, shape: Shape, sink: &mut dyn Write) -> Result<()> {
        self.grow_to(&shape)?;
        let finished = shape.finished();
        self.grow_to(&finished.clone().settled())?;
        self.describe(finished)?;
        let Some(Described { text, columns: mut specs, .. }) = self.described.take() else {
            return Err(Error::internal("a shape without a description"));
        };
        // Paths have the variants that rows have shown; in the schema a union of one is no union.
        let tree = Tree::new(&self.shape);
        for part in self.settings.paths.iter().filter(|_| self.rows > 0) {
            resolve(&self.shape, &tree, &part.path)?;
        }
        let mut encoders = Vec::with_capacity(specs.len());
        self.root.collect(&mut encoders);
        let names = settings::names_of_columns(&self.settings, &self.shape, specs.len());
        if [encoders.len(), names.len()] != [specs.len(); 2] {
            return Err(Error::internal(format!(
                "{} columns for {} of the schema",
                encoders.len(),
                specs.len()
            )));
        }
        let checksums = encoders.iter().map(|encoder| encoder.settings.checksum);
        let has_sum = once(self.settings.columns.checksum).chain(checksums).any(|sum| sum != Checksum::Null);
        if self.compact {
            compact::keep(&mut encoders);
        }
        // The last block may be the first, which decides on the codec.
        encoders.iter_mut().try_for_each(|encoder| encoder.seal(&mut self.sealer))?;
        self.sealer.settle()?;
        let codecs: Vec<Codec> = encoders.iter().map(|encoder| encoder.codec()).collect();
        if self.settings.columns.codec == Codec::Auto {
            // The file names the codec of most columns, so that these do not.
            let columns = |codec: &Codec| codecs.iter().filter(|own| *own == codec).count();
            let codec = Codec::ALL.into_iter().rev().max_by_key(columns).unwrap_or(Codec::Null);
            self.settings.columns.codec = codec;
            if codec != Codec::Null {
                self.settings.metadata.insert(metadata::CODEC, codec.name());
            }
        }
        let of_shape = self.settings.for_shape(&self.shape);
        let more = names.iter().zip(&codecs);
        let more =
            more.map(|(names, codec)| settings::column_metadata(&self.settings, &of_shape, names, *codec));
        let more: Vec<_> = more.collect();
        let mut headers = Vec::with_capacity(specs.len());
        for (spec, encoder) in specs.iter_mut().zip(&encoders) {
            if !encoder.value_type.fits(spec.value_type) || spec.array != encoder.array {
                return Err(Error::internal(format!("column {:?} is not what the schema says", spec.name)));
            }
            spec.value_type = encoder.value_type;
        }
        let store = self.sealer.store();
        let tables: Vec<Vec<u8>> = encoders.iter().map(|encoder| encoder.descriptors(store)).collect();
        for (((spec, encoder), table), more) in specs.iter().zip(&encoders).zip(&tables).zip(more) {
            let first_values = encoder.settings.first_values;
            let parent = spec.parent.and_then(|parent| specs.get(parent)).map(|parent| &*parent.name);
            let checksum = encoder.settings.checksum;
            let sums = has_sum.then(|| ColumnSums::from_blocks(table, &encoder.blocks, checksum, store));
            let zone_map = encoder.zone_map();
            headers.push(header::column_metadata(spec, parent, first_values, &more, sums, zone_map));
        }
        let mut file = std::mem::take(&mut self.settings.metadata);
        file.remove(metadata::SCHEMA);
        if self.settings.derived && depends_on_origin(&self.shape) {
            file.insert(metadata::SCHEMA_KIND, metadata::DERIVED);
        }
        file.insert(metadata::SCHEMA, text.into_bytes());
        let version = self.version;
        let header = header::Header { version, rows: self.rows, metadata: file, has_sum, columns: headers };
        let sizes: Vec<u64> = encoders
            .iter()
            .map(|encoder| store.column_bytes(&encoder.blocks, &encoder.first_values))
            .collect();
        let start = match self.compact {
            true => compact::smallest(header, &mut encoders, &sizes, &codecs)?,
            false => header::encode(header, &sizes),
        };
        let columns = encoders.iter().zip(&tables).filter(|(encoder, _)| encoder.kept.is_none());
        let columns = columns.flat_map(|(encoder, table)| {
            let blocks = encoder.blocks.iter().map(|block| store.part(block.id));
            once(Ok(Part::Memory(table))).chain(blocks)
        });
        self.sealer.write(sink, once(Ok(Part::Memory(&start))).chain(columns))
    }
}

/// A node of the shape: its column, and the nodes below it.
///
/// | shape | column | below |
/// |---|---|---|
/// | leaf | values | |
/// | record | | fields |
/// | list or optional of leaves | lengths and values | |
/// | other list or optional | lengths | item, unless it is unknown |
/// | map | lengths | key, value |
/// | union, optional or not | | a list of none or one for each variant |
/// | unknown, optional or not | | |
#[derive(Default)]
pub(super) struct Node {
    pub(super) column: Option<Box<ColumnEncoder>>,
    pub(super) below: Vec<Node>,
}

impl Node {
    /// A node with a column.
    pub(super) fn with(column: Box<ColumnEncoder>, below: Vec<Node>) -> Self {
        Self { column: Some(column), below }
    }

    /// Appends the values of a batch; `ends` says where the entries of each row end.
    pub(super) fn append(&mut self, sealer: &mut Sealer, vector: &Vector, ends: Ends<'_>) -> Result<()> {
        let below = &mut self.below;
        match (&mut self.column, vector) {
            (Some(_), Vector::List(list) | Vector::Optional(list)) => {
                self.append_arrays(sealer, &list.offsets, &list.item, ends)
            }
            (Some(column), Vector::Map(map)) => {
                column.append_arrays(sealer, map.offsets.as_slice(), None, ends)?;
                append_each(below, sealer, [&map.key, &map.value], Ends::At(&ends.through(&map.offsets)?))
            }
            (Some(column), values) => column.append_values(sealer, values, ends),
            (None, Vector::Record(record)) => append_each(below, sealer, &record.fields, ends),
            (None, Vector::Union(union)) => append_union(sealer, below, None, union, ends),
            (None, Vector::Optional(list)) => match &list.item {
                Vector::Union(union) => append_union(sealer, below, Some(&list.offsets), union, ends),
                _ => self.append_unknown(),
            },
            (None, _) => self.append_unknown(),
        }
    }

    /// Appends lengths and what they are the lengths of.
    fn append_arrays(
        &mut self,
        sealer: &mut Sealer,
        offsets: &Offsets,
        item: &Vector,
        ends: Ends<'_>,
    ) -> Result<()> {
        let Some(column) = &mut self.column else { return self.append_unknown() };
        match self.below.first_mut() {
            None => column.append_arrays(sealer, offsets.as_slice(), Some(item), ends),
            Some(node) => {
                column.append_arrays(sealer, offsets.as_slice(), None, ends)?;
                node.append(sealer, item, Ends::At(&ends.through(offsets)?))
            }
        }
    }

    /// Appends entries of a node of which no value has been seen.
    fn append_unknown(&self) -> Result<()> {
        if self.below.is_empty() { Ok(()) } else { Err(Error::internal("columns and vectors differ")) }
    }

    /// Bytes that the columns have come to so far.
    pub(super) fn size(&self, store: &Store) -> u64 {
        let own = self
            .column
            .as_ref()
            .map_or(0, |column| store.likely_bytes(&column.blocks, &column.first_values, column.open.len()));
        own + self.below.iter().map(|node| node.size(store)).sum::<u64>()
    }

    /// Bytes of the open blocks that are longer than those of most codecs.
    fn long_bytes(&self) -> usize {
        let own = self.column.as_ref().map_or(0, |column| column.long_bytes());
        own + self.below.iter().map(Self::long_bytes).sum::<usize>()
    }

    /// Ends these blocks.
    fn seal_long(&mut self, sealer: &mut Sealer) -> Result<()> {
        if let Some(column) = &mut self.column
            && column.long_bytes() > 0
        {
            column.seal(sealer)?;
        }
        self.below.iter_mut().try_for_each(|node| node.seal_long(sealer))
    }

    /// The columns, depth first, as the schema orders them.
    pub(super) fn collect(self, out: &mut Vec<ColumnEncoder>) {
        out.extend(self.column.map(|column| *column));
        self.below.into_iter().for_each(|node| node.collect(out));
    }
}

/// Appends to each node its vector.
fn append_each<'v>(
    nodes: &mut [Node],
    sealer: &mut Sealer,
    vectors: impl IntoIterator<Item = &'v Vector>,
    ends: Ends<'_>,
) -> Result<()> {
    nodes.iter_mut().zip(vectors).try_for_each(|(node, vector)| node.append(sealer, vector, ends))
}

/// Appends a union: each variant has an array of one where it is the entry's, of none elsewhere.
fn append_union(
    sealer: &mut Sealer,
    branches: &mut [Node],
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
        branch.append_arrays(sealer, &offsets, values, ends)?;
    }
    Ok(())
}
