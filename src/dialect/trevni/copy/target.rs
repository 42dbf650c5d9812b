//! Which codec and checksum a column of the result has.

use super::plan::{Piece, pieces};
use super::{Found, Options, Part, Work, stored};
use crate::dialect::Dialect;
use crate::dialect::trevni::columns::ColumnSpec;
use crate::error::{Error, Result};
use crate::storage::checksum::Checksum;
use crate::storage::codec::{Codec, ColumnType};
use crate::storage::value_type::ValueType;

/// How the blocks of a column are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Target {
    pub(super) codec: Codec,
    pub(super) checksum: Checksum,
}

/// What the options say, or else the first file.
pub(super) fn of(
    parts: &[Part<'_, '_>],
    number: usize,
    options: &Options,
    work: &mut Work,
) -> Result<Target> {
    let first = parts.first().ok_or_else(|| Error::internal("there are no files to merge"))?;
    let own = match first_own(parts, number)? {
        Some((part, Found { file, number, .. })) if !file.is_within_beginning(number) => {
            let table = file.table(number).map_err(|error| part.here(error))?;
            Target { codec: table.codec, checksum: table.checksum }
        }
        // As in a plain file: there it would have what the others have.
        _ => {
            let inherited = first.file.header.inherited();
            let codec = Codec::from_name(&inherited.codec)?.available()?;
            Target { codec, checksum: Checksum::from_name(&inherited.checksum)? }
        }
    };
    let codec = match options.codec {
        None => own.codec,
        Some(Codec::Auto) => choose(parts, number, work)?,
        Some(codec) => codec.available()?,
    };
    Ok(Target { codec, checksum: options.checksum.unwrap_or(own.checksum) })
}

/// The first file that has a column of the result itself, and the column there.
pub(super) fn first_own<'p, 'a, 's>(
    parts: &'p [Part<'a, 's>],
    number: usize,
) -> Result<Option<(&'p Part<'a, 's>, Found<'p, 's>)>> {
    for part in parts {
        let found = part.column(number)?;
        if !found.is_made {
            return Ok(Some((part, found)));
        }
    }
    Ok(None)
}

/// The type of a column's values: as in the first file that has it, as the width of integers may be fixed there.
pub(super) fn value_type(parts: &[Part<'_, '_>], number: usize, spec: &ColumnSpec) -> Result<ValueType> {
    match first_own(parts, number)? {
        Some((_, found)) => Ok(found.file.column(found.number)?.spec.value_type),
        None => Ok(spec.value_type),
    }
}

/// Whether descriptors have the first values of blocks: as in the first file that has the column.
pub(super) fn has_first_values(parts: &[Part<'_, '_>], number: usize) -> Result<bool> {
    match first_own(parts, number)? {
        Some((_, found)) => Ok(found.file.column(found.number)?.first_values),
        None => Ok(false),
    }
}

/// The codec for blocks like the first one of the result.
fn choose(parts: &[Part<'_, '_>], number: usize, work: &mut Work) -> Result<Codec> {
    for part in parts {
        let chosen = choose_for(part, number, parts.len(), work).map_err(|error| part.here(error))?;
        if let Some(codec) = chosen {
            return Ok(codec);
        }
    }
    Ok(Codec::Null)
}

/// The codec for blocks like the first one of a part, of a number of blocks; `None` if it has no rows.
fn choose_for(part: &Part<'_, '_>, number: usize, parts: usize, work: &mut Work) -> Result<Option<Codec>> {
    let Found { file, number, rows, .. } = part.column(number)?;
    let table = file.table(number)?;
    let pieces = pieces(&table, &rows);
    let is_one = matches!(pieces.as_slice(), [Piece::Whole(blocks)] if blocks.len() == 1);
    let block = match pieces.first() {
        Some(Piece::Whole(blocks)) => blocks.start,
        Some(Piece::Cut(block, _)) => *block,
        None => return Ok(None),
    };
    let Work { compressors, stored: buffer, data } = work;
    let blocks = block..block + 1;
    let spec = file.column(number)?.spec;
    let column_type = ColumnType { value_type: Some(spec.value_type), array: spec.array };
    let mut chosen = None;
    let done = stored::read(file, stored::place(&table, &blocks), buffer).and_then(|stored| {
        stored::unpack_each((file, &table), blocks, stored, &mut None, data, |_, _, data| {
            chosen = Some(compressors.choose(
                data,
                column_type,
                is_one && parts == 1,
                Dialect::Trevni.codecs(),
            )?);
            Ok(())
        })
    });
    done.map(|()| chosen).map_err(|error| file.in_column(number, error.in_block(block)))
}
