//! What only builds with the feature `levels` have: files, decoders and encoders of the formats with levels.

use super::Dialect;
#[cfg(not(feature = "levels"))]
use crate::error::ErrorKind;
use crate::error::Result;
use std::ops::{Deref, DerefMut};

/// Shows that this build has the formats with levels. Without the feature there is no value of it.
#[derive(Clone, Copy)]
pub(super) struct BuiltIn(#[cfg(not(feature = "levels"))] std::convert::Infallible);

impl BuiltIn {
    /// Checks that this build has a format with levels.
    ///
    /// # Errors
    ///
    /// It lacks them.
    #[cfg(feature = "levels")]
    pub(super) fn check(_: Dialect) -> Result<Self> {
        Ok(Self())
    }

    #[cfg(not(feature = "levels"))]
    pub(super) fn check(dialect: Dialect) -> Result<Self> {
        let hint = " (enable the feature `levels` of trevni)";
        Err(ErrorKind::Dialect { dialect: dialect.title(), hint }.into())
    }
}

/// A part of a file, decoder or encoder of a format with levels. Without the feature it has no values, and the compiler removes the code
/// that uses it.
pub(crate) struct WithLevels<T>(T, BuiltIn);

impl<T> WithLevels<T> {
    pub(super) fn new(value: T, built_in: BuiltIn) -> Self {
        Self(value, built_in)
    }

    /// Another thing of the same format.
    pub(super) fn with<U>(&self, value: U) -> WithLevels<U> {
        WithLevels(value, self.1)
    }

    pub(super) fn into_inner(self) -> T {
        self.0
    }
}

impl<T> Deref for WithLevels<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> DerefMut for WithLevels<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}
