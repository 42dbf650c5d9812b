//! Which rows and columns of which files are read.

use crate::capsule::children;
use crate::error::Failure;
use crate::filter::Filter;
use crate::requested;
use crate::stream::{Part, Stream};
use crate::table::Table;
use arrow_schema::{DataType, Field, FieldRef, Schema, SchemaRef, TimeUnit};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use trevni::path::{PathName, format, parse};
use trevni::{Dataset, Reader, RowSelection, Shape};
use trevni_arrow::Simplify;
use trevni_query::Condition;

/// Rows and columns of one file, or of several that are read as one.
#[derive(Clone)]
pub(crate) struct View {
    /// The rows, with all columns.
    whole: Dataset<'static>,
    /// The same rows, with the columns that are read.
    chosen: Dataset<'static>,
    /// The paths of these, in the order in which they come.
    paths: Option<Arc<[String]>>,
    /// Where the parts are, if they are files.
    files: Arc<[Option<PathBuf>]>,
    /// The types of all columns.
    table: Table,
    /// Those of the columns that are read, in the order in which they come.
    read: Table,
    /// What becomes of types that few libraries have.
    simplify: Simplify,
    /// Other types that columns are read as, by their names.
    wanted: Option<SchemaRef>,
}

/// A place of a file that cannot be read.
pub(crate) struct Place {
    pub(crate) file: Option<PathBuf>,
    /// The rows that it costs, by their numbers in the file.
    pub(crate) rows: Range<u64>,
    pub(crate) error: String,
}

impl View {
    /// All of one file.
    pub(crate) fn of_reader(reader: Reader<'static>, file: Option<PathBuf>) -> Result<Self, Failure> {
        Self::of_parts(Dataset::from_readers(vec![reader])?, [file].into())
    }

    /// All of several readers of files.
    pub(crate) fn of_readers(readers: Vec<Reader<'static>>, files: Vec<PathBuf>) -> Result<Self, Failure> {
        Self::of_parts(Dataset::from_readers(readers)?, files.into_iter().map(Some).collect())
    }

    /// All of several files.
    pub(crate) fn of_dataset(dataset: Dataset<'static>) -> Result<Self, Failure> {
        let files = dataset.parts().iter().map(|part| Some(part.path().to_owned())).collect();
        Self::of_parts(dataset, files)
    }

    fn of_parts(whole: Dataset<'static>, files: Arc<[Option<PathBuf>]>) -> Result<Self, Failure> {
        let table = Table::of(&whole, &files)?;
        Self::new(whole, table, files, None)
    }

    fn new(
        whole: Dataset<'static>,
        table: Table,
        files: Arc<[Option<PathBuf>]>,
        paths: Option<Arc<[String]>>,
    ) -> Result<Self, Failure> {
        // What some files lack is null in their rows, as libraries of tables have it.
        let whole = whole.all_optional();
        let chosen = match (&paths, whole.shape()) {
            (Some(paths), Shape::Record(_)) => whole.project(paths.iter())?,
            (Some(paths), _) => {
                let paths: Vec<String> =
                    paths.iter().map(|path| within_value(path)).collect::<Result<_, _>>()?;
                whole.project(paths)?
            }
            (None, _) => whole.clone(),
        };
        let read = if paths.is_none() { table.clone() } else { Table::of(&chosen, &files)? };
        Ok(Self { whole, chosen, paths, files, table, read, simplify: Simplify::default(), wanted: None })
    }

    /// The same rows, with simpler types.
    pub(crate) fn simplified(self, simplify: Simplify) -> Self {
        Self { simplify, ..self }
    }

    /// The same rows, with the columns of a schema in its order and types.
    pub(crate) fn cast(&self, wanted: &Schema) -> Result<Self, Failure> {
        let wanted = requested::wanted_of("schema", wanted, &self.schema())?;
        let paths = wanted.fields().iter().map(|field| format([field.name()])).collect();
        Ok(Self { wanted: Some(Arc::new(wanted)), ..self.select(paths)? })
    }

