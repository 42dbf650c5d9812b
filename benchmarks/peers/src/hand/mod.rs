//! The floor: columns written and read by hand, for each data set by itself.
//!
//! What a programmer writes in an afternoon who knows the rows: a buffer for each column, straight
//! loops, no serde. The distance to it is the price of generality.

mod flights;
mod log;
mod mail;
mod mesh;
mod minecraft;

pub mod bytes;
pub mod file;

use crate::data::DataSet;
use bytes::Result;
use std::borrow::Cow;

/// Code for the rows of one data set.
pub trait Columnar: DataSet {
    /// Writes the columns, each into a buffer.
    fn encode(rows: &[Self::Row]) -> Vec<Vec<u8>>;
    /// Reads all columns.
    fn decode(rows: usize, columns: &[Cow<'_, [u8]>]) -> Result<Vec<Self::Row>>;

    /// Numbers of the columns of one field.
    const ONE_COLUMNS: &'static [usize];
    /// Reads these.
    fn decode_one(rows: usize, columns: &[Cow<'_, [u8]>]) -> Result<Vec<Self::One>>;

    /// Numbers of the columns of three fields.
    const THREE_COLUMNS: &'static [usize];
    /// Reads these.
    fn decode_three(rows: usize, columns: &[Cow<'_, [u8]>]) -> Result<Vec<Self::Three>>;
}
