//! Which columns are in the beginning of a compact file, and what comes first in it.

use super::column::ColumnEncoder;
use crate::dialect::trevni::compact::{self, COLUMN_BYTES, COLUMNS_BYTES, Place};
use crate::dialect::trevni::encode::header::{self, Header};
use crate::error::Result;
use crate::metadata;
use crate::storage::codec::Codec;

/// Keeps the bytes of columns that may be in the beginning: small ones, of which nothing has been sealed.
pub(super) fn keep(encoders: &mut [ColumnEncoder]) {
    let mut room = COLUMNS_BYTES;
    for encoder in encoders {
        let size = encoder.open.len();
        let is_small = encoder.blocks.is_empty() && !encoder.settings.first_values && size <= COLUMN_BYTES;
        if is_small && size <= room {
            room -= size;
            encoder.kept = Some(Vec::new());
        }
    }
}

/// The bytes of the file up to the first column that is not in the beginning, for the smallest of three: a file with all
/// columns in the beginning that may be there, one with those that are likely to be smaller there, and a plain one. `sizes`
/// and `codecs` are those of the columns. Columns that are not in the beginning are no longer kept.
pub(super) fn smallest(
    header: Header,
    encoders: &mut [ColumnEncoder],
    sizes: &[u64],
    codecs: &[Codec],
) -> Result<Vec<u8>> {
    let codec = compact::codec_of_beginning(codecs);
    let (mut all, mut smaller, mut alone) = (Vec::new(), Vec::new(), compact::sizer(codec));
    for ((encoder, size), own) in encoders.iter().zip(sizes).zip(&header.columns) {
        // What a column says of itself is in the beginning, too, but hardly compressed.
        let more = [metadata::ZONE_MAP, metadata::COLUMN_SUMS].map(|key| own.get(key).map_or(0, <[u8]>::len));
        let outside = *size + more.iter().sum::<usize>() as u64;
        all.push(encoder.kept.is_some());
        smaller.push(match &encoder.kept {
            Some(block) => block.len() as u64 <= outside || alone(block)? <= outside,
            None => false,
        });
    }
    let mut files = Vec::new();
    for within in [all, smaller] {
        files.push((front(&header, encoders, sizes, &within, codec)?, within));
    }
    files.push((header::encode(header, sizes), vec![false; sizes.len()]));
    let bytes = |(start, within): &(Vec<u8>, Vec<bool>)| {
        let after = sizes.iter().zip(within).filter(|(_, is_within)| !**is_within);
        start.len() as u64 + after.map(|(size, _)| size).sum::<u64>()
    };
    let (start, within) = files.into_iter().min_by_key(bytes).unwrap_or_default();
    let others = encoders.iter_mut().zip(within).filter(|(_, is_within)| !is_within);
    others.for_each(|(encoder, _)| encoder.kept = None);
    Ok(start)
}

/// What comes first in a compact file with these columns in the beginning.
fn front(
    header: &Header,
    encoders: &[ColumnEncoder],
    sizes: &[u64],
    within: &[bool],
    codec: Codec,
) -> Result<Vec<u8>> {
    let mut columns = header.columns.clone();
    let each = columns.iter_mut().zip(encoders).zip(sizes.iter().zip(within));
    let places = each.map(|((own, encoder), (size, is_within))| match &encoder.kept {
        Some(block) if *is_within => {
            for key in [metadata::CODEC, metadata::CHECKSUM, metadata::COLUMN_SUMS, metadata::ZONE_MAP] {
                own.remove(key);
            }
            Place::Here(block)
        }
        _ => Place::After(*size),
    });
    let places: Vec<Place<'_>> = places.collect();
    compact::write(&Header { columns, metadata: header.metadata.clone(), ..*header }, &places, codec)
}
