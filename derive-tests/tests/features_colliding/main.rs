//! One test for every row of the table "serde features", as in `features.rs`, with structs, variants and fields
//! that share their names with each other and with Avro's types.

#![allow(unreachable_pub, reason = "what modules of a test share is `pub`")]

mod attributes;
mod kinds;
mod reading;
mod rows;
mod types;
