//! Paths into parts that differ: what parts call a field, and which may lack it.

use super::Dataset;
use crate::error::{Error, ErrorKind, Result};
use crate::path::{Found, PathName, Root, find, format, no_such, parse};
use crate::reader::Alias;
use std::sync::Arc;

/// The fields that parts may lack.
#[derive(Clone, Debug, Default)]
pub(super) struct Optional {
    all: bool,
    /// The exact names of paths: what is at and below them.
    paths: Arc<[Vec<String>]>,
}

impl<'s> Dataset<'s> {
    /// A dataset in which the field at the path `new` is what some parts call `old`: see
    /// [`ReaderBuilder::alias`](crate::ReaderBuilder::alias). It comes before filters and projections.
    ///
    /// ```
    /// # let folder = std::env::temp_dir().join(format!("trevni-doc-alias-{}", std::process::id()));
    /// # let _ = std::fs::remove_dir_all(&folder);
    /// use serde::{Deserialize, Serialize};
    /// use trevni::{Dataset, DatasetWriter, col};
    ///
    /// #[derive(Serialize)]
    /// struct Old {
    ///     user_name: &'static str,
    /// }
    ///
    /// #[derive(Serialize, Deserialize)]
    /// struct New {
    ///     #[serde(alias = "user_name")]
    ///     user: String,
    /// }
    ///
    /// let mut writer = DatasetWriter::create(&folder)?;
    /// writer.write(&Old { user_name: "ada" })?;
    /// writer.finish()?;
    /// let mut writer = DatasetWriter::builder().append(&folder)?;
    /// writer.write(&New { user: "ada".to_owned() })?;
    /// writer.finish()?;
    ///
    /// let dataset = Dataset::open(&folder)?;
    /// assert!(dataset.filter(col("user").eq("ada")).is_err()); // the first part has no such field
    /// let dataset = dataset.alias("user", "user_name")?;
    /// assert_eq!(dataset.filter(col("user").eq("ada"))?.rows::<New>()?.count(), 2);
    /// # std::fs::remove_dir_all(folder)?;
    /// # Ok::<(), trevni::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Paths of which no part has one, or that differ in more than their last names; a dataset that is filtered or projected.
    pub fn alias(&self, new: &str, old: &str) -> Result<Self> {
        let alias = Alias { new: new.to_owned(), old: old.to_owned() };
        if !self.chosen.is_whole() {
            return Err(Error::option("other names of fields come before projections, which name fields"));
        }
        let renamed = self.map(|part| part.reader.aliased(&alias))?;
        let parts = renamed.parts.iter().map(|part| (part.file.clone(), part.reader.clone())).collect();
        let renamed = Self { optional: self.optional.clone(), ..Self::of(parts)? };
        renamed.check_alias(&alias)?;
        Ok(renamed)
    }

    /// Checks that some part has what an alias names.
    pub(super) fn check_alias(&self, alias: &Alias) -> Result<()> {
        let _ = parse(&alias.new)?;
        if alias.is_in(&self.whole.shape) {
            return Ok(());
        }
        self.found(&parse(&alias.old)?).map(|_| ())
    }

    /// A dataset whose parts may lack what is at and below these paths: it is null in their rows then, or absent from them.
    ///
    /// A path that some parts lack is an error in [`filter`](Self::filter), [`project`](Self::project) and
    /// [`column`](Self::column) otherwise, since it may have another name there ([`alias`](Self::alias)). Rows of types need
    /// nothing: there, the type says what may be missing.
    ///
    /// ```
    /// # let folder = std::env::temp_dir().join(format!("trevni-doc-optional-{}", std::process::id()));
    /// # let _ = std::fs::remove_dir_all(&folder);
    /// use serde_json::json;
    /// use trevni::{Dataset, DatasetWriter, col};
    ///
    /// for row in [json!({"sensor": "north"}), json!({"sensor": "south", "celsius": 21.5})] {
    ///     let mut writer = DatasetWriter::builder().append(&folder)?;
    ///     writer.write(&row)?;
    ///     writer.finish()?;
    /// }
    /// let dataset = Dataset::open(&folder)?;
    /// assert!(dataset.column::<Option<f64>>("celsius").is_err());
    /// let dataset = dataset.optional(["celsius"])?;
    /// assert_eq!(dataset.column::<Option<f64>>("celsius")?, [None, Some(21.5)]);
    /// assert_eq!(dataset.filter(col("celsius").is_null())?.matching()?.row_count(), 1);
    /// # std::fs::remove_dir_all(folder)?;
    /// # Ok::<(), trevni::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A path that is in no part.
    pub fn optional<P: AsRef<str>>(&self, paths: impl IntoIterator<Item = P>) -> Result<Self> {
        let mut all = self.optional.paths.to_vec();
        for path in paths {
            all.extend(self.found(&parse(path.as_ref())?)?.iter().map(names_of));
        }
        Ok(Self { optional: Optional { paths: all.into(), ..self.optional }, ..self.clone() })
    }

    /// As [`optional`](Self::optional), of all paths: what a part lacks is null in its rows, as in tables of SQL.
    #[must_use]
    pub fn all_optional(&self) -> Self {
        Self { optional: Optional { all: true, ..self.optional.clone() }, ..self.clone() }
    }

    /// What a path means in the rows of all parts.
    fn found(&self, names: &[PathName]) -> Result<Vec<Found<'_>>> {
        let root = Root::Shape(&self.whole.shape);
        find(root, names).map_err(|lost| no_such(&format(names.iter().map(PathName::text)), root, &lost))
    }

    /// Checks that each part with rows has a path, unless it may be missing.
    ///
    /// # Errors
    ///
    /// A path that is in no part, or that a part lacks; the error names the part.
    pub(super) fn check_path(&self, names: &[PathName]) -> Result<()> {
        self.found(names)?.iter().try_for_each(|found| self.check_found(found))
    }

    /// As [`check_path`](Self::check_path), of what a path means.
    pub(super) fn check_found(&self, found: &Found<'_>) -> Result<()> {
        let (names, Optional { all, paths }) = (names_of(found), &self.optional);
        if *all || paths.iter().any(|path| names.starts_with(path)) {
            return Ok(());
        }
        let mut parts = self.parts.iter().filter(|part| part.reader.row_count() > 0);
        match parts.find(|part| part.lacks(&self.whole, found)) {
            None => Ok(()),
            Some(part) => {
                let hint = "other parts have it: Dataset::alias says what it is called here, Dataset::optional that it may be missing";
                let error = ErrorKind::NoSuchPath { path: format(names), hint: hint.to_owned() };
                Err(Error::from(error).in_file(part.path()))
            }
        }
    }
}

/// The exact names on the way to something.
fn names_of(found: &Found<'_>) -> Vec<String> {
    found.steps.iter().map(|step| step.name().into_owned()).collect()
}
