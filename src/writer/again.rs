//! Rows that have been encoded, encoded again: where their records have become maps, no column below stays what it was.

use super::Writer;
use crate::convert::Conversion;
use crate::error::Result;
use crate::limits::Limits;
use crate::reader::ReaderBuilder;
use std::io::Write;

impl<W: Write> Writer<W> {
    /// Encodes all rows so far in the shape that they have now, if it has other maps.
    pub(super) fn encode_again(&mut self) -> Result<()> {
        if !self.rows.take_opened() {
            return Ok(());
        }
        let Self { encoder, detection, rows, sink, .. } = self;
        if let Some(detection) = detection {
            detection.keep_strings(rows.shape());
        }
        let Some(file) = encoder.take_rows()? else { return Ok(()) };
        let reader = ReaderBuilder::new().limits(Limits::NONE).source(&file)?;
        let shape = match detection {
            Some(detection) => detection.stored(rows.shape()),
            None => std::borrow::Cow::Borrowed(rows.shape()),
        };
        let conversion = Conversion::of_rows(reader.row_count(), &reader.known_shape(), &shape)?;
        for batch in reader.batches()? {
            encoder.append(&shape, &conversion.apply(batch?.into_parts().1)?, sink)?;
        }
        Ok(())
    }
}
