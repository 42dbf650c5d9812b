//! In the place of `filter.rs` where the feature `predicates` is off: there is no filter.

use super::found::Found;
use super::scan::Scan;
use crate::dialect::{DecodedColumns, File, Schema};
use crate::error::Result;
use crate::reader::Reader;
use crate::selection::RowSelection;
use crate::tree::NodeId;
use crate::vector::Vector;
use std::convert::Infallible;
use std::ops::Range;
use std::sync::Arc;

/// Has no values, so the compiler removes the code that uses it.
pub(in crate::reader) struct Filtered(Infallible);

/// The rows that zones do not exclude. None are made here.
pub(in crate::reader) struct Candidates {
    pub(in crate::reader) rows: RowSelection,
}

/// Has no values.
pub(in crate::reader) struct Filtering(Infallible);

impl Filtered {
    pub(in crate::reader) fn rebound(&self, _: &Schema) -> Result<Self> {
        match self.0 {}
    }

    pub(in crate::reader) fn columns(&self, _: &Reader<'_>) -> Vec<usize> {
        match self.0 {}
    }

    pub(in crate::reader) fn nodes(&self) -> &[NodeId] {
        match self.0 {}
    }

    pub(in crate::reader) fn check(&self, _: &Vector) -> Result<()> {
        match self.0 {}
    }

    pub(in crate::reader) fn candidates(&self, _: &Reader<'_>, _: &RowSelection) -> Result<Candidates> {
        match self.0 {}
    }

    pub(in crate::reader) fn search(
        self: &Arc<Self>,
        _: &Reader<'_>,
        _: &RowSelection,
    ) -> Result<(Scan, Filtering)> {
        match self.0 {}
    }

    pub(in crate::reader) fn count(self: &Arc<Self>, _: &Reader<'_>, _: &RowSelection) -> Result<u64> {
        match self.0 {}
    }

    pub(in crate::reader) fn found(self: &Arc<Self>, _: &Reader<'_>, _: &RowSelection) -> Result<Found> {
        match self.0 {}
    }
}

impl Filtering {
    pub(in crate::reader) fn select(
        &mut self,
        _: &File<'_>,
        _: u64,
        _: Vec<Range<usize>>,
    ) -> Result<Vec<Range<usize>>> {
        match self.0 {}
    }

    pub(in crate::reader) fn decoded(&self) -> DecodedColumns<'_> {
        match self.0 {}
    }
}
