//! The blocks of metadata of a file that is being written.

use super::super::footer::{BLOCKS_MAX, Block, Blocks, Footer, NAME, RedElmFooter};
use super::super::{MAGIC, ZONES, codec, sums};
use super::schema::Described;
use crate::dialect::FileSettings;
use crate::error::{Error, Result};
use crate::metadata;
use crate::storage::checksum::Checksum;
use crate::storage::codec::Codec;
use std::borrow::Cow;

/// Keys of metadata that a footer has in other places.
const ELSEWHERE: [&str; 2] = [metadata::CODEC, metadata::CHECKSUM];

/// The end of a file: footer, its position, and the magic. Where columns have checksums, the footer has them and its own.
pub(super) fn end(
    footer: &Footer,
    form: RedElmFooter,
    blocks: Vec<Block<'_>>,
    parts: Option<&[u8]>,
    start: u64,
) -> Result<Vec<u8>> {
    let own = Block { name: Cow::Borrowed(NAME), bytes: Cow::Owned(footer.write(form)?) };
    let mut blocks: Vec<Block<'_>> = std::iter::once(own).chain(blocks).collect();
    if let Some(parts) = parts {
        sums::add(parts, &mut blocks);
    }
    let mut out = Blocks::write(&blocks)?;
    out.extend_from_slice(&start.to_be_bytes());
    out.extend_from_slice(&MAGIC);
    if parts.is_some() {
        sums::fill(&mut out);
    }
    Ok(out)
}

/// The footer of a file without row groups.
pub(super) fn footer(described: &Described, codec: Codec) -> Result<Footer> {
    Ok(Footer { schema: described.text(), codec: codec::name(codec)?, groups: Vec::new() })
}

/// The blocks of other names than the footer's own: the exact schema, where the message does not say all, and
/// metadata.
pub(super) fn blocks<'a>(
    settings: &'a FileSettings,
    described: &'a Described,
    zones: Option<Vec<u8>>,
) -> Vec<Block<'a>> {
    let mut blocks = Vec::new();
    let mut add = |name: &'a str, bytes: &'a [u8]| {
        blocks.push(Block { name: Cow::Borrowed(name), bytes: Cow::Borrowed(bytes) });
    };
    if !described.is_told_by_message {
        if settings.derived {
            add(metadata::SCHEMA_KIND, metadata::DERIVED.as_bytes());
        }
        add(metadata::SCHEMA, described.avro.as_bytes());
    }
    settings
        .metadata
        .iter()
        .filter(|(key, _)| !ELSEWHERE.contains(key))
        .for_each(|(key, value)| add(key, value));
    blocks.extend(zones.map(|zones| Block { name: Cow::Borrowed(ZONES), bytes: Cow::Owned(zones) }));
    blocks
}

/// The block of the exact schema.
pub(super) fn schema_block(described: &Described) -> Block<'_> {
    Block { name: Cow::Borrowed(metadata::SCHEMA), bytes: Cow::Borrowed(described.avro.as_bytes()) }
}

/// Checks that metadata can be blocks.
pub(super) fn check(settings: &FileSettings) -> Result<()> {
    let users = settings.metadata.iter().filter(|(key, _)| !ELSEWHERE.contains(key)).count();
    let sums = if settings.columns.checksum == Checksum::Null { 0 } else { 2 };
    // The footer's own, those of the schema, and zone maps.
    let count = users + 4 + sums;
    if count > BLOCKS_MAX {
        let what = "the number of metadata blocks";
        return Err(Error::too_large(what, count as u64, BLOCKS_MAX as u64));
    }
    match settings.metadata.contains(NAME) {
        true => Err(Error::option(format!("the metadata block {NAME} is the footer's own"))),
        false => Ok(()),
    }
}
