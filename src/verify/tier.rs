//! What is looked at, in the order of what depends on what.

use crate::error::{Error, Result};
use std::fmt;
use std::str::FromStr;

/// What a file may have wrong, from the outside in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Tier {
    /// Header or footer, and block tables: what is where.
    Structure,
    /// Checksums of blocks, of the header, of block tables.
    Checksums,
    /// Blocks: decompressed, and each value decoded.
    Decoding,
    /// Lengths or levels against the values that they are of.
    Lengths,
    /// The schema against the columns and their values.
    Schema,
    /// What a file says of its values so that readers need not look: zone maps, first values, sizes of blocks.
    Statistics,
    /// Bytes of no column.
    Unowned,
}

impl Tier {
    /// All tiers, in their order.
    pub const ALL: [Self; 7] = [
        Self::Structure,
        Self::Checksums,
        Self::Decoding,
        Self::Lengths,
        Self::Schema,
        Self::Statistics,
        Self::Unowned,
    ];

    /// The name, in lower case.
    ///
    /// ```
    /// assert_eq!(trevni::verify::Tier::Checksums.name(), "checksums");
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Structure => "structure",
            Self::Checksums => "checksums",
            Self::Decoding => "decoding",
            Self::Lengths => "lengths",
            Self::Schema => "schema",
            Self::Statistics => "statistics",
            Self::Unowned => "unowned",
        }
    }
}

impl fmt::Display for Tier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Parses a [`name`](Tier::name).
///
/// ```
/// use trevni::verify::Tier;
///
/// assert_eq!("checksums".parse::<Tier>()?, Tier::Checksums);
/// # Ok::<(), trevni::Error>(())
/// ```
impl FromStr for Tier {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        let known = Self::ALL.into_iter().find(|tier| tier.name() == name);
        known.ok_or_else(|| Error::no_such("tier", name, &Self::ALL.map(Self::name)))
    }
}
