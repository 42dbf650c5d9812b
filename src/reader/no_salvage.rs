//! What stands in for the salvage of damaged files in builds without the feature `files`: nothing is salvaged.

use super::Reader;
use crate::error::Result;
use crate::selection::RowSelection;
use std::convert::Infallible;
use std::sync::Arc;

/// Never constructed without the feature.
pub(super) struct Salvage(Infallible);

/// Never constructed without the feature.
pub(super) struct Lost(Infallible);

impl Salvage {
    /// Readers cannot be asked to salvage.
    pub(super) fn new(_is_damaged: bool, _columns: usize) -> Option<Arc<Self>> {
        None
    }
}

impl Lost {
    pub(super) fn rows(&self) -> &RowSelection {
        match self.0 {}
    }
}

impl Reader<'_> {
    pub(super) fn passed_over(&self) -> Result<Option<Arc<Lost>>> {
        Ok(None)
    }

    pub(super) fn check_kept(&self, _: u64) -> Result<()> {
        Ok(())
    }
}
