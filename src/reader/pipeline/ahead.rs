//! Another thread that decodes the next batches while the rows of the current one are made.

use super::decode::{BatchDecoder, BatchOrigin};
use crate::dialect::File;
use crate::error::Result;
use crate::storage::budget::Hold;
use crate::storage::pool::Pool;
use crate::vector::Vector;
use std::sync::{Arc, Mutex};

/// Batches that are decoded ahead.
const BATCHES_AHEAD: usize = 2;

/// Batches from another thread, in order.
pub(in crate::reader) struct Ahead {
    /// Takes vectors to be refilled, gives batches.
    pool: Pool<Vector, Decoded>,
    /// The memory of the current batch.
    held: Option<Hold>,
    left: u64,
    certain: bool,
}

/// What became of the next batch.
struct Decoded {
    done: Result<bool>,
    origin: BatchOrigin,
    vector: Vector,
    /// Its memory.
    held: Option<Hold>,
    /// Rows that may come after it.
    left: u64,
}

impl Ahead {
    pub(in crate::reader) fn start(file: Arc<File<'static>>, batches: BatchDecoder) -> Result<Self> {
        let (left, certain) = (batches.left(), batches.is_certain());
        let batches = Mutex::new(Some(batches));
        let pool = Pool::start(1, || {
            let mut batches = batches.lock().ok().and_then(|mut batches| batches.take());
            let file = Arc::clone(&file);
            move |mut vector: Vector| {
                let mut origin = BatchOrigin::default();
                let (done, left, held) = match &mut batches {
                    Some(batches) => {
                        let done = batches.next(&file, &mut origin, &mut vector);
                        (done, batches.left(), Some(batches.decoder.hold().hand_over()))
                    }
                    None => (Ok(false), 0, None),
                };
                Decoded { done, origin, vector, held, left }
            }
        })?;
        let mut ahead = Self { pool, held: None, left, certain };
        (0..BATCHES_AHEAD).try_for_each(|_| ahead.pool.push(Vector::Null(0)))?;
        Ok(ahead)
    }

    /// The next batch, as [`BatchDecoder::next`] gives it.
    pub(in crate::reader) fn next(&mut self, origin: &mut BatchOrigin, vector: &mut Vector) -> Result<bool> {
        *origin = BatchOrigin::default();
        let Some(decoded) = self.pool.next()? else {
            return Ok(false);
        };
        (self.left, self.held) = (decoded.left, decoded.held);
        if matches!(decoded.done, Ok(true)) {
            *origin = decoded.origin;
            self.pool.push(std::mem::replace(vector, decoded.vector))?;
        }
        decoded.done
    }

    /// Rows that may come after the current batch.
    pub(in crate::reader) fn left(&self) -> u64 {
        self.left
    }

    /// Whether all of these rows are there.
    pub(in crate::reader) fn is_certain(&self) -> bool {
        self.certain
    }
}
