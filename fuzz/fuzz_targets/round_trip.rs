//! Random rows and options.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| trevni_fuzz::round_trip(bytes));
