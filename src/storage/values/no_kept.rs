//! Stands in for `kept.rs` without the feature `typed`: no codec encodes values.

use crate::vector::Span;

/// Has no variants without the feature.
pub(crate) enum Kept {}

impl Kept {
    pub(crate) fn hold_integers(&mut self, _: &[i64], _: usize) -> Option<usize> {
        match *self {}
    }

    pub(crate) fn hold_floats(&mut self, _: &[f32], _: usize) -> Option<usize> {
        match *self {}
    }

    pub(crate) fn hold_doubles(&mut self, _: &[f64], _: usize) -> Option<usize> {
        match *self {}
    }

    pub(crate) fn hold_strings(&mut self, _: &[u8], _: &[Span], _: usize) -> Option<usize> {
        match *self {}
    }
}
