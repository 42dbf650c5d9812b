//! The columns of files.

use crate::capsule;
use crate::type_name::{type_name, with_type};
use arrow_schema::{Field, SchemaRef};
use pyo3::exceptions::{PyIndexError, PyKeyError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyIterator, PyList, PyTuple};

/// The columns of a file: their names and types.
///
/// Any library that knows Arrow takes it: `pyarrow.schema(schema)`, `polars.Schema(schema)`. It iterates over its fields, which have a
/// `name`, a `type` as pyarrow writes it, and `nullable`.
///
/// >>> schema = trevni.open(flights).schema
/// >>> print(schema)
/// carrier: string
/// delay: int32
/// distance: double
/// >>> [field.name for field in schema if field.type == "int32"], schema["delay"].type
/// (['delay'], 'int32')
#[pyclass(frozen, eq, module = "trevni")]
#[derive(PartialEq)]
pub(crate) struct Schema(pub(crate) SchemaRef);

#[pymethods]
impl Schema {
    /// The names of the columns.
    #[getter]
    fn names(&self) -> Vec<&str> {
        names(&self.0)
    }

    /// The schema as a `pyarrow.Schema`.
    fn to_arrow<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        this.py().import("pyarrow")?.call_method1("schema", (this,))
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        capsule::of_schema(py, &self.0)
    }

    fn __len__(&self) -> usize {
        self.0.fields().len()
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        let fields = self.0.fields().iter().map(|field| described(py, field));
        PyList::new(py, fields.collect::<PyResult<Vec<_>>>()?)?.try_iter()
    }

    /// A field by its name or its place.
    fn __getitem__<'py>(&self, py: Python<'py>, key: Key) -> PyResult<Bound<'py, PyAny>> {
        let fields = self.0.fields();
        let field = match &key {
            Key::Name(name) => fields.find(name).map(|(_, field)| field),
            Key::Place(place) if *place < 0 => {
                fields.len().checked_sub(place.unsigned_abs()).and_then(|place| fields.get(place))
            }
            Key::Place(place) => fields.get(place.unsigned_abs()),
        };
        match (field, key) {
            (Some(field), _) => described(py, field),
            (None, Key::Name(name)) => Err(PyKeyError::new_err(name)),
            (None, Key::Place(place)) => Err(PyIndexError::new_err(format!("there is no field {place}"))),
        }
    }

    fn __contains__(&self, name: &str) -> bool {
        self.0.fields().find(name).is_some()
    }

    fn __reduce__<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let pickle = this.py().import("trevni._pickle")?;
        let file = pickle.call_method1("file_of", (this,))?;
        (pickle.getattr("schema")?, (file,)).into_pyobject(this.py())
    }

    fn _repr_html_<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        this.py().import("trevni._html")?.call_method1("of_schema", (this,))
    }

    fn __repr__(&self) -> String {
        self.0.fields().iter().map(|field| with_type(field)).collect::<Vec<_>>().join("\n")
    }
}

/// A field as Python has it.
fn described<'py>(py: Python<'py>, field: &Field) -> PyResult<Bound<'py, PyAny>> {
    let class = py.import("trevni._schema")?.getattr("Field")?;
    class.call1((field.name(), type_name(field), field.is_nullable()))
}

/// The name of a field, or its place, which counts from the end if it is negative.
#[derive(FromPyObject)]
enum Key {
    Name(String),
    Place(isize),
}

pub(crate) fn names(schema: &SchemaRef) -> Vec<&str> {
    schema.fields().iter().map(|field| field.name().as_str()).collect()
}

/// One path, or several.
pub(crate) struct Columns(pub(crate) Vec<String>);

impl<'py> FromPyObject<'_, 'py> for Columns {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        match object.extract::<String>() {
            Ok(one) => Ok(Self(vec![one])),
            Err(_) => object.try_iter()?.map(|name| name?.extract()).collect::<PyResult<_>>().map(Self),
        }
    }
}
