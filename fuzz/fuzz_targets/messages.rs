//! Messages of Protocol Buffers with their descriptors.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| trevni_fuzz::messages(bytes));
