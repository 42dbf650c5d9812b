//! Files from the batches of any library.

use crate::batch::count;
use crate::capsule;
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
use std::sync::Mutex;
use trevni::formats::{RedElm, Trevni};
use trevni::shape::{FieldShape, RecordShape};
use trevni::{AtomicFile, Checksum, Codec, Dialect, Shape, WriterBuilder};
use trevni_arrow::{AVRO_SCHEMA, ArrowWriter, schema_of_shape, shape_of_schema};

/// Writes rows to a file and returns their number.
///
/// `file` is a path, or an open file with `write`; `rows` a table or stream of any library that knows Arrow, or an
/// iterable of such batches, which are written as they come. The types of Arrow come back when the file is read. At a
/// path, the file is there when it is whole; with `overwrite=False`, it must not be there before.
///
/// * `codec`, or `compression`: "snappy" (the default), "zstandard" or "zstd", "deflate", "lz4", "bzip2", "typed", "typed-zstandard", "archive",
///   "auto", "null" or "none"; `level` is that of the codecs that have levels, and `column_codecs` has those of single columns, by their
///   paths. Files of the format "redelm" have other codecs, "gzip" for one; an error names those of a format.
/// * `checksum`: "crc32", or "null", the default.
/// * `metadata`: strings or bytes by their keys; those that begin with "trevni." and a few others are reserved.
/// * `block_size`: bytes of a block before it is compressed, which is the least that is read.
/// * `zone_maps=False` leaves out what conditions need to skip blocks.
/// * `format`: "trevni", "levels" or "redelm"; of the last, `row_group_size` is in bytes.
/// * `schema`: the Avro schema of the rows, as JSON, which is kept as it is: names, documentation, symbols of enums. Its types have
///   to be those of the columns.
/// * `compact=True` makes small files of many columns smaller; other implementations of Trevni cannot read them.
/// * `interchange=True` writes what Avro's Java reads: the format trevni with snappy.
/// * `threads`: how many encode columns; as many as there are processors, unless it is said.
/// * `filesystem` is one of fsspec or of pyarrow, in which the path is. A URL is written by fsspec, with `storage_options`.
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
                    overwrite = true, schema = None, compression = None, compact = false, interchange = false, filesystem = None,
                    storage_options = None))]
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
    compression: Option<&str>,
    compact: bool,
    interchange: bool,
    filesystem: Option<&Bound<'_, PyAny>>,
    storage_options: Option<&Bound<'_, PyAny>>,
) -> PyResult<u64> {
    let options = options(
        codec,
        level,
        column_codecs,
        checksum,
        metadata,
        block_size,
        row_group_size,
        zone_maps,
        format,
        threads,
        compression,
        compact,
        interchange,
    )?;
    let target = Target::of(file, filesystem, storage_options, overwrite)?;
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

/// The options of a file as Python has them.
#[expect(clippy::too_many_arguments, reason = "keywords")]
fn options(
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
    compression: Option<&str>,
    compact: bool,
    interchange: bool,
) -> PyResult<WriterBuilder> {
    let codec = match (codec, compression) {
        (Some(_), Some(_)) => {
            return Err(PyTypeError::new_err("codec and compression are the same: give one"));
        }
        (one, two) => one.or(two),
    };
    let threads = count("threads", threads, 0)?.unwrap_or_default();
    let block_size = count("block_size", block_size, 1)?;
    let row_group_size = count("row_group_size", row_group_size, 1)?;
    let mut options = trevni::Writer::builder().without_drop_notice().threads(threads as usize);
    let has_codecs = codec.is_some() || column_codecs.as_ref().is_some_and(|codecs| !codecs.is_empty());
    if interchange && (has_codecs || compact || !matches!(format, None | Some("trevni"))) {
        return Err(PyValueError::new_err("interchange is the format trevni with snappy, without compact"));
    }
    if let Some(name) = codec {
        options = options.codec(codec_of(name)?);
    }
    if let Some(level) = level {
        options = options.level(level);
    }
    for (path, name) in column_codecs.into_iter().flatten() {
        options = options.column_codec(&path, codec_of(&name)?);
    }
    if let Some(name) = checksum {
        options = options.checksum(named::<Checksum>(name)?);
    }
    if compact {
        if !matches!(format, None | Some("trevni")) {
            return Err(PyValueError::new_err("compact is for files of the format trevni"));
        }
        options = options.format(Trevni::new().compact());
    } else if let Some(name) = format {
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
    Ok(options)
}

/// Writes batches to a file as they are made.
///
/// `file`, and the options, are those of `write`; `schema` is that of the rows, of any library that knows Arrow. The file is there after
/// `close`, or at the end of a `with` without an exception; otherwise there is none.
///
/// >>> import io, pyarrow
/// >>> file = io.BytesIO()
/// >>> with trevni.Writer(file, pyarrow.schema([("n", pyarrow.int64())])) as writer:
/// ...     for number in range(3):
/// ...         writer.write(pyarrow.table({"n": [number]}))
/// >>> len(trevni.open(file.getvalue()))
/// 3
#[pyclass(frozen, module = "trevni")]
pub(crate) struct Writer {
    open: Mutex<Option<Open>>,
    path: Option<PathBuf>,
}

/// A file that is being written.
enum Open {
    Path(ArrowWriter<AtomicFile>),
    Object(ArrowWriter<Writable>),
}

#[pymethods]
impl Writer {
    #[new]
    #[pyo3(signature = (file, schema, *, codec = None, level = None, column_codecs = None, checksum = None, metadata = None,
                        block_size = None, row_group_size = None, zone_maps = true, format = None, threads = None,
                        overwrite = true, compression = None, compact = false, interchange = false, filesystem = None,
                        storage_options = None))]
    #[expect(clippy::too_many_arguments, reason = "keywords")]
    fn new(
        py: Python<'_>,
        file: &Bound<'_, PyAny>,
        schema: &Bound<'_, PyAny>,
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
        compression: Option<&str>,
        compact: bool,
        interchange: bool,
        filesystem: Option<&Bound<'_, PyAny>>,
        storage_options: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let options = options(
            codec,
            level,
            column_codecs,
            checksum,
            metadata,
            block_size,
            row_group_size,
            zone_maps,
            format,
            threads,
            compression,
            compact,
            interchange,
        )?;
        let schema = capsule::schema_of(schema)?;
        let target = Target::of(file, filesystem, storage_options, overwrite)?;
        let path = target.path();
        let open = py.detach(|| target.open(options, schema, overwrite));
        let open = open.map_err(|failure| raise(py, failure.of_file(path.as_deref())))?;
        Ok(Self { open: Mutex::new(Some(open)), path })
    }

    /// Appends the rows of a table, a batch, or a stream of batches.
    fn write(&self, py: Python<'_>, rows: &Bound<'_, PyAny>) -> PyResult<()> {
        let rows = batches(rows)?;
        self.apart(py, |open| {
            let open = open.as_mut().ok_or_else(|| Failure::of_usage("the writer is closed".to_owned()))?;
            for batch in rows {
                let batch = batch?;
                match open {
                    Open::Path(writer) => writer.write(&batch)?,
                    Open::Object(writer) => writer.write(&batch)?,
                }
            }
            Ok(())
        })
    }

    /// The number of rows written so far; none of a writer that is closed.
    #[getter]
    fn num_rows(&self, py: Python<'_>) -> PyResult<Option<u64>> {
        self.apart(py, |open| {
            Ok(open.as_ref().map(|open| match open {
                Open::Path(writer) => writer.row_count(),
                Open::Object(writer) => writer.row_count(),
            }))
        })
    }

    /// Completes the file. A writer that is closed stays so.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        self.apart(py, |open| match open.take() {
            Some(Open::Path(writer)) => Ok(writer.finish()?.commit()?),
            Some(Open::Object(writer)) => Ok(writer.finish()?.complete()?),
            None => Ok(()),
        })
    }

    fn __enter__<'py>(this: &Bound<'py, Self>) -> Bound<'py, Self> {
        this.clone()
    }

    fn __exit__(
        &self,
        py: Python<'_>,
        kind: &Bound<'_, PyAny>,
        _error: &Bound<'_, PyAny>,
        _place: &Bound<'_, PyAny>,
    ) -> PyResult<bool> {
        match kind.is_none() {
            true => self.close(py)?,
            false => self.apart(py, |open| {
                *open = None;
                Ok(())
            })?,
        }
        Ok(false)
    }
}

