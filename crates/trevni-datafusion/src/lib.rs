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
//!
//! # Design
//!
//! A file format of the engine (`FileFormat`, `FileSource`, `FileSink`), so listing, partitions, statements and stores
//! are the engine's.
//!
//! * **Readers do not wait** (`input`). A store is asynchronous, `Source` is not. Rows are decoded once their bytes are
//!   there, which `Reader::ranges` says. What says where rows are (header, block tables) is read in steps: bytes that
//!   are not there make a step fail and are noted, and `Object::run` fetches them and takes the step again. Local files
//!   are read in place.
//! * **Windows** (`scan/rows.rs`): each has the filter that conditions known by then make, and is fetched while the one
//!   before is decoded.
//! * **Conditions** (`scan/predicate`) become a `Predicate` that is true for at least their rows; whether for no others
//!   depends on the types of the file, and is said to the planner. Arrow orders floats totally, so their predicates let
//!   NaN through.
//! * **Nulls of records are put into their fields** (`scan/nulls.rs`): the engine takes fields out of records without a
//!   look at nulls.
//! * **Statistics** are exact only where a bound is surely a value; block tables are read, since zone maps are valid
//!   only with them.
//! * **A table is a type of its own** (`TrevniTable`): a listing table of another format cannot be sent in a plan.
//! * **Writing** (`sink`): a store keeps files when the last one is encoded, so a failed query stores nothing. A batch
//!   takes a thread only while it is encoded, so any number of partitions may be open.
//! * **Committed writes** (`commit`): `WritePartsExec` writes parts named by write and attempt, `CommitExec` stores
//!   their manifest where none was, so of several attempts one counts. Between them is the node where Ballista cuts a
//!   plan. A write is given up in the place where it would be committed, never by its age. `table/visible.rs` hides
//!   parts of uncommitted writes from planning.
//! * **Tables that change** (`table/change.rs`, `commit/state.rs`): a statement that removes parts stores its manifest,
//!   which names the next snapshot, and then this snapshot, where none was. So a later caller finds out whether it
//!   counts, or decides that it does not. An analyzer rule notes the condition of a `DELETE` in its table: the optimizer
//!   turns one that is never true into a plan without any, which would remove all rows.
//! * The engine decides the versions of Arrow and `object_store`. The crate builds for minutes, so no other crate's
//!   build has it.

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
mod stores;
mod table;

pub use commit::{
    CommitExec, Removed, Replaced, WriteOptions, WritePartsExec, committed, give_up, remove_replaced,
    remove_uncommitted, with_commits, with_plain_strings, write_of,
};
pub use format::{TrevniFormat, TrevniFormatFactory};
pub use register::{register, session_context};
pub use scan::TrevniSource;
pub use sink::TrevniSink;
pub use stores::NamedStores;
pub use table::{TrevniTable, TrevniTableFactory, place_of_copy};

/// The examples of the README, which run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
