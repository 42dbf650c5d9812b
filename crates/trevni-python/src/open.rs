//! Files and folders of them, opened.

use crate::batch::count;
use crate::capsule;
use crate::error::{Failure, raise};
use crate::files::{Bytes, Readable};
use crate::origin::Origin;
use crate::reader::Reader;
use crate::view::View;
use arrow_schema::Schema;
use pyo3::exceptions::{PyFileNotFoundError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyDict;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use trevni::{Limits, ReaderBuilder, Shape};
use trevni_arrow::{Simplify, Unions};

/// Opens a file: a path, a URL, bytes, or an open file with `seek` and `read`. A folder is opened as a `Dataset`.
///
/// Columns are decoded by as many threads as there are processors, or as `threads` says; an open file is read by one.
/// What a file may take is limited; a `LimitError` says which keyword raises the limit. `memory` is the most bytes that are
/// held at once of the open file, 256 MiB unless it is said: files with larger values need more. `block_bytes` is the size of
/// a block after decompression, 1 GiB; `values` how many rows a file may have, and values be read in one pass, beyond 1,024
/// for each of its bytes: 2,147,483,648.
///
/// * `salvage=True` passes over rows in damaged blocks; `Reader.lost` says which.
/// * `lenient=True` reads files that Impala's writer cut off, whose columns have one entry too many.
/// * `schema` is an Arrow schema of any library: the columns that are read, in its order and types. Or it is the Avro schema, as
///   JSON, of files with levels that do not say it.
/// * `aliases` has other names of fields: with `{"user": "user_name"}`, the field `user_name` of a file that has no `user` is
///   read as this. Names are paths; a list has several old ones.
/// * `unions` says what a union is for libraries without unions: "json", a string with the value as JSON; "string", the value alone as a
///   string; "struct", a struct with a field for each variant; "sparse", a sparse union, which DuckDB takes.
/// * `plain_nulls=True` reads a field that is sometimes absent and sometimes null as null in both cases, and not as a struct
///   with the field `some`.
/// * `filesystem` is one of fsspec or of pyarrow, in which the path is. A URL such as "s3://bucket/file.trv" is opened by fsspec, with
///   `storage_options`.
///
/// >>> with trevni.open(flights) as reader:
/// ...     len(reader)
/// 3
#[pyfunction]
#[pyo3(signature = (
    source, *, threads = None, memory = None, block_bytes = None, values = None, lenient = false, salvage = false,
    schema = None, aliases = None, unions = None, plain_nulls = false, filesystem = None, storage_options = None,
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
    schema: Option<Bound<'py, PyAny>>,
    aliases: Option<Aliases>,
    unions: Option<String>,
    plain_nulls: bool,
    filesystem: Option<Bound<'py, PyAny>>,
    storage_options: Option<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let keywords = Keywords {
        threads,
        memory,
        block_bytes,
        values,
        lenient,
        salvage,
        schema,
        aliases,
        unions,
        plain_nulls,
        filesystem,
        storage_options,
    };
    let (given, finish, options) = (keywords.given(py)?, keywords.finish()?, keywords.options(py)?);
    let as_dataset =
        |source: &Bound<'py, PyAny>| py.get_type::<Dataset>().call((source,), Some(&keywords.given(py)?));
    let open = |source: &Bound<'py, PyAny>,
                file: Option<PathBuf>,
                open: Box<dyn FnOnce() -> trevni::Result<trevni::Reader<'static>> + Send>| {
        let origin = Origin::opened("open", source, given);
        let place = file.clone();
        let view = py.detach(move || finish.apply(View::of_reader(open()?, file)?));
        let view = view.map_err(|failure| raise(py, failure.of_file(place.as_deref())))?;
        Ok(Bound::new(py, Reader::new(view, origin))?.into_any())
    };
    if let Ok(bytes) = source.extract::<PyBackedBytes>() {
        return open(source, None, Box::new(move || options.shared(Bytes(bytes))));
    }
    if keywords.is_elsewhere(source) {
        let (filesystem, storage_options) = (&keywords.filesystem, &keywords.storage_options);
        let found =
            py.import("trevni._files")?.call_method1("file", (source, filesystem, storage_options))?;
        let Some((name, file)) = found.extract::<Option<(PathBuf, Bound<'py, PyAny>)>>()? else {
            return as_dataset(source);
        };
        let file = Readable::new(&file)?;
        return open(source, Some(name), Box::new(move || options.threads(1).shared(file)));
    }
    if let Ok(path) = source.extract::<PathBuf>() {
        if path.is_dir() {
            return as_dataset(source);
        }
        let source = absolute(&path).into_pyobject(py)?.into_any();
        return open(&source, Some(path.clone()), Box::new(move || options.open(path)));
    }
    if source.hasattr("read")? && source.hasattr("seek")? {
        let file = Readable::new(source)?;
        return open(source, None, Box::new(move || options.threads(1).shared(file)));
    }
    // What else has a buffer, such as a memoryview, is copied.
    match py.import("builtins")?.getattr("memoryview")?.call1((source,)) {
        Ok(buffer) => {
            let copy = buffer.call_method0("tobytes")?;
            let bytes: PyBackedBytes = copy.extract().map_err(PyErr::from)?;
            open(&copy, None, Box::new(move || options.shared(Bytes(bytes))))
        }
        Err(_) => Err(PyTypeError::new_err(format!(
            "a path, bytes or an open file is needed, not {}",
            source.get_type().name()?
        ))),
    }
}

