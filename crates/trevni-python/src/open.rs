//! Files and folders of them, opened.

use crate::batch::count;
use crate::error::raise;
use crate::files::{Bytes, Readable};
use crate::reader::Reader;
use crate::view::View;
use pyo3::exceptions::{PyFileNotFoundError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyDict;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use trevni::{Limits, ReaderBuilder, Shape};
use trevni_arrow::{Simplify, Unions};

/// Opens a file: a path, bytes, or an open file with `seek` and `read`. A folder is opened as a `Dataset`.
///
/// Columns are decoded by as many threads as there are processors, or as `threads` says; an open file is read by one.
/// What a file may take is limited; a `LimitError` says which keyword raises the limit. `memory` is the most bytes that are
/// held at once of the open file, 256 MiB unless it is said: files with larger values need more. `block_bytes` is the size of
/// a block after decompression, 1 GiB; `values` how many rows a file may have, and values be read in one pass, beyond 1,024
/// for each of its bytes: 2,147,483,648.
///
/// * `salvage=True` passes over rows in damaged blocks; `Reader.lost` says which.
/// * `lenient=True` reads files that Impala's writer cut off, whose columns have one entry too many.
/// * `schema` is the Avro schema, as JSON, of files with levels that do not say it.
/// * `aliases` has other names of fields: with `{"user": "user_name"}`, the field `user_name` of a file that has no `user` is
///   read as this. Names are paths; a list has several old ones.
/// * `unions` says what a union is for libraries without unions: "json", a string with the value as JSON; "string", the value alone as a
///   string; "struct", a struct with a field for each variant; "sparse", a sparse union, which DuckDB takes.
/// * `plain_nulls=True` reads a field that is sometimes absent and sometimes null as null in both cases, and not as a struct
///   with the field `some`.
///
/// >>> with trevni.open(flights) as reader:
/// ...     len(reader)
/// 3
#[pyfunction]
#[pyo3(signature = (
    source, *, threads = None, memory = None, block_bytes = None, values = None, lenient = false, salvage = false,
    schema = None, aliases = None, unions = None, plain_nulls = false,
))]
#[expect(clippy::too_many_arguments, reason = "keywords")]
pub(crate) fn open<'py>(
    py: Python<'py>,
    source: &Bound<'py, PyAny>,
    threads: Option<i64>,
    memory: Option<i64>,
    block_bytes: Option<i64>,
    values: Option<i64>,
    lenient: bool,
    salvage: bool,
    schema: Option<&str>,
    aliases: Option<Aliases>,
    unions: Option<&str>,
    plain_nulls: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let simplify = simplify(unions, plain_nulls)?;
    let given = aliases.clone();
    let options = options(py, threads, limits(memory, block_bytes, values)?, lenient, salvage, schema)?;
    let options = aliased(options, aliases);
    let open = |file: Option<PathBuf>,
                open: Box<dyn FnOnce() -> trevni::Result<trevni::Reader<'static>> + Send>| {
        let place = file.clone();
        let view = py.detach(move || View::of_reader(open()?, file));
        let view = view.map_err(|failure| raise(py, failure.of_file(place.as_deref())))?;
        Ok(Bound::new(py, Reader::new(view.simplified(simplify)))?.into_any())
    };
    if let Ok(bytes) = source.extract::<PyBackedBytes>() {
        return open(None, Box::new(move || options.shared(Bytes(bytes))));
    }
    if let Ok(path) = source.extract::<PathBuf>() {
        if path.is_dir() {
            let keywords = PyDict::new(py);
            keywords.set_item("threads", threads)?;
            keywords.set_item("memory", memory)?;
            keywords.set_item("block_bytes", block_bytes)?;
            keywords.set_item("values", values)?;
            keywords.set_item("lenient", lenient)?;
            keywords.set_item("salvage", salvage)?;
            keywords.set_item("schema", schema)?;
            keywords.set_item("aliases", given)?;
            keywords.set_item("unions", unions)?;
            keywords.set_item("plain_nulls", plain_nulls)?;
            return py.get_type::<Dataset>().call((path,), Some(&keywords));
        }
        return open(Some(path.clone()), Box::new(move || options.open(path)));
    }
    if source.hasattr("read")? && source.hasattr("seek")? {
        let file = Readable::new(source)?;
        return open(None, Box::new(move || options.threads(1).shared(file)));
    }
    // What else has a buffer, such as a memoryview, is copied.
    match py.import("builtins")?.getattr("memoryview")?.call1((source,)) {
        Ok(buffer) => {
            let bytes: PyBackedBytes = buffer.call_method0("tobytes")?.extract().map_err(PyErr::from)?;
            open(None, Box::new(move || options.shared(Bytes(bytes))))
        }
        Err(_) => Err(PyTypeError::new_err(format!(
            "a path, bytes or an open file is needed, not {}",
            source.get_type().name()?
        ))),
    }
}

fn limits(memory: Option<i64>, block_bytes: Option<i64>, values: Option<i64>) -> PyResult<Limits> {
    let mut limits = Limits::default();
    limits.memory = count("memory", memory, 0)?.unwrap_or(limits.memory);
    limits.block_bytes = count("block_bytes", block_bytes, 0)?.unwrap_or(limits.block_bytes);
    limits.rows_without_bytes = count("values", values, 0)?.unwrap_or(limits.rows_without_bytes);
    Ok(limits)
}

