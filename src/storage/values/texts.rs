//! Texts as byte strings while they are read.

use crate::bytes::reader::Malformed;
use crate::vector::{Binaries, Strings, Vector};

/// Calls with byte strings in place of texts, and checks afterwards, once, that they are texts.
pub(crate) fn as_blobs(
    out: &mut Vector,
    call: impl FnOnce(&mut Vector) -> Result<(), Malformed>,
) -> Result<(), Malformed> {
    let Vector::String(strings) = out else {
        return call(out);
    };
    let mut blobs = Vector::Bytes(strings.take());
    call(&mut blobs)?;
    let binaries = match blobs {
        Vector::Bytes(binaries) => binaries,
        _ => Binaries::default(),
    };
    *strings = Strings::refilled(binaries).ok_or(Malformed::Utf8)?;
    Ok(())
}
