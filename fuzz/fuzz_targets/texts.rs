//! CSV and JSON, as the command line converts them.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| trevni_fuzz::texts(bytes));
