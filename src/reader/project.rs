//! Projection: readers of some fields only.

use super::Reader;
use crate::dialect::Dialect;
use crate::error::Result;
use crate::path::{PathName, parse};
use crate::tree::Projection;

impl Reader<'_> {
    /// A reader of some fields only, in this order, named by [paths](crate::path) such as `received.host`: names joined by dots,
    /// in back quotes where they have dots themselves (`` `a.b` ``). Lists and optionals have no names; a map has `key` and
    /// `value`, and a union has the names of its variants.
    ///
    /// ```
    /// use serde_json::{Value, json};
    ///
    /// let rows = [json!({"id": 7, "received": [{"date": 3, "host": "a"}, {"date": 5, "host": "b"}]})];
    /// let bytes = trevni::to_vec(&rows)?;
    /// let reader = trevni::Reader::from_slice(&bytes)?.project(["received.host"])?;
    /// let row: Value = reader.rows()?.next().unwrap()?;
    /// assert_eq!(row, json!({"received": [{"host": "a"}, {"host": "b"}]}));
    /// # Ok::<(), trevni::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A path that is not in the shape; the error suggests a similar one.
    pub fn project<P: AsRef<str>>(&self, paths: impl IntoIterator<Item = P>) -> Result<Self> {
        let paths = paths.into_iter().map(|path| parse(path.as_ref())).collect::<Result<Vec<_>>>();
        self.part(&self.here(paths)?)
    }

    /// A reader of some fields only, as [`Reader::project`], but each path is a list of exact names, in which
    /// dots have no meaning. A path without names selects all fields.
    ///
    /// ```
    /// use serde_json::{Value, json};
    ///
    /// let bytes = trevni::to_vec([json!({"a.b": 1, "a": {"b": 2, "c": 3}})])?;
    /// let reader = trevni::Reader::from_slice(&bytes)?;
    /// let first = |reader: trevni::Reader<'_>| reader.rows::<Value>()?.next().unwrap();
    /// assert_eq!(first(reader.project_paths([["a.b"]])?)?, json!({"a.b": 1}));
    /// assert_eq!(first(reader.project_paths([["a", "b"]])?)?, json!({"a": {"b": 2}}));
    /// assert_eq!(first(reader.project(["a.b"])?)?, json!({"a": {"b": 2}}));
    /// assert_eq!(first(reader.project(["`a.b`"])?)?, json!({"a.b": 1}));
    ///
    /// // Paths of different lengths are slices or vectors.
    /// let both = reader.project_paths([["a.b"].as_slice(), &["a", "c"]])?;
    /// assert_eq!(first(both)?, json!({"a.b": 1, "a": {"c": 3}}));
    /// # Ok::<(), trevni::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A path that is not in the shape; the error suggests a similar one.
    pub fn project_paths<P, S>(&self, paths: impl IntoIterator<Item = P>) -> Result<Self>
    where
        P: AsRef<[S]>,
        S: AsRef<str>,
    {
        let exact = |path: P| path.as_ref().iter().map(|name| PathName::exact(name.as_ref())).collect();
        self.part(&paths.into_iter().map(exact).collect::<Vec<_>>())
    }

    /// A reader that gives strings as byte strings, without a check for UTF-8.
    /// In its shape they are [`Shape::Bytes`](crate::Shape::Bytes). Keys of maps, variants of unions and logical types stay as
    /// they are; so does all where the file is not of [`Dialect::Trevni`], or is salvaged.
    ///
    /// ```
    /// use trevni::{Shape, Vector};
    ///
    /// let file = trevni::to_vec(["north", "south"])?;
    /// let reader = trevni::Reader::from_slice(&file)?.texts_as_bytes();
    /// assert_eq!(reader.shape(), &Shape::Bytes);
    /// let (_, vector) = reader.batches()?.next().unwrap()?.into_parts();
    /// assert!(matches!(vector, Vector::Bytes(values) if values.get(1) == Some(b"south")));
    /// # Ok::<(), trevni::Error>(())
    /// ```
    #[must_use]
    pub fn texts_as_bytes(&self) -> Self {
        if self.dialect() != Dialect::Trevni || self.salvage.is_some() {
            return self.clone();
        }
        self.of_part(self.part.with_bytes())
    }

    fn part(&self, paths: &[Vec<PathName>]) -> Result<Self> {
        Ok(self.of_part(self.here(self.part.project(paths))?))
    }
    /// This reader with other fields.
    pub(super) fn of_part(&self, part: Projection) -> Self {
        Self { part, lost: Default::default(), ..self.clone() }
    }
}
