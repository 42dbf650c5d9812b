//! RedElm as a format to write: what its options are.

use super::RedElmFooter;
use super::encode::Encoder;
use crate::dialect::format::Sealed;
use crate::dialect::{Dialect, Encoder as AnyEncoder, FileSettings};
use crate::error::Result;
use crate::storage::blocks::Resources;
use crate::storage::checksum::Checksum;
use std::ops::Range;

/// RedElm, with the options that only this format has. For [`WriterBuilder::format`](crate::WriterBuilder::format).
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct RedElm {
    footer: RedElmFooter,
    row_group_size: usize,
}

impl Default for RedElm {
    fn default() -> Self {
        Self { footer: RedElmFooter::default(), row_group_size: 50 << 20 }
    }
}

impl RedElm {
    /// The format with its defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets how the footer is written. Default: [`RedElmFooter::Json`].
    ///
    /// ```
    /// # #[cfg(feature = "levels")] {
    /// use trevni::Writer;
    /// use trevni::formats::{RedElm, RedElmFooter};
    ///
    /// let options = Writer::builder().format(RedElm::new().footer(RedElmFooter::Java));
    /// let mut writer = options.build(Vec::new())?;
    /// writer.write_all(["one", "two"])?;
    /// let file = writer.finish()?;
    /// assert_eq!(trevni::from_slice::<Vec<String>>(&file)?, ["one", "two"]);
    /// # }
    /// # Ok::<(), trevni::Error>(())
    /// ```
    pub fn footer(mut self, footer: RedElmFooter) -> Self {
        self.footer = footer;
        self
    }

    /// Sets the size of a row group in bytes, before compression. Default: 52,428,800 (50 MiB), as
    /// in the Java implementation.
    ///
    /// A row group ends with the first row that takes it beyond this size, and is written at once; so this is about the
    /// memory that a writer takes. Readers take as much for the columns that they read.
    ///
    /// ```
    /// # #[cfg(feature = "levels")] {
    /// use trevni::formats::RedElm;
    /// use trevni::{Reader, Writer};
    ///
    /// let options = Writer::builder().format(RedElm::new().row_group_size(4000));
    /// let mut writer = options.build(Vec::new())?;
    /// writer.write_all((0..1000).map(i64::from))?;
    /// let file = writer.finish()?;
    /// assert_eq!(Reader::from_slice(&file)?.blocks(0)?.len(), 2);
    /// # }
    /// # Ok::<(), trevni::Error>(())
    /// ```
    pub fn row_group_size(mut self, bytes: usize) -> Self {
        self.row_group_size = bytes;
        self
    }
}

impl Sealed for RedElm {
    fn dialect(&self) -> Dialect {
        Dialect::RedElm
    }

    fn encoder(&self, settings: FileSettings, resources: Resources) -> Result<AnyEncoder> {
        let most = resources.row_group.min(self.row_group_size as u64);
        Ok(Box::new(Encoder::new(self.footer, most, settings, &resources)))
    }

    fn boxed(&self) -> Box<dyn Sealed> {
        Box::new(*self)
    }
}

/// What only RedElm files say of themselves. For [`Reader::info`](crate::Reader::info).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RedElmInfo {
    /// How the footer is written.
    pub footer: RedElmFooter,
    /// The checksum that the footer has of levels, values and itself.
    pub checksum: Checksum,
    /// Where the footer is, in bytes, its position and the magic after it included.
    pub footer_range: Range<u64>,
}

impl RedElmInfo {
    /// What a file says of itself.
    pub(super) fn new(footer: RedElmFooter, checksum: Checksum, footer_range: Range<u64>) -> Self {
        Self { footer, checksum, footer_range }
    }
}
