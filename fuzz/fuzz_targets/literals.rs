//! Strings of logical types, as literals have them.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| trevni_fuzz::literals(bytes));
