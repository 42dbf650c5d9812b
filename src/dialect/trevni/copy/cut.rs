//! Takes some rows out of blocks: decodes them, and encodes them again.

use super::column::Form;
use crate::dialect::trevni::decode::{Decoder, File};
use crate::dialect::trevni::encode::encode_block::{BlockSettings, EncodedBlock, encode_block};
use crate::dialect::{DecodedColumns, FileSchema, Position, Window};
use crate::error::{Error, Result};
use crate::storage::blocks::Block;
use crate::vector::Vector;
use std::ops::Range;
use std::sync::Arc;

/// Cuts blocks of one column, which come in the order of the file.
pub(super) struct Cutter {
    decoder: Decoder,
    array: bool,
    settings: BlockSettings,
    vector: Vector,
}

/// Rows that have been cut out.
pub(super) struct Rows {
    pub(super) count: u32,
    pub(super) block: EncodedBlock,
}

impl Cutter {
    /// `form` is that of the result; `zones` says whether zones are wanted.
    pub(super) fn new(file: &File<'_>, number: usize, form: Form, zones: bool) -> Result<Self> {
        let column = file.column(number)?;
        let Form { value_type, first_values, runs } = form;
        let array = column.spec.array;
        if array && first_values {
            let message =
                "blocks of lists with first values cannot be cut: merge or split at the ends of blocks";
            return Err(Error::option(message).in_column(column.spec.name));
        }
        // The lengths of the parents say how many entries a row has.
        let schema = Arc::new(file.column_schema(number)?);
        let mut decoder = Decoder::new(file, &schema, &schema.whole)?;
        decoder.want(&schema.whole.tree.all());
        let settings = BlockSettings { value_type, runs, first_values, zones };
        Ok(Self { decoder, array, settings, vector: Vector::Null(0) })
    }

    /// Takes rows, counted from the first of the block: ranges that ascend and are not empty.
    pub(super) fn cut(&mut self, file: &File<'_>, block: &Block, selected: &[Range<usize>]) -> Result<Rows> {
        let Self { decoder, array, settings, vector } = self;
        let none = DecodedColumns::default();
        let rows = Window { row: block.first_row, rows: block.rows as usize, picks: selected };
        decoder.batch(file, &rows, &none, vector)?;
        let (mut values, mut offsets) = (&*vector, None);
        while let Vector::List(list) = values {
            (values, offsets) = (&list.item, Some(&list.offsets));
        }
        let offsets = offsets.filter(|_| *array);
        // Not more than the rows of the block.
        let count = selected.iter().map(Range::len).sum::<usize>() as u32;
        Ok(Rows { count, block: encode_block(*settings, count, offsets, values)? })
    }
}
