//! Errors of the library as those of the engine, with the file that they are about.

use datafusion::error::DataFusionError;
use object_store::path::Path;

/// An error of a file.
pub(crate) fn in_file(
    place: &Path,
    error: impl std::error::Error + Send + Sync + 'static,
) -> DataFusionError {
    DataFusionError::External(Box::new(error)).context(place.to_string())
}
