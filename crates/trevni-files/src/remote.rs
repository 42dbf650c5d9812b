//! Files at URLs: objects of buckets, and files behind web servers (feature `stores`).

use crate::failure::Failure;
use std::io;
use std::path::{Path, PathBuf};

#[cfg(feature = "stores")]
pub use trevni_object_store::{Object, Upload};
#[cfg(not(feature = "stores"))]
pub use without::{Object, Upload};

/// Whether a path is the URL of a store.
pub fn is_url(path: &Path) -> bool {
    let text = path.to_str().unwrap_or_default();
    let starts =
        |scheme: &str| text.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme));
    ["s3://", "http://", "https://"].into_iter().any(starts)
}

/// Opens the object at a URL.
pub fn open(path: &Path) -> Result<Object, Failure> {
    Object::open(url(path)).map_err(|error| failed(&error))
}

/// Begins the object at a URL, which is there when it is committed.
pub fn create(path: &Path, replace: bool) -> Result<Upload, Failure> {
    let upload = if replace { Upload::create(url(path)) } else { Upload::create_new(url(path)) };
    upload.map_err(|error| failed(&error))
}

/// The URLs that a pattern of objects stands for; `None` for what is no pattern.
pub fn matching(path: &Path) -> Result<Option<Vec<PathBuf>>, Failure> {
    #[cfg(feature = "stores")]
    if trevni_object_store::is_pattern(url(path)) {
        let found = trevni_object_store::list(url(path)).map_err(|error| failed(&error))?;
        return Ok(Some(found.into_iter().map(PathBuf::from).collect()));
    }
    let _ = path;
    Ok(None)
}

/// Bytes of the object at a URL; 0 where that is not known.
pub fn size(path: &Path) -> u64 {
    Object::open(url(path)).and_then(|object| trevni::Source::size(&object)).unwrap_or(0)
}

fn url(path: &Path) -> &str {
    path.to_str().unwrap_or_default()
}

/// A failure whose text has the URL already.
pub fn failed(error: &io::Error) -> Failure {
    match error.kind() {
        io::ErrorKind::AlreadyExists => Failure::new(error.to_string()).hint("To replace it: --force"),
        #[cfg(not(feature = "stores"))]
        io::ErrorKind::Unsupported => Failure::usage(error.to_string()).hint(without::HOW),
        _ => Failure::new(error.to_string()),
    }
}

/// What there is in place of stores: nothing that can be made.
#[cfg(not(feature = "stores"))]
mod without {
    use std::convert::Infallible;
    use std::io::{self, Write};
    use trevni::Source;

    pub(super) const HOW: &str = "To have it: cargo install trevni-cli --features stores";

    fn refused<T>(url: &str) -> io::Result<T> {
        let start = url.split_once("://").map_or(url, |(scheme, _)| scheme);
        let text = format!("this trevni was built without stores, which {start}:// needs");
        Err(io::Error::new(io::ErrorKind::Unsupported, text))
    }

    /// Not an enum without variants, after which the compiler would warn of what is never reached.
    #[derive(Clone, Debug)]
    pub struct Object(Infallible);

    impl Object {
        /// Never opens.
        ///
        /// # Errors
        ///
        /// Always.
        pub fn open(url: &str) -> io::Result<Self> {
            refused(url)
        }

        /// The URL.
        pub fn url(&self) -> &str {
            match self.0 {}
        }

        /// The bytes.
        pub fn read(&self) -> io::Empty {
            match self.0 {}
        }
    }

    impl Source for Object {
        fn size(&self) -> io::Result<u64> {
            match self.0 {}
        }

        fn read_at(&self, _: u64, _: &mut [u8]) -> io::Result<()> {
            match self.0 {}
        }
    }

    /// An object that is written.
    #[derive(Debug)]
    pub enum Upload {}

    impl Upload {
        /// Never creates.
        ///
        /// # Errors
        ///
        /// Always.
        pub fn create(url: &str) -> io::Result<Self> {
            refused(url)
        }

        /// Never creates.
        ///
        /// # Errors
        ///
        /// Always.
        pub fn create_new(url: &str) -> io::Result<Self> {
            refused(url)
        }

        /// Never.
        ///
        /// # Errors
        ///
        /// Never.
        pub fn commit(self) -> io::Result<()> {
            match self {}
        }
    }

    impl Write for Upload {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            match *self {}
        }

        fn flush(&mut self) -> io::Result<()> {
            match *self {}
        }
    }
}
