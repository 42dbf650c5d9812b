//! What a file that is encoded again takes from the files before it: schema, metadata, and how columns are stored.

use super::Options;
use super::inputs::{Inputs, Joined};
use crate::dialect::format::Sealed;
use crate::dialect::trevni::format::{Trevni, TrevniInfo};
use crate::dialect::{ColumnInfo, Dialect};
use crate::error::Result;
use crate::path::targets;
use crate::reader::Reader;
use crate::shape::Shape;
use crate::storage::checksum::Checksum;
use crate::storage::codec::Codec;
use crate::storage::value_type::ValueType;
use crate::tree::{Leaf, Slot, places};
use crate::writer::WriterBuilder;
use crate::{formats, metadata};
use std::collections::{HashMap, HashSet};

/// The options of a writer of one file for the rows of all, which have a shape, in a dialect.
///
/// # Errors
///
/// No files; a codec or checksum of the first file that is not known.
pub(super) fn options(
    inputs: &Inputs<'_, '_>,
    joined: &Joined,
    set: &Options,
    (target, compact): (Dialect, bool),
) -> Result<WriterBuilder> {
    let first = inputs.first()?;
    let mut format = format(first, inputs.readers, target, compact);
    let mut builder = schema(WriterBuilder::new(), inputs, first, joined);
    builder = entries(builder, inputs.readers);
    let places = Places::from_shape(&joined.shape);
    builder = stored(builder, first, &places, set, target)?;
    if let Some(level) = set.level {
        builder = builder.level(level);
    }
    if target.has_column_options() {
        builder = columns(builder, &mut *format, first, &places);
    }
    Ok(builder.with_format(format))
}

/// The format of the first file, if it is the one that is written: of Trevni the highest version of the files, where it can be
/// written.
fn format(first: &Reader<'_>, readers: &[Reader<'_>], target: Dialect, compact: bool) -> Box<dyn Sealed> {
    match target {
        Dialect::Trevni => {
            let versions = readers.iter().filter_map(Reader::info).map(|info: TrevniInfo| info.version);
            let version = versions.max().filter(|version| version.has_arrays()).unwrap_or_default();
            let format = Trevni::new().version(version);
            Box::new(if compact { format.compact() } else { format })
        }
        target if first.dialect() == target => formats::like(first.file()),
        target => formats::of(target),
    }
}

/// The schema: the text of the first file, where it has one for all of the rows.
fn schema(
    builder: WriterBuilder,
    inputs: &Inputs<'_, '_>,
    first: &Reader<'_>,
    joined: &Joined,
) -> WriterBuilder {
    let Joined { shape, known, is_first } = joined;
    let text = first.metadata().get_str(metadata::SCHEMA).filter(|_| *is_first);
    let text = text.filter(|text| Shape::from_avro(text).is_ok_and(|own| own == *shape));
    let builder = match text {
        Some(text) => builder.schema(text),
        None if shape != known => builder.schema(known.to_avro()),
        None => builder.shape(shape),
    };
    if inputs.are_derived(shape) { builder.derived() } else { builder }
}

/// The metadata of the first file, then the keys that only later ones have.
fn entries(mut builder: WriterBuilder, readers: &[Reader<'_>]) -> WriterBuilder {
    let mut keys = HashSet::new();
    // Types that not all files have would be wrong for the values of some.
    for key in metadata::OF_ARROW {
        if !metadata::is_common(key, readers.iter().map(Reader::metadata)) {
            keys.insert(key);
        }
    }
    for (key, value) in readers.iter().flat_map(|reader| reader.metadata().iter()) {
        if !is_own(key, &OF_FILES) && keys.insert(key) {
            builder = builder.metadata(key, value);
        }
    }
    builder
}

/// Keys of files that a writer sets itself, beside those that begin with `trevni.`.
const OF_FILES: [&str; 4] =
    [metadata::SCHEMA, metadata::SCHEMA_KIND, metadata::HEADER_SUM, metadata::HEADER_BYTES];

/// Keys of columns that a writer sets itself, beside those that begin with `trevni.`.
const OF_COLUMNS: [&str; 3] = [metadata::ZONE_MAP, metadata::BLOCK_ROWS, metadata::COLUMN_SUMS];

/// Whether a key is set by the writer.
fn is_own(key: &str, written: &[&str]) -> bool {
    key.starts_with("trevni.") || written.contains(&key)
}

/// Codecs and checksums: those that are set, or else those of the first file. Where columns differ, most of them speak
/// for the file.
fn stored(
    mut builder: WriterBuilder,
    first: &Reader<'_>,
    places: &Places<'_>,
    set: &Options,
    target: Dialect,
) -> Result<WriterBuilder> {
    let columns = first.columns();
    if let Some(codec) = set.codec {
        builder = builder.codec(codec);
    } else if let Some(most) = most(columns, ColumnInfo::codec_name) {
        builder = builder.codec(codec(most, target)?);
        let differs = |column: &ColumnInfo| column.codec_name() != most.codec_name();
        for (column, path) in differing(columns, places, target, differs) {
            builder = builder.column_codec(path, codec(column, target)?);
        }
    }
    if let Some(checksum) = set.checksum {
        builder = builder.checksum(checksum);
    } else if let (Some(checksum), Dialect::RedElm) = (first.file().checksum(), target) {
        builder = builder.checksum(checksum);
    } else if first.dialect().has_column_options()
        && let Some(most) = most(columns, ColumnInfo::checksum_name)
    {
        builder = builder.checksum(Checksum::from_name(most.checksum_name())?);
        let differs = |column: &ColumnInfo| column.checksum_name() != most.checksum_name();
        for (column, path) in differing(columns, places, target, differs) {
            builder = builder.column_checksum(path, Checksum::from_name(column.checksum_name())?);
        }
    }
    Ok(builder)
}

/// The columns that need options of their own, with their paths: all that have a path in the result, as soon as one differs,
/// because an option of a path is one of all columns below.
fn differing<'c>(
    columns: &'c [ColumnInfo],
    places: &Places<'_>,
    target: Dialect,
    differs: impl Fn(&ColumnInfo) -> bool,
) -> impl Iterator<Item = (&'c ColumnInfo, &'c str)> {
    let any = target.has_column_options() && columns.iter().any(differs);
    let with_path = move |column: &'c ColumnInfo| Some((column, column.path().filter(|_| any)?));
    columns.iter().filter_map(with_path).filter(|(_, path)| places.have(path))
}

