//! Files whose parts are changed, with sizes and checksums mended.
#![no_main]

use libfuzzer_sys::{fuzz_mutator, fuzz_target, fuzzer_mutate};

fuzz_target!(|bytes: &[u8]| trevni_fuzz::read(bytes));

fuzz_mutator!(|bytes: &mut [u8], size: usize, max_size: usize, seed: u32| {
    let changed = trevni_fuzz::mended(&bytes[..size], seed.into());
    if seed % 16 == 0 || changed.len() > max_size {
        return fuzzer_mutate(bytes, size, max_size);
    }
    bytes[..changed.len()].copy_from_slice(&changed);
    changed.len()
});
