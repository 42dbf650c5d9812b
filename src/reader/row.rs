//! CachedScan rows, by their numbers.

use super::Reader;
use super::cursor::Cursor;
use super::pipeline::BatchDecoder;
use super::pipeline::BatchSource;
use super::pipeline::scan::checked_rows;
use crate::dialect::Decoder;
use crate::error::{Error, ErrorKind, Result};
use serde::de::DeserializeOwned;
use std::sync::Mutex;

/// What the last single row was read with, for the next one of the same type: its plan, and its columns
/// with the blocks that they hold.
#[derive(Default)]
pub(super) struct RowCache(Mutex<Option<Box<CachedScan>>>);

struct CachedScan {
    /// Name of the type, which has shown which columns it needs.
    type_name: &'static str,
    cursor: Cursor,
    decoder: Decoder,
}

/// One row, by its number.
pub(super) fn read<T: DeserializeOwned>(reader: &Reader<'_>, number: u64) -> Result<T> {
    let rows = checked_rows(&reader.file)?;
    if number >= rows {
        return Err(ErrorKind::NoSuchRow { row: number, rows }.into());
    }
    let type_name = std::any::type_name::<T>();
    let cache = reader.cache.0.lock().ok().and_then(|mut cache| cache.take());
    let (mut cursor, decoder) = match cache.filter(|cache| cache.type_name == type_name) {
        Some(cache) => (cache.cursor, cache.decoder),
        None => {
            let decoder = Decoder::new(&reader.file, &reader.schema, &reader.part)?;
            (Cursor::of(reader), decoder)
        }
    };
    let columns = BatchSource::of(&reader.file, BatchDecoder::of_row(&reader.file, decoder, number));
    let row = match cursor.advance(&columns)? {
        true => cursor.row(&columns),
        false => Err(Error::internal("no row is decoded where the file has one")),
    }?;
    if let (Some(decoder), Ok(mut cache)) = (columns.into_decoder(), reader.cache.0.lock()) {
        *cache = Some(Box::new(CachedScan { type_name, cursor, decoder }));
    }
    Ok(row)
}
