//! The files of a query: what is read of each, and its rows, batch after batch.

use super::cell::FieldCell;
use super::plan::QueryPlan;
use crate::failure::Failure;
use crate::input::{self, DataFile, Input, Opened};
use crate::progress::Progress;
use crate::selecting::in_one;
use std::path::{Path, PathBuf};
use trevni::{Batch, Reader, Shape};
use trevni_query::paths::{FieldPath, Pattern, Root, chosen};
use trevni_query::{Accessor, Binder, BoundExpression, Expression, Residual, Scope, offsets};

/// A file of a query.
pub(super) struct QueryFile {
    pub(super) name: String,
    /// The rows that the file itself finds, with all fields.
    whole: Reader<'static>,
    /// The same with the fields that are needed.
    pub(super) reader: Reader<'static>,
    pub(super) bytes: u64,
    rest: Option<Residual>,
    /// The list that is taken apart, where one is.
    exploded: Exploded,
    /// Whether fields that are not there are null, because another file has them.
    lenient: bool,
}

/// The list that is taken apart.
#[derive(Clone, Debug)]
enum Exploded {
    None,
    /// This file does not have it.
    Missing,
    List(FieldPath),
}

/// Rows of a batch that match a condition.
pub(super) struct PickedRows {
    /// None for all.
    pub(super) rows: Option<Vec<u32>>,
    /// Which item of each row's list, where one is taken apart.
    pub(super) items: Option<Vec<u32>>,
}

impl QueryFile {
    /// Opens files, and checks that what is asked for is in one of them at least.
    pub(super) fn open_all(files: &[PathBuf], plan: &QueryPlan) -> Result<Vec<Self>, Failure> {
        let files = input::files(files)?;
        let one = |file: &DataFile| match file.open(Progress::default())? {
            Opened::Columns(input) => Ok::<Input, Failure>(input),
            #[cfg(feature = "parquet")]
            Opened::Parquet(file) => columns_of(&file, plan, files.len() > 1),
        };
        let inputs = files.iter().map(one).collect::<Result<Vec<_>, _>>()?;
        let exploded = |shape: &Shape| match &plan.exploded {
            Some(pattern) => found_list(shape, pattern).map(Exploded::List),
            None => Ok(Exploded::None),
        };
        in_one(inputs.iter().map(|input| exploded(input.reader.shape())))?;
        let inputs: Vec<(Input, Exploded)> = inputs
            .into_iter()
            .map(|input| {
                let exploded = exploded(input.reader.shape()).unwrap_or(Exploded::Missing);
                (input, exploded)
            })
            .collect();
        let strict = |(input, exploded): &'_ (Input, Exploded),
                      check: &dyn Fn(&Binder<'_>) -> Result<(), Failure>| {
            check(&Binder { shape: input.reader.shape(), lenient: false, exploded: exploded.list() })
        };
        if let Some(condition) = &plan.condition {
            in_one(inputs.iter().map(|input| strict(input, &|binder| Ok(condition.check(binder)?))))?;
        }
        for expression in plan.expressions() {
            in_one(
                inputs.iter().map(|input| strict(input, &|binder| Ok(expression.bind(binder).map(drop)?))),
            )?;
        }
        let several = inputs.len() > 1;
        inputs.into_iter().map(|(input, exploded)| Self::new(input, exploded, plan, several)).collect()
    }

    fn new(input: Input, exploded: Exploded, plan: &QueryPlan, lenient: bool) -> Result<Self, Failure> {
        let Input { name, reader, bytes } = input;
        let binder = Binder { shape: reader.shape(), lenient, exploded: exploded.list() };
        let (whole, rest) = match &plan.condition {
            Some(condition) => condition.push_down(&reader, &binder)?,
            None => (reader.clone(), None),
        };
        Ok(Self { name, reader: whole.clone(), whole, bytes, rest, exploded, lenient })
    }

    /// The shape of all fields.
    pub(super) fn shape(&self) -> &Shape {
        self.whole.shape()
    }

