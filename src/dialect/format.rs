//! A format to write, with the options that only it has.

use super::{Dialect, Encoder, FileSettings, PathSettings};
use crate::error::Result;
use crate::storage::blocks::Resources;
use crate::storage::value_type::ValueType;
use std::fmt::Debug;

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
