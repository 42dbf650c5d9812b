//! File formats: batches into bytes and back, one folder each.

pub(crate) mod trevni;
