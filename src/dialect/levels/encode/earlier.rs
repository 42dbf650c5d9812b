//! Rows that were written before the shape grew: a file of their own until the last shape is known.
//!
//! A column whose levels change would have to be written again each time; so all are, once.

use super::super::decode;
use super::column::ColumnEncoder;
use crate::dialect::beginning::Beginning;
use crate::dialect::decoder::{DecodedColumns, Window};
use crate::dialect::dremel::{Decoder, widen};
use crate::dialect::{FileSchema, Position, ReadOptions};
use crate::error::{Error, Result};
use crate::limits::Limits;
use crate::shape::Shape;
use crate::storage::source::Source;
use crate::storage::temporary::TemporaryBytes;
use crate::vector::Vector;
use std::sync::Arc;

/// Rows that are decoded at once.
const EARLIER_ROWS: u64 = 4096;

/// Rows of one shape.
pub(super) struct Earlier {
    shape: Shape,
    /// The shape that a reader gets.
    resolved: Shape,
    bytes: TemporaryBytes,
}

impl Earlier {
    /// Takes a file of rows whose shape was this before it was settled.
    pub(super) fn new(shape: Shape, resolved: Shape, bytes: TemporaryBytes) -> Self {
        Self { shape, resolved, bytes }
    }

    /// Calls with the rows, batch after batch, as rows of the settled shape that they have grown to.
    pub(super) fn each(&self, grown: &Shape, mut call: impl FnMut(&Vector) -> Result<()>) -> Result<()> {
        let source: Box<dyn Source + '_> = Box::new(&self.bytes);
        let limits = Limits::NONE;
        let options = ReadOptions { shape: Some(self.resolved.clone()), ..ReadOptions::default() };
        let mut beginning = Beginning::read(&*source, limits.memory)?;
        let header = decode::header_of(&mut beginning, &ReadOptions::default())?;
        let header = header.ok_or_else(|| Error::internal("a file of earlier rows is not recognized"))?;
        let rows = header.rows;
        let file = decode::File::new(source, header, limits, 1, options)?;
        let schema = Arc::new(file.schema()?);
        let mut decoder = Decoder::new(&file, &schema, &schema.whole);
        decoder.want(&schema.whole.tree.all());
        for row in (0..rows).step_by(EARLIER_ROWS as usize) {
            let (count, mut vector) = ((rows - row).min(EARLIER_ROWS) as usize, Vector::Null(0));
            let picks = std::slice::from_ref(&(0..count)).to_vec();
            decoder.batch(
                &file,
                &Window { row, rows: count, picks: &picks },
                &DecodedColumns::default(),
                &mut vector,
            )?;
            call(&widen::widen(&self.shape, grown, vector)?)?;
        }
        Ok(())
    }
}

impl ColumnEncoder {
    /// Puts the blocks of earlier rows, all sealed, before its own.
    pub(super) fn put_before(&mut self, mut earlier: Self) {
        if self.blocks.is_empty() {
            self.options = earlier.options;
        }
        self.value_type = earlier.value_type;
        earlier.blocks.append(&mut self.blocks);
        earlier.first_values.append(&mut self.first_values);
        (self.blocks, self.first_values) = (earlier.blocks, earlier.first_values);
        self.is_joined = true;
    }
}
