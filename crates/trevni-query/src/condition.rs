//! Conditions on the rows of a file: what the file itself can decide, and what is left.

use crate::bind::Binder;
use crate::error::Error;
use crate::evaluate::Scope;
use crate::expression::{Expression, fields};
use crate::paths::{FieldPath, Found, Root};
use crate::push_down::predicate;
use crate::step::BoundExpression;
use crate::syntax::{Operator, Syntax};
use crate::types::Type;
use std::ops::Range;
use trevni::{Batch, Predicate, Reader, RowSelection, Shape};

/// A condition on rows, such as `delay > 60 and carrier in ("AA", "UA")`.
///
/// ```
/// use serde::Serialize;
/// use trevni_query::Condition;
///
/// #[derive(Serialize)]
/// struct Flight {
///     carrier: &'static str,
///     delay: i32,
/// }
///
/// let flights = [Flight { carrier: "AA", delay: 80 }, Flight { carrier: "UA", delay: 5 }];
/// let file = trevni::to_vec(flights)?;
/// let reader = trevni::Reader::from_slice(&file)?;
/// let late = Condition::parse("delay / 60 > 1 and carrier like 'A%'")?.filter(&reader)?;
/// assert_eq!(late.matching()?.row_count(), 1);
///
/// // What needs no computing is a predicate, for all who read the file.
/// let late = Condition::parse("delay > 60 and carrier = 'AA'")?.predicate(reader.shape())?;
/// assert_eq!(reader.filter(late.unwrap())?.matching()?.row_count(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Condition(Expression);

impl Condition {
    /// Reads a condition.
    ///
    /// # Errors
    ///
    /// The text is no expression. Its types are checked when it is bound to the shape of rows.
    pub fn parse(text: &str) -> Result<Self, Error> {
        Expression::parse(text).map(Self)
    }

    /// The text as it was given.
    pub fn text(&self) -> &str {
        &self.0.text
    }

    /// The paths of the fields of a shape that it needs.
    pub fn fields(&self, shape: &Shape) -> Vec<FieldPath> {
        self.0.fields(shape)
    }

    /// All of it as what is computed, for rows that no file decides about.
    pub fn computed(&self) -> Residual {
        Residual(self.0.clone())
    }

    /// Finds the fields and checks the types, before anything is read.
    ///
    /// # Errors
    ///
    /// There is no such field, types do not fit, or the values are not booleans.
    pub fn check(&self, binder: &Binder<'_>) -> Result<(), Error> {
        match self.0.bind(binder)?.kind {
            Type::Boolean | Type::Null => Ok(()),
            kind => Err(self.0.wrong(&format!("this is {}, no condition", kind.name()))),
        }
    }

    /// A reader of the rows for which the condition is true. The given one must have all its fields.
    ///
    /// What the file can decide by its zone maps and filters is left to it; for the rest of the condition, the
    /// columns that it needs are read here.
    ///
    /// # Errors
    ///
    /// As [`check`](Self::check); a value cannot be computed with; the file cannot be read.
    pub fn filter<'s>(&self, reader: &Reader<'s>) -> Result<Reader<'s>, Error> {
        let (filtered, residual) = self.push_down(reader, &Binder::new(reader.shape()))?;
        match residual {
            Some(residual) => Ok(reader.select(residual.matching(&filtered, false, u64::MAX)?)?),
            None => Ok(filtered),
        }
    }

    /// All of it as a predicate of the file; `None` where a part has to be computed.
    ///
    /// # Errors
    ///
    /// As [`check`](Self::check).
    pub fn predicate(&self, shape: &Shape) -> Result<Option<Predicate>, Error> {
        self.check(&Binder::new(shape))?;
        Ok(predicate(&self.0.node, Root::Shape(shape), true))
    }

    /// Leaves to the file what it can decide: returns a reader of the rows that remain, with all their fields, and
    /// the rest of the condition, which is to be computed for them.
    ///
    /// # Errors
    ///
    /// As [`check`](Self::check).
    pub fn push_down<'s>(
        &self,
        reader: &Reader<'s>,
        binder: &Binder<'_>,
    ) -> Result<(Reader<'s>, Option<Residual>), Error> {
        self.check(binder)?;
        let (mut pushed, mut rest) = (None::<Predicate>, Vec::new());
        for node in self.0.node.clone().conjuncts() {
            // The items of an exploded list are no rows of the file.
            let is_of_rows = binder.exploded.is_none_or(|exploded| !names(&node, reader.shape(), exploded));
            // What a predicate cannot do is computed.
            let can = |predicate: &Predicate| is_of_rows && reader.filter(predicate.clone()).is_ok();
            match predicate(&node, Root::Shape(reader.shape()), true).filter(can) {
                Some(predicate) => {
                    pushed = Some(match pushed {
                        Some(before) => before.and(predicate),
                        None => predicate,
                    });
                }
                None => rest.push(node),
            }
        }
        let reader = match pushed {
            Some(predicate) => {
                let filtered = reader.filter(predicate);
                filtered.map_err(|error| self.0.wrong(&error.to_string()))?
            }
            None => reader.clone(),
        };
        let rest = rest.into_iter().reduce(|one, two| {
            let (start, end, depth) = (one.start, two.end, one.depth.max(two.depth + 1));
            let mut parts = one.conjuncts();
            parts.push(two);
            Syntax { kind: Operator::And(parts), start, end, depth }
        });
        Ok((reader, rest.map(|node| Residual(Expression { text: self.0.text.clone(), node }))))
    }
}

