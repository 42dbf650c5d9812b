//! What a file that is encoded anew takes from the files before it: schema, metadata, and how columns are stored.

use super::Options;
use super::inputs::{Inputs, Joined};
use crate::dialect::trevni::version::Version;
use crate::dialect::{ColumnInfo, Dialect};
use crate::error::Result;
use crate::metadata;
use crate::reader::Reader;
use crate::shape::Shape;
use crate::storage::checksum::Checksum;
use crate::storage::codec::Codec;
use crate::storage::value_type::ValueType;
use crate::writer::WriterBuilder;
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
    target: Dialect,
) -> Result<WriterBuilder> {
    let first = inputs.first()?;
    let (layout, footer) = first.form();
    let mut builder = WriterBuilder::new().dialect(target).layout(layout).redelm_footer(footer);
    builder = builder.version(version(inputs.readers));
    builder = schema(builder, inputs, first, joined);
    builder = entries(builder, inputs.readers);
    builder = stored(builder, first, set, target)?;
    if let Some(level) = set.level {
        builder = builder.level(level);
    }
    if target.has_column_options() {
        builder = columns(builder, first, target);
    }
    Ok(builder)
}

/// The highest version of the Trevni files, where it can be written.
fn version(readers: &[Reader<'_>]) -> Version {
    let trevni = readers.iter().filter(|reader| reader.dialect() == Dialect::Trevni).map(Reader::version);
    trevni.max().filter(|version| version.has_arrays()).unwrap_or_default()
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
    if !metadata::is_common(metadata::ARROW_SCHEMA, readers.iter().map(Reader::metadata)) {
        keys.insert(metadata::ARROW_SCHEMA);
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
    set: &Options,
    target: Dialect,
) -> Result<WriterBuilder> {
    let columns = first.columns();
    if let Some(codec) = set.codec {
        builder = builder.codec(codec);
    } else if let Some(most) = most(columns.iter().map(ColumnInfo::codec)) {
        builder = builder.codec(codec(most, target)?);
        for column in differing(columns, target, |column| column.codec() != most) {
            builder = builder.column_codec(column.path().unwrap_or_default(), codec(column.codec(), target)?);
        }
    }
    if let Some(checksum) = set.checksum {
        builder = builder.checksum(checksum);
    } else if let (Some(checksum), Dialect::RedElm) = (first.redelm_checksum(), target) {
        builder = builder.checksum(checksum);
    } else if first.dialect().has_column_options()
        && let Some(most) = most(columns.iter().map(ColumnInfo::checksum))
    {
        builder = builder.checksum(Checksum::from_name(most)?);
        for column in differing(columns, target, |column| column.checksum() != most) {
            let checksum = Checksum::from_name(column.checksum())?;
            builder = builder.column_checksum(column.path().unwrap_or_default(), checksum);
        }
    }
    Ok(builder)
}

/// The columns that need options of their own: all that have a path, as soon as one differs, because an option of a path
/// is one of all columns below.
fn differing(
    columns: &[ColumnInfo],
    target: Dialect,
    differs: impl Fn(&ColumnInfo) -> bool,
) -> impl Iterator<Item = &ColumnInfo> {
    let any = target.has_column_options() && columns.iter().any(differs);
    columns.iter().filter(move |column| any && column.path().is_some())
}

/// The codec of a name, or the nearest that the target has.
fn codec(name: &str, target: Dialect) -> Result<Codec> {
    let codec = match name {
        "gzip" => Codec::Gzip,
        "none" | "" => Codec::Null,
        name => Codec::from_name(name)?,
    };
    Ok(target.nearest_codec(codec))
}

/// The name that comes most often; of several, the first.
fn most<'n>(names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let mut counts: HashMap<&str, (usize, usize)> = HashMap::new();
    for (number, name) in names.enumerate() {
        counts.entry(name).or_insert((0, usize::MAX - number)).0 += 1;
    }
    counts.into_iter().max_by_key(|(_, count)| *count).map(|(name, _)| name)
}

/// What single columns keep: metadata, first values, and types that a writer does not choose itself.
fn columns(mut builder: WriterBuilder, first: &Reader<'_>, target: Dialect) -> WriterBuilder {
    let own = [ValueType::Fixed8, ValueType::Fixed16, ValueType::Fixed32, ValueType::Fixed64];
    for column in first.columns() {
        let Some(path) = column.path() else { continue };
        for (key, value) in column.metadata().iter() {
            if !is_own(key, &OF_COLUMNS) {
                builder = builder.column_metadata(path, key, value);
            }
        }
        // Java cannot read those of booleans.
        let is_readable = target != Dialect::Trevni || column.value_type() != ValueType::Boolean;
        if column.has_first_values() && is_readable {
            builder = builder.first_values([path]);
        }
        if !own.contains(&column.value_type()) {
        } else if target == Dialect::Trevni {
            builder = builder.fixed_integers();
        } else {
            builder = builder.value_type(path, column.value_type());
        }
        if let Some(width) = column.array_width() {
            builder = builder.array_width(path, width);
        }
    }
    builder
}
