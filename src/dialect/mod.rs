//! File formats: batches into bytes and back, one folder each. The only `match` on the dialect is here; readers,
//! writers and predicates speak of nodes of a shape, and of columns by their numbers.

pub(crate) mod beginning;
mod capabilities;
pub(crate) mod decoded;
pub(crate) mod dremel;
mod info;
pub(crate) mod levels;
pub(crate) mod merge;
pub(crate) mod redelm;
pub(crate) mod schema;
mod settings;
pub(crate) mod trevni;

use beginning::Beginning;
pub(crate) use capabilities::Capabilities;
pub(crate) use decoded::DecodedColumns;
pub use info::{BlockInfo, ColumnInfo, FirstValue};
pub use levels::Layout;
pub(crate) use levels::decode::Options;
pub use redelm::{RedElmFooter, RedElmSummary, SummaryFile};
pub(crate) use schema::Schema;
pub(crate) use settings::{ColumnSettings, FileSettings, PathSettings};

use crate::error::{Error, Result};
use crate::limits::Limits;
use crate::metadata::Metadata;
use crate::shape::Shape;
use crate::storage::blocks::Resources;
use crate::storage::source::Source;
use crate::storage::zone_map::ZoneMap;
use crate::tree::{NodeId, Projection};
use crate::vector::Vector;
use std::io::Write;
use std::ops::Range;
use std::sync::Arc;
use trevni::version::Version;

/// The file formats of the family.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Dialect {
    /// Avro's Trevni.
    #[default]
    Trevni,
    /// Trevni with repetition and definition levels, as Impala wrote it.
    Levels,
    /// RedElm: row groups with repetition and definition levels, which Parquet grew out of.
    RedElm,
}

