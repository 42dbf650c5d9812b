//! Stands in for the crate regex, which would be a fourth of the package: regex-lite has the same calls and a fraction of the code.
//! Its `\w` and `(?i)` know ASCII only.

pub use regex_lite::{Error, Regex, escape};
