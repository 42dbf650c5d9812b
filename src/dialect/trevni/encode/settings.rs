//! How a file and its columns are written: options by path, and the metadata that tells of them.

use super::super::version::Version;
use super::column::ColumnSettings;
use crate::checksum::Checksum;
use crate::codec::Codec;
use crate::metadata::{self, Metadata};
use crate::schema::branch_name;
use crate::shape::Shape;

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

/// The metadata that the settings give to each column, in the order of [`Node::collect`].
pub(super) fn collect_metadata(
    settings: &FileSettings,
    shape: &Shape,
    path: &mut String,
    out: &mut Vec<Metadata>,
) {
    let own = |path: &str| column_metadata(settings, path);
    match shape {
        Shape::Unknown => {}
        Shape::Record(record) => {
            for field in &record.fields {
                below(path, &field.name, |path| {
                    collect_metadata(settings, &field.shape, path, out);
                });
            }
        }
        Shape::List(item) => collect_array(settings, item, path, out),
        Shape::Map(map) => {
            out.push(own(path));
            below(path, "key", |path| collect_metadata(settings, &map.key, path, out));
            below(path, "value", |path| collect_metadata(settings, &map.value, path, out));
        }
        Shape::Optional(optional) => match &optional.item {
            Shape::Unknown => {}
            Shape::Union(_) => collect_metadata(settings, &optional.item, path, out),
            item => collect_array(settings, item, path, out),
        },
        Shape::Union(variants) => {
            for variant in variants {
                below(path, branch_name(variant).name, |path| {
                    collect_array(settings, variant, path, out);
                });
            }
        }
        _ => out.push(own(path)),
    }
}

fn collect_array(settings: &FileSettings, item: &Shape, path: &mut String, out: &mut Vec<Metadata>) {
    out.push(column_metadata(settings, path));
    if !item.is_simple() {
        collect_metadata(settings, item, path, out);
    }
}

fn column_metadata(settings: &FileSettings, path: &str) -> Metadata {
    let mut own = Metadata::default();
    let column = settings.column_at(path);
    if column.codec != settings.columns.codec {
        own.insert(metadata::CODEC, column.codec.name().as_bytes());
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
