//! A format to write, with the options that only it has, and its encoder.

use super::{Capabilities, Dialect, FileSettings, PathSettings};
use crate::error::Result;
use crate::shape::Shape;
use crate::storage::blocks::Resources;
use crate::storage::temporary::TemporaryBytes;
use crate::storage::value_type::ValueType;
use crate::vector::Vector;
use std::fmt::Debug;
use std::io::Write;

/// A file format, with the options that only this format has: [`Trevni`](crate::formats::Trevni), and with the feature `levels`
/// [`Levels`](crate::formats::Levels) and [`RedElm`](crate::formats::RedElm). For [`WriterBuilder::format`](crate::WriterBuilder::format).
pub trait Format: Sealed {}

impl<F: Sealed> Format for F {}

/// How files of a format are written.
pub trait Sealed: Debug + Send + Sync {
    /// Which format it is.
    fn dialect(&self) -> Dialect;

    /// The options of columns that only this format has.
    fn paths(&self) -> &[PathSettings] {
        &[]
    }

    /// Keeps the type that the values at a path have, where a file says it.
    fn keep_value_type(&mut self, _path: &str, _value_type: ValueType) {}

    /// Keeps the number of items of the lists at a path, where a file says it.
    fn keep_array_width(&mut self, _path: &str, _width: usize) {}

    /// An encoder that has taken no rows yet.
    ///
    /// # Errors
    ///
    /// Options that cannot be, and a format that this build lacks.
    fn encoder(&self, settings: FileSettings, resources: Resources) -> Result<Encoder>;

    /// The same format with the same options.
    fn boxed(&self) -> Box<dyn Sealed>;
}

impl Clone for Box<dyn Sealed> {
    fn clone(&self) -> Self {
        self.boxed()
    }
}

/// What a format does with batches that become a file.
pub trait Encode: Send {
    /// What rows may be.
    fn capabilities(&self) -> Capabilities;

    /// Whether a shape that rows can have may be refused: for what has been written, or for options of columns.
    fn may_refuse(&self) -> bool;

    /// Checks that columns of a shape can have the options that they have.
    ///
    /// # Errors
    ///
    /// Options that the columns cannot have, and what has been written of another shape.
    fn check(&self, shape: &Shape) -> Result<()>;

    /// Sets an entry of the file's metadata.
    fn set_metadata(&mut self, key: &str, value: &[u8]);

    /// Says that the shape is that of a file whose branches of unions are variants.
    fn set_foreign(&mut self);

    /// Appends the rows of a batch, whose shape is the last one or has grown from it. A format that writes
    /// groups of rows in one pass writes to the sink; others keep them for [`Encode::finish`].
    fn append(&mut self, shape: &Shape, vector: &Vector, sink: &mut dyn Write) -> Result<()>;

    /// Takes all rows back as a file, where records cannot become maps in place. The encoder is empty afterwards.
    fn take_rows(&mut self) -> Result<Option<TemporaryBytes>> {
        Ok(None)
    }

    /// Rows taken so far.
    fn rows(&self) -> u64;

    /// Bytes that the columns have come to so far, about; walks through all of them.
    fn size(&self) -> u64;

    /// Waits until the bytes of all sealed blocks are known.
    fn settle(&mut self) -> Result<()> {
        Ok(())
    }

    /// Frees everything but the number of rows. Nothing can be appended after this.
    fn discard(&mut self);

    /// Seals all blocks and writes what is left of the file.
    fn finish(self: Box<Self>, shape: Shape, sink: &mut dyn Write) -> Result<()>;
}

/// Takes batches and, in the end, gives a file.
pub(crate) type Encoder = Box<dyn Encode>;

/// Checks that rows of a shape can be written; called with each row that changes it.
///
/// # Errors
///
/// What the format cannot carry, and options that the columns cannot have.
pub(crate) fn check(encoder: &dyn Encode, shape: &Shape) -> Result<()> {
    encoder.capabilities().check(shape)?;
    encoder.check(shape)
}