    /// With these fields, and the fields that conditions need.
    pub(super) fn with(&self, mut fields: Vec<FieldPath>) -> Result<Self, Failure> {
        fields.extend(self.rest.iter().flat_map(|rest| rest.fields(&self.whole)));
        if let Some(list) = self.exploded.list()
            && !fields.iter().any(|field| field.is_within(list))
        {
            fields.push(list.clone());
        }
        let reader = self.whole.project_paths(fields).map_err(|error| self.failed(&error))?;
        let (name, exploded) = (self.name.clone(), self.exploded.clone());
        let (whole, rest) = (self.whole.clone(), self.rest.clone());
        Ok(Self { name, whole, reader, rest, exploded, ..*self })
    }

    /// The shape of rows with these fields only.
    pub(super) fn shape_of(&self, fields: &[FieldPath]) -> Result<Shape, Failure> {
        let part = self.whole.project_paths(fields).map_err(|error| self.failed(&error))?;
        Ok(part.shape().clone())
    }

    pub(super) fn failed(&self, error: &trevni::Error) -> Failure {
        Failure::of(Path::new(&self.name), error)
    }

    pub(super) fn bind(&self, expression: &Expression) -> Result<BoundExpression, Failure> {
        Ok(expression.bind(&self.binder())?)
    }

    pub(super) fn exploded(&self) -> Option<&FieldPath> {
        self.exploded.list()
    }

    fn binder(&self) -> Binder<'_> {
        Binder { shape: self.reader.shape(), lenient: self.lenient, exploded: self.exploded() }
    }

    /// Whether rows of the file are skipped, or become several.
    pub(super) fn rows(&self) -> Result<Selecting<'_>, Failure> {
        let rest = self.rest.as_ref().map(|rest| rest.bind(&self.binder())).transpose()?;
        let list = match &self.exploded {
            Exploded::None => None,
            Exploded::Missing => Some(None),
            Exploded::List(list) => {
                let place = Accessor::at(Root::Shape(self.reader.shape()), list.names(), None);
                Some(place.ok().map(|(place, _)| place))
            }
        };
        Ok(Selecting { rest, list, source: self })
    }

    /// Whether there is something to compute of a condition.
    pub(super) fn computes(&self) -> bool {
        self.rest.is_some()
    }

    /// Whether all that an expression needs is here, and of the right types.
    pub(super) fn has(&self, expression: &Expression) -> bool {
        expression.bind(&Binder { shape: self.shape(), lenient: false, exploded: self.exploded() }).is_ok()
    }

    /// Whether rows have a field.
    pub(super) fn has_path(&self, path: &FieldPath) -> bool {
        self.whole.project_paths([path]).is_ok()
    }

    /// The cells of fields; see [`FieldCell::of`].
    pub(super) fn cells(&self, paths: &[FieldPath], is_flat: bool) -> Vec<FieldCell> {
        paths.iter().flat_map(|path| FieldCell::of(self.shape(), path, self.exploded(), is_flat)).collect()
    }

    /// The cells of all fields; rows that are no records are one.
    pub(super) fn all_cells(&self, is_flat: bool) -> Vec<FieldCell> {
        let paths = match some(self.shape()) {
            Shape::Record(record) => {
                let row = FieldPath::default();
                record.fields.iter().map(|field| row.below(&field.name, &field.name)).collect()
            }
            _ => vec![FieldPath::default()],
        };
        self.cells(&paths, is_flat)
    }
}

impl Exploded {
    fn list(&self) -> Option<&FieldPath> {
        match self {
            Self::List(list) => Some(list),
            Self::None | Self::Missing => None,
        }
    }
}

/// Finds the rows of batches.
pub(super) struct Selecting<'s> {
    rest: Option<BoundExpression>,
    /// The list that is taken apart; none within where this file does not have it.
    list: Option<Option<Accessor>>,
    source: &'s QueryFile,
}

