//! Texts as byte strings while they are read.

use crate::bytes::reader::Malformed;
use crate::vector::{Binaries, Strings, Vector};

/// Calls with byte strings in place of texts, and checks afterwards, once, that they are texts.
pub(crate) fn as_blobs(
    out: &mut Vector,
    call: impl FnOnce(&mut Vector) -> Result<(), Malformed>,
) -> Result<(), Malformed> {
    let strings = match out {
        Vector::String(strings) => strings,
        Vector::Dictionary(vector) if vector.is_text => {
            vector.is_text = false;
            return as_bytes(out, call);
        }
        _ => return call(out),
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

/// The same with positions in a dictionary, which may become values.
fn as_bytes(
    out: &mut Vector,
    call: impl FnOnce(&mut Vector) -> Result<(), Malformed>,
) -> Result<(), Malformed> {
    call(out)?;
    match out {
        Vector::Dictionary(vector) => {
            vector.is_text = true;
            if vector.is_valid() { Ok(()) } else { Err(Malformed::Utf8) }
        }
        Vector::Bytes(values) => {
            let texts = Strings::refilled(std::mem::take(values)).ok_or(Malformed::Utf8)?;
            *out = Vector::String(texts);
            Ok(())
        }
        _ => Ok(()),
    }
}
