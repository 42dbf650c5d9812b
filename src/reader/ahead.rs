//! Another thread that decodes the next batches while the rows of the current one are made.

use super::batcher::{Batcher, Place};
use crate::dialect::File;
use crate::error::Result;
use crate::storage::pool::Pool;
use crate::vector::Vector;
use std::sync::{Arc, Mutex};

/// Batches that are decoded before they are asked for.
const BATCHES: usize = 2;

/// Batches from another thread, in order.
pub(super) struct Ahead {
    /// Vectors to be refilled go there, batches come back.
    pool: Pool<Vector, Decoded>,
    left: u64,
    certain: bool,
}

/// What became of the next batch.
struct Decoded {
    done: Result<bool>,
    place: Place,
    vector: Vector,
    /// Rows that may be behind it.
    left: u64,
}

impl Ahead {
    pub(super) fn start(file: Arc<File<'static>>, batcher: Batcher) -> Result<Self> {
        let (left, certain) = (batcher.left(), batcher.is_certain());
        let batcher = Mutex::new(Some(batcher));
        let pool = Pool::start(1, || {
            let mut batcher = batcher.lock().ok().and_then(|mut batcher| batcher.take());
            let file = Arc::clone(&file);
            move |mut vector: Vector| {
                let mut place = Place::default();
                let (done, left) = match &mut batcher {
                    Some(batcher) => (batcher.next(&file, &mut place, &mut vector), batcher.left()),
                    None => (Ok(false), 0),
                };
                Decoded { done, place, vector, left }
            }
        })?;
        let mut ahead = Self { pool, left, certain };
        (0..BATCHES).try_for_each(|_| ahead.pool.push(Vector::Null(0)))?;
        Ok(ahead)
    }

    /// The next batch, as [`Batcher::next`] gives it.
    pub(super) fn next(&mut self, place: &mut Place, vector: &mut Vector) -> Result<bool> {
        *place = Place::default();
        let Some(decoded) = self.pool.next()? else {
            return Ok(false);
        };
        self.left = decoded.left;
        if matches!(decoded.done, Ok(true)) {
            *place = decoded.place;
            self.pool.push(std::mem::replace(vector, decoded.vector))?;
        }
        decoded.done
    }

    /// Rows that may be behind the current batch.
    pub(super) fn left(&self) -> u64 {
        self.left
    }

    /// Whether all of these are there.
    pub(super) fn is_certain(&self) -> bool {
        self.certain
    }
}
