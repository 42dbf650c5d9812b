//! The format that is written.

use super::WriterBuilder;
use crate::dialect::{Dialect, Format};
use crate::formats;

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
