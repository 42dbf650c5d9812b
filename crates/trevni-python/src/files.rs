//! Objects of Python as files to read from and to write to.

use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::sync::MutexExt;
use pyo3::types::PyBytes;
use std::io::{self, ErrorKind, Write};
use std::sync::Mutex;
use trevni::Source;

/// Bytes of Python, read where they are.
pub(crate) struct Bytes(pub(crate) PyBackedBytes);

impl Source for Bytes {
    fn size(&self) -> io::Result<u64> {
        Ok(self.0.len() as u64)
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        self.0[..].read_at(offset, buffer)
    }

    fn slice(&self, offset: u64, len: usize) -> Option<&[u8]> {
        self.0[..].slice(offset, len)
    }
}

/// An object with `seek` and `read`, such as an open file. One thread at a time moves it and reads.
pub(crate) struct Readable {
    object: Mutex<Py<PyAny>>,
    len: u64,
}

impl Readable {
    pub(crate) fn new(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        let len = object.call_method1("seek", (0, 2))?;
        let len = if len.is_none() { object.call_method0("tell")? } else { len };
        Ok(Self { object: Mutex::new(object.clone().unbind()), len: len.extract()? })
    }
}

impl Source for Readable {
    fn size(&self) -> io::Result<u64> {
        Ok(self.len)
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        Python::attach(|py| {
            // Waits without holding the interpreter, which who has the lock may need.
            let object = self.object.lock_py_attached(py).unwrap_or_else(|poisoned| poisoned.into_inner());
            let object = object.bind(py);
            object.call_method1("seek", (offset,))?;
            let mut filled = 0;
            while let Some(rest) = buffer.get_mut(filled..).filter(|rest| !rest.is_empty()) {
                let read = object.call_method1("read", (rest.len(),))?;
                let read = read.extract::<PyBackedBytes>().map_err(PyErr::from)?;
                let part = rest.get_mut(..read.len()).filter(|part| !part.is_empty());
                let part = part.ok_or_else(|| {
                    let message = match read.len() {
                        0 => "the file ends too early",
                        _ => "read returned more bytes than were asked for",
                    };
                    io::Error::new(ErrorKind::UnexpectedEof, message)
                })?;
                part.copy_from_slice(&read);
                filled += read.len();
            }
            Ok(())
        })
    }
}

/// An object with `write`, such as an open file.
pub(crate) struct Writable(pub(crate) Py<PyAny>);

impl Writable {
    /// Says that all is written. A file that is elsewhere gets its name now.
    pub(crate) fn complete(mut self) -> io::Result<()> {
        self.flush()?;
        Python::attach(|py| {
            let object = self.0.bind(py);
            if object.hasattr("_complete")? {
                object.call_method0("_complete")?;
            }
            Ok(())
        })
    }
}

impl Write for Writable {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Python::attach(|py| {
            let written = self.0.bind(py).call_method1("write", (PyBytes::new(py, bytes),))?;
            // Some objects return nothing where they took all.
            let written = if written.is_none() { bytes.len() } else { written.extract()? };
            match written <= bytes.len() {
                true => Ok(written),
                false => Err(io::Error::other("write returned more bytes than it was given")),
            }
        })
    }

    fn flush(&mut self) -> io::Result<()> {
        Python::attach(|py| {
            let object = self.0.bind(py);
            if object.hasattr("flush")? {
                object.call_method0("flush")?;
            }
            Ok(())
        })
    }
}
