//! The chapters of the guide. Their code runs with the tests.
//!
//! | chapter | |
//! |---|---|
//! | [`types`] | what becomes of maps, tuples, options and enums |
//! | [`filtering`] | find rows by what is in them, and see what is read for it |
//! | [`random_access`] | rows by their numbers, one or some |
//! | [`columns`] | values without rows: columns as `Vec`s, batches |
//! | [`batches`] | rows as vectors: build them, look into them without a type, levels |
//! | [`sources`] | where bytes come from: files, memory, stores far away |
//! | [`large_files`] | memory, threads, files that are whole or not there |
//! | [`datasets`] | many files as one |
//! | [`merging`] | files into one and one into several, block by block |

// A link is defined twice: for rustdoc here, and, at the end of the chapter, for where it is read as a file. The
// first one counts.

#[doc = include_str!("../docs/types.md")]
pub mod types {}

#[doc = "[merging]: crate::guide::merging"]
#[doc = "[random_access]: crate::guide::random_access"]
#[doc = ""]
#[doc = include_str!("../docs/where.md")]
pub mod filtering {}

#[doc = "[filtering]: crate::guide::filtering"]
#[doc = "[datasets]: crate::guide::datasets"]
#[doc = ""]
#[doc = include_str!("../docs/random_access.md")]
pub mod random_access {}

#[doc = "[random_access]: crate::guide::random_access"]
#[doc = "[filtering]: crate::guide::filtering"]
#[doc = ""]
#[doc = include_str!("../docs/columns.md")]
pub mod columns {}

#[doc = include_str!("../docs/batches.md")]
pub mod batches {}

#[doc = "[large_files]: crate::guide::large_files"]
#[doc = ""]
#[doc = include_str!("../docs/sources.md")]
pub mod sources {}

#[doc = "[datasets]: crate::guide::datasets"]
#[doc = "[merging]: crate::guide::merging"]
#[doc = ""]
#[doc = include_str!("../docs/large_files.md")]
pub mod large_files {}

#[doc = include_str!("../docs/datasets.md")]
pub mod datasets {}

#[doc = include_str!("../docs/merging.md")]
pub mod merging {}
