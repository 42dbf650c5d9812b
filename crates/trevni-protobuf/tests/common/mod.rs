//! Reads and writes messages whole.
#![allow(dead_code, reason = "each test binary uses some of it")]

use trevni::Batch;
use trevni_protobuf::{Error, Mapping, MessageDescriptor, Options, Reader, Writer, message};

/// The descriptors of `tests/data`.
pub(crate) const SET: &[u8] = include_bytes!("../data/all.binpb");

/// A message of `tests/data`.
pub(crate) fn descriptor(name: &str) -> MessageDescriptor {
    message(SET, name).unwrap()
}

/// All batches of some messages.
pub(crate) fn read(
    bytes: &[u8],
    message: &MessageDescriptor,
    options: &Options,
) -> Result<Vec<Batch>, Error> {
    Reader::new(bytes, Mapping::new(message, options)?).collect()
}

/// The rows of batches as lines of JSON.
pub(crate) fn lines(batches: &[Batch]) -> Vec<String> {
    let rows = batches.iter().flat_map(|batch| (0..batch.len()).map(|index| batch.row(index)));
    rows.map(|row| serde_json::to_string(&row).unwrap()).collect()
}

/// Batches as messages.
pub(crate) fn written(batches: &[Batch], message: &MessageDescriptor) -> Result<Vec<u8>, Error> {
    let Some(first) = batches.first() else { return Ok(Vec::new()) };
    let mut writer = Writer::new(first.shape(), message, Vec::new())?;
    batches.iter().try_for_each(|batch| writer.write_batch(batch))?;
    writer.finish()
}
