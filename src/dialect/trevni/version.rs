//! The versions of the format: the fourth byte of a file.

use crate::error::{Error, ErrorKind, Result};

/// A version of the format.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Version {
    /// Flat columns only; never released. Read, not written.
    V0,
    /// Array columns, each length written out: Avro 1.7.2 to 1.7.4.
    V1,
    /// Runs of equal lengths: Avro 1.7.5 and later.
    #[default]
    V2,
}

/// The first bytes of every file.
pub(crate) const MAGIC: [u8; 3] = *b"Trv";

impl Version {
    /// The byte after `Trv`.
    #[must_use]
    pub fn number(self) -> u8 {
        match self {
            Self::V0 => 0,
            Self::V1 => 1,
            Self::V2 => 2,
        }
    }

    /// Whether lengths of 0 and 1 are joined into runs.
    pub(crate) fn has_length_runs(self) -> bool {
        self == Self::V2
    }

    /// Whether columns may have lengths.
    pub(crate) fn has_arrays(self) -> bool {
        self != Self::V0
    }

    pub(crate) fn from_magic(magic: &[u8]) -> Result<Self> {
        match magic.strip_prefix(&MAGIC) {
            Some([0]) => Ok(Self::V0),
            Some([1]) => Ok(Self::V1),
            Some([2]) => Ok(Self::V2),
            Some([version]) => Err(Error::from(ErrorKind::Version { version: *version }).at_offset(3)),
            _ => Err(Error::from(ErrorKind::NotTrevni { found: magic.to_vec() }).at_offset(0)),
        }
    }
}
