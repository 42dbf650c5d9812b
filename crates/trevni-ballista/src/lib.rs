//! SQL on Trevni column files, on one machine or on many.
//!
//! The programs `trevni-scheduler` and `trevni-executor` are Ballista's scheduler and executor with the tables of
//! [`trevni_datafusion`]; [`client`] gives a session whose queries run there. `trevni-sql` is a shell for such sessions, and for those of
//! its own process ([`shell`]).
//!
//! # Design
//!
//! * **Ballista is used as a library.** Tables, scans and writes have codecs (`codec`); their messages begin with a
//!   mark that no message of Ballista begins with. A scan is sent with its conditions, and the receiver decides again
//!   which of them are exact. It checks expressions against the schema, since the engine indexes columns by them.
//! * **Options of `COPY`** are put into the format by the client's planner, since plans do not send them.
//! * **What dies is no reason to fail** (`scheduler`, `client`). The state of the scheduler is Ballista's, with an
//!   answer of ours: jobs that had tasks on a lost executor end, and the client asks again (`ClusterExec`), until it
//!   has given rows. So no job goes on with half of its work lost, which Ballista does wrong. The client gives writes
//!   their identity, and asks the store, not the scheduler, whether they are committed.
//! * **TLS** (`tls`) is for the whole process: Ballista makes all its connections by one function, and its servers have a proxy before them.
//! * **The shell** (`shell`) splits statements by the tokens of the engine's parser, so quotes and comments mean the
//!   same. A query is a task, which a signal stops; another task waits for signals, since a write to a full pipe
//!   blocks the thread that prints.
//! * **What is stopped ends** (`shell/stoppable.rs`): joins yield, and their conditions fail once a query is stopped.
//! * Rows are printed by `trevni-print`, through `trevni-arrow`, so types look as in the command line.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod client;
mod cluster;
mod codec;
pub mod executor;
#[doc(hidden)]
pub mod program;
pub mod scheduler;
pub mod shell;
pub mod tls;

pub use codec::{TrevniLogicalCodec, TrevniPhysicalCodec};
