//! What a format makes of a block in a file, whatever is in it.

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
