//! What is lost of one column: block by block, each of which is decoded.

use super::{Damage, is_fault, is_limit};
use crate::dialect::{DecodedColumns, Decoder, File, Schema, Window};
use crate::error::{Error, ErrorKind, Result};
use crate::selection::RowSelection;
use crate::storage::budget::Pass;
use crate::vector::Vector;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

/// Rows that are decoded at once.
pub(super) const ROWS: u64 = 4096;

/// What is lost of a column.
#[derive(Default)]
pub(super) struct ColumnLoss {
    pub(super) rows: RowSelection,
    pub(super) damage: Vec<Arc<Damage>>,
}

/// A column that is looked at.
struct Column<'a, 's> {
    file: &'a File<'s>,
    name: &'a str,
    schema: Arc<Schema>,
    decoder: Option<Decoder>,
    vector: Vector,
    pass: &'a Pass,
    /// Rows whose lengths in the columns around this one are lost.
    above: RowSelection,
    lost: Vec<Range<u64>>,
    damage: Vec<Arc<Damage>>,
}

/// Finds what is lost of a column, as part of a pass over several; `above` tells of the columns around it.
///
/// # Errors
///
/// What is not the file's fault.
pub(super) fn check(
    file: &File<'_>,
    number: usize,
    pass: &Pass,
    above: &mut dyn FnMut(usize) -> Result<Option<Arc<ColumnLoss>>>,
) -> Result<ColumnLoss> {
    let (name, rows) = (file.column_name(number)?, file.rows());
    let opened = file.block_sizes(number).and_then(|sizes| Ok((sizes, file.column_schema(number)?)));
    let (sizes, schema) = match opened {
        Ok(opened) => opened,
        Err(error) => return all_lost(rows, error.in_column(name)),
    };
    let mut around = Vec::new();
    for column in schema.columns_of(&schema.whole) {
        around.extend(above(column)?.iter().flat_map(|loss| loss.rows.ranges().to_vec()));
    }
    let mut column = Column {
        file,
        name,
        schema: Arc::new(schema),
        decoder: None,
        vector: Vector::Null(0),
        pass,
        above: around.into_iter().collect(),
        lost: Vec::new(),
        damage: Vec::new(),
    };
    let (mut damaged, mut order) = (HashMap::new(), None);
    file.check_blocks(number, &mut |block, error| match (block, error.kind()) {
        // Sizes and first values that others go by: the values are here.
        (_, ErrorKind::Statistics { .. }) => {}
        (Some(block), _) => {
            damaged.entry(block).or_insert(error);
        }
        (None, _) => order = Some(error),
    })?;
    if let Some(error) = order {
        return all_lost(rows, error.in_column(name));
    }
    let mut first = 0;
    for (block, (count, _)) in sizes.into_iter().enumerate() {
        let rows = first..first + u64::from(count);
        first = rows.end;
        match damaged.remove(&block) {
            Some(error) => column.lose(block, rows, error)?,
            None => {
                if let Err(error) = column.block(block, rows) {
                    return match error.kind() {
                        // Which of the blocks are not those that were written is not known.
                        ErrorKind::PartChecksum { .. } => all_lost(file.rows(), error.in_column(name)),
                        _ => Err(error),
                    };
                }
            }
        }
    }
    let rows = column.lost.into_iter().chain(column.above.ranges().iter().cloned()).collect();
    Ok(ColumnLoss { rows, damage: column.damage })
}

/// All of a column is lost.
fn all_lost(rows: u64, error: Error) -> Result<ColumnLoss> {
    if is_fault(&error) {
        return Err(error);
    }
    Ok(ColumnLoss {
        rows: RowSelection::from(0..rows),
        damage: vec![Arc::new(Damage { rows: 0..rows, error })],
    })
}

impl Column<'_, '_> {
    /// Decodes a block, as far as the lengths of its rows are known.
    fn block(&mut self, block: usize, rows: Range<u64>) -> Result<()> {
        let above = self.above.ranges().partition_point(|range| range.end <= rows.start);
        let unknown = self.above.ranges().get(above).filter(|range| range.start < rows.end).cloned();
        let mut good = rows.clone();
        if let Some(unknown) = unknown {
            good.end = unknown.start.max(rows.start);
            if unknown.end < rows.end {
                let error = Error::value(
                    "where these rows are in the block is not known: lengths around them are lost",
                );
                self.lose(block, good.end..rows.end, error)?;
            } else {
                self.lost.push(good.end..rows.end);
            }
        }
        let (mut row, mut most) = (good.start, ROWS);
        while row < good.end {
            let count = (good.end - row).min(most);
            let (file, decoder) = ((self.file, &self.schema), &mut self.decoder);
            let error = match decode_rows(file, decoder, row, count as usize, self.pass, &mut self.vector) {
                Ok(()) => {
                    row += count;
                    continue;
                }
                Err(error) => error,
            };
            self.decoder = None;
            if is_limit(&error) && count > 1 {
                most = count / 2;
                continue;
            }
            if is_fault(&error) || matches!(error.kind(), ErrorKind::PartChecksum { .. }) {
                return Err(error.in_column(self.name));
            }
            let place = error.location();
            if place.column.as_deref().is_some_and(|column| column != self.name) {
                // What is wrong with a column around this one costs no row before it.
                return self.lose(block, row..rows.end, error);
            }
            match place.block {
                // The last row goes on in a block after this one.
                Some(other) if other > block && good.end == rows.end => {
                    good.end -= 1;
                    self.lose(other, good.end..rows.end, error)?;
                    row = good.start;
                }
                _ => return self.lose(block, rows, error),
            }
        }
        Ok(())
    }

    /// Takes note of rows that are lost.
    fn lose(&mut self, block: usize, rows: Range<u64>, error: Error) -> Result<()> {
        if is_fault(&error) {
            return Err(error.in_column(self.name).in_block(block));
        }
        self.decoder = None;
        let error = error.in_column(self.name).in_block(block);
        self.lost.push(rows.clone());
        self.damage.push(Arc::new(Damage { rows, error }));
        Ok(())
    }
}

/// Decodes some rows into `out`; the decoder goes on from where it is, and counts in a pass. After an error it is of no use.
pub(crate) fn decode_rows(
    (file, schema): (&File<'_>, &Arc<Schema>),
    decoder: &mut Option<Decoder>,
    row: u64,
    count: usize,
    pass: &Pass,
    out: &mut Vector,
) -> Result<()> {
    let decoder = match decoder {
        Some(decoder) => decoder,
        none => {
            let decoder = none.insert(Decoder::new(file, schema, &schema.whole)?);
            decoder.want_all();
            decoder.hold().join(pass);
            decoder
        }
    };
    decode_next(file, decoder, row, count, out)
}

/// The same, of a decoder that has been asked for what is wanted.
pub(super) fn decode_next(
    file: &File<'_>,
    decoder: &mut Decoder,
    row: u64,
    count: usize,
    out: &mut Vector,
) -> Result<()> {
    let all = 0..count;
    let picks = std::slice::from_ref(&all);
    decoder.batch(file, &Window { row, rows: count, picks }, &DecodedColumns::default(), out)
}
