//! Decodes some rows, wherever they are.

use crate::dialect::{DecodedColumns, Decoder, File, Schema};
use crate::error::Result;
use crate::storage::budget::Pass;
use crate::vector::Vector;
use std::sync::Arc;

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
    decoder.batch(file, row, count, picks, &DecodedColumns::default(), out)
}
