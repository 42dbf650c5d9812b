//! The lengths of arrays within a block, runs of zeros and ones joined (specification, "Column Metadata").

pub(crate) mod decode;
pub(crate) mod encode;
