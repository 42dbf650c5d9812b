//! Rows that have been encoded, encoded again: where their records have become maps, no column below stays what it was.

use super::row_encoder::RowEncoder;
use crate::convert::Conversion;
use crate::error::Result;
use crate::limits::Limits;
use crate::reader::ReaderBuilder;
use std::io::Write;

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
        let Some(file) = encoder.take_rows()? else { return Ok(()) };
        let reader = ReaderBuilder::new().limits(Limits::NONE).source(&file)?;
        let shape = match detection {
            Some(detection) => detection.stored(waiting.shape()),
            None => std::borrow::Cow::Borrowed(waiting.shape()),
        };
        let conversion = Conversion::of_rows(reader.row_count(), &reader.known_shape(), &shape)?;
        for batch in reader.batches()? {
            encoder.append(&shape, &conversion.apply(batch?.into_parts().1)?, sink)?;
        }
        Ok(())
    }
}