impl Writer {
    /// Works on the file with the interpreter released.
    fn apart<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Option<Open>) -> Result<T, Failure> + Send,
    ) -> PyResult<T> {
        let done = py.detach(|| {
            let mut open = self.open.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            work(&mut open)
        });
        done.map_err(|failure| raise(py, failure.of_file(self.path.as_deref())))
    }
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
    fn of(
        file: &Bound<'_, PyAny>,
        filesystem: Option<&Bound<'_, PyAny>>,
        storage_options: Option<&Bound<'_, PyAny>>,
        overwrite: bool,
    ) -> PyResult<Self> {
        let is_url = || file.extract::<String>().is_ok_and(|file| file.contains("://"));
        if filesystem.is_some() || storage_options.is_some() || is_url() {
            let files = file.py().import("trevni._files")?;
            let target = files.call_method1("target", (file, filesystem, storage_options, overwrite))?;
            return match target.extract() {
                Ok(path) => Ok(Self::Path(path)),
                Err(_) => Ok(Self::Object(Writable(target.unbind()))),
            };
        }
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
        match self.open(options, schema, overwrite)? {
            Open::Path(writer) => {
                let (file, count) = write_all(writer, rows)?;
                file.commit()?;
                Ok(count)
            }
            Open::Object(writer) => {
                let (sink, count) = write_all(writer, rows)?;
                sink.complete()?;
                Ok(count)
            }
        }
    }

    fn open(self, options: WriterBuilder, schema: SchemaRef, overwrite: bool) -> Result<Open, Failure> {
        Ok(match self {
            Self::Path(path) => {
                let sink = if overwrite { AtomicFile::create(path)? } else { AtomicFile::create_new(path)? };
                Open::Path(ArrowWriter::with_options(options, sink, schema)?)
            }
            Self::Object(sink) => Open::Object(ArrowWriter::with_options(options, sink, schema)?),
        })
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

/// The codec of a name, also of those that other formats call it.
fn codec_of(name: &str) -> PyResult<Codec> {
    named(match name {
        "zstd" => "zstandard",
        "typed-zstd" => "typed-zstandard",
        "none" | "uncompressed" => "null",
        other => other,
    })
}

/// Parses a name, with an error that Python shows.
fn named<T: FromStr<Err = trevni::Error>>(name: &str) -> PyResult<T> {
    name.parse().map_err(|error: trevni::Error| PyValueError::new_err(error.to_string()))
}
