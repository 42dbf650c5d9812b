//! The bytes of each column, with what it holds.

use super::failed;
use crate::columns::{self, ColumnContent};
use crate::extents::stored;
use crate::failure::Failure;
use crate::input::Input;
use trevni::column::ValueType;

/// What a column holds, in a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Text,
    Integer,
    Float,
    /// Booleans and bytes.
    Other,
    /// Lengths of lists, and what is null.
    Lengths,
}

/// The bytes of a column.
#[derive(Clone, Debug)]
pub(crate) struct ColumnSize {
    pub(crate) name: String,
    /// The names of the path of its field.
    pub(crate) path: Vec<String>,
    pub(crate) kind: Kind,
    pub(crate) codec: String,
    /// Bytes of the blocks in the file.
    pub(crate) stored: u64,
    /// Bytes of the values before the codec.
    pub(crate) size: u64,
    pub(crate) blocks: usize,
}

/// The columns that patterns name, in the order of the file.
pub(crate) fn of_columns(input: &Input, patterns: &[String]) -> Result<Vec<ColumnSize>, Failure> {
    let reader = &input.reader;
    let columns = columns::chosen(reader, patterns)?;
    let sizes = columns.iter().map(|column| {
        let blocks = reader.blocks(column.number).map_err(failed(input))?;
        let kind = match (column.content(), column.info.value_type()) {
            (ColumnContent::Lengths | ColumnContent::Nulls, _) | (_, ValueType::Null) => Kind::Lengths,
            (_, ValueType::String) => Kind::Text,
            (_, ValueType::Float | ValueType::Double) => Kind::Float,
            (_, ValueType::Boolean | ValueType::Bytes) => Kind::Other,
            _ => Kind::Integer,
        };
        Ok(ColumnSize {
            name: column.label.clone(),
            path: column.info.path_names().unwrap_or_default().to_vec(),
            kind,
            codec: column.info.codec_name().to_owned(),
            stored: blocks.iter().map(|block| stored(column.info, block)).sum(),
            size: blocks.iter().map(|block| u64::from(block.size)).sum(),
            blocks: blocks.len(),
        })
    });
    sizes.collect()
}
