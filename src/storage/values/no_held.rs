//! What stands in for held values in builds without the feature `typed`: no codec takes them.

use super::encode::Values;
use super::lengths::encode::Run;
use crate::bytes::buffer::Buffer;
use crate::storage::value_type::ValueType;
use std::convert::Infallible;
use std::ops::Range;

/// Always empty without the feature.
#[derive(Debug)]
pub(crate) struct Held(Infallible);

impl Held {
    pub(crate) fn from_value_type(_: ValueType, _: bool, _: bool) -> Option<Self> {
        None
    }

    pub(crate) fn is_of(&self, _: ValueType, _: bool, _: bool) -> bool {
        match self.0 {}
    }

    pub(crate) fn size(&self) -> usize {
        match self.0 {}
    }

    pub(crate) fn memory(&self) -> usize {
        match self.0 {}
    }

    pub(crate) fn append(&mut self, _: &dyn Values, _: Range<usize>) -> bool {
        match self.0 {}
    }

    pub(crate) fn append_lists(
        &mut self,
        _: &dyn Values,
        _: &[u32],
        _: &mut Run,
        _: [bool; 2],
    ) -> Option<u64> {
        match self.0 {}
    }

    pub(crate) fn end(&mut self, _: &mut Run) {
        match self.0 {}
    }

    pub(crate) fn encode(&self, _: &mut Buffer) {
        match self.0 {}
    }

    pub(crate) fn clear(&mut self) {
        match self.0 {}
    }
}
