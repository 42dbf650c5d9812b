//! What this crate writes with its defaults, it reads with its defaults: whatever writer, merge, split or recode makes of
//! rows that take few bytes or none is opened, checked and read in all ways.

mod data;
mod golden;
mod kinds;
mod options;
mod serde_rows;
mod ways;

#[path = "../hostile/raw.rs"]
#[allow(dead_code, reason = "not all of it is for these tests")]
mod raw;
