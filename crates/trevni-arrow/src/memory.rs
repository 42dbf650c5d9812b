//! What glibc does with the memory of batches.

use std::hint::black_box;
use std::sync::Once;

/// glibc maps a block of this size on its own, and unmaps it when it is freed.
const MAPPED_BYTES: usize = 8 << 20;

/// Lets the next batch use the memory of the last one.
///
/// glibc gives the free end of its heap back to the system from 128 KiB on, and a batch takes a megabyte: each of its pages
/// is a page fault again, a fifth of the time of a read. This limit grows to twice the largest mapped block that was freed
/// (mallopt(3), `M_MMAP_THRESHOLD`). One block is enough, and none of its pages is touched. Readers of files free such
/// blocks anyway; readers of bytes in memory do not. A limit that the program or the environment sets stays.
pub(crate) fn keep_freed() {
    static KEPT: Once = Once::new();
    KEPT.call_once(|| drop(black_box(Vec::<u8>::with_capacity(MAPPED_BYTES))));
}
