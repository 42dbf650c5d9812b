//! What stands in for the typed codec in builds without the feature `typed`: cursors have no values.

use super::{ColumnType, TakeRoom};
use crate::error::Error;
use crate::vector::{Offsets, Vector};
use std::convert::Infallible;

type Read<T> = Result<T, &'static str>;

/// There is none.
#[derive(Clone, Debug)]
pub(crate) struct Cursor(Infallible);

const MISSING: &str = "this build lacks the codec";

/// As where typed blocks are read.
pub(super) const MORE: usize = 0;

/// As without the codec `archive`.
pub(super) fn memory(_: &[u8], _: usize) -> usize {
    0
}

/// Codecs are looked at first, so nothing comes here.
pub(super) fn decode(
    _: &[u8],
    _: usize,
    _: &mut Vec<u8>,
    _: usize,
    _: &mut TakeRoom<'_>,
) -> Result<Read<()>, Error> {
    Ok(Err(MISSING))
}

impl Cursor {
    pub(crate) fn open(_: &[u8], _: ColumnType, _: usize) -> Read<Option<Self>> {
        Err(MISSING)
    }

    pub(crate) fn follow(&mut self, _: &Self) {
        match self.0 {}
    }

    pub(crate) fn hold(&self, _: &[u8], _: usize, _: &mut TakeRoom<'_>) -> Result<(), Error> {
        match self.0 {}
    }

    pub(crate) fn rest(&self) -> usize {
        match self.0 {}
    }

    pub(crate) fn values(&mut self, _: &[u8], _: usize, _: &mut Vector) -> Read<()> {
        match self.0 {}
    }

    pub(crate) fn arrays(&mut self, _: &[u8], _: usize, _: &mut Offsets, _: &mut Vector) -> Read<()> {
        match self.0 {}
    }

    pub(crate) fn skip_values(&mut self, _: &[u8], _: u64) -> Read<()> {
        match self.0 {}
    }

    pub(crate) fn skip_arrays(&mut self, _: &[u8], _: u64) -> Read<u64> {
        match self.0 {}
    }

    pub(crate) fn text_bytes(&self, _: &[u8], _: u64) -> Read<usize> {
        match self.0 {}
    }

    pub(crate) fn left(&self) -> u64 {
        match self.0 {}
    }
}
