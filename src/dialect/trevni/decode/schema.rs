//! The rows that the columns of a file hold: by its schema, or by the columns alone.

use super::file::File;
use crate::dialect::schema::Schema;
use crate::dialect::trevni::columns::{self, untyped};
use crate::error::{Error, Result};
use crate::metadata;
use crate::schema::avro;
use crate::shape::branch::Branches;

impl File<'_> {
    /// The rows as the file's schema describes them; without one, as the columns do.
    ///
    /// # Errors
    ///
    /// A schema that cannot be read, or has columns that the file does not have.
    pub(crate) fn schema(&self) -> Result<Schema> {
        let header = &self.header;
        let Some(text) = self.schema_text()? else {
            return self.untyped_schema();
        };
        let may_rename = || !header.has_sum();
        let (avro::Parsed { shape, unseen }, slots) =
            columns::resolve(text, header.names(), || header.specs(), may_rename)?;
        Ok(Schema::new(shape, slots, self.branches()).with_unseen(unseen))
    }

    /// The columns that have other names than the schema gives them, with these names.
    ///
    /// # Errors
    ///
    /// As [`schema`](Self::schema).
    pub(crate) fn renamed_columns(&self) -> Result<Vec<(usize, String)>> {
        let text = self.schema_text()?;
        text.map_or(Ok(Vec::new()), |text| columns::renamed(text, &self.header.specs()))
    }

    fn schema_text(&self) -> Result<Option<&str>> {
        let text = self.header.entries().get(metadata::SCHEMA).map(std::str::from_utf8).transpose();
        text.map_err(|_| Error::schema("not UTF-8"))
    }

    /// The rows as the columns alone describe them: roots are fields, array columns lists, parents lists of
    /// records.
    ///
    /// # Errors
    ///
    /// Parents nested too deep.
    pub(crate) fn untyped_schema(&self) -> Result<Schema> {
        let (shape, slots) = untyped::shape(&self.header.specs())?;
        Ok(Schema::new(shape, slots, self.branches()))
    }

    /// The rows of one column by itself: for each row a list for each array column around it, itself included.
    ///
    /// # Errors
    ///
    /// A number that is not there, and parents nested too deep.
    pub(crate) fn column_schema(&self, number: usize) -> Result<Schema> {
        let (shape, slots) = untyped::single(number, |number| Ok(self.column(number)?.spec))?;
        Ok(Schema::new(shape, slots, self.branches()))
    }

    /// What an enum makes of the branches of unions: a schema that was derived from rows says so.
    fn branches(&self) -> Branches {
        match self.header.inherited().is_derived {
            true => Branches::Kinds,
            false => Branches::Variants,
        }
    }
}
