//! An open file.

use super::Lost;
use super::pipeline::filter::Filtered;
use super::row::RowCache;
use super::salvage::Salvage;
use crate::dialect::{ColumnInfo, File, Schema};
use crate::selection::RowSelection;
use crate::storage::budget::Pass;
use crate::tree::Projection;
use std::path::Path;
use std::sync::{Arc, OnceLock};

/// An open file.
///
/// Opening reads only the header. A column is read when a row first asks for it, so a struct with few
/// fields reads few columns. A reader is cheap to clone, and each call reads from the start.
///
/// ```
/// # let path = std::env::temp_dir().join(format!("trevni-doc-{}.trv", std::process::id()));
/// # #[derive(serde::Serialize)]
/// # struct Flight { carrier: &'static str, distance: f32, origin: &'static str }
/// # let mut writer = trevni::Writer::create(&path)?;
/// # writer.write(&Flight { carrier: "AA", distance: 1089.0, origin: "JFK" })?;
/// # writer.finish()?;
/// #[derive(serde::Deserialize)]
/// struct Leg {
///     carrier: String,
///     distance: f32,
/// }
///
/// let reader = trevni::Reader::open(&path)?;
/// for leg in reader.rows::<Leg>()? {
///     let leg = leg?;
///     assert_eq!((leg.carrier.as_str(), leg.distance), ("AA", 1089.0));
/// }
/// assert_eq!(reader.column::<f32>("distance")?, [1089.0]);
/// # std::fs::remove_file(path)?;
/// # Ok::<(), trevni::Error>(())
/// ```
pub struct Reader<'s> {
    pub(super) file: Arc<File<'s>>,
    /// The whole rows, which predicates are about.
    pub(super) schema: Arc<Schema>,
    /// The fields that are read.
    pub(super) part: Projection,
    /// The rows to read; `None` for all.
    pub(super) selection: Option<Arc<RowSelection>>,
    /// The filter on these rows; `None` for all.
    pub(super) filter: Option<Arc<Filtered>>,
    /// The cache for single rows of this shape.
    pub(super) cache: RowCache,
    /// The file, if it is `'static`, so that detached threads may read it.
    pub(super) shared: Option<Arc<File<'static>>>,
    /// Created on first use.
    pub(super) columns: Arc<OnceLock<Vec<ColumnInfo>>>,
    /// What is known of a damaged file, if it is salvaged.
    pub(super) salvage: Option<Arc<Salvage>>,
    /// What is lost of the fields that are read and filtered by; found on first use.
    pub(super) lost: Arc<OnceLock<Arc<Lost>>>,
    /// Counts what all that belongs to one pass over the file decodes.
    pub(super) pass: Option<Pass>,
    /// Where the file was opened, for errors.
    pub(super) path: Option<Arc<Path>>,
}
