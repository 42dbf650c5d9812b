//! Typed blocks in each of their forms.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| trevni_fuzz::typed(bytes));
