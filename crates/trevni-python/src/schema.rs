//! The columns of files.

use crate::capsule;
use arrow_schema::SchemaRef;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use std::sync::Arc;

/// The columns of a file: their names and types.
///
/// Any library that knows Arrow takes it: `pyarrow.schema(schema)`, `polars.Schema(schema)`.
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

    fn __repr__(&self) -> String {
        let field = |field: &Arc<arrow_schema::Field>| {
            let null = if field.is_nullable() { "" } else { " not null" };
            format!("{}: {}{null}", field.name(), field.data_type())
        };
        self.0.fields().iter().map(field).collect::<Vec<_>>().join("\n")
    }
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
