//! The formats that builds without the feature `levels` lack: what they are known by, and the errors that say so.

use super::beginning::{Beginning, continues};
use super::format::Sealed;
use super::{Dialect, Encoder, FileSettings, Opener, ReadOptions};
use crate::bytes::reader::{Bytes, Read};
use crate::error::{Error, ErrorKind, Result};
use crate::metadata::{self, DEFINITION, LAYOUT, REPETITION, TYPE};
use crate::storage::blocks::Resources;

/// A format that this build lacks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Missing(pub(crate) Dialect);

impl Missing {
    /// Says which feature has the format.
    fn error(self) -> Error {
        let hint = " (enable the feature `levels` of trevni)";
        ErrorKind::Dialect { dialect: self.0.title(), hint }.into()
    }

    /// Tells which files have a format that this build lacks.
    ///
    /// # Errors
    ///
    /// Such files, and a source that fails.
    pub(crate) fn recognize(beginning: &mut Beginning<'_>, options: &ReadOptions) -> Result<Option<Opener>> {
        if beginning.has(b"Red Elm\n") {
            return Err(Self(Dialect::RedElm).error());
        }
        let len = beginning.len();
        let is_old = beginning.has(b"Trv\x01");
        if options.layout.is_some() || is_old && beginning.decode(|header| has_levels(header, len))? {
            return Err(Self(Dialect::Levels).error());
        }
        Ok(None)
    }
}

/// Whether a header of version 1, at the start of a file of `len` bytes, says that there are levels. Trevni's reader says what is wrong
/// with it.
///
/// # Errors
///
/// A header that goes on in the file.
fn has_levels(header: &[u8], len: u64) -> Result<bool> {
    const KEYS: [&str; 3] = [LAYOUT, DEFINITION, REPETITION];
    const TYPES: [&[u8]; 3] = [b"fixed8", b"fixed16", b"timestamp"];
    let mut bytes = Bytes::new(header);
    let mut found = false;
    let mut look = || -> Read<()> {
        bytes.take(4 + 8)?;
        for _ in 0..=bytes.fixed32()? {
            for _ in 0..bytes.long()? {
                let (key, value) = metadata::next_entry(&mut bytes)?;
                let has_type = key == TYPE.as_bytes() && TYPES.contains(&value);
                found |= has_type || KEYS.iter().any(|own| own.as_bytes() == key);
                if found {
                    return Ok(());
                }
            }
        }
        Ok(())
    };
    match look().map_err(|error| error.before(len.saturating_sub(header.len() as u64)).of("the header")) {
        Err(error) if continues(&error) => Err(error),
        _ => Ok(found),
    }
}

impl Sealed for Missing {
    fn dialect(&self) -> Dialect {
        self.0
    }

    fn encoder(&self, _: FileSettings, _: Resources) -> Result<Encoder> {
        Err(self.error())
    }

    fn boxed(&self) -> Box<dyn Sealed> {
        Box::new(*self)
    }
}