/// What becomes of types that few libraries have.
fn simplify(unions: Option<&str>, plain_nulls: bool) -> PyResult<Simplify> {
    let unions = match unions {
        None => Unions::Union,
        Some("sparse") => Unions::Sparse,
        Some("json") => Unions::Json,
        Some("string") => Unions::String,
        Some("struct") => Unions::Struct,
        Some(other) => {
            let message = format!("unions is \"sparse\", \"json\", \"string\" or \"struct\", not {other:?}");
            return Err(PyValueError::new_err(message));
        }
    };
    Ok(Simplify { unions, plain_nulls })
}

fn options(
    py: Python<'_>,
    threads: Option<i64>,
    limits: Limits,
    lenient: bool,
    salvage: bool,
    schema: Option<&str>,
) -> PyResult<ReaderBuilder> {
    let threads = count("threads", threads, 0)?.unwrap_or_default();
    let mut options = ReaderBuilder::new().threads(threads as usize).limits(limits);
    if lenient {
        options = options.lenient();
    }
    if salvage {
        options = options.salvage();
    }
    if let Some(text) = schema {
        options = options.shape(&Shape::from_avro(text).map_err(|error| raise(py, error.into()))?);
    }
    Ok(options)
}

/// Paths with what some files call the same fields.
pub(crate) type Aliases = HashMap<String, Names>;

/// One name, or several.
#[derive(Clone, FromPyObject, IntoPyObject)]
pub(crate) enum Names {
    One(String),
    Several(Vec<String>),
}

fn aliased(mut options: ReaderBuilder, aliases: Option<Aliases>) -> ReaderBuilder {
    let mut aliases: Vec<(String, Names)> = aliases.into_iter().flatten().collect();
    // A record comes before its fields.
    aliases.sort_by_key(|(new, _)| new.len());
    for (new, old) in aliases {
        let old = match old {
            Names::One(old) => vec![old],
            Names::Several(old) => old,
        };
        options = old.iter().fold(options, |options, old| options.alias(&new, old));
    }
    options
}

/// The files of a folder, read as one.
///
/// Fields are matched by name; one that only some files have is null in the rows of the others. Where types differ, the column has one
/// that has the values of all: the finer unit, the larger decimal, the categories of both. Types that have none in common are an error.
///
/// >>> trevni.Dataset(folder).num_rows
/// 6
#[pyclass(frozen, extends = Reader, module = "trevni")]
pub(crate) struct Dataset;

#[pymethods]
impl Dataset {
    /// Opens the files of a folder in the order of their names, those of a list or of a pattern such as "logs/*.trv", or one file.
    ///
    /// Folders in it such as `day=2024-02-29` are read too, and `day` is a column, of text or of the type that
    /// `partition_types` says: `{"hour": "int"}`, with names of Avro's types or schemas. `recursive=True` reads all folders.
    #[new]
    #[pyo3(signature = (
        files, *, threads = None, memory = None, block_bytes = None, values = None, lenient = false, salvage = false,
        schema = None, aliases = None, recursive = false, partition_types = None, unions = None, plain_nulls = false,
    ))]
    #[expect(clippy::too_many_arguments, reason = "keywords")]
    fn new(
        py: Python<'_>,
        files: Files,
        threads: Option<i64>,
        memory: Option<i64>,
        block_bytes: Option<i64>,
        values: Option<i64>,
        lenient: bool,
        salvage: bool,
        schema: Option<&str>,
        aliases: Option<Aliases>,
        recursive: bool,
        partition_types: Option<HashMap<String, String>>,
        unions: Option<&str>,
        plain_nulls: bool,
    ) -> PyResult<PyClassInitializer<Self>> {
        let simplify = simplify(unions, plain_nulls)?;
        let options = options(py, threads, limits(memory, block_bytes, values)?, lenient, salvage, schema)?;
        let options = aliased(options, aliases);
        let mut dataset = trevni::Dataset::builder().reader(options);
        if recursive {
            dataset = dataset.recursive();
        }
        for (key, name) in partition_types.unwrap_or_default() {
            let text = if name.starts_with(['{', '"']) { name } else { format!("\"{name}\"") };
            let shape = Shape::from_avro(&text).map_err(|error| raise(py, error.into()))?;
            dataset = dataset.partition_type(&key, shape);
        }
        let files = match files {
            Files::Folder(path) if path.is_file() => Files::Several(vec![path]),
            Files::Folder(path) if !path.exists() && path.to_string_lossy().contains(['*', '?', '[']) => {
                Files::Several(matching(py, &path)?)
            }
            files => files,
        };
        let open = move || match files {
            Files::Folder(folder) => View::of_dataset(dataset.open(folder)?),
            Files::Several(paths) => View::of_dataset(dataset.from_paths(paths)?),
        };
        let view = py.detach(open).map_err(|failure| raise(py, failure))?;
        Ok(PyClassInitializer::from(Reader::new(view.simplified(simplify))).add_subclass(Self))
    }
}

/// The files that a pattern such as `logs/*.trv` names, in the order of their names.
fn matching(py: Python<'_>, pattern: &Path) -> PyResult<Vec<PathBuf>> {
    let keywords = PyDict::new(py);
    keywords.set_item("recursive", true)?;
    let found = py.import("glob")?.call_method("glob", (pattern.as_os_str(),), Some(&keywords))?;
    let mut found: Vec<PathBuf> = found.extract()?;
    found.retain(|path| path.is_file());
    found.sort();
    match found.is_empty() {
        true => Err(PyFileNotFoundError::new_err(format!("no file is named {}", pattern.display()))),
        false => Ok(found),
    }
}

#[derive(FromPyObject)]
enum Files {
    Folder(PathBuf),
    Several(Vec<PathBuf>),
}