/// The codec of a column, or the nearest that the target has.
fn codec(column: &ColumnInfo, target: Dialect) -> Result<Codec> {
    let codec = match column.codec() {
        Some(codec) => codec.available()?,
        None => Codec::from_name(column.codec_name())?,
    };
    Ok(target.nearest_codec(codec))
}

/// The first column with the name that most columns have; of several, the first name.
fn most(columns: &[ColumnInfo], name: fn(&ColumnInfo) -> &str) -> Option<&ColumnInfo> {
    let mut counts: HashMap<&str, (usize, usize)> = HashMap::new();
    for (number, column) in columns.iter().enumerate() {
        counts.entry(name(column)).or_insert((0, usize::MAX - number)).0 += 1;
    }
    let (_, first) = counts.into_values().max()?;
    columns.get(usize::MAX - first)
}

/// What single columns keep: metadata, first values, and types that a writer does not choose itself. With the rows of other files,
/// a path may mean something else, or nothing; then its columns keep what these can have.
fn columns(
    mut builder: WriterBuilder,
    format: &mut dyn Sealed,
    first: &Reader<'_>,
    places: &Places<'_>,
) -> WriterBuilder {
    let target = format.dialect();
    let own = [ValueType::Fixed8, ValueType::Fixed16, ValueType::Fixed32, ValueType::Fixed64];
    for column in first.columns() {
        let Some(path) = column.path() else { continue };
        for (key, value) in column.metadata().iter().filter(|(key, _)| !is_own(key, &OF_COLUMNS)) {
            if places.have(path) {
                builder = builder.column_metadata(path, key, value);
            }
        }
        // Java cannot read those of booleans.
        let is_readable = target != Dialect::Trevni || column.value_type() != ValueType::Boolean;
        if column.has_first_values() && is_readable && places.are_flat(path) {
            builder = builder.first_values([path]);
        }
        if !own.contains(&column.value_type()) {
        } else if target == Dialect::Trevni {
            builder = builder.fixed_integers();
        } else if places.take(path, column.value_type()) {
            format.keep_value_type(path, column.value_type());
        }
        if let Some(width) = column.array_width().filter(|_| places.are_lists_of_values(path)) {
            format.keep_array_width(path, width);
        }
    }
    builder
}

/// What paths mean in the rows of the result.
struct Places<'s> {
    shape: &'s Shape,
    /// The nodes, with the exact names of their paths.
    nodes: Vec<(Vec<String>, &'s Shape)>,
}

impl<'s> Places<'s> {
    fn from_shape(shape: &'s Shape) -> Self {
        let mut nodes = Vec::new();
        places::each(shape, |slot, shape, names| {
            if let Slot::Own(_) = slot {
                nodes.push((names.exact(), shape));
            }
        });
        Self { shape, nodes }
    }

    /// Whether there is what a path means.
    fn have(&self, path: &str) -> bool {
        !targets(self.shape, path).is_empty()
    }

    /// The nodes whose names match those of a path's targets.
    fn matching(
        &self,
        path: &str,
        matches: fn(&[String], &[String]) -> bool,
    ) -> impl Iterator<Item = &'s Shape> {
        let targets = targets(self.shape, path);
        let is_one = move |names: &[String]| targets.iter().any(|target| matches(names, target));
        self.nodes.iter().filter(move |(names, _)| is_one(names)).map(|(_, shape)| *shape)
    }

    /// Whether a path means something whose values can all be written as values of a type.
    fn take(&self, path: &str, value_type: ValueType) -> bool {
        let leaves = self.matching(path, <[String]>::starts_with).filter_map(Leaf::from_shape);
        self.have(path) && leaves.map(Leaf::value_type).all(|it| it == ValueType::Null || value_type.fits(it))
    }

    /// Whether a path means something that has no lengths, nor has what is around it.
    fn are_flat(&self, path: &str) -> bool {
        let is_near =
            |names: &[String], target: &[String]| names.starts_with(target) || target.starts_with(names);
        let is_flat = |shape: &Shape| matches!(shape, Shape::Record(_)) || Leaf::from_shape(shape).is_some();
        self.have(path) && self.matching(path, is_near).all(is_flat)
    }

    /// Whether there are lists of values at a path.
    fn are_lists_of_values(&self, path: &str) -> bool {
        let is_list = |shape: &Shape| matches!(shape, Shape::List(item) if Leaf::from_shape(item).is_some());
        self.matching(path, |names, target| names == target).any(is_list)
    }
}
