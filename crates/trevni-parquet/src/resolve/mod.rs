//! Rows by a schema of the caller: fewer fields, and other types, by the rules of Avro.
//!
//! What the file has ([`written`]) and what is wanted ([`wanted`]) are compared once ([`plan`]), which gives the columns to
//! read and what to do with their values ([`step`], [`apply`]).

mod apply;
mod defaults;
mod leaf;
mod plan;
mod project;
mod step;
mod wanted;
mod written;

use crate::error::{Error, Result};
use arrow_array::RecordBatch;
use arrow_schema::{Fields, Schema, SchemaRef};
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use step::Step;
use trevni::shape::RecordShape;
use trevni::{Batch, Shape};
use trevni_arrow::{
    AVRO_SCHEMA, batch_of_record_batch, record_batch_of_batch, schema_of_shape, shape_of_schema,
};
use wanted::Wanted;
use written::{File, Written};

/// The part of a file's rows that is to be read; it becomes smaller step by step.
pub(crate) struct View {
    /// `None` where no column is read.
    written: Option<Written>,
    /// Whether the file's Avro schema says what its columns hold.
    has_avro: bool,
    metadata: HashMap<String, String>,
    projection: Option<String>,
}

impl View {
    /// All rows of a schema, whose metadata has the Avro schema of the file, if there is one; `is_symbol` says of which
    /// columns the strings are of type ENUM.
    pub(crate) fn new(schema: &Schema, is_symbol: &dyn Fn(usize) -> bool) -> Result<Self> {
        let mut metadata = schema.metadata().clone();
        let avro = metadata.remove(AVRO_SCHEMA).and_then(|text| Shape::from_avro(&text).ok());
        let shape = shape_of_schema(schema)?;
        let mut file = File { is_symbol, column: 0 };
        let written = Written::rows(&mut file, &shape, schema.fields(), avro.as_ref());
        let has_avro = avro.is_some_and(|avro| avro == shape);
        match written {
            Some(_) => Ok(Self { written, has_avro, metadata, projection: None }),
            None => Err(Error::Schema("the columns of the file differ from its types".to_owned())),
        }
    }

    /// The columns that are read.
    pub(crate) fn columns(&self) -> Vec<usize> {
        self.written.as_ref().map_or_else(Vec::new, |written| written.left().into_iter().collect())
    }

    /// Leaves only some columns.
    pub(crate) fn keep(&mut self, columns: impl IntoIterator<Item = usize>) {
        let mut columns: BTreeSet<usize> = columns.into_iter().collect();
        self.written = self.written.take().and_then(|written| {
            written.complete(&mut columns);
            written.kept(&columns)
        });
    }

    /// Leaves only the fields that an Avro schema has.
    pub(crate) fn project(&mut self, text: &str) -> Result<()> {
        let wanted = Wanted::parse(text)?;
        let columns = project::columns(self.written()?, &wanted, "")?;
        self.keep(columns);
        self.projection = Some(text.to_owned());
        Ok(())
    }

    /// Reads as an Avro schema, from the columns that this needs.
    pub(crate) fn resolve(&mut self, text: &str) -> Result<Resolution> {
        let wanted = Wanted::parse(text)?;
        let plan::Plan { step, columns } = plan::plan(self.written()?, &wanted, "")?;
        self.keep(columns);
        let mut metadata = self.metadata.clone();
        metadata.insert(AVRO_SCHEMA.to_owned(), text.to_owned());
        let fields = schema_of_shape(&wanted.shape)?.fields().clone();
        let schema = Arc::new(Schema::new_with_metadata(fields, metadata));
        Ok(Resolution { step, shape: Arc::new(wanted.shape), schema })
    }

    /// The schema of rows of these fields, which are what is left.
    pub(crate) fn schema(&self, fields: &Fields) -> SchemaRef {
        let with = |text: String| {
            let mut metadata = self.metadata.clone();
            metadata.insert(AVRO_SCHEMA.to_owned(), text);
            Schema::new_with_metadata(fields.clone(), metadata)
        };
        if let Some(text) = &self.projection {
            let schema = with(text.clone());
            let shapes = (shape_of_schema(&schema).ok(), Shape::from_avro(text).ok());
            if shapes.0.is_some() && shapes.0 == shapes.1 {
                return Arc::new(schema);
            }
        }
        Arc::new(match &self.written {
            Some(written) if self.has_avro => with(written.shape().to_avro()),
            _ => Schema::new_with_metadata(fields.clone(), self.metadata.clone()),
        })
    }

    fn written(&self) -> Result<&Written> {
        self.written.as_ref().ok_or_else(|| Error::Schema("no fields are left to read".to_owned()))
    }
}

/// How rows become those of another schema.
pub(crate) struct Resolution {
    step: Step,
    shape: Arc<Shape>,
    schema: SchemaRef,
}

impl Resolution {
    /// The schema of the rows.
    pub(crate) fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    /// The rows of a batch, the first of which has this number.
    pub(crate) fn rows(&self, batch: &RecordBatch, first: u64) -> Result<RecordBatch> {
        let resolved = match self.apply(imported(batch)?) {
            Ok(vector) => {
                Batch::try_new(Arc::clone(&self.shape), vector).map_err(trevni_arrow::Error::from)?
            }
            Err(wrong) => return Err(self.first_wrong(batch, first, wrong)),
        };
        let (_, columns, _) = record_batch_of_batch(resolved)?.into_parts();
        let options = arrow_array::RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
        let made = RecordBatch::try_new_with_options(Arc::clone(&self.schema), columns, &options);
        Ok(made.map_err(trevni_arrow::Error::from)?)
    }

    fn apply(&self, batch: Batch) -> Result<trevni::Vector, apply::Wrong> {
        self.step.apply(batch.into_parts().1)
    }

    /// The error of the first row that has one, which is looked for only now.
    #[cold]
    fn first_wrong(&self, batch: &RecordBatch, first: u64, wrong: apply::Wrong) -> Error {
        let wrong_row = |row: usize| Some((row, self.apply(imported(&batch.slice(row, 1)).ok()?).err()?));
        let (row, wrong) = (0..batch.num_rows()).find_map(wrong_row).unwrap_or((0, wrong));
        Error::Value { row: first + row as u64, field: wrong.path, message: wrong.message }
    }
}

/// The rows of a batch; of one without columns, as many records without fields.
fn imported(batch: &RecordBatch) -> Result<Batch> {
    if batch.num_columns() > 0 {
        return Ok(batch_of_record_batch(batch)?);
    }
    let rows = trevni::vector::RecordVector::new(batch.num_rows(), Vec::new());
    let none = Shape::Record(RecordShape::new("Row", Vec::new()));
    Ok(Batch::try_new(none, rows.into()).map_err(trevni_arrow::Error::from)?)
}
