//! Conditions and values from a grammar.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| trevni_fuzz::conditions(bytes));
