//! Decodes some rows, wherever they are.

use crate::dialect::{DecodedColumns, Decoder, File, Schema};
use crate::error::Result;
use crate::vector::Vector;
use std::sync::Arc;

/// The values of some rows; the decoder goes on from where it is. After an error it is of no use.
pub(crate) fn decode_rows(
    file: &File<'_>,
    schema: &Arc<Schema>,
    decoder: &mut Option<Decoder>,
    row: u64,
    count: usize,
) -> Result<Vector> {
    let decoder = match decoder {
        Some(decoder) => decoder,
        none => {
            let decoder = none.insert(Decoder::new(file, schema, &schema.whole)?);
            decoder.want_all();
            decoder
        }
    };
    decode_next(file, decoder, row, count)
}

/// The same, of a decoder that has been asked for what is wanted.
pub(super) fn decode_next(file: &File<'_>, decoder: &mut Decoder, row: u64, count: usize) -> Result<Vector> {
    let (mut vector, all) = (Vector::Null(0), 0..count);
    let picks = std::slice::from_ref(&all);
    decoder.batch(file, row, count, picks, &DecodedColumns::default(), &mut vector)?;
    Ok(vector)
}
