//! Batches into serde values: each value is taken from the vector of its node, by position.

mod fast;
mod keep;
mod key;
mod miss;
mod plan;
mod row;
mod scalar;
mod slow;
mod weight;

pub(crate) use fast::{Copied, Fast, Held, Lent, Owned};
pub(crate) use keep::{Keep, Kept};
pub(crate) use miss::{FastPathMiss, RowAround};
pub(crate) use plan::{Plan, Plans};
pub(crate) use row::Assembler;
pub(crate) use slow::Missed;
