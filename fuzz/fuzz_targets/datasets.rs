//! Folders of files, manifests of writes, names of parts.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| trevni_fuzz::datasets(bytes));
