//! Rows that were asked for one by one, with those beside them.

use arrow_array::RecordBatch;
use std::ops::Range;

/// The most rows that are decoded for one.
const ROWS_MAX: u64 = 1024;

/// The rows that were decoded last, by their numbers among the rows of the reader.
pub(crate) struct Recent {
    first: u64,
    batch: RecordBatch,
}

impl Recent {
    /// The batch and the place in it of a row: among those that were decoded last, or else read.
    pub(crate) fn row<E>(
        recent: &mut Option<Self>,
        number: u64,
        count: u64,
        read: impl Fn(u64, u64) -> Result<Option<RecordBatch>, E>,
    ) -> Result<Option<(&RecordBatch, usize)>, E> {
        let is_known = recent.as_ref().is_some_and(|recent| recent.find(number).is_some());
        if !is_known {
            let window = Self::window(recent.as_ref(), number, count);
            let (first, len) = (window.start, window.end - window.start);
            let found = read(first, len).map(|batch| batch.map(|batch| Self { first, batch }));
            let is_found = matches!(&found, Ok(Some(found)) if found.find(number).is_some());
            *recent = match is_found || len == 1 {
                true => found?,
                // Other rows of the window may be damaged, or too large.
                false => read(number, 1)?.map(|batch| Self { first: number, batch }),
            };
        }
        Ok(recent.as_ref().and_then(|recent| recent.find(number)))
    }

    fn rows(&self) -> Range<u64> {
        self.first..self.first + self.batch.num_rows() as u64
    }

    /// The batch and the place in it of a row.
    fn find(&self, number: u64) -> Option<(&RecordBatch, usize)> {
        let place = number.checked_sub(self.first)?;
        Some((&self.batch, usize::try_from(place).ok().filter(|place| *place < self.batch.num_rows())?))
    }

    /// The rows to decode with one: those that follow it where it follows these, or those before it; more each time.
    /// To decode a block takes as long for one of its rows as for many.
    fn window(recent: Option<&Self>, number: u64, count: u64) -> Range<u64> {
        let alone = number..number + 1;
        let Some(last) = recent.map(Self::rows).filter(|last| !last.is_empty()) else { return alone };
        let len = last.end - last.start;
        let near = |gap: &u64| *gap < ROWS_MAX;
        let len_for = |gap: u64| len.max(gap + 1).saturating_mul(4).min(ROWS_MAX);
        match (number.checked_sub(last.end).filter(near), last.start.checked_sub(number + 1).filter(near)) {
            (Some(gap), _) => number..number.saturating_add(len_for(gap)).min(count),
            (_, Some(gap)) => (number + 1).saturating_sub(len_for(gap))..number + 1,
            _ => alone,
        }
    }
}
