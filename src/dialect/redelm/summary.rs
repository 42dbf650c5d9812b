//! Summary files: the footers of all files of a folder in one.

use super::decode::{footer_limit, footer_of};
use super::footer::{Block, Blocks, Footer, NAME, read_text, write_text};
use crate::bytes::reader::Bytes;
use crate::error::{Error, Result};
use crate::limits::Limits;
use crate::metadata::{self, Metadata};
use crate::schema::message;
use crate::shape::Shape;
use std::borrow::Cow;
use std::path::Path;

/// The footers of several RedElm files, as the file `_RedElmSummary` beside them has them: what a plan needs to know of
/// each without opening it.
///
/// ```
/// # #[cfg(feature = "levels")] {
/// # let folder = std::env::temp_dir().join(format!("trevni-doc-summary-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder)?;
/// use trevni::formats::RedElmSummary;
/// use trevni::{Dialect, Writer};
///
/// let path = folder.join("part-m-00000.redelm");
/// let mut writer = Writer::builder().dialect(Dialect::RedElm).create(&path)?;
/// writer.write_all(["one", "two"])?;
/// writer.finish()?;
///
/// let summary = RedElmSummary::from_files([&path])?;
/// std::fs::write(folder.join(RedElmSummary::FILE_NAME), summary.to_vec()?)?;
///
/// let summary = RedElmSummary::from_slice(&std::fs::read(folder.join(RedElmSummary::FILE_NAME))?)?;
/// assert_eq!(summary.files()[0].row_count(), 2);
/// # std::fs::remove_dir_all(folder)?;
/// # }
/// # Ok::<(), trevni::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct RedElmSummary {
    files: Vec<SummaryFile>,
}

/// A file of a [`RedElmSummary`].
#[derive(Clone, Debug)]
pub struct SummaryFile {
    path: String,
    /// All blocks of the footer.
    blocks: Vec<Block<'static>>,
    shape: Shape,
    rows: u64,
    metadata: Metadata,
}

impl RedElmSummary {
    /// The name of a summary file in its folder.
    pub const FILE_NAME: &str = "_RedElmSummary";

    /// Reads the footers of files.
    ///
    /// # Errors
    ///
    /// A file that cannot be read, or is not RedElm.
    pub fn from_files<P: AsRef<Path>>(paths: impl IntoIterator<Item = P>) -> Result<Self> {
        let file = |path: P| {
            let path = path.as_ref();
            let read = || {
                let file = std::fs::File::open(path)?;
                let len = file.metadata()?.len();
                let footer = footer_of(&file, len, &Limits::DEFAULT)?;
                SummaryFile::new(path.to_string_lossy().into_owned(), Blocks::read(&footer)?)
            };
            read().map_err(|error| error.in_file(path))
        };
        Ok(Self { files: paths.into_iter().map(file).collect::<Result<_>>()? })
    }

    /// Reads the bytes of a summary file.
    ///
    /// # Errors
    ///
    /// Bytes that are no summary of files.
    pub fn from_slice(bytes: &[u8]) -> Result<Self> {
        let mut bytes = Bytes::new(bytes);
        let count = bytes.array().map(i32::from_be_bytes).map_err(|bad| bad.of("the summary"))?;
        let count = usize::try_from(count)
            .map_err(|_| Error::metadata(format!("the summary is of {count} files")))?;
        let file = |_| {
            let path = read_text(&mut bytes)?.into_owned();
            SummaryFile::new(path, Blocks::read_counted(&mut bytes)?)
        };
        let files = (0..count).map(file).collect::<Result<_>>()?;
        match bytes.remaining() {
            0 => Ok(Self { files }),
            count => Err(Error::metadata(format!("{count} bytes follow the last file of the summary"))),
        }
    }

    /// The bytes of a summary file.
    ///
    /// # Errors
    ///
    /// Paths of more than 65,535 bytes, and more files than 31 bits can count.
    pub fn to_vec(&self) -> Result<Vec<u8>> {
        let (count, most) = (self.files.len() as u64, i32::MAX as u64);
        let files = i32::try_from(count).map_err(|_| Error::too_large("the number of files", count, most))?;
        let mut out = files.to_be_bytes().to_vec();
        for file in &self.files {
            write_text(&file.path, &mut out)?;
            Blocks::write_counted(&file.blocks, &mut out)?;
        }
        Ok(out)
    }

    /// The files, in order.
    #[must_use]
    pub fn files(&self) -> &[SummaryFile] {
        &self.files
    }
}

impl SummaryFile {
    fn new(path: String, blocks: Vec<Block<'_>>) -> Result<Self> {
        let own = blocks.iter().find(|block| block.name == NAME);
        let own =
            own.ok_or_else(|| Error::metadata(format!("the footer of {path:?} has no block named {NAME}")))?;
        let footer = Footer::read(&own.bytes, footer_limit(&Limits::DEFAULT))?;
        let shape = message::parse(&footer.schema)?.into_shape();
        shape.check()?;
        let others = blocks.iter().filter(|block| block.name != NAME && !metadata::is_sum(&block.name));
        let metadata = Metadata::from_pairs(others.map(|block| (&*block.name, &*block.bytes)).collect());
        let owned = |block: Block<'_>| Block {
            name: Cow::Owned(block.name.into_owned()),
            bytes: Cow::Owned(block.bytes.into_owned()),
        };
        let rows = footer.groups.iter().map(|group| u64::from(group.rows)).sum();
        Ok(Self { path, blocks: blocks.into_iter().map(owned).collect(), shape, rows, metadata })
    }

    /// The footer, as the file has it.
    pub(crate) fn footer(&self) -> Result<Vec<u8>> {
        Blocks::write(&self.blocks)
    }

    /// The path as the summary has it; the Java implementation writes a URI.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Number of rows.
    #[must_use]
    pub fn row_count(&self) -> u64 {
        self.rows
    }

    /// The shape that the message of the file describes.
    #[must_use]
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The metadata of the file.
    #[must_use]
    pub fn metadata(&self) -> &Metadata {
        &self.metadata
    }
}
