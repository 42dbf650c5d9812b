//! The rows of a row group that has not been written, read back where their shape grows.

use super::super::MAGIC;
use super::super::decode::File;
use super::super::footer::{Footer, RedElmFooter};
use super::footer;
use super::row_group::OpenRowGroup;
use super::schema::Described;
use crate::dialect::decoder::{DecodedColumns, Window};
use crate::dialect::{FileSchema, Position, Sums, dremel};
use crate::error::Result;
use crate::limits::Limits;
use crate::storage::codec::{Codec, Compressors};
use crate::vector::Vector;
use std::sync::Arc;

/// Rows that are read back at once.
const GROWN_ROWS: u64 = 4096;

/// Calls with the rows of a row group in batches. They are read from a file in memory.
pub(super) fn rows(
    mut group: OpenRowGroup,
    described: &Described,
    mut call: impl FnMut(Vector) -> Result<()>,
) -> Result<()> {
    let (rows, mut bytes) = (group.rows, MAGIC.to_vec());
    let mut footer = footer::footer(described, Codec::Null)?;
    let written =
        group.write(MAGIC.len() as u64, Codec::Null, &mut [Compressors::default()], &mut bytes, |_, _| {
            Ok(Vec::new())
        })?;
    footer.groups.push(written);
    finish(&footer, described, &mut bytes)?;
    let file = File::open(Box::new(bytes), Limits::NONE, 1, Sums::Ignored)?;
    let schema = Arc::new(file.schema()?);
    let mut decoder = dremel::Decoder::new(&file, &schema, &schema.whole);
    decoder.want(&schema.whole.tree.all());
    for row in (0..rows).step_by(GROWN_ROWS as usize) {
        let mut vector = Vector::Null(0);
        let count = (rows - row).min(GROWN_ROWS) as usize;
        let all = 0..count;
        let picks = std::slice::from_ref(&all);
        decoder.batch(&file, &Window { row, rows: count, picks }, &DecodedColumns::default(), &mut vector)?;
        call(vector)?;
    }
    Ok(())
}

fn finish(footer: &Footer, described: &Described, bytes: &mut Vec<u8>) -> Result<()> {
    let start = bytes.len() as u64;
    let blocks = vec![footer::schema_block(described)];
    bytes.extend(footer::end(footer, RedElmFooter::Json, blocks, None, start)?);
    Ok(())
}
