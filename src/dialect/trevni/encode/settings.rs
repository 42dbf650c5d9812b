//! What the settings of a file mean for its columns, and the metadata that tell of them.

use super::super::columns;
use crate::dialect::schema::Slots;
use crate::dialect::{Dialect, FileSettings, ShapeSettings};
use crate::error::{Error, Result};
use crate::metadata::{self, Metadata};
use crate::path::format;
use crate::shape::Shape;
use crate::storage::codec::Codec;
use crate::storage::value_type::ValueType;
use crate::tree::places;

impl FileSettings {
    /// Checks that the columns of a shape can have what the settings say.
    ///
    /// # Errors
    ///
    /// Codecs that the dialect does not have; first values of a column that has lengths or a parent, or of booleans.
    pub(crate) fn check(&self, shape: &Shape) -> Result<()> {
        let mut codecs = self.paths.iter().filter_map(|part| part.codec).chain([self.columns.codec]);
        codecs.try_for_each(|codec| Dialect::Trevni.check_codec(codec))?;
        if !self.paths.iter().any(|part| part.first_values) {
            return Ok(());
        }
        let (slots, specs) = columns::columns(shape);
        let settings = self.for_shape(shape);
        for (names, spec) in column_names(shape, &slots).iter().zip(&specs) {
            if !settings.column(names).first_values {
                continue;
            }
            let path = format(names);
            if spec.array || spec.parent.is_some() {
                return Err(Error::option(format!(
                    "first values need a column without lengths and parents, which {path:?} is not"
                )));
            }
            if spec.value_type == ValueType::Boolean {
                let message =
                    format!("first values of booleans, as {path:?} has them, cannot be read by Java");
                return Err(Error::option(message));
            }
        }
        Ok(())
    }
}

/// The exact names of each column of a shape whose schema has been written: `None` where no path has settings of its own.
pub(super) fn names_of_columns(settings: &FileSettings, shape: &Shape, columns: usize) -> Vec<Vec<String>> {
    match settings.paths.is_empty() {
        true => vec![Vec::new(); columns],
        // The schema has the same columns, but a union of one variant is an optional of it there.
        false => column_names(shape, &columns::columns(shape).0),
    }
}

/// The exact names of each column of a shape, by the columns of its nodes.
fn column_names(shape: &Shape, slots: &Slots) -> Vec<Vec<String>> {
    let mut all: Vec<Vec<String>> = Vec::new();
    places::each(shape, |slot, _, names| {
        // Columns come in the order of the nodes, and of what shares a column the outer comes first.
        if slots.column(slot) == Some(all.len()) {
            all.push(names.exact());
        }
    });
    all
}

/// The metadata that the settings give to a column of these names, which has this codec.
pub(super) fn column_metadata(
    settings: &FileSettings,
    of_shape: &ShapeSettings<'_>,
    names: &[String],
    codec: Codec,
) -> Metadata {
    let mut own = Metadata::default();
    let column = of_shape.column(names);
    if codec != settings.file_codec() {
        own.insert(metadata::CODEC, codec.name().as_bytes());
    }
    if column.checksum != settings.columns.checksum {
        own.insert(metadata::CHECKSUM, column.checksum.name().as_bytes());
    }
    for part in of_shape.at(names) {
        for (key, value) in part.metadata.iter() {
            own.insert(key, value);
        }
    }
    own
}