    /// The same rows, with some columns only.
    pub(crate) fn select(&self, paths: Vec<String>) -> Result<Self, Failure> {
        let view = self.like(self.whole.clone(), Some(paths.into()));
        view.map_err(|failure| failure.of_file(self.file()))
    }

    /// Rows and columns of the same files, of the same types.
    fn like(&self, whole: Dataset<'static>, paths: Option<Arc<[String]>>) -> Result<Self, Failure> {
        let view = Self::new(whole, self.table.clone(), Arc::clone(&self.files), paths)?;
        Ok(Self { simplify: self.simplify, wanted: self.wanted.clone(), ..view })
    }

    /// The rows of these for which a condition is true; it may name any column.
    pub(crate) fn filter(&self, condition: &str) -> Result<Self, Failure> {
        let condition = Condition::parse(condition)?;
        let filter = Filter::new(&condition, self.whole.shape(), &self.table)?;
        let parts = self.whole.parts().iter().zip(self.table.parts.iter()).zip(self.files.iter());
        let filtered = parts.map(|((part, schema), file)| {
            filter.of(part.reader(), schema).map_err(|failure| failure.of_file(file.as_deref()))
        });
        self.like(Dataset::from_readers(filtered.collect::<Result<_, _>>()?)?, self.paths.clone())
    }

    /// Some of the rows, by their numbers in the files.
    pub(crate) fn rows(&self, rows: RowSelection) -> Result<Self, Failure> {
        let whole = self.whole.select(rows.clone())?;
        Ok(Self { whole, chosen: self.chosen.select(rows)?, ..self.clone() })
    }

    /// The numbers of the rows in the files.
    pub(crate) fn numbers(&self) -> Result<RowSelection, Failure> {
        let mut ranges = Vec::new();
        for (part, file) in self.whole.parts().iter().zip(self.files.iter()) {
            let rows = part.reader().matching();
            let rows = rows.map_err(|error| Failure::from(error).of_file(file.as_deref()))?;
            let first = part.first_row();
            ranges.extend(rows.ranges().iter().map(|range| range.start + first..range.end + first));
        }
        Ok(ranges.into_iter().collect())
    }

    /// What is lost in damaged blocks of the columns that are read.
    pub(crate) fn lost(&self) -> Result<Vec<Place>, Failure> {
        let mut lost = Vec::new();
        for (part, file) in self.chosen.parts().iter().zip(self.files.iter()) {
            let of_part =
                part.reader().lost().map_err(|error| Failure::from(error).of_file(file.as_deref()))?;
            let damage = of_part.damage();
            lost.extend(damage.map(|damage| Place {
                file: file.clone(),
                rows: damage.rows(),
                error: damage.error().to_string(),
            }));
        }
        Ok(lost)
    }

    /// The rows as batches.
    pub(crate) fn stream(&self, batch_size: usize) -> Stream {
        let parts = self.chosen.parts().iter().zip(self.read.parts.iter()).zip(self.files.iter());
        let parts = parts.zip(self.read.caches.iter()).map(|(((part, schema), file), cache)| Part {
            reader: part.reader().clone(),
            schema: Arc::clone(schema),
            ordered: self.read.ordered.clone(),
            cache: cache.clone(),
            file: file.clone(),
        });
        let stream = Stream::new(parts.collect(), Arc::clone(&self.read.schema), self.simplify, batch_size);
        stream.cast(self.schema())
    }

    /// What is read, and what is skipped.
    pub(crate) fn explain(&self) -> Result<trevni::reader::Explain, Failure> {
        self.chosen.explain().map_err(|error| Failure::from(error).of_file(self.file()))
    }

    /// The columns, in the order in which they come.
    pub(crate) fn schema(&self) -> SchemaRef {
        Arc::new(self.shown(&self.read.schema))
    }

