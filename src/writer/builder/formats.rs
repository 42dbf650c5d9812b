//! Options of formats other than Trevni.

use super::WriterBuilder;
use crate::dialect::{Dialect, Layout, RedElmFooter};
use crate::storage::value_type::ValueType;

impl WriterBuilder {
    /// Sets the file format. Default: [`Dialect::Trevni`].
    ///
    /// ```
    /// use trevni::{Dialect, Reader, Writer};
    ///
    /// let mut writer = Writer::builder().dialect(Dialect::Levels).build(Vec::new())?;
    /// writer.write_all([vec![1, 2], vec![]])?;
    /// let file = writer.finish()?;
    /// let reader = Reader::from_slice(&file)?;
    /// assert_eq!(reader.dialect(), Dialect::Levels);
    /// assert_eq!(reader.row::<Vec<i32>>(0)?, [1, 2]);
    /// # Ok::<(), trevni::Error>(())
    /// ```
    pub fn dialect(mut self, dialect: Dialect) -> Self {
        self.dialect = dialect;
        self
    }

    /// Sets what comes first in the blocks of [`Dialect::Levels`]. Default: [`Layout::LevelsFirst`].
    ///
    /// ```
    /// use trevni::{Dialect, Layout, Writer};
    ///
    /// let mut writer = Writer::builder().dialect(Dialect::Levels).layout(Layout::ValuesFirst).build(Vec::new())?;
    /// writer.write(&Some(7))?;
    /// assert_eq!(trevni::from_slice::<Vec<Option<i32>>>(&writer.finish()?)?, [Some(7)]);
    /// # Ok::<(), trevni::Error>(())
    /// ```
    pub fn layout(mut self, layout: Layout) -> Self {
        self.layout = layout;
        self
    }

    /// Sets the type that the values at and below a path are stored in, in [`Dialect::Levels`]. Default: `int`, `long`
    /// and so on, by the shape. Integers of 32 bits may also be `fixed8`, `fixed16` and `fixed32`, those of 64 bits
    /// `fixed64`; the values must fit. In [`Dialect::RedElm`], this is an error of
    /// [`WriterBuilder::build`].
    ///
    /// ```
    /// use trevni::{Dialect, Reader, ValueType, Writer};
    ///
    /// let options = Writer::builder().dialect(Dialect::Levels).value_type("_0", ValueType::Fixed8);
    /// let mut writer = options.build(Vec::new())?;
    /// writer.write(&(-3i8, "text"))?;
    /// let file = writer.finish()?;
    /// let reader = Reader::from_slice(&file)?;
    /// assert_eq!(reader.columns()[0].value_type(), ValueType::Fixed8);
    /// assert_eq!(reader.row::<(i8, String)>(0)?.0, -3);
    /// # Ok::<(), trevni::Error>(())
    /// ```
    pub fn value_type(mut self, path: &str, value_type: ValueType) -> Self {
        self.path(path).value_type = Some(value_type);
        self
    }

    /// Ends the blocks of the columns at and below a path after this many rows, in [`Dialect::Levels`]. Default: when
    /// they have the size of a block ([`WriterBuilder::block_size`]). In [`Dialect::RedElm`], which has no blocks,
    /// this is an error of [`WriterBuilder::build`].
    ///
    /// ```
    /// use trevni::{Dialect, Reader, Writer};
    ///
    /// let mut writer = Writer::builder().dialect(Dialect::Levels).block_rows("", 4).build(Vec::new())?;
    /// writer.write_all(0..10)?;
    /// let file = writer.finish()?;
    /// let blocks = Reader::from_slice(&file)?.blocks(0)?;
    /// assert_eq!(blocks.iter().map(|block| block.rows).collect::<Vec<_>>(), [4, 4, 2]);
    /// # Ok::<(), trevni::Error>(())
    /// ```
    pub fn block_rows(mut self, path: &str, rows: u32) -> Self {
        self.path(path).block_rows = Some(rows.max(1));
        self
    }

    /// Stores the lists of values at a path as rows of a matrix, in [`Dialect::Levels`]: without lengths, since each
    /// list has `width` items. Default: lists of any length. A path that leads to anything else than lists of values is
    /// an error of the first row that shows it, or of the given shape.
    ///
    /// ```
    /// use trevni::{Dialect, Reader, Writer};
    ///
    /// let mut writer = Writer::builder().dialect(Dialect::Levels).array_width("point", 3).build(Vec::new())?;
    /// writer.write(&serde_json::json!({"point": [1.0, 2.5, -3.0]}))?;
    /// let file = writer.finish()?;
    /// assert_eq!(Reader::from_slice(&file)?.columns()[0].array_width(), Some(3));
    /// # Ok::<(), trevni::Error>(())
    /// ```
    pub fn array_width(mut self, path: &str, width: usize) -> Self {
        self.path(path).array_width = Some(width);
        self
    }

    /// Sets how the footer of a [`Dialect::RedElm`] file is written. Default: [`RedElmFooter::Json`].
    ///
    /// ```
    /// use trevni::{Dialect, RedElmFooter, Writer};
    ///
    /// let options = Writer::builder().dialect(Dialect::RedElm).redelm_footer(RedElmFooter::Java);
    /// let mut writer = options.build(Vec::new())?;
    /// writer.write_all(["one", "two"])?;
    /// let file = writer.finish()?;
    /// assert_eq!(trevni::from_slice::<Vec<String>>(&file)?, ["one", "two"]);
    /// # Ok::<(), trevni::Error>(())
    /// ```
    pub fn redelm_footer(mut self, footer: RedElmFooter) -> Self {
        self.redelm_footer = footer;
        self
    }

    /// Sets the size of a row group of [`Dialect::RedElm`] in bytes, before compression. Default: 52,428,800 (50 MiB), as
    /// in the Java implementation.
    ///
    /// A row group ends with the first row that takes it beyond this size, and is written at once; so this is about the
    /// memory that a writer takes. Readers take as much for the columns that they read.
    ///
    /// ```
    /// use trevni::{Dialect, Reader, Writer};
    ///
    /// let options = Writer::builder().dialect(Dialect::RedElm).row_group_size(4000);
    /// let mut writer = options.build(Vec::new())?;
    /// writer.write_all((0..1000).map(i64::from))?;
    /// let file = writer.finish()?;
    /// assert_eq!(Reader::from_slice(&file)?.blocks(0)?.len(), 2);
    /// # Ok::<(), trevni::Error>(())
    /// ```
    pub fn row_group_size(mut self, bytes: usize) -> Self {
        self.row_group_size = bytes;
        self
    }
}
