//! Blocks of a column: on their way into a file (open, sealed, stored until the header is known, written
//! out), and in a file that is read (their table, their bytes).

mod check;
mod open;
mod order;
pub(crate) mod output;
mod seal;
mod store;
mod table;

pub(crate) use open::{OpenBlock, SealedBlock};
pub(crate) use order::{BlockOrder, Extents};
pub(crate) use seal::{Resources, Sealer};
pub(crate) use store::{DESCRIPTOR_BYTES, Store};
pub(crate) use table::{Block, BlockSizes, BlockTable};

pub(crate) use crate::storage::codec::BlockForm;
