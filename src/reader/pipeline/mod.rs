//! From the file to batches, stage by stage: which rows may be there (scan), which of them the predicate selects
//! (filter), their columns (decode), here or by another thread (ahead).

mod ahead;
mod decode;
#[cfg_attr(not(feature = "predicates"), path = "no_filter.rs")]
pub(super) mod filter;
mod found;
mod plan;
pub(super) mod scan;
mod source;

pub(super) use decode::{BatchDecoder, BatchOrigin};
pub(super) use found::found;
pub(super) use plan::ReadPlan;
pub(super) use source::BatchSource;
