//! What glibc does with the memory of batches.

use std::hint::black_box;
use std::sync::Once;

/// glibc maps a block of this size on its own, and unmaps it when it is freed.
const MAPPED_BYTES: usize = 8 << 20;

/// Lets the next batch use the memory of the last one. Does nothing with other allocators of a system.
///
/// A batch takes about a megabyte. By default glibc returns the free end of its heap to the system from 128 KiB on, so each
/// page of the next batch is a page fault: a fifth of the time of a read. Freeing a mapped block raises this limit to
/// twice its size (mallopt(3), `M_MMAP_THRESHOLD`), and a block that nobody writes to costs no memory. Reading a file
/// frees such blocks anyway; reading bytes in memory does not. A limit set by the program or its environment stays.
pub(crate) fn keep_freed() {
    static KEPT: Once = Once::new();
    if cfg!(all(target_os = "linux", target_env = "gnu")) {
        KEPT.call_once(|| {
            let mut block = Vec::<u8>::new();
            // Where a process may not have so much memory, all stays as it is.
            let _ = block.try_reserve_exact(MAPPED_BYTES);
            drop(black_box(block));
        });
    }
}
