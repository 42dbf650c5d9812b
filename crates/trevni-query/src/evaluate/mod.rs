//! Evaluates expressions on the vectors of batches, a column at a time.

mod accessor;
mod column;
mod compute;
mod logical;
mod scope;
mod steps;

pub use accessor::{AccessError, Accessor};
pub use column::{ScalarColumn, ScalarValues};
pub use scope::{Located, Scope, offsets};
