//! Options that a RedElm file cannot have.

use super::super::codec;
use super::footer;
use crate::dialect::FileSettings;
use crate::error::{Error, Result};

/// Checks options.
///
/// # Errors
///
/// A codec without a Java class, options of single columns, and metadata that cannot be blocks.
pub(super) fn check(settings: &FileSettings) -> Result<()> {
    codec::name(settings.columns.codec)?;
    footer::check(settings)?;
    for part in &settings.paths {
        let refused =
            |what: &str| Err(Error::option(format!("{what} of {:?}: RedElm has none of columns", part.path)));
        if part.codec.is_some_and(|codec| codec != settings.columns.codec) {
            return refused("the codec");
        }
        if part.checksum.is_some_and(|checksum| checksum != settings.columns.checksum) {
            return refused("the checksum");
        }
        if part.first_values {
            return refused("the first values");
        }
        if !part.metadata.is_empty() {
            return refused("the metadata");
        }
    }
    Ok(())
}
