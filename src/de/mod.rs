//! Batches into serde values: each value is taken from the vector of its node, by position.

mod fast;
mod fields;
mod floats;
mod key;
mod logical;
mod plan;
mod row;
mod scalar;
mod slow;
mod weight;

pub(crate) use fast::{Fast, Lent, Owned};
pub(crate) use plan::Plan;
pub(crate) use row::Assembler;
pub(crate) use slow::Load;

/// The name that `serde_json::value::RawValue` asks for: it is written as a struct of one field, and read as a
/// map of it.
const RAW_VALUE: &str = "$serde_json::private::RawValue";
