//! The error itself.

use super::Inner;

/// A `Result` whose error is [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What went wrong, and where in the file or in the data.
///
/// It is one pointer in size. [`Error::kind`] has the details to match on; [`Error::category`] is one of the
/// classes that callers usually treat differently.
///
/// ```
/// use trevni::{Category, ErrorKind};
///
/// let error = trevni::from_slice::<Vec<u32>>(b"text").unwrap_err();
/// assert_eq!(error.category(), Category::Corrupt);
/// assert!(matches!(error.kind(), ErrorKind::NotTrevni { .. }));
/// ```
pub struct Error(pub(super) Box<Inner>);
