//! The memory of files that are being written: a part of the engine's pool.

use datafusion::execution::TaskContext;
use datafusion::execution::memory_pool::{MemoryConsumer, MemoryLimit, MemoryPool, MemoryReservation};
use std::sync::Arc;

/// The most memory that the blocks of a file take before they go to a temporary file.
const FILE_BYTES: u64 = 128 << 20;
/// All files that a query writes at once take this part of a pool that has a limit; the rest is for sorts, joins and groups.
const POOL_PART: u64 = 8;

/// Memory for each file of a query.
#[derive(Clone)]
pub(super) struct Memory {
    pool: Arc<dyn MemoryPool>,
    file_bytes: u64,
}

impl Memory {
    pub(super) fn new(context: &TaskContext) -> Self {
        let pool = Arc::clone(context.memory_pool());
        let partitions = context.session_config().target_partitions().max(1) as u64;
        let file_bytes = match pool.memory_limit() {
            MemoryLimit::Finite(bytes) => (bytes as u64 / POOL_PART / partitions).min(FILE_BYTES),
            MemoryLimit::Infinite | MemoryLimit::Unknown => FILE_BYTES,
        };
        Self { pool, file_bytes }
    }

    /// The bytes of blocks that a file may hold.
    pub(super) fn file_bytes(&self) -> u64 {
        self.file_bytes
    }

    /// The memory of a new file, which is given back when this is dropped.
    pub(super) fn held(&self) -> Held {
        let reservation = MemoryConsumer::new("TrevniSink").register(&self.pool);
        Held { reservation, file_bytes: self.file_bytes }
    }
}

/// The memory that a file holds.
pub(super) struct Held {
    reservation: MemoryReservation,
    file_bytes: u64,
}

impl Held {
    /// Tells the pool how much a file of some bytes holds. That never fails: what is more is in a temporary file.
    pub(super) fn update(&self, bytes: u64) {
        self.reservation.resize(bytes.min(self.file_bytes) as usize);
    }
}
