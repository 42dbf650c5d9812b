//! What filtering promises: the rows that a filter after a full read leaves, from few bytes.

mod bytes;
mod equal;
mod rows;
mod seek;
#[path = "../reading/sources.rs"]
#[allow(dead_code, reason = "shared with the tests of reading")]
mod sources;
mod threes;
