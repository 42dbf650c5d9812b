//! The row group that is being filled.

use super::super::footer::RowGroup;
use super::super::leaves::compare;
use super::column::{ColumnEncoder, Stored};
use super::schema::Described;
use super::threads;
use crate::bytes::varint::encode_long;
use crate::dialect::ColumnSettings;
use crate::dialect::dremel::shred::{self, Sink};
use crate::error::{Error, Result};
use crate::levels::LevelsRef;
use crate::shape::Shape;
use crate::storage::blocks::output::write_all;
use crate::storage::codec::{Codec, Compressors};
use crate::vector::Vector;
use std::io::{IoSlice, Write};
use std::iter::once;

/// Rows that have not been written yet, column by column.
pub(super) struct OpenRowGroup {
    /// In the order of the leaves.
    columns: Vec<ColumnEncoder>,
    /// The numbers of the columns, in the order of the file.
    order: Vec<usize>,
    /// For each field of the rows its column, if it has one.
    fields: Vec<Option<usize>>,
    /// The checksums of the row groups that have been written, in the order of the file.
    sums: Vec<u8>,
    pub(super) rows: u64,
}

impl OpenRowGroup {
    /// No rows yet.
    pub(super) fn new(described: &Described, settings: &ColumnSettings) -> Self {
        let leaves = &described.leaves;
        let mut order: Vec<usize> = (0..leaves.len()).collect();
        order.sort_unstable_by(|one, two| match (leaves.get(*one), leaves.get(*two)) {
            (Some(leaf), Some(other)) => compare(&leaf.path, &other.path).then(one.cmp(two)),
            _ => one.cmp(two),
        });
        Self {
            columns: leaves.iter().cloned().map(|leaf| ColumnEncoder::new(leaf, settings)).collect(),
            order,
            fields: described.fields.clone(),
            sums: Vec::new(),
            rows: 0,
        }
    }

    /// Takes rows of another shape with the same message: nothing, which is never there, may have become a group.
    pub(super) fn set_fields(&mut self, described: &Described) {
        self.fields.clone_from(&described.fields);
    }

    /// Appends rows.
    pub(super) fn append(&mut self, shape: &Shape, vector: &Vector) -> Result<()> {
        self.rows += vector.len() as u64;
        let Self { columns, fields, .. } = self;
        if let ([], [nothing]) = (fields.as_slice(), columns.as_mut_slice()) {
            // Records without fields.
            return nothing.append(LevelsRef { entries: vector.len(), ..LevelsRef::default() }, None);
        }
        shred::shred(shape, vector, &mut Columns { columns, fields: fields.iter() })
    }

    /// Bytes of all columns so far.
    pub(super) fn size(&self) -> u64 {
        self.columns.iter().map(ColumnEncoder::size).sum()
    }

    /// The zone maps of all columns, each after its size.
    pub(super) fn zone_maps(&self) -> Vec<u8> {
        let mut out = Vec::new();
        for column in &self.columns {
            let map = column.zone_map();
            encode_long(&mut out, map.len() as i64);
            out.extend_from_slice(&map);
        }
        out
    }

    /// The checksums of the parts of all columns that have been written; empty without checksums.
    pub(super) fn sums(&self) -> &[u8] {
        &self.sums
    }

    /// Writes the rows at a position of the file, and forgets them. Columns are compressed on as many threads as there
    /// are compressors. `after` gives bytes to be written after them, at once, so that memory grows no more for these.
    pub(super) fn write(
        &mut self,
        start: u64,
        codec: Codec,
        compressors: &mut [Compressors],
        sink: &mut dyn Write,
        after: impl FnOnce(&Self, &RowGroup) -> Result<Vec<u8>>,
    ) -> Result<RowGroup> {
        self.columns.iter_mut().try_for_each(ColumnEncoder::end)?;
        let mut group = RowGroup { start, end: start, rows: self.rows as u32, chunks: Vec::new() };
        let columns: Vec<&ColumnEncoder> =
            self.order.iter().filter_map(|number| self.columns.get(*number)).collect();
        let mut add = |column: &ColumnEncoder, start: u64, stored: Option<&Stored>| {
            let sums = column.sums(stored).into_iter().flatten();
            self.sums.extend(sums.flat_map(u32::to_be_bytes));
            let chunk = column.chunk(start, stored);
            group.end = chunk.borders[3];
            group.chunks.push(chunk);
            group.end
        };
        match codec {
            Codec::Null => {
                let mut position = start;
                columns.iter().for_each(|column| position = add(column, position, None));
                let after = after(self, &group)?;
                let slices = columns.iter().flat_map(|column| column.slices()).chain(once(after.as_slice()));
                write_all(sink, &mut slices.map(IoSlice::new).collect::<Vec<_>>())?;
            }
            codec => {
                let mut position = start;
                threads::each(&columns, codec, compressors, |column, stored| {
                    position = add(column, position, Some(stored));
                    write_all(sink, &mut stored.parts.each_ref().map(|part| IoSlice::new(part)))
                })?;
                sink.write_all(&after(self, &group)?)?;
            }
        }
        self.columns.iter_mut().for_each(ColumnEncoder::clear);
        self.rows = 0;
        Ok(group)
    }
}

/// The columns, as fields are shredded into them.
struct Columns<'e> {
    columns: &'e mut [ColumnEncoder],
    fields: std::slice::Iter<'e, Option<usize>>,
}

impl Sink for Columns<'_> {
    fn take(&mut self, levels: LevelsRef<'_>, values: Option<&Vector>) -> Result<()> {
        match self.fields.next() {
            Some(Some(column)) => match self.columns.get_mut(*column) {
                Some(column) => column.append(levels, values),
                None => Err(Error::internal("a field has a column that is not there")),
            },
            Some(None) => Ok(()),
            None => Err(Error::internal("rows have more fields than columns were made for")),
        }
    }
}
