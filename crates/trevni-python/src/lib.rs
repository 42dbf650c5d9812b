//! The module `trevni._trevni`: Trevni column files for Python, as Arrow's C interface has them.
//!
//! What users import is the package in `python/trevni`; this is the part of it that reads and writes files. The
//! interpreter is released while files are read and written. Unsafe code is in `capsule` alone.
//!
//! # Design
//!
//! A wheel for all versions of Python from 3.9 on. Libraries need no adapter: a `Reader` has `__arrow_c_stream__`, and
//! what has it can be written. pyarrow and polars are imported only where they are asked for.
//!
//! * **Unsafe code is in `capsule` alone**: it takes the structures of Arrow's C interface from capsules. So
//!   `arrow-array` serves, without a crate that brings numpy and its own Arrow.
//! * **What comes in is checked** (`straight`): UTF-8, offsets, keys. The interface promises these, but libraries hand
//!   on what they read. No panic goes out (`guard`), since it would end the process.
//! * **Guests enter as they are.** What a library sends beside the letter of the interface, such as bitmaps of null
//!   arrays, is mended at the border (`capsule`, `straight`); what it asks for (`requested`) and what it lacks
//!   (`Simplify`) is made of the finished batches, so no reader knows of it.
//! * **One file is a dataset of one.** `table` joins types as the query engine does. `filter` leaves a condition to a
//!   file only if its values mean the same there as in the table: durations of another unit are other numbers.
//! * **Two threads cannot wait for each other**: the interpreter is released while files are read or written, and file
//!   objects are locked without it (`files`). Exceptions of Python code pass all layers as they are.
//! * **One language**: conditions made with operators are text of `trevni-query`. `_polars.py` and `_arrow_expression.py`
//!   translate trees of polars and pyarrow only where both mean the same for each value, NaN and null too. `filter`
//!   refuses the rest; a scan leaves it to the library, which filters again: a part left out costs time and no rows.
//!   A column whose values are made of those of the file (`Reader._as_stored`) is left to the library too.
//! * **DuckDB** knows tables by their classes, so `Reader.dataset` is a subclass of pyarrow's dataset. Its base is a real
//!   one, of a file that is made when somebody asks for it: with none, pyarrow ends the process.
//! * **A reader can be made again** (`origin`): how it was opened and what was chosen since. That is its pickle.
//! * **Spark** (`spark.py`): it does not evaluate accepted filters again, so only filters with the same meaning for
//!   each value are taken, and none by default: Spark 4.3 keeps the reader of a table's first query, with its filters,
//!   for the next one. Parts count when the driver stores their manifest, so attempts leave nothing visible.
//! * Tests are in Python, against the libraries: a test program in Rust would have to be linked with an interpreter.

mod aggregate;
mod batch;
mod capsule;
mod commit;
mod error;
mod files;
mod filter;
mod guard;
mod import;
mod open;
mod origin;
mod reader;
mod recent;
mod requested;
mod rows;
mod schema;
mod storage;
mod straight;
mod stream;
mod table;
mod time;
mod type_name;
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
    use crate::commit::{_manifest, _part_name, _snapshot, _write_id};
    #[pymodule_export]
    use crate::open::{Dataset, open};
    #[pymodule_export]
    use crate::reader::Reader;
    #[pymodule_export]
    use crate::rows::Rows;
    #[pymodule_export]
    use crate::schema::Schema;
    #[pymodule_export]
    use crate::write::{Writer, write};

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
