//! What values may do to the shape, and how deep they are.

use crate::error::{Error, ErrorKind, Result};
use crate::shape::{MAX_DEPTH, Shape};

/// How values may change the shape, how many `Some` are around them, and how deep they are: flags, then a
/// count, then the depth, so that it passes in a register.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mode(u32);

impl Mode {
    const GROW: u32 = 1;
    const FRESH: u32 = 2;
    const DYNAMIC: u32 = 4;
    const MAPS: u32 = 8;
    const BRANCH: u32 = 16;
    /// One `Some`.
    const SOME: u32 = 32;
    const SOMES: u32 = 127 * Self::SOME;
    /// One level of depth.
    const LEVEL: u32 = 128 * Self::SOME;
    /// The deepest.
    const BOTTOM: u32 = MAX_DEPTH as u32 * Self::LEVEL;

    /// For a shape that may grow or one that was given; `fresh` says that no batch has been encoded
    /// yet, so that the vectors hold all values there are; `maps` that no map is taken for a record.
    pub(in crate::ser) fn new(grow: bool, fresh: bool, maps: bool) -> Self {
        let flag = |set: bool, flag: u32| if set { flag } else { 0 };
        let flags = flag(grow, Self::GROW) | flag(fresh, Self::FRESH) | flag(maps, Self::MAPS);
        Self(flags | Self::DYNAMIC)
    }

    /// Whether the shape may grow; false for one that was given.
    #[inline]
    pub(super) fn grow(self) -> bool {
        self.0 & Self::GROW != 0
    }

    #[inline]
    pub(super) fn fresh(self) -> bool {
        self.0 & Self::FRESH != 0
    }

    /// Whether maps are taken for records: true as long as no struct was met on the way here.
    #[inline]
    pub(super) fn dynamic(self) -> bool {
        self.0 & Self::DYNAMIC != 0
    }

    /// Whether no map is taken for a record.
    #[inline]
    pub(super) fn maps(self) -> bool {
        self.0 & Self::MAPS != 0
    }

    /// How many `Some` are around the value that no optional of the shape stands for.
    #[inline]
    pub(super) fn somes(self) -> u32 {
        (self.0 & Self::SOMES) / Self::SOME
    }

    /// The mode within one more `Some` that no optional of the shape stands for.
    #[inline]
    pub(super) fn with_some(self) -> Result<Self> {
        let most = self.somes() as usize >= MAX_DEPTH;
        if most { Err(too_deep()) } else { Ok(Self(self.0 + Self::SOME)) }
    }

    /// The mode within none of them.
    #[inline]
    pub(super) fn without_somes(self) -> Self {
        Self(self.0 & !Self::SOMES)
    }

    /// The mode one node further down.
    #[inline]
    pub(super) fn below(self) -> Result<Self> {
        if self.0 >= Self::BOTTOM {
            return Err(too_deep());
        }
        Ok(Self((self.0 + Self::LEVEL) & !(Self::SOMES | Self::BRANCH)))
    }

    /// The mode below an optional or a union.
    #[inline]
    pub(super) fn in_branch(self) -> Result<Self> {
        let mode = self.below()?;
        Ok(Self(mode.0 | self.0 & Self::SOMES | Self::BRANCH))
    }

    /// The mode of a node that Avro has a record around, directly below an optional or a union.
    #[inline]
    pub(super) fn wrapped(self) -> Result<Self> {
        if self.0 & Self::BRANCH == 0 { Ok(self) } else { self.deeper() }
    }

    /// The mode of a node that Avro needs one more type for.
    #[inline]
    pub(super) fn deeper(self) -> Result<Self> {
        if self.0 < Self::BOTTOM { Ok(Self(self.0 + Self::LEVEL)) } else { Err(too_deep()) }
    }

    /// Checks that a shape may go one node down.
    ///
    /// # Errors
    ///
    /// A shape that would be too deep then.
    #[cold]
    pub(super) fn check_room(self, shape: &Shape) -> Result<()> {
        let level = (self.0 / Self::LEVEL) as usize;
        if level + shape.nesting() <= MAX_DEPTH { Ok(()) } else { Err(too_deep()) }
    }

    /// The mode below a struct, whose maps are maps.
    #[inline]
    pub(super) fn typed(self) -> Self {
        Self(self.0 & !Self::DYNAMIC)
    }
}

#[cold]
fn too_deep() -> Error {
    ErrorKind::TooDeep { limit: MAX_DEPTH }.into()
}
