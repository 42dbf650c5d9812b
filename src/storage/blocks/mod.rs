//! Blocks on their way into a file: sealed, stored until the header is known, written out.

pub(crate) mod output;
mod seal;
mod spill;
mod store;

pub(crate) use seal::{Resources, Sealer};
pub(crate) use store::{BlockId, Store};
