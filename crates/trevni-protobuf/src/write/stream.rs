//! Writes messages with their lengths before them.

use super::encode::content;
use super::own_message;
use super::plan::{Content, Planner};
use crate::Error;
use prost_reflect::MessageDescriptor;
use prost_reflect::prost::encoding::encode_varint;
use std::io::Write;
use trevni::{Batch, Shape};

/// Bytes that are collected before they are written.
const BUFFER_BYTES: usize = 1 << 16;

/// Writes rows as messages, each with its length before it as a varint.
///
/// ```
/// use trevni_protobuf::{Mapping, Options, Reader, Writer};
///
/// let file = trevni::to_vec([(1, "one"), (2, "two")])?;
/// let reader = trevni::Reader::from_slice(&file)?;
/// let mut writer = Writer::own("pair", reader.shape(), Vec::new())?;
/// let message = writer.message().clone();
/// for batch in reader.batches()? {
///     writer.write_batch(&batch?)?;
/// }
/// let messages = writer.finish()?;
/// assert_eq!(messages[..8], [7, 0x08, 1, 0x12, 3, b'o', b'n', b'e']);
///
/// let mut batches = Reader::new(&*messages, Mapping::new(&message, &Options::new())?);
/// let rows: Vec<(u8, String)> = batches.next().unwrap()?.rows().collect::<trevni::Result<_>>()?;
/// assert_eq!(rows[1], (2, "two".to_owned()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Writer<W> {
    out: W,
    message: MessageDescriptor,
    shape: Shape,
    plan: Content,
    row: Vec<u8>,
    buffer: Vec<u8>,
    rows: u64,
}

impl<W: Write> Writer<W> {
    /// Writes rows of a shape as messages of a type. A field of the rows is the field of the message that has its name,
    /// or that name in JSON, or one that differs only in underscores and capitals.
    ///
    /// # Errors
    ///
    /// A field of the rows that the message does not have, or has with another type; a required field that rows do not have.
    pub fn new(shape: &Shape, message: &MessageDescriptor, out: W) -> Result<Self, Error> {
        Self::planned(shape, message, false, out)
    }

    /// Writes rows of a shape as messages of its own type: that of [`own_message`].
    ///
    /// # Errors
    ///
    /// None, but for faults of this crate.
    pub fn own(name: &str, shape: &Shape, out: W) -> Result<Self, Error> {
        Self::planned(shape, &own_message(name, shape)?, true, out)
    }

    fn planned(shape: &Shape, message: &MessageDescriptor, is_own: bool, out: W) -> Result<Self, Error> {
        let plan = Planner { is_own, path: Vec::new() }.row(shape, message)?;
        let (row, buffer) = (Vec::new(), Vec::new());
        Ok(Self { out, message: message.clone(), shape: shape.clone(), plan, row, buffer, rows: 0 })
    }

    /// The type of the messages.
    #[must_use]
    pub fn message(&self) -> &MessageDescriptor {
        &self.message
    }

    /// How many rows have been written.
    #[must_use]
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// Appends the rows of a batch.
    ///
    /// # Errors
    ///
    /// As [`write_row`](Self::write_row).
    pub fn write_batch(&mut self, batch: &Batch) -> Result<(), Error> {
        self.check(batch)?;
        (0..batch.len()).try_for_each(|index| self.append(batch, index))
    }

    /// Appends a row of a batch.
    ///
    /// # Errors
    ///
    /// A value that the message cannot hold, with its path; a batch of another shape; the output cannot be written.
    pub fn write_row(&mut self, batch: &Batch, index: usize) -> Result<(), Error> {
        self.check(batch)?;
        self.append(batch, index)
    }

    fn check(&self, batch: &Batch) -> Result<(), Error> {
        match *batch.shape() == self.shape {
            true => Ok(()),
            false => Err(Error::Mapping("the batch has another shape than this writer".to_owned())),
        }
    }

    fn append(&mut self, batch: &Batch, index: usize) -> Result<(), Error> {
        self.row.clear();
        content(&self.plan, batch.vector(), index, &mut self.row)
            .map_err(|misfit| Error::Row { row: self.rows, what: misfit.to_string() })?;
        encode_varint(self.row.len() as u64, &mut self.buffer);
        self.buffer.extend_from_slice(&self.row);
        self.rows += 1;
        if self.buffer.len() >= BUFFER_BYTES { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<(), Error> {
        self.out.write_all(&self.buffer)?;
        self.buffer.clear();
        Ok(())
    }

    /// Writes what is left, and returns what was written to, which is not flushed.
    ///
    /// # Errors
    ///
    /// The output cannot be written.
    pub fn finish(mut self) -> Result<W, Error> {
        self.flush()?;
        Ok(self.out)
    }
}
