//! Rows that have been encoded, encoded again: where their records have become maps, no column below stays what it was.

use super::row_encoder::RowEncoder;
use crate::convert::Conversion;
use crate::dialect::{DecodedColumns, Decoder, File, ReadOptions, Recognize, trevni};
use crate::error::Result;
use crate::limits::Limits;
use crate::ser::WRITE_BATCH_BYTES;
use crate::vector::Vector;
use std::borrow::Cow;
use std::io::Write;
use std::slice::from_ref;
use std::sync::Arc;

/// The most rows that are decoded at once.
const ROWS_AT_ONCE: u64 = 4096;

impl RowEncoder {
    /// Encodes all rows so far in the shape that they have now, if it has other maps.
    pub(super) fn encode_again(&mut self, sink: &mut dyn Write) -> Result<()> {
        if !self.waiting.take_opened() {
            return Ok(());
        }
        let Self { encoder, detection, waiting, .. } = self;
        if let Some(detection) = detection {
            detection.keep_strings(waiting.shape());
        }
        let Some(bytes) = encoder.take_rows()? else { return Ok(()) };
        // Not by a reader, whose conditions and damaged files each program that writes would have.
        let formats = [trevni::decode::recognize as Recognize];
        let file = File::open(&formats, Box::new(&bytes), Limits::NONE, 1, ReadOptions::default())?;
        let schema = Arc::new(file.schema()?);
        let mut decoder = Decoder::new(&file, &schema, &schema.whole)?;
        decoder.want_all();
        let shape = match detection {
            Some(detection) => detection.stored(waiting.shape()),
            None => Cow::Borrowed(waiting.shape()),
        };
        let conversion = Conversion::of_rows(file.rows(), &schema.known(&schema.whole), &shape)?;
        // Few where they are large.
        let at_once = (WRITE_BATCH_BYTES as u64 / file.row_bytes()).clamp(1, ROWS_AT_ONCE);
        for first in (0..file.rows()).step_by(at_once as usize) {
            let all = 0..(file.rows() - first).min(at_once) as usize;
            let (mut vector, none) = (Vector::Null(0), DecodedColumns::default());
            decoder.batch(&file, first, all.len(), from_ref(&all), &none, &mut vector)?;
            encoder.append(&shape, &conversion.apply(vector)?, sink)?;
        }
        Ok(())
    }
}
