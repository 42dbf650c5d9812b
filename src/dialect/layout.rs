//! The two orders of what is in a block.

use crate::storage::blocks::BlockForm;
use crate::storage::checksum::Placement;
use crate::storage::codec::Framing;

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
        [Self::LevelsFirst, Self::ValuesFirst].into_iter().find(|layout| layout.name().as_bytes() == name)
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
