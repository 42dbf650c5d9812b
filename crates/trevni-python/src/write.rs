//! Files from the batches of any library.

use crate::batch::count;
use crate::error::{Failure, raise};
use crate::files::Writable;
use crate::import::{Batches, batches};
use crate::reader::OF_FORMAT;
use arrow_schema::{FieldRef, Schema, SchemaRef};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyMapping;
use std::collections::HashMap;
use std::io::Write;
use std::path::PathBuf;
use std::str::FromStr;
use trevni::formats::RedElm;
use trevni::shape::{FieldShape, RecordShape};
use trevni::{AtomicFile, Checksum, Codec, Dialect, Shape, Writer, WriterBuilder};
use trevni_arrow::{AVRO_SCHEMA, ArrowWriter, schema_of_shape, shape_of_schema};

/// Writes rows to a file and returns their number.
///
/// `file` is a path, or an open file with `write`; `rows` a table or stream of any library that knows Arrow, or an
/// iterable of such batches, which are written as they come. The types of Arrow come back when the file is read. At a
/// path, the file is there when it is whole; with `overwrite=False`, it must not be there before.
///
/// * `codec`: "snappy" (the default), "zstandard", "deflate", "lz4", "bzip2", "gzip", "typed", "typed-zstandard", "archive", "auto" or "null", with a `level`;
///   `column_codecs` has those of single columns, by their paths.
/// * `checksum`: "crc32", or "null", the default.
/// * `metadata`: strings or bytes by their keys; those that begin with "trevni." and a few others are reserved.
/// * `block_size`: bytes of a block before it is compressed, which is the least that is read.
/// * `zone_maps=False` leaves out what conditions need to skip blocks.
/// * `format`: "trevni", "levels" or "redelm"; of the last, `row_group_size` is in bytes.
/// * `schema`: the Avro schema of the rows, as JSON, which is kept as it is: names, documentation, symbols of enums. Its types have
///   to be those of the columns.
/// * `threads`: how many encode columns; as many as there are processors, unless it is said.
///
/// >>> import io, pyarrow
/// >>> file = io.BytesIO()
/// >>> trevni.write(file, pyarrow.table({"word": ["the", "end"]}), codec="zstandard", metadata={"by": "me"})
/// 2
/// >>> trevni.open(file.getvalue()).metadata
/// {'by': b'me'}
#[pyfunction]
#[pyo3(signature = (file, rows, *, codec = None, level = None, column_codecs = None, checksum = None, metadata = None,
                    block_size = None, row_group_size = None, zone_maps = true, format = None, threads = None,
                    overwrite = true, schema = None))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn write(
    py: Python<'_>,
    file: &Bound<'_, PyAny>,
    rows: &Bound<'_, PyAny>,
    codec: Option<&str>,
    level: Option<i32>,
    column_codecs: Option<HashMap<String, String>>,
    checksum: Option<&str>,
    metadata: Option<&Bound<'_, PyAny>>,
    block_size: Option<i64>,
    row_group_size: Option<i64>,
    zone_maps: bool,
    format: Option<&str>,
    threads: Option<i64>,
    overwrite: bool,
    schema: Option<String>,
) -> PyResult<u64> {
    let threads = count("threads", threads, 0)?.unwrap_or_default();
    let block_size = count("block_size", block_size, 1)?;
    let row_group_size = count("row_group_size", row_group_size, 1)?;
    let mut options = Writer::builder().without_drop_notice().threads(threads as usize);
    if let Some(name) = codec {
        options = options.codec(named::<Codec>(name)?);
    }
    if let Some(level) = level {
        options = options.level(level);
    }
    for (path, name) in column_codecs.into_iter().flatten() {
        options = options.column_codec(&path, named::<Codec>(&name)?);
    }
    if let Some(name) = checksum {
        options = options.checksum(named::<Checksum>(name)?);
    }
    if let Some(name) = format {
        options = match (named::<Dialect>(name)?, row_group_size) {
            (Dialect::RedElm, Some(bytes)) => options.format(RedElm::new().row_group_size(bytes as usize)),
            (dialect, _) => options.dialect(dialect),
        };
    }
    for (key, value) in metadata.map(entries).transpose()?.unwrap_or_default() {
        options = options.metadata(key, value);
    }
    if let Some(bytes) = block_size {
        options = options.block_size(bytes as usize);
    }
    if !zone_maps {
        options = options.without_zone_maps();
    }
    let target = Target::of(file)?;
    let rows = batches(rows)?;
    let place = target.path();
    let written = py.detach(move || {
        let columns = match schema {
            Some(text) => described(&rows.schema(), text)?,
            None => rows.schema(),
        };
        target.write(options, columns, rows, overwrite)
    });
    written.map_err(|failure| raise(py, failure.of_file(place.as_deref())))
}

