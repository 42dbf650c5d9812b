//! Any bytes as a file.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| trevni_fuzz::read(bytes));
