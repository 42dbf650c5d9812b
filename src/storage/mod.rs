//! What all dialects share: where bytes come from and go to, codecs, checksums, values in a block, and what is
//! known of them. Nothing here knows a dialect.

pub(crate) mod blocks;
pub(crate) mod budget;
pub(crate) mod checksum;
pub(crate) mod codec;
pub(crate) mod pieces;
#[cfg_attr(not(feature = "threads"), path = "no_pool.rs")]
pub(crate) mod pool;
pub(crate) mod read_ahead;
pub(crate) mod reserved;
pub(crate) mod source;
pub(crate) mod temporary;
pub(crate) mod value_type;
pub(crate) mod values;
pub(crate) mod zone_map;