/// A file that is open for reading.
pub(crate) enum File<'s> {
    Trevni(trevni::decode::File<'s>),
    Levels(levels::decode::File<'s>),
    RedElm(redelm::decode::File<'s>),
}

impl<'s> File<'s> {
    /// Opens a source, whose first bytes say which dialect it is.
    ///
    /// # Errors
    ///
    /// A source that fails, is of no known dialect, or has a damaged header.
    pub(crate) fn open(
        source: Box<dyn Source + 's>,
        limits: Limits,
        threads: usize,
        options: Options,
    ) -> Result<Self> {
        let mut beginning = Beginning::read(&*source)?;
        if redelm::decode::recognize(&beginning) {
            return redelm::decode::File::open(source, limits, threads).map(Self::RedElm);
        }
        if let Some(header) = levels::decode::recognize(&mut beginning, options.layout)? {
            return levels::decode::File::new(source, header, limits, threads, options).map(Self::Levels);
        }
        let header = trevni::decode::File::header(&mut beginning)?;
        trevni::decode::File::new(source, header, limits, threads).map(Self::Trevni)
    }

    pub(crate) fn dialect(&self) -> Dialect {
        match self {
            Self::Trevni(_) => Dialect::Trevni,
            Self::Levels(_) => Dialect::Levels,
            Self::RedElm(_) => Dialect::RedElm,
        }
    }

    /// Version of the format.
    pub(crate) fn version(&self) -> Version {
        match self {
            Self::Trevni(file) => file.header.version,
            Self::Levels(_) | Self::RedElm(_) => Version::V1,
        }
    }

    /// Number of rows, as the header says.
    pub(crate) fn rows(&self) -> u64 {
        match self {
            Self::Trevni(file) => file.header.rows,
            Self::Levels(file) => file.header.rows,
            Self::RedElm(file) => file.rows(),
        }
    }

    /// Number of bytes.
    pub(crate) fn bytes(&self) -> u64 {
        match self {
            Self::Trevni(file) => file.len,
            Self::Levels(file) => file.len,
            Self::RedElm(file) => file.len,
        }
    }

    pub(crate) fn limits(&self) -> &Limits {
        match self {
            Self::Trevni(file) => &file.limits,
            Self::Levels(file) => &file.limits,
            Self::RedElm(file) => &file.limits,
        }
    }

    /// How many threads decode columns.
    pub(crate) fn threads(&self) -> usize {
        match self {
            Self::Trevni(file) => file.threads,
            Self::Levels(file) => file.threads,
            Self::RedElm(file) => file.threads,
        }
    }

    pub(crate) fn metadata(&self) -> &Metadata {
        match self {
            Self::Trevni(file) => file.header.metadata(),
            Self::Levels(file) => file.header.metadata(),
            Self::RedElm(file) => file.metadata(),
        }
    }

    /// The rows as the file's schema describes them; without one, as the columns do.
    pub(crate) fn schema(&self) -> Result<Schema> {
        match self {
            Self::Trevni(file) => file.schema(),
            Self::Levels(file) => file.schema(),
            Self::RedElm(file) => Ok(file.schema()),
        }
    }

    /// The rows as the columns alone describe them.
    pub(crate) fn untyped_schema(&self) -> Result<Schema> {
        match self {
            Self::Trevni(file) => file.untyped_schema(),
            Self::Levels(file) => file.untyped_schema(),
            Self::RedElm(file) => file.untyped_schema(),
        }
    }

    /// The rows of one column by itself: for each row a list for each array column around it, itself included.
    pub(crate) fn column_schema(&self, column: usize) -> Result<Schema> {
        match self {
            Self::Trevni(file) => file.column_schema(column),
            Self::Levels(file) => file.column_schema(column),
            Self::RedElm(file) => file.column_schema(column),
        }
    }

    /// Number of columns.
    pub(crate) fn column_count(&self) -> usize {
        match self {
            Self::Trevni(file) => file.header.len(),
            Self::Levels(file) => file.header.columns().len(),
            Self::RedElm(file) => file.column_count(),
        }
    }

    /// All columns of a file whose rows have this shape.
    pub(crate) fn columns(&self, schema: &Schema) -> Vec<ColumnInfo> {
        match self {
            Self::Trevni(file) => file.columns(schema),
            Self::Levels(file) => file.columns(schema),
            Self::RedElm(file) => file.columns(schema),
        }
    }

    /// Name of a column.
    pub(crate) fn column_name(&self, column: usize) -> Result<&str> {
        match self {
            Self::Trevni(file) => file.column(column).map(|column| column.spec.name),
            Self::Levels(file) => file.column(column).map(|column| column.name.as_str()),
            Self::RedElm(file) => file.column_name(column),
        }
    }

    /// The blocks of a column. Reads the block table.
    pub(crate) fn blocks(&self, column: usize) -> Result<Vec<BlockInfo>> {
        match self {
            Self::Trevni(file) => file.blocks(column),
            Self::Levels(file) => file.blocks(column),
            Self::RedElm(file) => file.blocks(column),
        }
    }

    /// Rows and bytes in the file of each block of a column. Reads the block table.
    pub(crate) fn block_sizes(&self, column: usize) -> Result<Vec<(u32, u64)>> {
        match self {
            Self::Trevni(file) => file.block_sizes(column),
            Self::Levels(file) => file.block_sizes(column),
            Self::RedElm(file) => file.block_sizes(column),
        }
    }

    /// The zones of the blocks of a column, where they are known.
    pub(crate) fn zones(&self, column: usize) -> Result<Option<Arc<ZoneMap>>> {
        match self {
            Self::Trevni(file) => file.zones(column),
            Self::Levels(file) => file.zones(column),
            Self::RedElm(file) => file.zones(column),
        }
    }

    /// Takes the values of a column for sorted, so that first values tell of what is in its blocks.
    pub(crate) fn set_sorted(&mut self, column: usize) -> Result<()> {
        match self {
            Self::Trevni(file) => file.set_sorted(column),
            Self::Levels(_) | Self::RedElm(_) => {
                Err(Error::option("sorted columns are for Trevni's first values"))
            }
        }
    }
}

/// Decodes rows of a file, batch after batch: only the nodes that have been asked for.
pub(crate) enum Decoder {
    Trevni(trevni::decode::Decoder),
    Levels(dremel::Decoder<levels::decode::Cursor>),
    RedElm(dremel::Decoder<redelm::decode::Cursor>),
}

impl Decoder {
    /// A decoder at the first row of a part of the rows.
    ///
    /// # Errors
    ///
    /// Columns that do not fit the schema.
    pub(crate) fn new(file: &File<'_>, schema: &Arc<Schema>, part: &Projection) -> Result<Self> {
        match file {
            File::Trevni(file) => trevni::decode::Decoder::new(file, schema, part).map(Self::Trevni),
            File::Levels(file) => Ok(Self::Levels(dremel::Decoder::new(file, schema, part, file.threads))),
            File::RedElm(file) => Ok(Self::RedElm(dremel::Decoder::new(file, schema, part, file.threads))),
        }
    }

    /// Decodes the fields of rows on this many threads.
    pub(crate) fn use_threads(&mut self, count: usize) {
        match self {
            Self::Trevni(decoder) => decoder.use_threads(count),
            Self::Levels(decoder) => decoder.use_threads(count),
            Self::RedElm(decoder) => decoder.use_threads(count),
        }
    }

    /// All nodes that have been asked for, in ascending order.
    pub(crate) fn wanted(&self) -> Vec<NodeId> {
        match self {
            Self::Trevni(decoder) => decoder.wanted(),
            Self::Levels(decoder) => decoder.wanted(),
            Self::RedElm(decoder) => decoder.wanted(),
        }
    }

    /// Asks for all nodes.
    pub(crate) fn want_all(&mut self) {
        match self {
            Self::Trevni(decoder) => decoder.want_all(),
            Self::Levels(decoder) => decoder.want_all(),
            Self::RedElm(decoder) => decoder.want_all(),
        }
    }

    /// Asks for some nodes, which ascend; those above them must be among them.
    pub(crate) fn want(&mut self, nodes: &[NodeId]) {
        match self {
            Self::Trevni(decoder) => decoder.want(nodes),
            Self::Levels(decoder) => decoder.want(nodes),
            Self::RedElm(decoder) => decoder.want(nodes),
        }
    }

    /// Decodes some of the `rows` rows from `row` on: ranges that ascend and are not empty, counted from `row`.
    /// What has not been asked for becomes [`Vector::Lazy`]; what has been decoded already is not read again.
    pub(crate) fn batch(
        &mut self,
        file: &File<'_>,
        row: u64,
        rows: usize,
        picks: &[Range<usize>],
        decoded: &DecodedColumns<'_>,
        out: &mut Vector,
    ) -> Result<()> {
        match (self, file) {
            (Self::Trevni(decoder), File::Trevni(file)) => {
                decoder.batch(file, row, rows, picks, decoded, out)
            }
            (Self::Levels(decoder), File::Levels(file)) => {
                decoder.batch(file, row, rows, picks, decoded, out)
            }
            (Self::RedElm(decoder), File::RedElm(file)) => {
                decoder.batch(file, row, rows, picks, decoded, out)
            }
            _ => Err(other_dialect()),
        }
    }

    /// Reads what the nodes that have been asked for need for the current batch, and some others that are
    /// about to be loaded, which ascend.
    pub(crate) fn prefetch(
        &mut self,
        file: &File<'_>,
        nodes: &[NodeId],
        decoded: &DecodedColumns<'_>,
    ) -> Result<()> {
        match (self, file) {
            (Self::Trevni(decoder), File::Trevni(file)) => decoder.prefetch(file, nodes, decoded),
            (Self::Levels(decoder), File::Levels(file)) => decoder.prefetch(file, nodes, decoded),
            (Self::RedElm(decoder), File::RedElm(file)) => decoder.prefetch(file, nodes, decoded),
            _ => Err(other_dialect()),
        }
    }

    /// Decodes a node of the current batch, and from now on of each batch.
    pub(crate) fn load(
        &mut self,
        file: &File<'_>,
        id: NodeId,
        decoded: &DecodedColumns<'_>,
    ) -> Result<Vector> {
        match (self, file) {
            (Self::Trevni(decoder), File::Trevni(file)) => decoder.load(file, id, decoded),
            (Self::Levels(decoder), File::Levels(file)) => decoder.load(file, id, decoded),
            (Self::RedElm(decoder), File::RedElm(file)) => decoder.load(file, id, decoded),
            _ => Err(other_dialect()),
        }
    }
}

/// Takes batches and, in the end, gives a file.
pub(crate) enum Encoder {
    Trevni(Box<trevni::encode::Encoder>),
    Levels(Box<levels::encode::Encoder>),
    RedElm(Box<redelm::encode::Encoder>),
}

impl Encoder {
    /// Takes no rows yet.
    pub(crate) fn new(dialect: Dialect, settings: FileSettings, resources: Resources) -> Self {
        match dialect {
            Dialect::Trevni => Self::Trevni(Box::new(trevni::encode::Encoder::new(settings, resources))),
            Dialect::Levels => Self::Levels(Box::new(levels::encode::Encoder::new(settings, resources))),
            Dialect::RedElm => Self::RedElm(Box::new(redelm::encode::Encoder::new(settings, &resources))),
        }
    }

    /// What rows may be.
    pub(crate) fn capabilities(&self) -> Capabilities {
        match self {
            Self::Trevni(_) => trevni::encode::CAPABILITIES,
            Self::Levels(_) => levels::encode::CAPABILITIES,
            Self::RedElm(_) => redelm::encode::CAPABILITIES,
        }
    }

    /// Checks that rows of a shape can be written; called with each row that changes it.
    ///
    /// # Errors
    ///
    /// What the dialect cannot carry, and options that the columns cannot have.
    pub(crate) fn check(&self, shape: &Shape) -> Result<()> {
        self.capabilities().check(shape)?;
        match self {
            Self::Trevni(encoder) => encoder.check(shape),
            Self::Levels(encoder) => encoder.check(shape),
            Self::RedElm(encoder) => encoder.check(shape),
        }
    }

    /// Says that the shape is that of a file whose branches of unions are variants.
    pub(crate) fn set_foreign(&mut self) {
        match self {
            Self::Trevni(encoder) => encoder.set_foreign(),
            Self::Levels(encoder) => encoder.set_foreign(),
            Self::RedElm(encoder) => encoder.set_foreign(),
        }
    }

    /// Appends the rows of a batch, whose shape is the last one or has grown from it. A dialect that writes
    /// groups of rows in one pass writes to the sink; Trevni keeps them for [`Encoder::finish`].
    pub(crate) fn append<W: Write>(&mut self, shape: &Shape, vector: &Vector, sink: &mut W) -> Result<()> {
        match self {
            Self::Trevni(encoder) => encoder.append(shape, vector),
            Self::Levels(encoder) => encoder.append(shape, vector),
            Self::RedElm(encoder) => encoder.append(shape, vector, sink),
        }
    }

    /// Rows taken so far.
    #[inline]
    pub(crate) fn rows(&self) -> u64 {
        match self {
            Self::Trevni(encoder) => encoder.rows(),
            Self::Levels(encoder) => encoder.rows(),
            Self::RedElm(encoder) => encoder.rows(),
        }
    }

    /// Bytes that the columns have come to so far, about; walks through all of them.
    pub(crate) fn size(&self) -> u64 {
        match self {
            Self::Trevni(encoder) => encoder.size(),
            Self::Levels(encoder) => encoder.size(),
            Self::RedElm(encoder) => encoder.size(),
        }
    }

    /// Waits until the bytes of all sealed blocks are known.
    pub(crate) fn settle(&mut self) -> Result<()> {
        match self {
            Self::Trevni(encoder) => encoder.settle(),
            Self::Levels(encoder) => encoder.settle(),
            Self::RedElm(_) => Ok(()),
        }
    }

    /// Gives up all that it has, but for the number of rows: nothing can be appended any more.
    pub(crate) fn discard(&mut self) {
        match self {
            Self::Trevni(encoder) => encoder.discard(),
            Self::Levels(encoder) => encoder.discard(),
            Self::RedElm(encoder) => encoder.discard(),
        }
    }

    /// Seals all blocks and writes what is left of the file.
    pub(crate) fn finish<W: Write>(self, shape: Shape, sink: &mut W) -> Result<()> {
        match self {
            Self::Trevni(encoder) => encoder.finish(shape, sink),
            Self::Levels(encoder) => encoder.finish(&shape, sink),
            Self::RedElm(encoder) => encoder.finish(&shape, sink),
        }
    }
}

#[cold]
fn other_dialect() -> Error {
    Error::internal("a decoder is given a file of another dialect")
}
