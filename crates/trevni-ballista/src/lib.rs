//! SQL on Trevni column files, on one machine or on many.
//!
//! The programs `trevni-scheduler` and `trevni-executor` are Ballista's scheduler and executor with the tables of
//! [`trevni_datafusion`]; [`client`] gives a session whose queries run there. `trevni-sql` is a shell for such sessions, and for those of
//! its own process ([`shell`]).

#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod client;
mod codec;
pub mod executor;
#[doc(hidden)]
pub mod program;
pub mod scheduler;
pub mod shell;

pub use codec::{TrevniLogicalCodec, TrevniPhysicalCodec};
