//! What a file that is written again keeps.

use crate::dialect;
use crate::encoding::{Written, is_asked_for};
use std::collections::HashMap;
use trevni::column::{ColumnInfo, ValueType};
use trevni::formats::{Levels, LevelsInfo, RedElmInfo, TrevniInfo};
use trevni::{Checksum, Codec, Dialect, Reader, Shape, Writer, WriterBuilder};

/// A writer of rows of a shape, which are some or all fields of a file: with its checksum, schema and metadata, and what
/// else files of the dialect have.
pub(super) fn builder(file: &Reader<'_>, shape: &Shape, mut written: Written) -> (WriterBuilder, Written) {
    let dialect = written.dialect();
    let columns = file.columns();
    let mut builder = Writer::builder().without_drop_notice().threads(0);
    let has_none = match file.info::<RedElmInfo>().map(|info| info.checksum) {
        // Foreign files lack them, which does not say that none is wanted in another format.
        Some(checksum) => dialect == Dialect::RedElm && checksum == Checksum::Null,
        None => {
            most(columns, ColumnInfo::checksum_name).and_then(ColumnInfo::checksum) == Some(Checksum::Null)
        }
    };
    if has_none {
        builder = builder.checksum(Checksum::Null);
    }
    let fixed = [ValueType::Fixed32, ValueType::Fixed64];
    // Within levels, each column keeps its own type.
    let is_chosen = file.info::<LevelsInfo>().is_none() || dialect != Dialect::Levels;
    if is_chosen && columns.iter().any(|column| fixed.contains(&column.value_type())) {
        builder = builder.fixed_integers();
    }
    match &mut written {
        Written::Trevni { compact } => {
            *compact = file.info().is_some_and(|info: TrevniInfo| info.is_compact);
        }
        Written::Levels(format) => *format = levels(file, shape, format.clone()),
        Written::RedElm(format) => {
            if let Some(RedElmInfo { footer, .. }) = file.info() {
                *format = format.footer(footer);
            }
        }
    }
    builder = described(builder, file, shape);
    let metadata = file.metadata().iter().filter(|(key, _)| !dialect::is_own_key(key));
    (metadata.fold(builder, |builder, (key, value)| builder.metadata(key, value)), written)
}

/// The options of a file with levels, for rows of a shape.
fn levels(file: &Reader<'_>, shape: &Shape, mut format: Levels) -> Levels {
    let Some(LevelsInfo { layout, .. }) = file.info() else {
        return format;
    };
    format = format.layout(layout);
    let kept = file.columns().iter().filter(|column| has(shape, column.path_names().unwrap_or_default()));
    for (column, path) in kept.filter_map(|column| Some((column, column.path()?))) {
        if let Some(width) = column.array_width() {
            format = format.array_width(path, width);
        }
        if is_asked_for(column.value_type()) {
            format = format.value_type(path, column.value_type());
        }
    }
    format
}

/// With the schema of the rows: the file's own text, as long as it is theirs.
fn described(builder: WriterBuilder, file: &Reader<'_>, shape: &Shape) -> WriterBuilder {
    match file.metadata().get_str(trevni_avro::SCHEMA) {
        Some(text) if Shape::from_avro(text).is_ok_and(|known| known == *shape) => builder.schema(text),
        _ => builder.shape(shape),
    }
}

/// The codec that most columns have.
pub(super) fn codec(file: &Reader<'_>) -> Codec {
    most(file.columns(), ColumnInfo::codec_name).and_then(ColumnInfo::codec).unwrap_or_default()
}

/// A column with the name that most columns have.
fn most(columns: &[ColumnInfo], name: fn(&ColumnInfo) -> &str) -> Option<&ColumnInfo> {
    let mut counts: HashMap<&str, (usize, &ColumnInfo)> = HashMap::new();
    columns.iter().for_each(|column| counts.entry(name(column)).or_insert((0, column)).0 += 1);
    let most = counts.into_iter().max_by_key(|(name, (count, _))| (*count, *name));
    most.map(|(_, (_, column))| column)
}

/// Whether a shape has a path.
fn has(shape: &Shape, path: &[String]) -> bool {
    match (shape.storage(), path) {
        (Shape::Optional(optional), _) => has(&optional.item, path),
        (Shape::List(item), _) => has(item, path),
        (Shape::Record(record), [name, rest @ ..]) => {
            record.fields.iter().any(|field| field.name == **name && has(&field.shape, rest))
        }
        (Shape::Map(map), [name, rest @ ..]) => has(if name == "key" { &map.key } else { &map.value }, rest),
        (_, rest) => rest.is_empty(),
    }
}
