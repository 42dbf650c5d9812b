//! The files of a query: what is read of each, and its rows, batch after batch.

use super::plan::Plan;
use crate::expression::{Binder, Bound, Expression, Lost, Place, Rest, Root, Scope, near, offsets, there};
use crate::failure::Failure;
use crate::input::{self, Input};
use crate::paths::{self, is_within};
use crate::rows;
use std::path::{Path, PathBuf};
use trevni::{Batch, Reader, Shape};

/// A file of a query.
pub(super) struct Source {
    pub(super) name: String,
    /// The rows that the file itself finds, with all fields.
    whole: Reader<'static>,
    /// The same with the fields that are needed.
    pub(super) reader: Reader<'static>,
    pub(super) bytes: u64,
    rest: Option<Rest>,
    exploded: Option<String>,
    /// Whether fields that are not there are null, because another file has them.
    lenient: bool,
}

/// Rows of a batch, those that a condition leaves.
pub(super) struct Rows {
    /// None for all.
    pub(super) rows: Option<Vec<u32>>,
    /// Which item of each row's list, where one is taken apart.
    pub(super) items: Option<Vec<u32>>,
}

impl Source {
    /// Opens files, and checks that what is asked for is in one of them at least.
    pub(super) fn open_all(files: &[PathBuf], plan: &Plan) -> Result<Vec<Self>, Failure> {
        let inputs = files.iter().map(|path| input::open(path)).collect::<Result<Vec<_>, _>>()?;
        let several = inputs.len() > 1;
        let strict = |input: &Input, check: &dyn Fn(&Binder<'_>) -> Result<(), Failure>| {
            let exploded = plan.exploded.as_deref();
            check(&Binder { shape: input.reader.shape(), lenient: false, exploded })
        };
        let in_one = |check: &dyn Fn(&Binder<'_>) -> Result<(), Failure>| {
            let mut results = inputs.iter().map(|input| strict(input, check));
            let first = results.next().unwrap_or(Ok(()));
            if first.is_err() && results.any(|result| result.is_ok()) { Ok(()) } else { first }
        };
        if let Some(list) = &plan.exploded {
            in_one(&|binder| found_list(binder.shape, list).map(drop))?;
        }
        if let Some(condition) = &plan.condition {
            in_one(&|binder| condition.check(binder))?;
        }
        for expression in plan.expressions() {
            in_one(&|binder| expression.bind(binder).map(drop))?;
        }
        inputs.into_iter().map(|input| Self::new(input, plan, several)).collect()
    }

    fn new(input: Input, plan: &Plan, lenient: bool) -> Result<Self, Failure> {
        let Input { name, reader, bytes } = input;
        let exploded = plan.exploded.clone();
        let binder = Binder { shape: reader.shape(), lenient, exploded: exploded.as_deref() };
        let (whole, rest) = match &plan.condition {
            Some(condition) => condition.part(&reader, &binder)?,
            None => (reader.clone(), None),
        };
        Ok(Self { name, reader: whole.clone(), whole, bytes, rest, exploded, lenient })
    }

    /// The shape of all fields.
    pub(super) fn shape(&self) -> &Shape {
        self.whole.shape()
    }

    /// With these fields, and those that conditions need.
    pub(super) fn with(&self, mut fields: Vec<String>) -> Result<Self, Failure> {
        fields = there(&self.whole, fields);
        fields.extend(self.rest.iter().flat_map(|rest| rest.fields(&self.whole)));
        if let Some(list) = &self.exploded
            && !fields.iter().any(|field| is_within(field, list))
        {
            fields.extend(there(&self.whole, vec![list.clone()]));
        }
        let reader = self.whole.project(fields).map_err(|error| self.failed(&error))?;
        let (name, exploded) = (self.name.clone(), self.exploded.clone());
        let (whole, rest) = (self.whole.clone(), self.rest.clone());
        Ok(Self { name, whole, reader, rest, exploded, ..*self })
    }

    pub(super) fn failed(&self, error: &trevni::Error) -> Failure {
        Failure::of(Path::new(&self.name), error)
    }

    pub(super) fn bind(&self, expression: &Expression) -> Result<Bound, Failure> {
        expression.bind(&self.binder())
    }

    pub(super) fn exploded(&self) -> Option<&str> {
        self.exploded.as_deref()
    }

