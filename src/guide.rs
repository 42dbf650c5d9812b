//! The chapters of the guide. Their code runs with the tests.
//!
//! | chapter | |
//! |---|---|
//! | [`paths`] | how fields are named |
//! | [`types`] | how maps, tuples, options and enums are stored |
//! | [`logical`] | instants, dates, decimals, UUIDs, IP addresses |
//! | [`filtering`] | find rows by value, and see which blocks are read |
//! | [`random_access`] | rows by number, one or some |
//! | [`columns`] | values without rows: columns as `Vec`s, batches |
//! | [`batches`] | rows as vectors: build them, read them without a type, levels |
//! | [`sources`] | files, memory, object stores |
//! | [`large_files`] | memory, threads, atomic writes |
//! | [`datasets`] | many files as one |
//! | [`logs`] | rows that survive a crash: flush, rotation, compaction |
//! | [`services`] | one file, many threads: single rows, cache |
//! | [`merging`] | concatenate and split files, block by block |
//! | [`dialects`] | Trevni with levels and RedElm, and from one format to another |
//! | [`reliability`] | what happens when disks, processes and sources fail |

// A link is defined twice: here for rustdoc, and at the end of the chapter for the file. The first definition
// counts.

#[doc = include_str!("../docs/paths.md")]
pub mod paths {}

#[doc = include_str!("../docs/types.md")]
pub mod types {}

#[doc = include_str!("../docs/logical.md")]
pub mod logical {}

#[doc = "[merging]: crate::guide::merging"]
#[doc = "[random_access]: crate::guide::random_access"]
#[doc = ""]
#[doc = include_str!("../docs/where.md")]
pub mod filtering {}

#[doc = "[filtering]: crate::guide::filtering"]
#[doc = "[datasets]: crate::guide::datasets"]
#[doc = "[services.md]: crate::guide::services"]
#[doc = ""]
#[doc = include_str!("../docs/random_access.md")]
pub mod random_access {}

#[doc = "[paths]: crate::guide::paths"]
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

#[doc = include_str!("../docs/logs.md")]
pub mod logs {}

#[doc = "[logs.md]: crate::guide::logs"]
#[doc = ""]
#[doc = include_str!("../docs/services.md")]
pub mod services {}

#[doc = include_str!("../docs/merging.md")]
pub mod merging {}

#[doc = include_str!("../docs/dialects.md")]
pub mod dialects {}

#[doc = "[`Limits`]: crate::Limits"]
#[doc = ""]
#[doc = include_str!("../docs/reliability.md")]
pub mod reliability {}
