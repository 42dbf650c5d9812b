//! Decodes rows one after the other, as many at once as the limits allow.

use crate::dialect::{Decoder, File, Schema};
use crate::error::Result;
use crate::reader::decode_rows;
use crate::storage::budget::Pass;
use crate::vector::Vector;
use std::ops::Range;
use std::sync::Arc;

/// Rows that are decoded at once.
const ROWS: u64 = 4096;

/// The next rows.
pub(super) struct Window<'a, 's> {
    file: &'a File<'s>,
    schema: Arc<Schema>,
    decoder: Option<Decoder>,
    vector: Vector,
    /// The most rows that are decoded at once.
    most: u64,
    /// Counts what all columns have.
    pass: &'a Pass,
    /// Whether the columns fit the schema, as far as is known.
    pub(super) fits: bool,
}

impl<'a, 's> Window<'a, 's> {
    pub(super) fn new(file: &'a File<'s>, schema: Schema, pass: &'a Pass) -> Self {
        Self {
            file,
            schema: Arc::new(schema),
            decoder: None,
            vector: Vector::Null(0),
            most: ROWS,
            pass,
            fits: true,
        }
    }

    /// The rows that come next.
    pub(super) fn of(&self, rows: &Range<u64>) -> Range<u64> {
        rows.start..rows.end.min(rows.start.saturating_add(self.most))
    }

    /// Decodes the first of some rows, and takes them off these. After an error, [`from_data`](Self::from_data) says which could not be decoded.
    ///
    /// # Errors
    ///
    /// Rows that cannot be decoded, and a row that is too large for the limits.
    pub(super) fn next(&mut self, rows: &mut Range<u64>) -> Result<&Vector> {
        loop {
            let own = self.of(rows);
            let count = own.end - own.start;
            let file = (self.file, &self.schema);
            let decoder = &mut self.decoder;
            match decode_rows(file, decoder, own.start, count as usize, self.pass, &mut self.vector) {
                Ok(()) => {
                    rows.start = own.end;
                    return Ok(&self.vector);
                }
                Err(error) => {
                    self.fits = self.decoder.is_some();
                    self.decoder = None;
                    if count < 2 || !error.may_pass_with_fewer_rows() {
                        return Err(error);
                    }
                    self.most = count / 2;
                }
            }
        }
    }

    /// Tries as many rows as at first.
    pub(super) fn grow(&mut self) {
        self.most = ROWS;
    }
}