    fn binder(&self) -> Binder<'_> {
        let exploded = self.exploded.as_deref();
        Binder { shape: self.reader.shape(), lenient: self.lenient, exploded }
    }

    /// Whether rows of the file are left out, or become several.
    pub(super) fn rows(&self) -> Result<Selecting<'_>, Failure> {
        let rest = self.rest.as_ref().map(|rest| rest.bind(&self.binder())).transpose()?;
        let list = self.exploded.as_ref().map(|list| found_list(self.reader.shape(), list).ok());
        Ok(Selecting { rest, list, source: self })
    }

    /// Whether there is something to compute of a condition.
    pub(super) fn computes(&self) -> bool {
        self.rest.is_some()
    }

    /// Whether all that an expression needs is here, and of the right types.
    pub(super) fn has(&self, expression: &Expression) -> bool {
        let exploded = self.exploded.as_deref();
        expression.bind(&Binder { shape: self.shape(), lenient: false, exploded }).is_ok()
    }

    /// The cells of a row that a path names: of a path into a list, the list; of a record its fields, where
    /// cells are to be flat.
    pub(super) fn cells(&self, path: &str, is_flat: bool) -> Result<Vec<String>, Failure> {
        let mut place = path;
        loop {
            match Place::find(Root::Shape(self.shape()), place, self.exploded()) {
                Ok((_, Root::Shape(shape))) if is_flat => {
                    let within = rows::fields(shape).into_iter();
                    let name = |field: rows::Field| format!("{place}.{}", field.path);
                    return Ok(match some(shape) {
                        Shape::Record(record) if !record.form.is_variant() && !record.fields.is_empty() => {
                            within.map(name).collect()
                        }
                        _ => vec![place.to_owned()],
                    });
                }
                Ok(_) => return Ok(vec![place.to_owned()]),
                Err(Lost::NoSuch(names)) => {
                    return Err(Failure::usage(format!("no field {path:?}{}", near(path, &names))));
                }
                Err(Lost::Through(_)) => match place.rsplit_once('.') {
                    Some((around, _)) => place = around,
                    None => return Ok(vec![path.to_owned()]),
                },
            }
        }
    }

    /// The paths of fields that a pattern names, without those that others leave out.
    pub(super) fn fields(&self, pattern: &str, left_out: &[&String]) -> Result<Vec<String>, Failure> {
        let mut patterns = vec![pattern.to_owned()];
        // What is not here need not be left out.
        let is_here = |pattern: &&&String| paths::chosen(self.shape(), std::slice::from_ref(pattern)).is_ok();
        patterns.extend(left_out.iter().filter(is_here).map(|pattern| (*pattern).clone()));
        Ok(paths::chosen(self.shape(), &patterns)?.unwrap_or_default())
    }

    /// The cells of all fields; rows that are no records are one.
    pub(super) fn all_fields(&self, left_out: &[&String], is_flat: bool) -> Result<Vec<String>, Failure> {
        let Shape::Record(record) = some(self.shape()) else {
            return Ok(vec![String::new()]);
        };
        let names = record.fields.iter().map(|field| field.name.to_string());
        let mut names: Vec<String> = names.collect();
        if !left_out.is_empty() {
            // Names with dots are none that a pattern has.
            let (all, kept) = (self.fields("*", &[])?, self.fields("*", left_out)?);
            names.retain(|name| !all.contains(name) || kept.contains(name));
        }
        let cells = names.into_iter().map(|path| self.cells(&path, is_flat));
        Ok(cells.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
    }
}

/// Finds the rows of batches.
pub(super) struct Selecting<'s> {
    rest: Option<Bound>,
    /// The list that is taken apart; none within where this file does not have it.
    list: Option<Option<Place>>,
    source: &'s Source,
}

impl Selecting<'_> {
    pub(super) fn rows(&self, batch: &Batch) -> Result<Rows, Failure> {
        let mut rows = Rows { rows: None, items: None };
        match &self.list {
            None => {}
            Some(None) => return Ok(Rows { rows: Some(Vec::new()), items: Some(Vec::new()) }),
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
            let picked = Rest::rows(rest, &rows.scope(batch))?;
            let pick =
                |all: &Vec<u32>| picked.iter().filter_map(|at| all.get(*at as usize).copied()).collect();
            let items = rows.items.as_ref().map(pick);
            let numbers = rows.rows.as_ref().map(pick);
            rows = Rows { rows: Some(numbers.unwrap_or(picked)), items };
        }
        Ok(rows)
    }
}

impl Rows {
    pub(super) fn scope<'b>(&'b self, batch: &'b Batch) -> Scope<'b> {
        match &self.rows {
            Some(rows) => Scope::of(batch).with(rows, self.items.as_deref()),
            None => Scope::of(batch),
        }
    }
}

/// The shape within options.
fn some(shape: &Shape) -> &Shape {
    match shape {
        Shape::Optional(optional) => some(&optional.item),
        shape => shape,
    }
}

fn found_list(shape: &Shape, path: &str) -> Result<Place, Failure> {
    match Place::find(Root::Shape(shape), path, None) {
        Ok((place, Root::Shape(Shape::List(_)))) => Ok(place),
        Ok(_) => Err(Failure::usage(format!("{path} is no list, so it has no items to take apart"))),
        Err(_) => Err(Failure::usage(format!("no field {path:?}{}", near(path, &paths::fields(shape))))),
    }
}
