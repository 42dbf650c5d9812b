//! How a file and its columns are written: options by path, and the metadata that tells of them.

use super::super::columns;
use super::super::version::Version;
use super::column::ColumnSettings;
use crate::dialect::schema::Slots;
use crate::error::{Error, Result};
use crate::metadata::{self, Metadata};
use crate::shape::Shape;
use crate::storage::checksum::Checksum;
use crate::storage::codec::Codec;
use crate::storage::value_type::ValueType;
use crate::tree::places;

/// How the columns of a file are written: file-wide settings, and more for parts of the shape.
#[derive(Clone, Debug)]
pub(crate) struct FileSettings {
    pub(crate) version: Version,
    pub(crate) columns: ColumnSettings,
    /// Settings for all columns at and below a path.
    pub(crate) paths: Vec<PathSettings>,
    /// Metadata of the file; codec and checksum stand in it already.
    pub(crate) metadata: Metadata,
    /// The text of a schema that was given, to be kept as it is.
    pub(crate) schema: Option<String>,
    /// Whether the schema comes from rows, so that names of branches are no variants.
    pub(crate) derived: bool,
}

/// Settings for the columns at and below a path of the shape.
#[derive(Clone, Debug)]
pub(crate) struct PathSettings {
    pub(crate) path: String,
    pub(crate) codec: Option<Codec>,
    pub(crate) checksum: Option<Checksum>,
    pub(crate) first_values: bool,
    pub(crate) metadata: Metadata,
}

impl FileSettings {
    /// The codec that the file's metadata gives to all columns.
    fn file_codec(&self) -> Codec {
        match self.columns.codec {
            Codec::Auto => Codec::Null,
            codec => codec,
        }
    }

    /// The settings of a column at a path: those of the file, then of each path above, then its own.
    pub(super) fn column_at(&self, path: &str) -> ColumnSettings {
        let mut own = self.columns;
        for part in &self.paths {
            let above = path.strip_prefix(&*part.path);
            if part.path.is_empty() || above.is_some_and(|rest| rest.is_empty() || rest.starts_with('.')) {
                own.codec = part.codec.unwrap_or(own.codec);
                own.checksum = part.checksum.unwrap_or(own.checksum);
                own.first_values |= part.first_values;
            }
        }
        own
    }
}

impl FileSettings {
    /// Checks that the columns of a shape can have what the settings say.
    ///
    /// # Errors
    ///
    /// First values of a column that has lengths or a parent, or of booleans.
    pub(crate) fn check(&self, shape: &Shape) -> Result<()> {
        if !self.paths.iter().any(|part| part.first_values) {
            return Ok(());
        }
        let (slots, specs) = columns::columns(shape);
        for (path, spec) in paths(shape, &slots).iter().zip(&specs) {
            if !self.column_at(path).first_values {
                continue;
            }
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

/// The columns of a shape that may still grow, and the path of each: one that is not there takes no place.
pub(super) fn paths(shape: &Shape, slots: &Slots) -> Vec<String> {
    let mut paths: Vec<String> = Vec::new();
    places::each(shape, |slot, _, place| {
        // Columns come in the order of the nodes, and of what shares a column the outer comes first.
        if slots.column(slot) == Some(paths.len()) {
            paths.push(place.path.clone());
        }
    });
    paths
}

/// Appends a field to a path, calls, and takes it away again.
pub(super) fn below<R>(path: &mut String, name: &str, call: impl FnOnce(&mut String) -> R) -> R {
    let length = path.len();
    if length > 0 {
        path.push('.');
    }
    path.push_str(name);
    let result = call(path);
    path.truncate(length);
    result
}

/// The metadata that the settings give to the column at a path, which has this codec.
pub(super) fn column_metadata(settings: &FileSettings, path: &str, codec: Codec) -> Metadata {
    let mut own = Metadata::default();
    let column = settings.column_at(path);
    if codec != settings.file_codec() {
        own.insert(metadata::CODEC, codec.name().as_bytes());
    }
    if column.checksum != settings.columns.checksum {
        own.insert(metadata::CHECKSUM, column.checksum.name().as_bytes());
    }
    for part in settings.paths.iter().filter(|part| part.path == path) {
        for (key, value) in part.metadata.iter() {
            own.insert(key, value);
        }
    }
    own
}
