//! How a file and its columns are written: options by path, and the metadata that tells of them.

use super::super::version::Version;
use super::column::ColumnSettings;
use crate::error::{Error, Result};
use crate::metadata::{self, Metadata};
use crate::schema::branch_name;
use crate::shape::Shape;
use crate::storage::checksum::Checksum;
use crate::storage::codec::Codec;

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
        FirstValues { settings: self, path: String::new() }.check(shape, false)
    }
}

/// Checks which columns have first values.
struct FirstValues<'a> {
    settings: &'a FileSettings,
    path: String,
}

impl FirstValues<'_> {
    /// Checks the columns of a shape; `lengths` says whether they have lengths or a parent.
    fn check(&mut self, shape: &Shape, lengths: bool) -> Result<()> {
        match shape {
            Shape::Unknown => Ok(()),
            Shape::Record(record) => {
                record.fields.iter().try_for_each(|field| self.below(&field.name, &field.shape, lengths))
            }
            Shape::List(item) => self.lengths().and_then(|()| self.check(item, true)),
            Shape::Optional(optional) if optional.item == Shape::Unknown => Ok(()),
            Shape::Optional(optional) => self.lengths().and_then(|()| self.check(&optional.item, true)),
            Shape::Map(map) => {
                self.lengths()?;
                self.below("key", &map.key, true)?;
                self.below("value", &map.value, true)
            }
            Shape::Union(variants) => {
                variants.iter().try_for_each(|variant| self.below(branch_name(variant).name, variant, true))
            }
            _ if lengths => self.lengths(),
            Shape::Boolean if self.wanted() => Err(Error::option(format!(
                "first values of booleans, as {:?} has them, cannot be read by Java",
                self.path
            ))),
            _ => Ok(()),
        }
    }

    fn below(&mut self, name: &str, shape: &Shape, lengths: bool) -> Result<()> {
        let mut path = std::mem::take(&mut self.path);
        let checked = below(&mut path, name, |path| {
            let mut inner = FirstValues { settings: self.settings, path: std::mem::take(path) };
            let checked = inner.check(shape, lengths);
            *path = inner.path;
            checked
        });
        self.path = path;
        checked
    }

    /// Checks a column with lengths, or one below such a column.
    fn lengths(&self) -> Result<()> {
        if !self.wanted() {
            return Ok(());
        }
        Err(Error::option(format!(
            "first values need a column without lengths and parents, which {:?} is not",
            self.path
        )))
    }

    fn wanted(&self) -> bool {
        self.settings.column_at(&self.path).first_values
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

/// The metadata that the settings give to each column, in the order of [`Node::collect`]; `codecs` are
/// those of the columns, in that order.
pub(super) fn collect_metadata(settings: &FileSettings, shape: &Shape, codecs: &[Codec]) -> Vec<Metadata> {
    let mut out = Vec::with_capacity(codecs.len());
    Collect { settings, codecs, out: &mut out }.shape(shape, &mut String::new());
    out
}

struct Collect<'a> {
    settings: &'a FileSettings,
    codecs: &'a [Codec],
    out: &'a mut Vec<Metadata>,
}

impl Collect<'_> {
    fn push(&mut self, path: &str) {
        let codec = self.codecs.get(self.out.len()).copied().unwrap_or_default();
        self.out.push(column_metadata(self.settings, path, codec));
    }

    fn shape(&mut self, shape: &Shape, path: &mut String) {
        match shape {
            Shape::Unknown => {}
            Shape::Record(record) => {
                for field in &record.fields {
                    below(path, &field.name, |path| self.shape(&field.shape, path));
                }
            }
            Shape::List(item) => self.array(item, path),
            Shape::Map(map) => {
                self.push(path);
                below(path, "key", |path| self.shape(&map.key, path));
                below(path, "value", |path| self.shape(&map.value, path));
            }
            Shape::Optional(optional) => match &optional.item {
                Shape::Unknown => {}
                Shape::Union(_) => self.shape(&optional.item, path),
                item => self.array(item, path),
            },
            Shape::Union(variants) => {
                for variant in variants {
                    below(path, branch_name(variant).name, |path| self.array(variant, path));
                }
            }
            _ => self.push(path),
        }
    }

    fn array(&mut self, item: &Shape, path: &mut String) {
        self.push(path);
        if !item.is_simple() {
            self.shape(item, path);
        }
    }
}

fn column_metadata(settings: &FileSettings, path: &str, codec: Codec) -> Metadata {
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
