//! What formats with repetition and definition levels have in common: the fields of rows as the Dremel paper has
//! them, vectors into levels (`shred`) and back (`lengths`), and a decoder over the columns of any such format.

mod assemble;
mod column;
mod decoder;
pub(crate) mod fields;
mod levels;
mod places;
mod plan;
pub(crate) mod shred;
pub(crate) mod widen;

pub(crate) use decoder::Decoder;
pub(crate) use fields::{Content, Field, Fields, TIMESTAMP};

use crate::error::Result;
use crate::levels::{Levels, Place};
use crate::storage::budget::BatchHold;
use crate::storage::reserved::{Buffers, More};
use crate::vector::Vector;
use crate::vector::room::Growth;
use std::ops::Range;

/// The columns of an open file whose rows have levels.
pub(crate) trait Columns: Sync {
    /// A position in a column, and what has been read around it.
    type Cursor: Send + 'static;

    /// A cursor at the first row of a column.
    ///
    /// # Errors
    ///
    /// A column that cannot be read at all.
    fn open(&self, column: usize) -> Result<Self::Cursor>;

    /// How many threads decode columns.
    fn threads(&self) -> usize;

    /// What a batch of the file takes: nothing yet.
    fn hold(&self) -> BatchHold;

    /// Appends what some rows have in a column, and moves after the last of them: the levels of their entries where
    /// they are asked for, and the values of entries of the greatest definition level, where they are. The rows are
    /// ranges that ascend and are not empty, counted from `row`; any row may be asked for. The memory of both is taken
    /// of the batch's.
    ///
    /// Levels are not above the greatest of the column, the first entry of each row has repetition level 0 and no
    /// other has, and there are as many values as entries of the greatest definition level, times the
    /// [width](Self::width).
    ///
    /// # Errors
    ///
    /// Bytes that cannot be decoded, with the column and the block.
    fn read(
        &self,
        cursor: &mut Self::Cursor,
        row: u64,
        picks: &[Range<usize>],
        hold: &BatchHold,
        out: Out<'_>,
    ) -> Result<()>;

    /// Reads the bytes that some cursors are about to need for a row, together. `first` is the first row of the
    /// batch, which may be skipped.
    ///
    /// # Errors
    ///
    /// A source that fails; bytes that are damaged are left for [`Columns::read`].
    fn prefetch(&self, cursors: &mut [&mut Self::Cursor], first: u64, row: u64) -> Result<()>;

    /// Whether reading ahead pays: it does not where the source has its bytes in memory.
    fn reads_ahead(&self) -> bool;

    /// The greatest levels of a column.
    fn greatest(&self, column: usize) -> Place;

    /// How many values each entry has, where it is a row of a matrix.
    fn width(&self, column: usize) -> Option<usize>;

    /// Adds the name of a column to an error.
    fn in_column(&self, column: usize, error: crate::error::Error) -> crate::error::Error;
}

/// Where the levels and values of a column go, as far as they are asked for.
#[derive(Default)]
pub(crate) struct Out<'a> {
    pub(crate) levels: Option<&'a mut Levels>,
    pub(crate) values: Option<&'a mut Vector>,
    /// The greatest levels of the column.
    pub(crate) greatest: Place,
}

impl Out<'_> {
    /// The same for a shorter time.
    pub(crate) fn reborrow(&mut self) -> Out<'_> {
        Out {
            levels: self.levels.as_deref_mut(),
            values: self.values.as_deref_mut(),
            greatest: self.greatest,
        }
    }
}

impl Buffers for Out<'_> {
    fn bytes(&self, more: More, growth: Growth) -> u64 {
        let levels = self.levels.as_deref();
        let levels = levels.map_or(0, |levels| levels.room(more.entries, self.greatest, growth));
        let values = self.values.as_deref();
        levels.saturating_add(values.map_or(0, |values| values.room(more.values, more.data, growth)))
    }

    fn try_reserve_exact(&mut self, more: More) -> Result<()> {
        if let Some(levels) = &mut self.levels {
            levels.try_reserve_exact(more.entries, self.greatest)?;
        }
        self.values.as_deref_mut().map_or(Ok(()), |values| values.try_reserve_exact(more.values, more.data))
    }

    fn forget_dictionary(&mut self) {
        if let Some(values) = &mut self.values {
            values.forget_dictionary();
        }
    }
}
