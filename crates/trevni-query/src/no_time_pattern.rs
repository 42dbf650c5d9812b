//! In the place of `time_pattern.rs` where the feature `time-patterns` is off: there are no patterns.

use crate::moment::{Moment, MomentKind};
use std::convert::Infallible;

/// Has no values, so the compiler removes the code that uses it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimePattern(Infallible);

const MISSING: &str = "this build lacks the feature time-patterns";

impl TimePattern {
    pub(crate) fn to_format(_: &str, _: MomentKind) -> Result<Self, String> {
        Err(MISSING.to_owned())
    }

    /// Of dates or instants.
    ///
    /// # Errors
    ///
    /// Always.
    pub fn to_parse(_: &str) -> Result<Self, String> {
        Err(MISSING.to_owned())
    }

    pub(crate) fn format(&self, _: Moment) -> Option<String> {
        match self.0 {}
    }

    /// The nanoseconds from 1970-01-01 of a string.
    #[must_use]
    pub fn parse(&self, _: &str) -> Option<i128> {
        match self.0 {}
    }

    /// What strings of the pattern are.
    #[must_use]
    pub fn kind(&self) -> MomentKind {
        match self.0 {}
    }
}
