//! Writes the header.
//!
//! Of a wide file, it is mostly keys of columns. Names, types and parents stay: Java needs the types, and others go by the
//! names. Java would read columns without names, by position; but a column would take 48 bytes all the same, and no tool
//! could name it.

use super::super::{MAGIC, SMALL_COLUMN_BYTES, Version, WIDE_COLUMNS};
use super::column::ColumnEncoder;
use crate::dialect::sums::{self, ColumnSums};
use crate::dialect::trevni::columns::{self, ColumnSpec, NamedColumns};
use crate::error::{Error, ErrorKind, Result};
use crate::metadata::{self, Metadata};
use crate::schema::avro;
use crate::shape::Shape;
use crate::storage::blocks::{DESCRIPTOR_BYTES, Store};
use std::collections::HashSet;

/// What comes before the columns (specification, "File Format").
pub(in super::super) struct Header {
    pub(in super::super) version: Version,
    pub(in super::super) rows: u64,
    pub(in super::super) metadata: Metadata,
    /// Whether it has a checksum.
    pub(in super::super) has_sum: bool,
    /// Metadata of each column.
    pub(in super::super) columns: Vec<Metadata>,
}

impl Header {
    /// Leaves out what a wide file should do without, and brings together what all columns have; they have these sizes in
    /// bytes.
    fn shorten(&mut self, sizes: &[u64]) {
        let mut all = Vec::with_capacity(self.columns.len() * ColumnSums::BYTES);
        for (column, size) in self.columns.iter_mut().zip(sizes) {
            if *size <= SMALL_COLUMN_BYTES {
                column.remove(metadata::ZONE_MAP);
            }
            // Where one column has no checksum, all keep theirs.
            all.extend_from_slice(column.get(metadata::COLUMN_SUMS).unwrap_or_default());
        }
        if all.len() == self.columns.len() * ColumnSums::BYTES {
            self.columns.iter_mut().for_each(|column| column.remove(metadata::COLUMN_SUMS));
            self.metadata.insert(metadata::ALL_COLUMN_SUMS, all);
        }
    }
}

/// The header, and the starts of columns that have these sizes in bytes.
pub(in super::super) fn encode(mut header: Header, sizes: &[u64]) -> Vec<u8> {
    if header.columns.len() > WIDE_COLUMNS {
        header.shorten(sizes);
    }
    let starts: Vec<u64> = starts(sizes).collect();
    let mut out = Vec::new();
    append(&header, &starts, &mut out);
    out
}

/// Where columns of these sizes start, each next to the one before it, counted from the end of the header.
fn starts(sizes: &[u64]) -> impl Iterator<Item = u64> {
    sizes.iter().scan(0, |end, size| Some(std::mem::replace(end, *end + size)))
}

/// Appends the header, and the starts of columns, which count from its end.
pub(in super::super) fn append(header: &Header, starts: &[u64], out: &mut Vec<u8>) {
    out.extend_from_slice(&MAGIC);
    out.push(header.version.number());
    out.extend_from_slice(&header.rows.to_le_bytes());
    out.extend_from_slice(&(header.columns.len() as u32).to_le_bytes());
    let sum = sums::encode_file_metadata(&header.metadata, header.has_sum, out);
    header.columns.iter().for_each(|column| column.encode(out));
    let end = (out.len() + 8 * header.columns.len()) as u64;
    for start in starts {
        out.extend_from_slice(&end.saturating_add(*start).to_le_bytes());
    }
    if let Some(sum) = sum {
        sum.fill(out);
    }
}

/// The most entries of a column that this crate makes.
const USUAL_ENTRIES: usize = 7;

