//! The module `trevni._trevni`: Trevni column files for Python, as Arrow's C interface has them.
//!
//! What users import is the package in `python/trevni`; this is the part of it that reads and writes files. The
//! interpreter is released while files are read and written. Unsafe code is in `capsule` alone.

mod batch;
mod capsule;
mod error;
mod files;
mod filter;
mod guard;
mod import;
mod open;
mod reader;
mod recent;
mod rows;
mod schema;
mod straight;
mod stream;
mod table;
mod time;
mod value;
mod view;
mod write;

use pyo3::prelude::*;

#[pymodule]
mod _trevni {
    use pyo3::prelude::*;

    #[pymodule_export]
    use crate::batch::{Batches, RecordBatch};
    #[pymodule_export]
    use crate::open::{Dataset, open};
    #[pymodule_export]
    use crate::reader::Reader;
    #[pymodule_export]
    use crate::rows::Rows;
    #[pymodule_export]
    use crate::schema::Schema;
    #[pymodule_export]
    use crate::write::write;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}

/// Whether a Python module can be imported.
fn is_installed(py: Python<'_>, module: &str) -> PyResult<bool> {
    match py.import(module) {
        Ok(_) => Ok(true),
        Err(error) if error.is_instance_of::<pyo3::exceptions::PyImportError>(py) => Ok(false),
        Err(error) => Err(error),
    }
}
