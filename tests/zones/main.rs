//! Zone maps: what they say is so, and where they say nothing or are damaged, reading goes on.

mod check;
mod damaged;
mod growth;
mod long;
mod options;
mod sorted;
mod values;

#[path = "../hostile/sums.rs"]
mod sums;
