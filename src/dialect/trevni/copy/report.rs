//! What was done to merge or split.

/// What [`Merge`](crate::merge::Merge) and [`Split`](crate::merge::Split) did. A block that is in a file twice counts
/// twice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Merged {
    /// Rows of the result.
    pub rows: u64,
    /// Blocks that were copied as they are stored.
    pub blocks_copied: u64,
    /// Blocks that got another codec or checksum, but whose values were not decoded.
    pub blocks_recoded: u64,
    /// Blocks of which some rows were decoded and encoded again.
    pub blocks_rewritten: u64,
}