    /// Columns with the types that they are read as.
    fn shown(&self, schema: &Schema) -> Schema {
        let simple = self.simplify.schema(schema);
        let Some(wanted) = &self.wanted else { return simple };
        let field = |own: &FieldRef| match wanted.fields().find(own.name()) {
            Some((_, wanted)) if requested::can(own, wanted) => Arc::clone(wanted),
            // A field within a record that has the name of a column.
            _ => Arc::clone(own),
        };
        let fields: Vec<FieldRef> = simple.fields().iter().map(field).collect();
        Schema::new_with_metadata(fields, simple.metadata().clone())
    }

    /// The columns whose values are those of the files, not made of them.
    pub(crate) fn as_stored(&self) -> Vec<String> {
        let stored = &self.table.schema;
        let shown = self.shown(stored);
        let pairs = stored.fields().iter().zip(shown.fields());
        let same = pairs.filter(|(stored, shown)| stored.data_type() == shown.data_type());
        same.map(|(stored, _)| stored.name().clone()).collect()
    }

    /// Refuses columns that a library does not take.
    pub(crate) fn check_unions(&self, library: &str) -> Result<(), Failure> {
        let schema = self.schema();
        let mut unions = Vec::new();
        schema.fields().iter().for_each(|field| find_unions(field, "", &mut unions));
        if unions.is_empty() {
            return Ok(());
        }
        let (are, unions) = (if unions.len() == 1 { "is a union" } else { "are unions" }, unions.join(", "));
        Err(Failure::unsupported(format!(
            "{unions} {are}, which {library} has not: open the file with unions=\"json\", \"string\" or \"struct\""
        ))
        .of_file(self.file()))
    }

    /// The unit of the durations at a path; none of other columns.
    pub(crate) fn duration_unit(&self, path: &str) -> Option<TimeUnit> {
        let names = parse(path).ok()?;
        let mut fields = self.table.schema.fields();
        let mut found = None;
        for name in &names {
            let (_, field) = fields.find(name.text())?;
            found = Some(plain(field.data_type()));
            if let Some(DataType::Struct(within)) = found {
                fields = within;
            }
        }
        match found? {
            DataType::Duration(unit) => Some(*unit),
            _ => None,
        }
    }

    /// What rows are with all columns.
    pub(crate) fn whole_shape(&self) -> &Shape {
        self.whole.shape()
    }

    /// The types of all columns.
    pub(crate) fn table(&self) -> &Table {
        &self.table
    }

    pub(crate) fn shape(&self) -> &Shape {
        self.chosen.shape()
    }

    pub(crate) fn files(&self) -> &[Option<PathBuf>] {
        &self.files
    }

    /// The readers of the parts, with all columns.
    pub(crate) fn readers(&self) -> impl Iterator<Item = &Reader<'static>> {
        self.whole.parts().iter().map(|part| part.reader())
    }

    /// The file, where it is one.
    pub(crate) fn file(&self) -> Option<&Path> {
        match &self.files[..] {
            [file] => file.as_deref(),
            _ => None,
        }
    }
}

/// The type of the values of a dictionary or of runs.
fn plain(data_type: &DataType) -> &DataType {
    match data_type {
        DataType::Dictionary(_, values) => plain(values),
        DataType::RunEndEncoded(_, values) => plain(values.data_type()),
        other => other,
    }
}

/// The paths of the unions in a field.
fn find_unions(field: &Field, around: &str, found: &mut Vec<String>) {
    let path = if around.is_empty() { field.name().clone() } else { format!("{around}.{}", field.name()) };
    match field.data_type() {
        DataType::Union(..) => found.push(path),
        other => children(other).into_iter().for_each(|child| find_unions(child, &path, found)),
    }
}

/// A path below the one column that rows have which are no records.
fn within_value(path: &str) -> Result<String, Failure> {
    let names = parse(path)?;
    match names.split_first() {
        Some((first, rest)) if first.text() == "value" => Ok(format(rest.iter().map(PathName::text))),
        _ => Ok(path.to_owned()),
    }
}
