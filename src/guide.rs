//! The chapters of the guide. Their code runs with the tests.
//!
//! | chapter | |
//! |---|---|
//! | [`paths`] | how fields are named |
//! | [`types`] | how maps, tuples, options and enums are stored |
//! | [`evolution`] | types that change: fields added, removed, renamed, widened |
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
//! | [`stability`] | what stays as it is from version to version, and what is experimental |
//! | [`from`] | from CSV, JSON lines, Parquet, bincode |
//! | [`faq`] | questions of users of serde_json, csv, parquet |

// A link is defined twice: here for rustdoc, and at the end of the chapter for the file. The first definition
// counts.

#[doc = include_str!("../docs/paths.md")]
pub mod paths {}

#[doc = include_str!("../docs/types.md")]
pub mod types {}

#[doc = "[datasets.md]: crate::guide::datasets"]
#[doc = "[merging.md]: crate::guide::merging"]
#[doc = "[logs.md]: crate::guide::logs"]
#[doc = ""]
#[doc = include_str!("../docs/evolution.md")]
pub mod evolution {}

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

#[doc = "[datasets.md]: crate::guide::datasets"]
#[doc = ""]
#[doc = include_str!("../docs/merging.md")]
pub mod merging {}

// All its examples write these formats.
#[cfg_attr(feature = "levels", doc = include_str!("../docs/dialects.md"))]
#[cfg_attr(not(feature = "levels"), doc = "See the documentation with the feature `levels`.")]
pub mod dialects {}

#[doc = "[`Limits`]: crate::Limits"]
#[doc = ""]
#[doc = include_str!("../docs/reliability.md")]
pub mod reliability {}

#[doc = include_str!("../docs/stability.md")]
pub mod stability {}

#[doc = "[evolution.md]: crate::guide::evolution"]
#[doc = "[faq.md]: crate::guide::faq"]
#[doc = "[types.md]: crate::guide::types"]
#[doc = ""]
#[doc = include_str!("../docs/from.md")]
pub mod from {}

#[doc = "[evolution.md]: crate::guide::evolution"]
#[doc = "[from.md]: crate::guide::from"]
#[doc = "[large_files.md]: crate::guide::large_files"]
#[doc = "[logs.md]: crate::guide::logs"]
#[doc = "[reliability.md]: crate::guide::reliability"]
#[doc = "[services.md]: crate::guide::services"]
#[doc = "[stability.md]: crate::guide::stability"]
#[doc = "[types.md]: crate::guide::types"]
#[doc = ""]
#[doc = include_str!("../docs/faq.md")]
pub mod faq {}
