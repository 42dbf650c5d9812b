//! Columns of a result as columns of a Trevni file, which the printer takes.

use datafusion::arrow::array::{ArrayRef, RecordBatch, RecordBatchOptions, StringArray};
use datafusion::arrow::datatypes::{DataType, Field, FieldRef, Schema, SchemaRef};
use datafusion::arrow::util::display::{ArrayFormatter, FormatOptions};
use datafusion::error::{DataFusionError, Result};
use std::collections::HashSet;
use std::sync::Arc;
use trevni::{Shape, ValueRef};
use trevni_arrow::{batch_of_record_batch_as, shape_of_schema};
use trevni_print::rows::{Heading, Shown, is_null};

/// The columns of a result.
pub(super) struct Columns {
    /// The columns with names that differ.
    schema: SchemaRef,
    shape: Arc<Shape>,
    /// Which columns are of types that Trevni does not have, and become strings.
    texts: Vec<bool>,
    cells: Vec<Cell>,
}

/// A cell of each row. A record in a record has a cell for each of its fields.
struct Cell {
    /// Numbers of fields, from the outermost.
    steps: Vec<usize>,
    heading: Heading,
}

impl Columns {
    pub(super) fn new(schema: &Schema) -> Result<Self> {
        let names = unique(schema.fields().iter().map(|field| field.name().as_str()));
        let texts: Vec<bool> = schema.fields().iter().map(|field| !is_carried(field)).collect();
        let fields = schema.fields().iter().zip(&names).zip(&texts).map(|((field, name), is_text)| {
            let field = Field::clone(field).with_name(name);
            if *is_text { field.with_data_type(DataType::Utf8).with_nullable(true) } else { field }
        });
        let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
        let shape = shape_of_schema(&schema).map_err(external)?;
        let mut cells = Vec::new();
        collect(&shape, "", &mut Vec::new(), &mut cells);
        Ok(Self { schema, shape: Arc::new(shape), texts, cells })
    }

    /// The names of the cells.
    pub(super) fn names(&self) -> impl Iterator<Item = String> {
        self.cells.iter().map(|cell| cell.heading.name.clone())
    }

    pub(super) fn headings(&self) -> impl Iterator<Item = &Heading> {
        self.cells.iter().map(|cell| &cell.heading)
    }

    /// The cells of a row; `None` for null.
    pub(super) fn cells<'b>(&self, row: ValueRef<'b>) -> impl Iterator<Item = Option<ValueRef<'b>>> {
        self.cells.iter().map(move |cell| cell.of(row))
    }

    /// The rows of a record batch as they are printed.
    pub(super) fn shown(&self, batch: &RecordBatch) -> Result<Shown<'static>> {
        let columns = batch.columns().iter().zip(&self.texts);
        let columns =
            columns.map(|(column, is_text)| if *is_text { texts(column) } else { Ok(Arc::clone(column)) });
        let options = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
        let columns = columns.collect::<Result<_>>()?;
        let batch = RecordBatch::try_new_with_options(Arc::clone(&self.schema), columns, &options)?;
        let batch = batch_of_record_batch_as(&self.shape, &batch).map_err(external)?;
        Ok(Shown::owned(batch)?)
    }
}

impl Cell {
    fn of<'b>(&self, row: ValueRef<'b>) -> Option<ValueRef<'b>> {
        let mut value = row;
        for step in &self.steps {
            let ValueRef::Record(record) = value else { return None };
            value = record.field(*step)?;
        }
        (!is_null(&value)).then_some(value)
    }
}

/// The cells of rows of a shape, with dots between the names of fields within fields.
fn collect(shape: &Shape, name: &str, steps: &mut Vec<usize>, out: &mut Vec<Cell>) {
    let mut inner = shape;
    while let Shape::Optional(optional) = inner {
        inner = &optional.item;
    }
    match inner {
        Shape::Record(record)
            if !record.form.is_variant() && (!record.fields.is_empty() || steps.is_empty()) =>
        {
            for (number, field) in record.fields.iter().enumerate() {
                let dot = if steps.is_empty() { "" } else { "." };
                let name = format!("{name}{dot}{}", field.name);
                steps.push(number);
                collect(&field.shape, &name, steps, out);
                steps.pop();
            }
        }
        _ => out.push(Cell { steps: steps.clone(), heading: Heading::of(name.to_owned(), shape) }),
    }
}

/// Names that differ: what is there already gets a number.
fn unique<'n>(names: impl Iterator<Item = &'n str> + Clone) -> Vec<String> {
    let mut taken: HashSet<String> = names.clone().map(str::to_owned).collect();
    let mut seen = HashSet::new();
    let unique = |name: &str| {
        if seen.insert(name.to_owned()) {
            return name.to_owned();
        }
        let mut others = (2_u64..).map(|number| format!("{name}_{number}"));
        others.find(|name| taken.insert(name.clone())).unwrap_or_default()
    };
    names.map(unique).collect()
}

/// Whether Trevni has the type of a column.
fn is_carried(field: &FieldRef) -> bool {
    shape_of_schema(&Schema::new(vec![Arc::clone(field)])).is_ok()
}

/// Values as the engine writes them.
fn texts(column: &ArrayRef) -> Result<ArrayRef> {
    let options = FormatOptions::default();
    let formatter = ArrayFormatter::try_new(column, &options)?;
    let text = |row: usize| match column.is_null(row) {
        true => Ok(None),
        false => formatter.value(row).try_to_string().map(Some),
    };
    let texts: StringArray = (0..column.len()).map(text).collect::<Result<_, _>>()?;
    Ok(Arc::new(texts))
}

fn external(error: trevni_arrow::Error) -> DataFusionError {
    DataFusionError::External(Box::new(error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_differ() {
        let names = ["a", "b", "a", "a_2", "a", ""];
        assert_eq!(unique(names.into_iter()), ["a", "b", "a_3", "a_2", "a_4", ""]);
    }
}
