//! The two orders of what is in a block.

use crate::error::{Error, Result};
use crate::storage::blocks::BlockForm;
use crate::storage::checksum::Placement;
use crate::storage::codec::Framing;
use std::fmt;
use std::str::FromStr;

/// What comes first in the blocks of [`Dialect::Levels`](crate::Dialect::Levels).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Layout {
    /// Checksum, definition levels, repetition levels, values: as the wiki has it.
    #[default]
    LevelsFirst,
    /// Values, definition levels, repetition levels, checksum: as Impala wrote it.
    ValuesFirst,
}

impl Layout {
    /// Both.
    pub const ALL: [Self; 2] = [Self::LevelsFirst, Self::ValuesFirst];

    /// The name in a file's metadata.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::LevelsFirst => "levels-first",
            Self::ValuesFirst => "values-first",
        }
    }

    /// The layout of this name.
    pub(crate) fn from_name(name: &[u8]) -> Option<Self> {
        Self::ALL.into_iter().find(|layout| layout.name().as_bytes() == name)
    }

    /// The form of stored blocks.
    pub(crate) fn form(self) -> BlockForm {
        let checksum = match self {
            Self::LevelsFirst => Placement::BeforeLittle,
            Self::ValuesFirst => Placement::AfterLittle,
        };
        BlockForm { framing: Framing::Zlib, checksum }
    }
}

impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Parses a [`name`](Layout::name).
///
/// ```
/// use trevni::formats::Layout;
///
/// assert_eq!("values-first".parse::<Layout>()?, Layout::ValuesFirst);
/// # Ok::<(), trevni::Error>(())
/// ```
impl FromStr for Layout {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        let known = Self::from_name(name.as_bytes());
        known.ok_or_else(|| Error::no_such("layout", name, &Self::ALL.map(Self::name)))
    }
}
