//! How a reader was made: what `pickle` stores, so that it is made again in another process.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};
use std::sync::Arc;
use trevni::RowSelection;

/// How a reader was made.
pub(crate) enum Origin {
    /// By a function of the module, of a source and keywords.
    Opened { function: &'static str, source: Py<PyAny>, options: Py<PyDict> },
    /// From another reader.
    Derived { from: Arc<Self>, step: Step },
}

/// What makes a reader from another one.
pub(crate) enum Step {
    Select(Vec<String>),
    Filter(String),
    Rows(RowSelection),
}

impl Origin {
    pub(crate) fn opened(
        function: &'static str,
        source: &Bound<'_, PyAny>,
        options: Bound<'_, PyDict>,
    ) -> Arc<Self> {
        Arc::new(Self::Opened { function, source: source.clone().unbind(), options: options.unbind() })
    }

    pub(crate) fn then(self: &Arc<Self>, step: Step) -> Arc<Self> {
        Arc::new(Self::Derived { from: Arc::clone(self), step })
    }

    /// What `__reduce__` returns: a function and what it takes.
    pub(crate) fn reduced<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let (mut steps, mut at) = (Vec::new(), self);
        let (function, source, options) = loop {
            match at {
                Self::Opened { function, source, options } => break (function, source, options),
                Self::Derived { from, step } => {
                    steps.push(step.call(py)?);
                    at = from;
                }
            }
        };
        steps.reverse();
        let restore = py.import("trevni._pickle")?.getattr("reader")?;
        let arguments = (function, source, options, PyList::new(py, steps)?).into_pyobject(py)?;
        (restore, arguments).into_pyobject(py)
    }
}

impl Step {
    /// The method and its argument.
    fn call<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        match self {
            Self::Select(paths) => ("select", paths.clone()).into_pyobject(py),
            Self::Filter(condition) => ("filter", condition).into_pyobject(py),
            Self::Rows(rows) => {
                let ranges: Vec<_> = rows.ranges().iter().map(|range| (range.start, range.end)).collect();
                ("_rows", ranges).into_pyobject(py)
            }
        }
    }
}
