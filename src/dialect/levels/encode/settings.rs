//! What the settings of a file mean for its columns.

use crate::dialect::dremel::{Content, Field, Fields};
use crate::dialect::{ColumnSettings, Dialect, FileSettings, ShapeSettings};
use crate::error::{Error, Result};
use crate::metadata::{self, Metadata};
use crate::path::{format, targets};
use crate::shape::Shape;
use crate::storage::checksum::Checksum;
use crate::storage::codec::Codec;
use crate::storage::value_type::ValueType;
use crate::tree::Leaf;

/// How a column is written.
#[derive(Clone, Copy, Debug)]
pub(super) struct ColumnOptions {
    pub(super) column: ColumnSettings,
    /// A block is full when it has this many rows.
    pub(super) block_rows: Option<u32>,
}

/// The name of a codec in metadata.
pub(super) fn codec_name(codec: Codec) -> &'static str {
    match codec {
        Codec::Null | Codec::Auto => "none",
        codec => codec.name(),
    }
}

/// The name of a checksum in metadata.
pub(super) fn checksum_name(checksum: Checksum) -> &'static str {
    match checksum {
        Checksum::Null => "null",
        Checksum::Crc32 => "crc-32",
    }
}

/// Checks that the settings are those of a file of this dialect.
///
/// # Errors
///
/// Codecs that the dialect does not have.
pub(super) fn check(settings: &FileSettings) -> Result<()> {
    let mut codecs = settings.paths.iter().filter_map(|part| part.codec).chain([settings.columns.codec]);
    codecs.try_for_each(|codec| Dialect::Levels.check_codec(codec))
}

impl FileSettings {
    /// The fields of rows of a shape.
    ///
    /// # Errors
    ///
    /// As [`Fields::from_shape`].
    pub(super) fn fields(&self, shape: &Shape) -> Result<Fields> {
        let settings = self.for_shape(shape);
        let width = |names: &[String], _: &str| settings.at(names).find_map(|part| part.array_width);
        Fields::from_shape(shape, &width).map(Fields::escaped)
    }

    /// Checks that the paths of array widths lead to lists of values, as far as the fields tell: what is null may become
    /// a list.
    ///
    /// # Errors
    ///
    /// A path that leads to something else.
    pub(super) fn check_widths(&self, shape: &Shape, fields: &Fields) -> Result<()> {
        for part in self.paths.iter().filter(|part| part.array_width.is_some()) {
            let (path, targets) = (&part.path, targets(shape, &part.path));
            let own = || fields.list.iter().filter(|field| targets.contains(&field.place));
            let may_have = match own().next_back() {
                Some(last) => {
                    last.content == Content::Leaf(Leaf::Null) || own().any(|field| field.width.is_some())
                }
                // Rows that are records are no field. What else is not there is looked for in the end.
                None => !path.is_empty(),
            };
            if !may_have {
                let message = format!("an array width needs a list of values, which {path:?} is not");
                return Err(Error::option(message));
            }
        }
        Ok(())
    }
}

impl ShapeSettings<'_> {
    /// The type of a field's values, and how they are written.
    ///
    /// # Errors
    ///
    /// Options that the field cannot have.
    pub(super) fn field(&self, field: &Field) -> Result<(ValueType, ColumnOptions)> {
        let own = match field.content {
            Content::Leaf(_) if field.is_timestamp => ValueType::Timestamp,
            Content::Leaf(leaf) => leaf.value_type(),
            Content::Record | Content::Group => ValueType::Null,
        };
        let mut value_type = own;
        let mut column = self.column(&field.place);
        let mut block_rows = None;
        for part in self.around(&field.place) {
            block_rows = part.block_rows.or(block_rows);
            value_type = part.value_type.filter(|_| own != ValueType::Null).unwrap_or(value_type);
            column.fixed_integers &= part.value_type.is_none();
        }
        if !value_type.fits(own) {
            let path = format(&field.place);
            return Err(Error::option(format!("{path:?} is {own}, which cannot be written as {value_type}")));
        }
        if column.first_values && own == ValueType::Null {
            column.first_values = false;
        }
        if column.first_values && (field.greatest.definition > 0 || field.width.is_some()) {
            let path = format(&field.place);
            return Err(Error::option(format!(
                "first values need a column without levels and array width, which {path:?} is not"
            )));
        }
        Ok((value_type, ColumnOptions { column, block_rows }))
    }

    /// The metadata that the settings give to a field's column, which has this codec.
    pub(super) fn metadata_of(&self, file: &FileSettings, field: &Field, codec: Codec) -> Metadata {
        let mut own = Metadata::default();
        let column = self.column(&field.place);
        if codec != file.file_codec() {
            own.insert(metadata::CODEC, codec_name(codec));
        }
        if column.checksum != file.columns.checksum {
            own.insert(metadata::CHECKSUM, checksum_name(column.checksum));
        }
        for part in self.at(&field.place) {
            part.metadata.iter().for_each(|(key, value)| own.insert(key, value));
        }
        own
    }
}
