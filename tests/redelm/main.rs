//! RedElm: files of the Java implementation, files of this crate, and damaged ones.

mod bad;
mod dremel;
mod golden;
mod memory;
#[path = "../batches/random.rs"]
mod random;
mod render;
mod round_trip;
mod sums;
mod writing;