/// The entries of metadata, in one order, so that the same call makes the same file.
fn entries(metadata: &Bound<'_, PyAny>) -> PyResult<Vec<(String, Vec<u8>)>> {
    let Ok(metadata) = metadata.cast::<PyMapping>() else {
        let kind = metadata.get_type().name()?;
        return Err(PyTypeError::new_err(format!("metadata is a dict, not {kind}")));
    };
    let mut entries = Vec::new();
    for entry in metadata.items()?.iter() {
        let (key, value): (Bound<'_, PyAny>, Bound<'_, PyAny>) = entry.extract()?;
        let kind = |object: &Bound<'_, PyAny>| Ok::<_, PyErr>(object.get_type().name()?.to_string());
        let Ok(key) = key.extract::<String>() else {
            let message = format!("a key of metadata is a str, not {}: {}", kind(&key)?, key.repr()?);
            return Err(PyTypeError::new_err(message));
        };
        if OF_FORMAT.contains(&key.as_str()) {
            let message = format!("metadata key {key:?} is reserved");
            return Err(raise(metadata.py(), Failure::of_usage(message)));
        }
        let bytes = match value.extract::<String>() {
            Ok(text) => text.into_bytes(),
            Err(_) => match value.extract::<PyBackedBytes>() {
                Ok(bytes) => bytes.to_vec(),
                Err(_) => {
                    let message = format!("metadata[{key:?}] is a str or bytes, not {}", kind(&value)?);
                    return Err(PyTypeError::new_err(message));
                }
            },
        };
        entries.push((key, bytes));
    }
    entries.sort();
    Ok(entries)
}

enum Target {
    Path(PathBuf),
    Object(Writable),
}

impl Target {
    fn of(file: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(path) = file.extract() {
            return Ok(Self::Path(path));
        }
        match file.hasattr("write")? {
            true => Ok(Self::Object(Writable(file.clone().unbind()))),
            false => Err(PyTypeError::new_err(format!(
                "a path or an open file is needed, not {}",
                file.get_type().name()?
            ))),
        }
    }

    fn path(&self) -> Option<PathBuf> {
        match self {
            Self::Path(path) => Some(path.clone()),
            Self::Object(_) => None,
        }
    }

    fn write(
        self,
        options: WriterBuilder,
        schema: SchemaRef,
        rows: Batches,
        overwrite: bool,
    ) -> Result<u64, Failure> {
        match self {
            Self::Path(path) => {
                let sink = if overwrite { AtomicFile::create(path)? } else { AtomicFile::create_new(path)? };
                let (file, count) = write_all(ArrowWriter::with_options(options, sink, schema)?, rows)?;
                file.commit()?;
                Ok(count)
            }
            Self::Object(sink) => {
                let writer = ArrowWriter::with_options(options, sink, schema)?;
                let (mut sink, count) = write_all(writer, rows)?;
                sink.flush()?;
                Ok(count)
            }
        }
    }
}

/// The columns with the Avro schema of their rows, which has to be that of their types.
fn described(columns: &SchemaRef, text: String) -> Result<SchemaRef, Failure> {
    let shape = Shape::from_avro(&text)?;
    let mut metadata = columns.metadata().clone();
    metadata.insert(AVRO_SCHEMA.to_owned(), text);
    let described = Schema::new_with_metadata(columns.fields().clone(), metadata);
    if shape_of_schema(&described)? == shape {
        return Ok(described.into());
    }
    let wanted = schema_of_shape(&shape)?;
    let mut pairs = columns.fields().iter().zip(wanted.fields()).enumerate();
    let differs = pairs.find(|(number, (own, wanted))| {
        let field = match &shape {
            Shape::Record(record) => record.fields.get(*number).cloned(),
            _ => None,
        };
        own.name() != wanted.name() || !field.is_some_and(|field| fits(own, field))
    });
    let differs = differs.map(|(_, pair)| pair);
    let field = |field: &FieldRef| {
        let null = if field.is_nullable() { " or null" } else { "" };
        format!("{:?}: {}{null}", field.name(), field.data_type())
    };
    Err(Failure::of_shape(match differs {
        Some((one, two)) => format!("the schema has {}, the rows have {}", field(two), field(one)),
        None => format!(
            "the schema has {} columns, the rows have {}",
            wanted.fields().len(),
            columns.fields().len()
        ),
    }))
}

/// Whether a column holds what a field of a schema is.
fn fits(column: &FieldRef, field: FieldShape) -> bool {
    let alone = Shape::Record(RecordShape::new("Row", vec![field]));
    let metadata = HashMap::from([(AVRO_SCHEMA.to_owned(), alone.to_avro())]);
    let schema = Schema::new_with_metadata(vec![FieldRef::clone(column)], metadata);
    shape_of_schema(&schema).is_ok_and(|shape| shape == alone)
}

fn write_all<W: Write>(mut writer: ArrowWriter<W>, rows: Batches) -> Result<(W, u64), Failure> {
    for batch in rows {
        writer.write(&batch?)?;
    }
    let count = writer.row_count();
    Ok((writer.finish()?, count))
}

/// Parses a name, with an error that Python shows.
fn named<T: FromStr<Err = trevni::Error>>(name: &str) -> PyResult<T> {
    name.parse().map_err(|error: trevni::Error| PyValueError::new_err(error.to_string()))
}