/// Metadata of a column: the format's keys first, in Java's order, then the user's, and last
/// the checksums and the zone map.
pub(in super::super) fn column_metadata(
    spec: &ColumnSpec,
    parent: Option<&str>,
    first_values: bool,
    more: &Metadata,
    sums: Option<ColumnSums>,
    zone_map: Option<Vec<u8>>,
) -> Metadata {
    let mut entries = Metadata::with_capacity(USUAL_ENTRIES + more.len());
    entries.push(metadata::NAME, spec.name.as_bytes());
    entries.push(metadata::TYPE, spec.value_type.name().as_bytes());
    if let Some(parent) = parent {
        entries.push(metadata::PARENT, parent.as_bytes());
    }
    if spec.array {
        entries.push(metadata::ARRAY, *b"");
    }
    if first_values {
        entries.push(metadata::VALUES, *b"");
    }
    for (key, value) in more.iter() {
        entries.insert(key, value);
    }
    if let Some(sums) = sums {
        entries.push(metadata::COLUMN_SUMS, sums.encode());
    }
    if let Some(zone_map) = zone_map {
        entries.push(metadata::ZONE_MAP, zone_map);
    }
    entries
}

/// A finished shape as a file describes it.
pub(in super::super) struct Described {
    pub(in super::super) finished: Shape,
    /// The schema.
    pub(in super::super) text: String,
    pub(in super::super) columns: Vec<ColumnSpec>,
}

impl Described {
    /// Describes a finished shape, unless a schema was given.
    ///
    /// # Errors
    ///
    /// A shape that a reader would refuse.
    pub(in super::super) fn from_header(given: Option<&str>, finished: Shape) -> Result<Self> {
        let (text, columns) = match given {
            Some(text) => (text.to_owned(), columns_of(text)?),
            None => {
                let schema = avro::Schema::from_finished(finished.clone());
                let columns = match schema.is_surely_readable() {
                    true => columns::columns(&schema.shape).1,
                    false => columns_of(&schema.text).map_err(refused)?,
                };
                debug_assert_eq!(columns_of(&schema.text).ok().as_ref(), Some(&columns));
                (schema.text, columns)
            }
        };
        let mut names = HashSet::with_capacity(columns.len());
        match columns.iter().find(|column| !names.insert(&*column.name)) {
            Some(twice) => {
                Err(Error::option(format!("the schema gives two columns the name {:?}", twice.name)))
            }
            None => Ok(Self { finished, text, columns }),
        }
    }
}

/// The columns that a reader finds in a schema, with the names that its text gives them.
fn columns_of(text: &str) -> Result<Vec<ColumnSpec>> {
    avro::parse_names(text, avro::most_nodes_alone(text), |schema| {
        let NamedColumns { slots, columns, .. } = columns::named_columns(schema, usize::MAX, usize::MAX);
        if slots.is_none() {
            return Err(Error::internal("a schema whose names differ from its shape"));
        }
        match schema.nodes <= avro::most_nodes(text, columns.iter().map(|column| &*column.name)) {
            true => Ok(columns),
            false => Err(avro::repeated_too_often()),
        }
    })
}

/// The error of a schema that a reader would refuse.
#[cold]
fn refused(error: Error) -> Error {
    match error.kind() {
        ErrorKind::TooDeep { .. } => error,
        _ => Error::option(format!("rows of this shape cannot be read back: {error}")),
    }
}

/// Appends what a block table says of a block; `size` and `compressed` count its bytes before and after
/// the codec.
pub(in super::super) fn encode_descriptor(
    rows: u32,
    size: u32,
    compressed: u32,
    first: &[u8],
    out: &mut Vec<u8>,
) {
    out.extend_from_slice(&rows.to_le_bytes());
    out.extend_from_slice(&size.to_le_bytes());
    out.extend_from_slice(&compressed.to_le_bytes());
    out.extend_from_slice(first);
}

impl ColumnEncoder {
    /// Block count and descriptors.
    pub(super) fn descriptors(&self, store: &Store) -> Vec<u8> {
        let mut out = Vec::with_capacity(4 + DESCRIPTOR_BYTES as usize * self.blocks.len());
        out.extend_from_slice(&(self.blocks.len() as u32).to_le_bytes());
        let checksum = self.settings.checksum.size() as u64;
        for (number, block) in self.blocks.iter().enumerate() {
            let compressed = store.size(block.id).saturating_sub(checksum) as u32;
            encode_descriptor(block.rows, block.size, compressed, self.first_value(number), &mut out);
        }
        out
    }

    /// The first value of a block; empty where descriptors do not hold it.
    fn first_value(&self, number: usize) -> &[u8] {
        self.first_values.get(number).map_or(&[], |first| first)
    }
}
