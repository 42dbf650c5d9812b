//! What stands in for the detection of logical types in builds without the feature `detect`: nothing is detected.

use crate::error::Result;
use crate::shape::Shape;
use crate::vector::Vector;
use std::borrow::Cow;
use std::convert::Infallible;

/// Never constructed without the feature.
#[derive(Debug)]
pub(crate) struct Detection(Infallible);

/// Never constructed without the feature.
pub(crate) struct Kept(Infallible);

impl Detection {
    /// Writers cannot be asked to detect.
    pub(crate) fn new(_is_wanted: bool) -> Option<Box<Self>> {
        None
    }

    pub(crate) fn stored<'s>(&'s self, _: &'s Shape) -> Cow<'s, Shape> {
        match self.0 {}
    }

    pub(crate) fn keep_strings(&mut self, _: &Shape) {
        match self.0 {}
    }

    pub(crate) fn store(
        &mut self,
        _: &Shape,
        _: &mut Vector,
        _: impl Fn(&Shape) -> Result<()>,
    ) -> Result<Kept> {
        match self.0 {}
    }

    pub(crate) fn give_back(&self, _: &Shape, _: &mut Vector, kept: Kept) {
        match kept.0 {}
    }
}
