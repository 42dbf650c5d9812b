//! The row group that is being filled.

use super::super::footer::RowGroup;
use super::super::leaves::compare;
use super::column::ColumnEncoder;
use super::schema::Described;
use crate::bytes::varint::encode_long;
use crate::dialect::dremel::LevelsRef;
use crate::dialect::dremel::shred::{self, Sink};
use crate::error::{Error, Result};
use crate::shape::Shape;
use crate::storage::codec::{Codec, Compressors};
use crate::vector::Vector;
use std::io::Write;

/// Rows that have not been written yet, column by column.
pub(super) struct OpenRowGroup {
    /// In the order of the leaves.
    columns: Vec<ColumnEncoder>,
    /// The numbers of the columns, in the order of the file.
    order: Vec<usize>,
    /// For each field of the rows its column, if it has one.
    fields: Vec<Option<usize>>,
    pub(super) rows: u64,
}

impl OpenRowGroup {
    /// No rows yet.
    pub(super) fn new(described: &Described, has_zones: bool) -> Self {
        let leaves = &described.leaves;
        let mut order: Vec<usize> = (0..leaves.len()).collect();
        order.sort_by(|one, two| match (leaves.get(*one), leaves.get(*two)) {
            (Some(one), Some(two)) => compare(&one.path, &two.path),
            _ => one.cmp(two),
        });
        Self {
            columns: leaves.iter().cloned().map(|leaf| ColumnEncoder::new(leaf, has_zones)).collect(),
            order,
            fields: described.fields.clone(),
            rows: 0,
        }
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

    /// Writes the rows at a position of the file, and forgets them.
    pub(super) fn write<W: Write>(
        &mut self,
        start: u64,
        codec: Codec,
        compressors: &mut Compressors,
        sink: &mut W,
    ) -> Result<RowGroup> {
        let mut group = RowGroup { start, end: start, rows: self.rows as u32, chunks: Vec::new() };
        let mut out = Vec::new();
        for number in &self.order {
            let Some(column) = self.columns.get_mut(*number) else {
                return Err(Error::internal("a row group lacks a column"));
            };
            out.clear();
            group.chunks.push(column.finish(codec, compressors, group.end, &mut out)?);
            sink.write_all(&out)?;
            group.end += out.len() as u64;
        }
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
