//! Trevni with levels as a format to write: what its options are.

use super::encode::Encoder;
use crate::dialect::format::Sealed;
use crate::dialect::{Dialect, Encoder as AnyEncoder, FileSettings, Layout, PathSettings};
use crate::error::Result;
use crate::storage::blocks::Resources;
use crate::storage::value_type::ValueType;

/// Trevni with repetition and definition levels, with the options that only this format has. For
/// [`WriterBuilder::format`](crate::WriterBuilder::format).
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct Levels {
    layout: Layout,
    paths: Vec<PathSettings>,
}

impl Levels {
    /// The format with its defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets what comes first in blocks. Default: [`Layout::LevelsFirst`].
    ///
    /// ```
    /// # #[cfg(feature = "levels")] {
    /// use trevni::Writer;
    /// use trevni::formats::{Layout, Levels};
    ///
    /// let mut writer = Writer::builder().format(Levels::new().layout(Layout::ValuesFirst)).build(Vec::new())?;
    /// writer.write(&Some(7))?;
    /// assert_eq!(trevni::from_slice::<Vec<Option<i32>>>(&writer.finish()?)?, [Some(7)]);
    /// # }
    /// # Ok::<(), trevni::Error>(())
    /// ```
    pub fn layout(mut self, layout: Layout) -> Self {
        self.layout = layout;
        self
    }

    /// Sets the type that the values at and below a path are stored in. Default: `int`, `long` and so on, by the shape. Integers
    /// of 32 bits may also be `fixed8`, `fixed16` and `fixed32`, those of 64 bits `fixed64`; the values must fit.
    ///
    /// ```
    /// # #[cfg(feature = "levels")] {
    /// use trevni::column::ValueType;
    /// use trevni::formats::Levels;
    /// use trevni::{Reader, Writer};
    ///
    /// let format = Levels::new().value_type("_0", ValueType::Fixed8);
    /// let mut writer = Writer::builder().format(format).build(Vec::new())?;
    /// writer.write(&(-3i8, "text"))?;
    /// let file = writer.finish()?;
    /// let reader = Reader::from_slice(&file)?;
    /// assert_eq!(reader.columns()[0].value_type(), ValueType::Fixed8);
    /// assert_eq!(reader.row::<(i8, String)>(0)?.0, -3);
    /// # }
    /// # Ok::<(), trevni::Error>(())
    /// ```
    pub fn value_type(mut self, path: &str, value_type: ValueType) -> Self {
        self.keep_value_type(path, value_type);
        self
    }

    /// Ends the blocks of the columns at and below a path after this many rows. Default: when they have the size of a block
    /// ([`WriterBuilder::block_size`](crate::WriterBuilder::block_size)).
    ///
    /// ```
    /// # #[cfg(feature = "levels")] {
    /// use trevni::formats::Levels;
    /// use trevni::{Reader, Writer};
    ///
    /// let mut writer = Writer::builder().format(Levels::new().block_rows("", 4)).build(Vec::new())?;
    /// writer.write_all(0..10)?;
    /// let file = writer.finish()?;
    /// let blocks = Reader::from_slice(&file)?.blocks(0)?;
    /// assert_eq!(blocks.iter().map(|block| block.rows).collect::<Vec<_>>(), [4, 4, 2]);
    /// # }
    /// # Ok::<(), trevni::Error>(())
    /// ```
    pub fn block_rows(mut self, path: &str, rows: u32) -> Self {
        PathSettings::of(&mut self.paths, path).block_rows = Some(rows.max(1));
        self
    }

    /// Stores the lists of values at a path as rows of a matrix: without lengths, since each
    /// list has `width` items. Default: lists of any length. A path that leads to anything else than lists of values is
    /// an error of the first row that shows it, or of the given shape.
    ///
    /// ```
    /// # #[cfg(feature = "levels")] {
    /// use trevni::formats::Levels;
    /// use trevni::{Reader, Writer};
    ///
    /// let mut writer = Writer::builder().format(Levels::new().array_width("point", 3)).build(Vec::new())?;
    /// writer.write(&serde_json::json!({"point": [1.0, 2.5, -3.0]}))?;
    /// let file = writer.finish()?;
    /// assert_eq!(Reader::from_slice(&file)?.columns()[0].array_width(), Some(3));
    /// # }
    /// # Ok::<(), trevni::Error>(())
    /// ```
    pub fn array_width(mut self, path: &str, width: usize) -> Self {
        self.keep_array_width(path, width);
        self
    }
}

impl Sealed for Levels {
    fn dialect(&self) -> Dialect {
        Dialect::Levels
    }

    fn paths(&self) -> &[PathSettings] {
        &self.paths
    }

    fn keep_value_type(&mut self, path: &str, value_type: ValueType) {
        PathSettings::of(&mut self.paths, path).value_type = Some(value_type);
    }

    fn keep_array_width(&mut self, path: &str, width: usize) {
        PathSettings::of(&mut self.paths, path).array_width = Some(width);
    }

    fn encoder(&self, settings: FileSettings, resources: Resources) -> Result<AnyEncoder> {
        Ok(Box::new(Encoder::new(self.layout, settings, resources)))
    }

    fn boxed(&self) -> Box<dyn Sealed> {
        Box::new(self.clone())
    }
}

/// What only files of Trevni with levels say of themselves. For [`Reader::info`](crate::Reader::info).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LevelsInfo {
    /// What comes first in blocks.
    pub layout: Layout,
}

impl LevelsInfo {
    /// What a file says of itself.
    pub(super) fn new(layout: Layout) -> Self {
        Self { layout }
    }
}