/// A path that is the same in other processes.
fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

/// What `open` and `Dataset` take both.
struct Keywords<'py> {
    threads: Option<i64>,
    memory: Option<i64>,
    block_bytes: Option<i64>,
    values: Option<i64>,
    lenient: bool,
    salvage: bool,
    schema: Option<Bound<'py, PyAny>>,
    aliases: Option<Aliases>,
    unions: Option<String>,
    plain_nulls: bool,
    filesystem: Option<Bound<'py, PyAny>>,
    storage_options: Option<Bound<'py, PyAny>>,
}

impl<'py> Keywords<'py> {
    /// Those that were given.
    fn given(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let given = PyDict::new(py);
        let numbers = [
            ("threads", self.threads),
            ("memory", self.memory),
            ("block_bytes", self.block_bytes),
            ("values", self.values),
        ];
        for (name, number) in numbers {
            number.map(|number| given.set_item(name, number)).transpose()?;
        }
        let flags = [("lenient", self.lenient), ("salvage", self.salvage), ("plain_nulls", self.plain_nulls)];
        for (name, _) in flags.into_iter().filter(|(_, flag)| *flag) {
            given.set_item(name, true)?;
        }
        let objects = [
            ("schema", &self.schema),
            ("filesystem", &self.filesystem),
            ("storage_options", &self.storage_options),
        ];
        for (name, object) in objects {
            object.as_ref().map(|object| given.set_item(name, object)).transpose()?;
        }
        self.aliases.clone().map(|aliases| given.set_item("aliases", aliases)).transpose()?;
        self.unions.as_ref().map(|unions| given.set_item("unions", unions)).transpose()?;
        Ok(given)
    }

    /// The options of a file.
    fn options(&self, py: Python<'_>) -> PyResult<ReaderBuilder> {
        let threads = count("threads", self.threads, 0)?.unwrap_or_default();
        let limits = limits(self.memory, self.block_bytes, self.values)?;
        let mut options = ReaderBuilder::new().threads(threads as usize).limits(limits);
        if self.lenient {
            options = options.lenient();
        }
        if self.salvage {
            options = options.salvage();
        }
        if let Some(text) = self.schema.as_ref().and_then(|schema| schema.extract::<String>().ok()) {
            options = options.shape(&Shape::from_avro(&text).map_err(|error| raise(py, error.into()))?);
        }
        Ok(aliased(options, self.aliases.clone()))
    }

    /// What becomes of what is read.
    fn finish(&self) -> PyResult<Finish> {
        let wanted = match &self.schema {
            Some(schema) if schema.extract::<String>().is_err() => Some(capsule::schema_of(schema)?),
            _ => None,
        };
        Ok(Finish { simplify: simplify(self.unions.as_deref(), self.plain_nulls)?, wanted })
    }

    /// Whether a source is not in the file system of the machine.
    fn is_elsewhere(&self, source: &Bound<'_, PyAny>) -> bool {
        let is_url = |source: String| source.contains("://");
        let has_url = || match source.extract::<String>() {
            Ok(source) => is_url(source),
            Err(_) => source.extract::<Vec<String>>().is_ok_and(|all| all.into_iter().any(is_url)),
        };
        self.filesystem.is_some() || self.storage_options.is_some() || has_url()
    }
}

/// The types that columns are read as.
struct Finish {
    simplify: Simplify,
    wanted: Option<Arc<Schema>>,
}

