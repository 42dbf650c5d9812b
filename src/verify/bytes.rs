//! Which bytes belong to what: all of them should, and each to one.

use super::Tier;
use super::report::Findings;
use crate::dialect::File;
use crate::error::{Category, Error, ErrorKind, Result};
use std::ops::Range;

/// Lists bytes that nothing owns, and columns that share some.
pub(super) fn check(file: &File<'_>, findings: &mut Findings) -> Result<()> {
    let mut parts: Vec<(Range<u64>, Option<usize>)> =
        file.frame()?.into_iter().map(|range| (range, None)).collect();
    for number in 0..file.column_count() {
        match file.extents(number) {
            Ok(ranges) => parts.extend(ranges.into_iter().map(|range| (range, Some(number)))),
            Err(error) if matches!(error.category(), Category::Io | Category::Internal) => return Err(error),
            // It is not known which bytes are that column's, so none is without owner for sure.
            Err(_) => return Ok(()),
        }
    }
    parts.retain(|(range, _)| !range.is_empty());
    parts.sort_unstable_by_key(|(range, _)| (range.start, range.end));
    let mut end = 0;
    for (range, number) in parts.into_iter().chain([(file.bytes()..file.bytes(), None)]) {
        if range.start > end {
            let error = ErrorKind::Unowned { count: range.start - end };
            findings.add(Tier::Unowned, Error::from(error).at_offset(end), None)?;
        }
        if range.start < end && !range.is_empty() {
            let error = Error::metadata("the bytes belong to something else too").at_offset(range.start);
            let error = match number {
                Some(number) => error.in_column(file.column_name(number)?),
                None => error,
            };
            findings.add(Tier::Structure, error, None)?;
        }
        end = end.max(range.end);
    }
    Ok(())
}
