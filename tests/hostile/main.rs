//! Bytes that lie: whatever is in a file, reading it ends with rows or a clear error, in bounded
//! memory and time.

mod blocks;
mod bombs;
mod budget;
mod checks;
mod corruption;
mod flips;
mod growing;
mod header;
mod lengths;
mod memory;
mod nesting;
mod raw;
mod samples;
mod selecting;
mod sums;
mod truncation;
