//! Parquet files: what commands ask of rows is asked of a column file without a name, which has those fields and rows that
//! are needed.

use super::Input;
use super::Watched;
use crate::failure::Failure;
use crate::limits::limits;
use crate::parquet;
use crate::progress::Progress;
use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;
use trevni::{Reader, Shape, Source, Writer};
use trevni_parquet::{ParquetBatches, ParquetFile};
use trevni_query::paths::{FieldPath, Pattern, chosen};
use trevni_query::{Binder, Condition};

/// A Parquet file that is open.
#[derive(Clone)]
pub struct ParquetInput {
    /// How messages call it.
    pub name: String,
    /// What its footer says.
    pub file: ParquetFile,
    /// Bytes of the file.
    pub bytes: u64,
}

/// What is wanted of a file; all of it by default.
#[derive(Clone, Debug, Default)]
pub struct Part {
    /// Paths of fields, through records only.
    pub fields: Option<Vec<String>>,
    /// The row groups; `None` for all.
    pub row_groups: Option<Range<usize>>,
    /// The most rows.
    pub rows: Option<u64>,
}

impl ParquetInput {
    pub(super) fn open(name: String, source: impl Source + 'static, bytes: u64) -> Result<Self, Failure> {
        match ParquetFile::of_source_with(source, limits()) {
            Ok(file) => Ok(Self { name, file, bytes }),
            Err(error) => Err(Failure::of_parquet(name, error)),
        }
    }

    /// The rows of a part.
    pub fn rows(&self, part: Part) -> Result<ParquetBatches, Failure> {
        let mut builder = parquet::reading();
        if let Some(fields) = part.fields {
            let columns = self.file.columns();
            let has = |field: &String| {
                columns.iter().any(|path| (1..=path.len()).any(|end| path[..end].join(".") == *field))
            };
            if fields.iter().all(has) {
                // Without a field, rows have no number.
                let some = columns.first().and_then(|path| path.first()).filter(|_| fields.is_empty());
                builder = builder.project(fields.iter().chain(some));
            }
        }
        if let Some(numbers) = part.row_groups {
            builder = builder.row_groups(numbers);
        }
        if let Some(rows) = part.rows {
            builder = builder.limit(rows);
        }
        let rows = builder.read(&self.file).and_then(|rows| rows.into_batches());
        rows.map_err(|error| Failure::of_parquet(&self.name, error))
    }

    /// The fields that patterns choose, as a part has them; none for all.
    pub fn chosen(&self, patterns: &[String]) -> Result<Option<Vec<String>>, Failure> {
        self.needed(fields_of_rows(patterns, None))
    }

    /// An error of what works on column files only.
    pub(super) fn is_no_column_file(&self) -> Failure {
        let failure = Failure::usage(format!("{} is Parquet, not a column file", self.name));
        failure.hint(format!("To make one: trevni convert {}", self.name))
    }

    /// The shape of the rows.
    pub fn shape(&self) -> Result<Shape, Failure> {
        Ok(self.rows(Part { rows: Some(0), ..Part::default() })?.shape().clone())
    }

    /// The fields that a function wants, as a part has them; none for all.
    pub fn needed(
        &self,
        fields: impl FnOnce(&Shape) -> Result<Option<Vec<FieldPath>>, Failure>,
    ) -> Result<Option<Vec<String>>, Failure> {
        let shape = self.shape()?;
        let Some(paths) = fields(&shape)? else { return Ok(None) };
        let paths = paths.iter().map(|path| within_records(&shape, path.names()));
        Ok(paths.collect::<Option<BTreeSet<_>>>().map(|paths| paths.into_iter().collect()))
    }

    /// A part as columns.
    pub fn columns(&self, part: Part) -> Result<Input, Failure> {
        let failed = |error: trevni_parquet::Error| Failure::of_parquet(&self.name, error);
        let kept = |error: trevni::Error| Failure::of(Path::new("a temporary file"), &error);
        let rows = self.rows(part)?;
        let file = tempfile::tempfile().map_err(|error| Failure::io("a temporary file", &error))?;
        let builder = parquet::temporary(Writer::builder().without_drop_notice());
        let mut writer = rows.options(builder).map_err(failed)?.build(file).map_err(kept)?;
        for batch in rows {
            writer.write_batch(&batch.map_err(failed)?).map_err(kept)?;
        }
        let file = writer.finish().map_err(kept)?;
        let source = Watched { source: file, progress: Progress::default() };
        let reader = Reader::builder().limits(limits()).threads(0).shared(source).map_err(kept)?;
        Ok(Input { name: self.name.clone(), reader, bytes: self.bytes })
    }
}

/// The names of a path before the first list, map or union, joined by dots as Parquet has them; none for the row.
fn within_records(row: &Shape, names: &[String]) -> Option<String> {
    let (mut shape, mut path) = (row, String::new());
    for name in names {
        while let Shape::Optional(optional) = shape {
            shape = &optional.item;
        }
        let Shape::Record(record) = shape else { break };
        shape = &record.fields.iter().find(|field| field.name == name.as_str())?.shape;
        path.push_str(if path.is_empty() { "" } else { "." });
        path.push_str(name);
    }
    Some(path).filter(|path| !path.is_empty())
}

/// The fields that patterns and a condition need of a shape; none for all. They are checked with the whole shape, so that
/// errors have all names.
pub fn fields_of_rows<'a>(
    patterns: &'a [String],
    condition: Option<&'a Condition>,
) -> impl Fn(&Shape) -> Result<Option<Vec<FieldPath>>, Failure> + 'a {
    move |shape| {
        let patterns = Pattern::all(patterns)?;
        if let Some(condition) = condition {
            condition.check(&Binder::new(shape))?;
        }
        let mut fields = chosen(shape, &patterns)?;
        // What is excluded must be there to be excluded.
        if patterns.iter().any(|pattern| pattern.leaves_out) {
            return Ok(None);
        }
        if let (Some(fields), Some(condition)) = (&mut fields, condition) {
            fields.extend(condition.fields(shape));
        }
        Ok(fields)
    }
}
