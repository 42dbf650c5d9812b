//! Reading damaged files: the rows of the blocks that are damaged are lost, and the others are what they were.

mod blocks;
mod cuts;
mod files;
mod flips;
mod values;

#[path = "../hostile/raw.rs"]
#[allow(dead_code, reason = "not all of it is for these tests")]
mod raw;
#[path = "../hostile/samples.rs"]
#[allow(dead_code, reason = "not all of it is for these tests")]
mod samples;
