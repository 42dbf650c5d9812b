//! What values may do to the shape, and how deep they are.

use super::FirstError;
use crate::error::{Error, ErrorKind, Result};
use crate::shape::{MAX_DEPTH, Shape};

/// How values may change the shape, how many `Some` are around them, and how deep they are.
#[derive(Clone, Copy)]
pub(crate) struct Mode<'a> {
    /// Flags, then a count, then the depth, so that they pass in a register.
    bits: u32,
    /// Where a compound that fails says so.
    pub(super) first_error: &'a FirstError,
}

impl<'a> Mode<'a> {
    const GROW: u32 = 1;
    const FRESH: u32 = 2;
    const DYNAMIC: u32 = 4;
    const MAPS: u32 = 8;
    const BRANCH: u32 = 16;
    const TEXTS: u32 = 32;
    /// One `Some`.
    const SOME: u32 = 64;
    const SOMES: u32 = 127 * Self::SOME;
    /// One level of depth.
    const LEVEL: u32 = 128 * Self::SOME;
    /// The deepest.
    const BOTTOM: u32 = MAX_DEPTH as u32 * Self::LEVEL;

    /// For a shape that may grow or one that was given; `fresh` says that no batch has been encoded
    /// yet, so that the vectors hold all values there are; `maps` that no map is taken for a record; `texts` that
    /// logical types are wanted, of texts too.
    pub(in crate::ser) fn new(
        grow: bool,
        fresh: bool,
        maps: bool,
        texts: bool,
        first_error: &'a FirstError,
    ) -> Self {
        let flag = |set: bool, flag: u32| if set { flag } else { 0 };
        let flags = flag(grow, Self::GROW)
            | flag(fresh, Self::FRESH)
            | flag(maps, Self::MAPS)
            | flag(texts, Self::TEXTS);
        Self { bits: flags | Self::DYNAMIC, first_error }
    }

    #[inline]
    fn with_bits(self, bits: u32) -> Self {
        Self { bits, ..self }
    }

    /// Whether the shape may grow; false for one that was given.
    #[inline]
    pub(super) fn grow(self) -> bool {
        self.bits & Self::GROW != 0
    }

    #[inline]
    pub(super) fn fresh(self) -> bool {
        self.bits & Self::FRESH != 0
    }

    /// Whether maps are taken for records: true as long as no struct was met on the way here.
    #[inline]
    pub(super) fn dynamic(self) -> bool {
        self.bits & Self::DYNAMIC != 0
    }

    /// Whether no map is taken for a record.
    #[inline]
    pub(super) fn maps(self) -> bool {
        self.bits & Self::MAPS != 0
    }

    /// Whether logical types are wanted: they take texts of their values, and do not become what their storage says.
    #[inline]
    pub(super) fn texts(self) -> bool {
        self.bits & Self::TEXTS != 0
    }

    /// How many `Some` are around the value that no optional of the shape represents.
    #[inline]
    pub(super) fn somes(self) -> u32 {
        (self.bits & Self::SOMES) / Self::SOME
    }

    /// The mode within one more `Some` that no optional of the shape represents.
    #[inline]
    pub(super) fn with_some(self) -> Result<Self> {
        let most = self.somes() as usize >= MAX_DEPTH;
        if most { Err(too_deep()) } else { Ok(self.with_bits(self.bits + Self::SOME)) }
    }

    /// The mode within none of them.
    #[inline]
    pub(super) fn without_somes(self) -> Self {
        self.with_bits(self.bits & !Self::SOMES)
    }

    /// The mode one node further down.
    #[inline]
    pub(super) fn below(self) -> Result<Self> {
        if self.bits >= Self::BOTTOM {
            return Err(too_deep());
        }
        Ok(self.with_bits((self.bits + Self::LEVEL) & !(Self::SOMES | Self::BRANCH)))
    }

    /// The mode below an optional or a union.
    #[inline]
    pub(super) fn in_branch(self) -> Result<Self> {
        let mode = self.below()?;
        Ok(self.with_bits(mode.bits | self.bits & Self::SOMES | Self::BRANCH))
    }

    /// The mode of a node that Avro has a record around, directly below an optional or a union.
    #[inline]
    pub(super) fn wrapped(self) -> Result<Self> {
        if self.bits & Self::BRANCH == 0 { Ok(self) } else { self.deeper() }
    }

    /// The mode of a node that Avro needs one more type for.
    #[inline]
    pub(super) fn deeper(self) -> Result<Self> {
        if self.bits < Self::BOTTOM { Ok(self.with_bits(self.bits + Self::LEVEL)) } else { Err(too_deep()) }
    }

    /// Checks that a shape may go one node down.
    ///
    /// # Errors
    ///
    /// A shape that would be too deep then.
    #[cold]
    pub(super) fn check_room(self, shape: &Shape) -> Result<()> {
        let level = (self.bits / Self::LEVEL) as usize;
        if level + shape.nesting() <= MAX_DEPTH { Ok(()) } else { Err(too_deep()) }
    }

    /// The mode below a struct, whose maps are maps.
    #[inline]
    pub(super) fn typed(self) -> Self {
        self.with_bits(self.bits & !Self::DYNAMIC)
    }
}

#[cold]
fn too_deep() -> Error {
    ErrorKind::TooDeep { limit: MAX_DEPTH }.into()
}
