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

use crate::storage::checksum::Placement;
use crate::storage::codec::Framing;

/// How the stored bytes of blocks are formed; by default as in Trevni.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct BlockForm {
    /// What the names of codecs mean.
    pub(crate) framing: Framing,
    /// Where the checksum is.
    pub(crate) checksum: Placement,
}
