//! What files of formats other than Trevni say of themselves.

use super::Reader;
use crate::dialect::{Dialect, Layout, RedElmFooter};
use crate::storage::checksum::Checksum;
use std::ops::Range;

impl Reader<'_> {
    /// What comes first in the blocks of a file of [`Dialect::Levels`](crate::Dialect::Levels); `None` in other formats.
    ///
    /// ```
    /// use trevni::{Dialect, Layout, Reader, Writer};
    ///
    /// let mut writer = Writer::builder().dialect(Dialect::Levels).layout(Layout::ValuesFirst).build(Vec::new())?;
    /// writer.write(&Some(1))?;
    /// assert_eq!(Reader::from_slice(&writer.finish()?)?.layout(), Some(Layout::ValuesFirst));
    /// # Ok::<(), trevni::Error>(())
    /// ```
    #[must_use]
    pub fn layout(&self) -> Option<Layout> {
        (self.dialect() == Dialect::Levels).then(|| self.form().0)
    }

    /// How the footer of a [`Dialect::RedElm`](crate::Dialect::RedElm) file is written; `None` in other formats.
    ///
    /// ```
    /// use trevni::{Dialect, Reader, RedElmFooter, Writer};
    ///
    /// let mut writer = Writer::builder().dialect(Dialect::RedElm).build(Vec::new())?;
    /// writer.write(&Some(1))?;
    /// assert_eq!(Reader::from_slice(&writer.finish()?)?.redelm_footer(), Some(RedElmFooter::Json));
    /// # Ok::<(), trevni::Error>(())
    /// ```
    #[must_use]
    pub fn redelm_footer(&self) -> Option<RedElmFooter> {
        (self.dialect() == Dialect::RedElm).then(|| self.form().1)
    }

    /// The checksum that the footer of a [`Dialect::RedElm`](crate::Dialect::RedElm) file has of levels, values and itself;
    /// `None` in other formats, whose columns say it ([`ColumnInfo::checksum`](crate::ColumnInfo::checksum)).
    ///
    /// ```
    /// use trevni::{Checksum, Dialect, Reader, Writer};
    ///
    /// for checksum in [Checksum::Crc32, Checksum::Null] {
    ///     let mut writer = Writer::builder().dialect(Dialect::RedElm).checksum(checksum).build(Vec::new())?;
    ///     writer.write(&Some(1))?;
    ///     assert_eq!(Reader::from_slice(&writer.finish()?)?.redelm_checksum(), Some(checksum));
    /// }
    /// # Ok::<(), trevni::Error>(())
    /// ```
    #[must_use]
    pub fn redelm_checksum(&self) -> Option<Checksum> {
        self.file.redelm_checksum()
    }

    /// Where the footer of a [`Dialect::RedElm`](crate::Dialect::RedElm) file is, in bytes, its position and the magic
    /// after it included; `None` in other formats, which have a header.
    ///
    /// ```
    /// use trevni::{Dialect, Reader, Writer};
    ///
    /// let mut writer = Writer::builder().dialect(Dialect::RedElm).build(Vec::new())?;
    /// writer.write(&Some(1))?;
    /// let file = writer.finish()?;
    /// let footer = Reader::from_slice(&file)?.footer_range().expect("a RedElm file has a footer");
    /// assert_eq!(footer.end, file.len() as u64);
    /// # Ok::<(), trevni::Error>(())
    /// ```
    #[must_use]
    pub fn footer_range(&self) -> Option<Range<u64>> {
        self.file.footer_range()
    }
}
