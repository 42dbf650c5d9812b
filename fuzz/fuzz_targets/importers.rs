//! Avro files, messages and schemas.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| trevni_fuzz::importers(bytes));
