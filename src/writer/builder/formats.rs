//! The format that is written.

use super::WriterBuilder;
use crate::dialect::{Dialect, Format};
use crate::formats::{self, Trevni};
use crate::storage::codec::Codec;

impl WriterBuilder {
    /// Sets the file format, with the options that only this format has: [`Trevni`](crate::formats::Trevni), and with the feature `levels`
    /// [`Levels`](crate::formats::Levels) and [`RedElm`](crate::formats::RedElm). Default: `Trevni::new()`.
    ///
    /// ```
    /// # #[cfg(feature = "levels")] {
    /// use trevni::formats::RedElm;
    /// use trevni::{Reader, Writer};
    ///
    /// let mut writer = Writer::builder().format(RedElm::new().row_group_size(1 << 20)).build(Vec::new())?;
    /// writer.write_all([vec![1, 2], vec![]])?;
    /// let file = writer.finish()?;
    /// assert!(file.starts_with(b"Red Elm"));
    /// assert_eq!(Reader::from_slice(&file)?.row::<Vec<i32>>(0)?, [1, 2]);
    /// # }
    /// # Ok::<(), trevni::Error>(())
    /// ```
    pub fn format(mut self, format: impl Format + 'static) -> Self {
        self.format = Box::new(format);
        self
    }

    /// Writes files that Avro's Java reads: the format Trevni, and snappy for all columns, whatever was set before.
    ///
    /// ```
    /// use trevni::{Codec, Reader, Writer};
    ///
    /// let mut writer = Writer::builder().codec(Codec::Bzip2).interchange().build(Vec::new())?;
    /// writer.write_all(0..10)?;
    /// let file = writer.finish()?;
    /// assert_eq!(Reader::from_slice(&file)?.columns()[0].codec(), Some(Codec::Snappy));
    /// # Ok::<(), trevni::Error>(())
    /// ```
    ///
    /// Java also reads [`Codec::Null`], [`Codec::Deflate`] and [`Codec::Bzip2`], which [`codec`](Self::codec) sets after this call.
    pub fn interchange(mut self) -> Self {
        self.paths.iter_mut().for_each(|path| path.codec = None);
        (self.codec, self.level) = (Codec::Snappy, None);
        self.format(Trevni::new())
    }

    /// Sets the file format by its name: for programs that are told it when they run. Options of this format that are set already
    /// stay; others have their defaults. Default: [`Dialect::Trevni`].
    ///
    /// ```
    /// # #[cfg(feature = "levels")] {
    /// use trevni::{Dialect, Reader, Writer};
    ///
    /// let mut writer = Writer::builder().dialect(Dialect::Levels).build(Vec::new())?;
    /// writer.write_all([vec![1, 2], vec![]])?;
    /// let file = writer.finish()?;
    /// let reader = Reader::from_slice(&file)?;
    /// assert_eq!(reader.dialect(), Dialect::Levels);
    /// assert_eq!(reader.row::<Vec<i32>>(0)?, [1, 2]);
    /// # }
    /// # Ok::<(), trevni::Error>(())
    /// ```
    pub fn dialect(mut self, dialect: Dialect) -> Self {
        if self.format.dialect() != dialect {
            self.format = formats::of(dialect);
        }
        self
    }
}
