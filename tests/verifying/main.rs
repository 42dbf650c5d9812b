//! Checking whole files: nothing is wrong with those that are whole, and each kind of damage is found and named.

mod damage;
mod goldens;
mod own;

#[path = "../hostile/raw.rs"]
#[allow(dead_code, reason = "not all of it is for these tests")]
mod raw;
#[path = "../hostile/samples.rs"]
#[allow(dead_code, reason = "not all of it is for these tests")]
mod samples;
#[path = "../hostile/sums.rs"]
mod sums;
