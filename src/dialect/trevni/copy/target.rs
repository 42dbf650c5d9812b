//! Which codec and checksum a column of the result has.

use super::plan::{Piece, pieces};
use super::{Options, Part, Work, stored};
use crate::error::{Error, Result};
use crate::storage::checksum::Checksum;
use crate::storage::codec::{Codec, ColumnType};

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
    let Some(first) = parts.first() else {
        return Err(Error::option("there are no files to merge"));
    };
    let table = first.file.table(number).map_err(|error| first.here(error))?;
    let own = match first.file.is_within_beginning(number) {
        false => Target { codec: table.codec, checksum: table.checksum },
        // As in a plain file: there it would have what the others have.
        true => {
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

/// The codec for blocks like the first one of the result.
fn choose(parts: &[Part<'_, '_>], number: usize, work: &mut Work) -> Result<Codec> {
    for part in parts {
        let chosen = choose_for(part, number, work).map_err(|error| part.here(error))?;
        if let Some(codec) = chosen {
            return Ok(codec);
        }
    }
    Ok(Codec::Null)
}

/// The codec for blocks like the first one of a part; none where it has no rows.
fn choose_for(part: &Part<'_, '_>, number: usize, work: &mut Work) -> Result<Option<Codec>> {
    let Part { file, rows, .. } = part;
    let table = file.table(number)?;
    let block = match pieces(&table, rows).first() {
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
        stored::unpack_each(file, &table, blocks, stored, &mut None, data, |_, _, data| {
            chosen = Some(compressors.choose(data, column_type)?);
            Ok(())
        })
    });
    done.map(|()| chosen).map_err(|error| file.in_column(number, error.in_block(block)))
}
