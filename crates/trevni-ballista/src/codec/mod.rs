//! Plans as bytes: what Trevni adds to what Ballista sends.

mod logical;
mod messages;
mod physical;

pub use logical::TrevniLogicalCodec;
pub use physical::TrevniPhysicalCodec;

use datafusion::common::plan_datafusion_err;
use datafusion::error::Result;
use prost::Message;

/// What bytes of Trevni begin with. Those of Ballista do not: the first byte would be the end of a group, which protocol
/// buffers do not begin with.
const MARK: [u8; 4] = *b"\x04trv";

/// The bytes after the mark of Trevni; `None` if they do not begin with it.
fn marked(bytes: &[u8]) -> Option<&[u8]> {
    bytes.strip_prefix(&MARK)
}

fn encode(message: &impl Message, bytes: &mut Vec<u8>) -> Result<()> {
    bytes.extend(MARK);
    message.encode(bytes).map_err(|error| plan_datafusion_err!("a plan cannot be sent: {error}"))
}

fn decode<M: Message + Default>(bytes: &[u8]) -> Result<M> {
    M::decode(bytes).map_err(|error| plan_datafusion_err!("a plan that came is damaged: {error}"))
}

fn missing(what: &str) -> datafusion::error::DataFusionError {
    plan_datafusion_err!("a plan that came is damaged: {what} is missing")
}
