//! Which columns are in the beginning of a compact file, and what comes first in it.

use super::column::ColumnEncoder;
use crate::dialect::trevni::compact::{self, COLUMN_BYTES, COLUMNS_BYTES, Column, Place};
use crate::dialect::trevni::encode::header::Header;
use crate::error::Result;
use crate::metadata::{self, Metadata};
use crate::storage::blocks::Store;
use crate::storage::checksum::Checksum;
use crate::storage::codec::Codec;

/// Chooses columns for the beginning: small ones, of which nothing has been sealed. Their blocks have neither codec nor
/// checksum, because the beginning has.
pub(super) fn choose(encoders: &mut [ColumnEncoder]) {
    let mut room = COLUMNS_BYTES;
    for encoder in encoders {
        let size = encoder.open.len();
        let is_small = encoder.blocks.is_empty() && !encoder.settings.first_values && size <= COLUMN_BYTES;
        if is_small && size <= room {
            room -= size;
            encoder.is_within_beginning = true;
            (encoder.settings.codec, encoder.settings.checksum) = (Codec::Null, Checksum::Null);
        }
    }
}

/// The bytes of the file up to the first column that is not in the beginning. `sizes` are those of the columns, `codec` is
/// that of the file.
pub(super) fn front(
    header: Header,
    encoders: &[ColumnEncoder],
    sizes: &[u64],
    store: &Store,
    codec: Codec,
) -> Result<Vec<u8>> {
    let Header { version, rows, metadata, has_sum, columns } = header;
    let each = columns.into_iter().zip(encoders).zip(sizes);
    let columns = each.map(|((metadata, encoder), size)| column(metadata, encoder, *size, store));
    let columns = columns.collect::<Result<_>>()?;
    compact::write(&compact::File { version, rows, metadata, has_sum, columns }, codec)
}

fn column(mut own: Metadata, encoder: &ColumnEncoder, size: u64, store: &Store) -> Result<Column> {
    if !encoder.is_within_beginning {
        return Ok(Column { metadata: own, place: Place::After(size) });
    }
    for key in [metadata::CODEC, metadata::CHECKSUM, metadata::COLUMN_SUMS, metadata::ZONE_MAP] {
        own.remove(key);
    }
    let mut buffer = Vec::new();
    let block = match encoder.blocks.first() {
        Some(block) => store.bytes(block.id, &mut buffer)?.to_vec(),
        None => Vec::new(),
    };
    Ok(Column { metadata: own, place: Place::Here(block) })
}
