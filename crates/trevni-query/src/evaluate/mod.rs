//! Evaluates expressions on the vectors of batches, a column at a time.

mod accessor;
mod choices;
mod column;
mod compute;
mod lists;
mod logical;
mod made;
mod scope;
mod steps;
mod texts;

pub use accessor::{AccessError, Accessor};
pub use column::{ScalarColumn, ScalarValues};
pub use made::MadeRows;
pub use scope::{Located, Scope, offsets};
