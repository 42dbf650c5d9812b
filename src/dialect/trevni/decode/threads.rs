//! Decodes the fields of a record on several threads.

use super::super::Ends;
use super::node::{At, Node};
use crate::error::Result;
use crate::storage::pool;
use crate::vector::Vector;

/// Reads the fields that have been asked for, each by the next thread that is free.
///
/// # Errors
///
/// Of all fields that fail, the error of the first.
pub(super) fn read<'n>(
    fields: impl Iterator<Item = (&'n mut Node, &'n mut Vector)> + Send,
    at: &At<'_, '_>,
    ends: Ends<'_>,
) -> Result<()> {
    let count = at.threads;
    let at = At { threads: 1, ..*at };
    pool::each(count, fields, |(field, values)| field.read_if_wanted(&at, ends, values))
}