impl Selecting<'_> {
    pub(super) fn rows(&self, batch: &Batch) -> Result<PickedRows, Failure> {
        let mut rows = PickedRows { rows: None, items: None };
        match &self.list {
            None => {}
            Some(None) => return Ok(PickedRows { rows: Some(Vec::new()), items: Some(Vec::new()) }),
            Some(Some(list)) => {
                let located = Scope::of(batch).at(list);
                let located =
                    located.ok_or_else(|| Failure::new(format!("{}: no list", self.source.name)))?;
                let (mut numbers, mut items) = (Vec::new(), Vec::new());
                for row in 0..batch.len() {
                    let range = located.entry(row).and_then(|at| offsets(located.vector)?.range(at));
                    let count = range.map_or(0, |range| range.len()) as u32;
                    numbers.extend((0..count).map(|_| row as u32));
                    items.extend(0..count);
                }
                (rows.rows, rows.items) = (Some(numbers), Some(items));
            }
        }
        if let Some(rest) = &self.rest {
            let picked = Residual::rows(rest, &rows.scope(batch))?;
            let pick =
                |all: &Vec<u32>| picked.iter().filter_map(|at| all.get(*at as usize).copied()).collect();
            let items = rows.items.as_ref().map(pick);
            let numbers = rows.rows.as_ref().map(pick);
            rows = PickedRows { rows: Some(numbers.unwrap_or(picked)), items };
        }
        Ok(rows)
    }
}

impl PickedRows {
    /// Some of the rows only.
    pub(super) fn only(self, wanted: Vec<u32>) -> Self {
        let pick = |all: Vec<u32>| wanted.iter().filter_map(|at| all.get(*at as usize).copied()).collect();
        let (rows, items) = (self.rows.map(pick), self.items.map(pick));
        Self { rows: Some(rows.unwrap_or(wanted)), items }
    }

    pub(super) fn scope<'b>(&'b self, batch: &'b Batch) -> Scope<'b> {
        match &self.rows {
            Some(rows) => Scope::of(batch).with(rows, self.items.as_deref()),
            None => Scope::of(batch),
        }
    }
}

/// The columns that a query needs of a Parquet file.
#[cfg(feature = "parquet")]
fn columns_of(file: &input::ParquetInput, plan: &QueryPlan, lenient: bool) -> Result<Input, Failure> {
    let fields = match file.needed(|shape| needed(shape, plan)) {
        // Another file may have it.
        Err(_) if lenient => None,
        fields => fields?,
    };
    file.columns(input::Part { fields, ..input::Part::default() })
}

/// The fields that a query needs; none for all.
#[cfg(feature = "parquet")]
fn needed(shape: &Shape, plan: &QueryPlan) -> Result<Option<Vec<FieldPath>>, Failure> {
    let exploded = plan.exploded.as_ref().map(|pattern| found_list(shape, pattern)).transpose()?;
    let binder = Binder { shape, lenient: false, exploded: exploded.as_ref() };
    let mut fields: Vec<FieldPath> = exploded.iter().cloned().collect();
    if let Some(condition) = &plan.condition {
        condition.check(&binder)?;
        fields.extend(condition.fields(shape));
    }
    for expression in plan.expressions() {
        expression.bind(&binder)?;
        fields.extend(expression.fields(shape));
    }
    let patterns: Vec<Pattern> = plan.patterns().cloned().collect();
    if patterns.is_empty() {
        let is_all = plan.items.is_empty() && !plan.is_grouped();
        return Ok(Some(fields).filter(|_| !is_all));
    }
    let chosen = chosen(shape, &patterns)?;
    // What is excluded must be there to be excluded.
    let excludes = patterns.iter().any(|pattern| pattern.leaves_out);
    Ok(chosen.filter(|_| !excludes).map(|chosen| [fields, chosen].concat()))
}

/// The shape within options.
fn some(shape: &Shape) -> &Shape {
    match shape {
        Shape::Optional(optional) => some(&optional.item),
        shape => shape,
    }
}

/// The list that a path names, in no other list.
fn found_list(shape: &Shape, pattern: &Pattern) -> Result<FieldPath, Failure> {
    let no_list = || {
        let message = format!("{} is not a list, so --explode cannot make rows of its items", pattern.text);
        Failure::usage(message)
    };
    let mut found = chosen(shape, std::slice::from_ref(pattern))?.unwrap_or_default();
    let path = if found.len() == 1 { found.remove(0) } else { return Err(no_list()) };
    match Accessor::at(Root::Shape(shape), path.names(), None) {
        Ok((_, Root::Shape(Shape::List(_)))) => Ok(path),
        _ => Err(no_list()),
    }
}
