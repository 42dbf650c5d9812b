//! From the file to batches, stage by stage: which rows may be there (scan), which of them the predicate selects
//! (filter), their columns (decode), here or by another thread (ahead).

mod ahead;
mod decode;
pub(super) mod filter;
pub(super) mod scan;
mod source;

pub(super) use decode::{BatchDecoder, BatchOrigin};
pub(super) use source::BatchSource;
