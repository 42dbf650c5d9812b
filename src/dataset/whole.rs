//! Several files as one.

use super::DatasetPart;
use super::names::Optional;
use crate::tree::Projection;
use std::sync::Arc;

/// Several files read as one: the rows of the first part, then the rows of the second, and so on.
///
/// Opening reads the header of each part; at most 256 files are open at a time. The shapes of the parts may
/// differ: [`Dataset::shape`] is the one that a single writer would have made from all rows, and paths, columns and
/// predicates go by it. An error names its part
/// ([`Location::file`](crate::error::Location::file)); row numbers in errors count from the start of the part.
///
/// ```
/// # let folder = std::env::temp_dir().join(format!("trevni-doc-dataset-{}", std::process::id()));
/// # let _ = std::fs::remove_dir_all(&folder);
/// use serde::{Deserialize, Serialize};
/// use trevni::{Dataset, DatasetWriter};
///
/// #[derive(Serialize)]
/// struct Old {
///     sensor: String,
/// }
///
/// #[derive(Serialize, Deserialize)]
/// struct New {
///     sensor: String,
///     celsius: Option<f32>,
/// }
///
/// let mut writer = DatasetWriter::create(&folder)?;
/// writer.write(&Old { sensor: "north".to_owned() })?;
/// writer.finish()?;
/// let mut writer = DatasetWriter::builder().append(&folder)?;
/// writer.write(&New { sensor: "south".to_owned(), celsius: Some(21.5) })?;
/// writer.finish()?;
///
/// let dataset = Dataset::open(&folder)?;
/// assert_eq!((dataset.parts().len(), dataset.row_count()), (2, 2));
/// let rows: Vec<New> = dataset.rows()?.collect::<Result<_, _>>()?;
/// assert_eq!((rows[0].celsius, rows[1].celsius), (None, Some(21.5)));
/// // Only some parts have it, which paths to it must say.
/// let dataset = dataset.optional(["celsius"])?;
/// assert_eq!(dataset.column::<Option<f32>>("celsius")?, [None, Some(21.5)]);
/// # std::fs::remove_dir_all(folder)?;
/// # Ok::<(), trevni::Error>(())
/// ```
#[derive(Clone)]
pub struct Dataset<'s> {
    pub(super) parts: Arc<[DatasetPart<'s>]>,
    /// The shape that all rows have together.
    pub(super) whole: Arc<Projection>,
    /// What is read of it.
    pub(super) chosen: Projection,
    pub(super) rows: u64,
    /// What parts may lack.
    pub(super) optional: Optional,
}
