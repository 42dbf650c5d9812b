//! How a file is to be read or written, in any format: options of the file, and of the columns at and below paths.

use super::{Layout, Sums};
use crate::metadata::Metadata;
use crate::path::targets;
use crate::shape::Shape;
use crate::storage::checksum::Checksum;
use crate::storage::codec::Codec;
use crate::storage::value_type::ValueType;

/// What a caller says of a file that is read.
#[derive(Clone, Debug, Default)]
pub(crate) struct ReadOptions {
    /// The order of what is in the blocks of a file with levels.
    pub(crate) layout: Option<Layout>,
    /// The rows of a file with levels.
    pub(crate) shape: Option<Shape>,
    /// Whether the last block of a column of a file with levels may have one entry too many.
    pub(crate) lenient: bool,
    /// Whether blocks may be missing: those that are there are read.
    pub(crate) is_damaged: bool,
    /// Whether checksums of header and block tables count.
    pub(crate) sums: Sums,
    /// How many bytes of blocks are kept for single rows, where it is said.
    pub(crate) cache: Option<u64>,
}

/// How the columns of a file are written: file-wide settings, and more for parts of the shape.
#[derive(Clone, Debug)]
pub struct FileSettings {
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
#[derive(Clone, Debug, Default)]
pub struct PathSettings {
    pub(crate) path: String,
    pub(crate) codec: Option<Codec>,
    pub(crate) checksum: Option<Checksum>,
    pub(crate) first_values: bool,
    /// The type of the values, where it is not the usual one.
    pub(crate) value_type: Option<ValueType>,
    /// The lists of values are rows of a matrix, of a fixed length.
    pub(crate) array_width: Option<usize>,
    /// A block is full when it has this many rows.
    pub(crate) block_rows: Option<u32>,
    pub(crate) metadata: Metadata,
}

impl PathSettings {
    /// The settings for a path among the other settings, made if it has no settings yet.
    pub(crate) fn of<'p>(all: &'p mut Vec<Self>, path: &str) -> &'p mut Self {
        let at = all.iter().position(|part| part.path == path).unwrap_or_else(|| {
            all.push(Self { path: path.to_owned(), ..Self::default() });
            all.len() - 1
        });
        &mut all[at]
    }

    /// Adds the options that only a format has to those of the same path.
    pub(crate) fn add(all: &mut Vec<Self>, own: &[Self]) {
        for part in own {
            let target = Self::of(all, &part.path);
            target.value_type = part.value_type;
            target.array_width = part.array_width;
            target.block_rows = part.block_rows;
        }
    }
}

impl FileSettings {
    /// The codec that the file's metadata gives to all columns.
    pub(crate) fn file_codec(&self) -> Codec {
        match self.columns.codec {
            Codec::Auto => Codec::Null,
            codec => codec,
        }
    }

    /// The settings for columns of a shape, by what their paths mean there.
    pub(crate) fn for_shape<'f>(&'f self, shape: &Shape) -> ShapeSettings<'f> {
        let paths = self.paths.iter().map(|part| (targets(shape, &part.path), part)).collect();
        ShapeSettings { columns: self.columns, paths }
    }
}

/// The settings for columns of a shape.
pub(crate) struct ShapeSettings<'f> {
    columns: ColumnSettings,
    /// The names of what each path means, and its settings.
    paths: Vec<(Vec<Vec<String>>, &'f PathSettings)>,
}

impl<'f> ShapeSettings<'f> {
    /// The settings of all paths to a column of these names or to what is around it.
    pub(crate) fn around(&self, names: &[String]) -> impl Iterator<Item = &'f PathSettings> {
        self.those(move |target| names.starts_with(target))
    }

    /// The settings of the path to a column of these names.
    pub(crate) fn at(&self, names: &[String]) -> impl Iterator<Item = &'f PathSettings> {
        self.those(move |target| names == target)
    }

    fn those(&self, is_one: impl Fn(&[String]) -> bool) -> impl Iterator<Item = &'f PathSettings> {
        let meant = self.paths.iter().filter(move |(targets, _)| targets.iter().any(|target| is_one(target)));
        meant.map(|(_, part)| *part)
    }

    /// The settings of a column: those of the file, then of each path above, then its own.
    pub(crate) fn column(&self, names: &[String]) -> ColumnSettings {
        let mut own = self.columns;
        for part in self.around(names) {
            own.codec = part.codec.unwrap_or(own.codec);
            own.checksum = part.checksum.unwrap_or(own.checksum);
            own.first_values |= part.first_values;
        }
        own
    }
}

/// How a column is written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ColumnSettings {
    pub(crate) codec: Codec,
    pub(crate) checksum: Checksum,
    /// A block is full when it has this many bytes; `None` for what suits the codec.
    pub(crate) block_size: Option<usize>,
    /// Whether runs of lengths are joined.
    pub(crate) runs: bool,
    /// Whether descriptors hold the first value of their block.
    pub(crate) first_values: bool,
    /// Whether there is a zone map.
    pub(crate) zones: bool,
    /// Whether integers have a fixed width where that is smaller.
    pub(crate) fixed_integers: bool,
}