impl Finish {
    fn apply(self, view: View) -> Result<View, Failure> {
        let view = view.simplified(self.simplify);
        match &self.wanted {
            Some(wanted) => view.cast(wanted),
            None => Ok(view),
        }
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
/// that has the values of all: the finer unit, the larger decimal, the categories of both. Types without a common type are an error.
///
/// >>> trevni.Dataset(folder).num_rows
/// 6
#[pyclass(frozen, extends = Reader, module = "trevni")]
pub(crate) struct Dataset;

#[pymethods]
impl Dataset {
    /// Opens the files of a folder in the order of their names, those of a list or of a pattern such as "logs/*.trv", or one file; also by
    /// URLs, and in a `filesystem` of fsspec or pyarrow.
    ///
    /// Folders in it such as `day=2024-02-29` are read too, and `day` is a column, of text or of the type that
    /// `partition_types` says: `{"hour": "int"}`, with names of Avro's types or schemas. `recursive=True` reads all folders.
    #[new]
    #[pyo3(signature = (
        files, *, threads = None, memory = None, block_bytes = None, values = None, lenient = false, salvage = false,
        schema = None, aliases = None, recursive = false, partition_types = None, unions = None, plain_nulls = false,
        filesystem = None, storage_options = None,
    ))]
    #[expect(clippy::too_many_arguments, reason = "keywords")]
    fn new<'py>(
        py: Python<'py>,
        files: &Bound<'py, PyAny>,
        threads: Option<i64>,
        memory: Option<i64>,
        block_bytes: Option<i64>,
        values: Option<i64>,
        lenient: bool,
        salvage: bool,
        schema: Option<Bound<'py, PyAny>>,
        aliases: Option<Aliases>,
        recursive: bool,
        partition_types: Option<HashMap<String, String>>,
        unions: Option<String>,
        plain_nulls: bool,
        filesystem: Option<Bound<'py, PyAny>>,
        storage_options: Option<Bound<'py, PyAny>>,
    ) -> PyResult<PyClassInitializer<Self>> {
        let keywords = Keywords {
            threads,
            memory,
            block_bytes,
            values,
            lenient,
            salvage,
            schema,
            aliases,
            unions,
            plain_nulls,
            filesystem,
            storage_options,
        };
        let (given, finish, options) = (keywords.given(py)?, keywords.finish()?, keywords.options(py)?);
        if recursive {
            given.set_item("recursive", true)?;
        }
        let made = |source: &Bound<'py, PyAny>, view: Result<View, Failure>| {
            let origin = Origin::opened("Dataset", source, given.clone());
            let view = view.map_err(|failure| raise(py, failure))?;
            Ok(PyClassInitializer::from(Reader::new(view, origin)).add_subclass(Self))
        };
        if keywords.is_elsewhere(files) {
            if partition_types.is_some() {
                return Err(PyValueError::new_err("partition_types is for folders of this machine"));
            }
            let (filesystem, storage_options) = (&keywords.filesystem, &keywords.storage_options);
            let found = (files, filesystem, storage_options, recursive);
            let found = py.import("trevni._files")?.call_method1("files", found)?;
            let (mut readers, mut names) = (Vec::new(), Vec::new());
            for (name, file, keys) in found.extract::<Vec<Remote<'py>>>()? {
                let of_keys = |options: ReaderBuilder, (key, value): &(String, Option<String>)| {
                    options.constant(key, value.as_deref())
                };
                let options = keys.iter().fold(options.clone().threads(1), of_keys);
                let file = Readable::new(&file)?;
                let reader = py.detach(move || options.shared(file));
                readers.push(
                    reader
                        .map_err(|error| raise(py, Failure::from(error).of_file(Some(Path::new(&name)))))?,
                );
                names.push(PathBuf::from(name));
            }
            let view = py.detach(move || finish.apply(View::of_readers(readers, names)?));
            return made(files, view);
        }
        let mut dataset = trevni::Dataset::builder().reader(options);
        if recursive {
            dataset = dataset.recursive();
        }
        if let Some(types) = &partition_types {
            given.set_item("partition_types", types)?;
        }
        for (key, name) in partition_types.unwrap_or_default() {
            let text = if name.starts_with(['{', '"']) { name } else { format!("\"{name}\"") };
            let shape = Shape::from_avro(&text).map_err(|error| raise(py, error.into()))?;
            dataset = dataset.partition_type(&key, shape);
        }
        let (files, source) = match files.extract::<Files>()? {
            Files::Folder(path) if path.is_file() => {
                (Files::Several(vec![path.clone()]), absolute(&path).into_pyobject(py)?.into_any())
            }
            Files::Folder(path) if !path.exists() && path.to_string_lossy().contains(['*', '?', '[']) => {
                let found = matching(py, &path)?;
                let source = found.iter().map(|path| absolute(path)).collect::<Vec<_>>();
                (Files::Several(found), source.into_pyobject(py)?.into_any())
            }
            Files::Folder(path) => {
                let source = absolute(&path).into_pyobject(py)?.into_any();
                (Files::Folder(path), source)
            }
            Files::Several(paths) => {
                let source = paths.iter().map(|path| absolute(path)).collect::<Vec<_>>();
                (Files::Several(paths), source.into_pyobject(py)?.into_any())
            }
        };
        let open = move || match files {
            Files::Folder(folder) => finish.apply(View::of_dataset(dataset.open(folder)?)?),
            Files::Several(paths) => finish.apply(View::of_dataset(dataset.from_paths(paths)?)?),
        };
        let view = py.detach(open);
        made(&source, view)
    }
}

/// A file that is not of this machine: its name, the open file, and what the names of its folders say.
type Remote<'py> = (String, Bound<'py, PyAny>, Vec<(String, Option<String>)>);

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
