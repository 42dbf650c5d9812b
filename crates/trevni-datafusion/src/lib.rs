//! SQL on Trevni column files, with Apache DataFusion.
//!
//! [`register`] makes the format known to a session; after that, statements do the rest: `SELECT … FROM 'flights/*.trv'`,
//! `CREATE EXTERNAL TABLE … STORED AS TREVNI`, `COPY … STORED AS TREVNI`, `INSERT INTO`.
//!
//! ```
//! # tokio::runtime::Runtime::new()?.block_on(async {
//! let path = std::env::temp_dir().join(format!("trevni-datafusion-doc-{}.trv", std::process::id()));
//! let mut writer = trevni::Writer::create(&path)?;
//! writer.write_all([("AA", 1089.0), ("UA", 2475.0)])?;
//! writer.finish()?;
//!
//! let session = trevni_datafusion::session_context()?;
//! let sql = format!("SELECT sum(\"_1\") AS distance FROM '{}'", path.display());
//! let rows = session.sql(&sql).await?.collect().await?;
//! datafusion::assert_batches_eq!(["+----------+", "| distance |", "+----------+", "| 3564.0   |", "+----------+"], &rows);
//! # std::fs::remove_file(path)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! # }).unwrap();
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The page `docs/sql.md` of the repository says what is read of files, and how object stores are used.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod commit;
mod error;
mod format;
mod input;
mod register;
mod scan;
mod sink;
mod statistics;
mod table;

pub use commit::{CommitExec, Removed, WritePartsExec, remove_uncommitted, with_commits};
pub use format::{TrevniFormat, TrevniFormatFactory};
pub use register::{register, session_context};
pub use scan::TrevniSource;
pub use sink::TrevniSink;
pub use table::{TrevniTable, TrevniTableFactory};

/// The examples of the README, which run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