/// Whether some path of an expression is a path, or continues it.
fn names(node: &Syntax, shape: &Shape, path: &FieldPath) -> bool {
    let mut all = Vec::new();
    fields(node, &Found::row(shape), true, &mut all);
    all.iter().any(|own| own.is_within(path) || own.is_row())
}

/// The part of a condition that is computed from the values of rows.
#[derive(Clone, Debug)]
pub struct Residual(Expression);

impl Residual {
    /// The fields of the reader that it needs.
    pub fn fields(&self, reader: &Reader<'_>) -> Vec<FieldPath> {
        self.0.fields(reader.shape())
    }

    /// Finds the fields in a shape.
    ///
    /// # Errors
    ///
    /// There is no such field.
    pub fn bind(&self, binder: &Binder<'_>) -> Result<BoundExpression, Error> {
        self.0.bind(binder)
    }

    /// The numbers of the rows of a scope for which the bound expression is true.
    ///
    /// # Errors
    ///
    /// A value cannot be computed with.
    pub fn rows(bound: &BoundExpression, scope: &Scope<'_>) -> Result<Vec<u32>, Error> {
        let truths = bound.evaluate(scope)?;
        Ok((0..scope.len() as u32).filter(|row| truths.is_true(*row as usize)).collect())
    }

    /// The rows of a reader for which it is true; after `most` of them, the rest may be missing. With `lenient`,
    /// fields that are not there are null.
    ///
    /// # Errors
    ///
    /// A value cannot be computed with, or the file cannot be read.
    pub fn matching(&self, reader: &Reader<'_>, lenient: bool, most: u64) -> Result<RowSelection, Error> {
        let reader = reader.project_paths(self.fields(reader))?;
        let bound = self.bind(&Binder { lenient, ..Binder::new(reader.shape()) })?;
        let numbered = |batch: Batch| (batch.selection().clone(), batch);
        let batches = reader.batches()?.map(|batch| Ok(numbered(batch?)));
        Self::numbers(&bound, batches, most)
    }

    /// The numbers of the rows of batches for which the bound expression is true, by the numbers of all rows of each batch; after
    /// `most` of them, the rest may be missing.
    ///
    /// # Errors
    ///
    /// A value cannot be computed with, and those of the batches.
    pub fn numbers<E>(
        bound: &BoundExpression,
        batches: impl IntoIterator<Item = Result<(RowSelection, Batch), E>>,
        most: u64,
    ) -> Result<RowSelection, E>
    where
        E: From<Error>,
    {
        let (mut ranges, mut count): (Vec<Range<u64>>, _) = (Vec::new(), 0);
        for batch in batches {
            let (selection, batch) = batch?;
            let rows = Self::rows(bound, &Scope::of(&batch))?;
            let mut numbers = selection.ranges().iter().cloned().flatten();
            let mut next = 0;
            for row in rows {
                // The numbers ascend as the rows do.
                let Some(number) = numbers.nth((row - next) as usize) else {
                    break;
                };
                next = row + 1;
                match ranges.last_mut() {
                    Some(last) if last.end == number => last.end += 1,
                    _ => ranges.push(number..number + 1),
                }
                count += 1;
            }
            if count >= most {
                break;
            }
        }
        Ok(ranges.into_iter().collect())
    }
}
