//! Conditions and other expressions.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| trevni_fuzz::expressions(bytes));
