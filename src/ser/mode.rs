//! What values may do to the shape, and how deep they are.

use crate::error::{Error, ErrorKind, Result};
use crate::shape::MAX_DEPTH;

/// How values may change the shape, and how deep they are: flags below [`Mode::LEVEL`], the depth
/// above, so that it passes in a register.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mode(u32);

impl Mode {
    const GROW: u32 = 1;
    const FRESH: u32 = 2;
    const DYNAMIC: u32 = 4;
    /// One level of depth.
    const LEVEL: u32 = 8;
    /// The deepest.
    const BOTTOM: u32 = MAX_DEPTH as u32 * Self::LEVEL;

    /// For a shape that may grow or one that was given; `fresh` says that no batch has been encoded
    /// yet, so that the vectors hold all values there are.
    pub(super) fn new(grow: bool, fresh: bool) -> Self {
        let flag = |set: bool, flag: u32| if set { flag } else { 0 };
        Self(flag(grow, Self::GROW) | flag(fresh, Self::FRESH) | Self::DYNAMIC)
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

    /// The mode one node further down.
    #[inline]
    pub(super) fn below(self) -> Result<Self> {
        if self.0 < Self::BOTTOM { Ok(Self(self.0 + Self::LEVEL)) } else { Err(too_deep()) }
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
