//! Values of expressions as numbers, for pictures of them.

use super::plan::{Item, QueryPlan};
use super::source::QueryFile;
use crate::failure::Failure;
use crate::progress::Progress;
use crate::selecting::condition;
use std::path::PathBuf;
use trevni_query::paths::Pattern;
use trevni_query::{Expression, MomentKind, ScalarColumn, ScalarRef, Type};

/// Values that can be read several times, some of each row that is wanted.
pub(in crate::commands) struct Numbers {
    files: Vec<QueryFile>,
    expressions: Vec<Expression>,
    /// Of dates and instants, what they are; their numbers are nanoseconds.
    pub(in crate::commands) moments: Vec<Option<MomentKind>>,
    /// Whether the values are strings, or some other words; these are of one expression.
    pub(in crate::commands) are_words: bool,
}

impl Numbers {
    /// The values of expressions in rows that match a condition, each row once for each item of a list, if one is given.
    pub(in crate::commands) fn open(
        files: &[PathBuf],
        expressions: Vec<(String, Expression)>,
        filter: Option<&str>,
        exploded: Option<&str>,
    ) -> Result<Self, Failure> {
        let item = |(name, expression): &(String, Expression)| Item::Value(name.clone(), expression.clone());
        let plan = QueryPlan {
            items: expressions.iter().map(item).collect(),
            condition: condition(filter)?,
            groups: Vec::new(),
            aggregates: Vec::new(),
            shown: 0,
            having: None,
            sorting: Vec::new(),
            exploded: exploded.map(Pattern::parse).transpose()?,
        };
        let expressions: Vec<Expression> =
            expressions.into_iter().map(|(_, expression)| expression).collect();
        let files = QueryFile::open_all(files, &plan)?;
        let fields =
            |file: &QueryFile| expressions.iter().flat_map(|part| part.fields(file.shape())).collect();
        let files = files.iter().map(|file| file.with(fields(file))).collect::<Result<Vec<_>, _>>()?;
        let are_words = match expressions.as_slice() {
            [only] => are_words(only, &files)?,
            _ => false,
        };
        let moments = match are_words {
            true => vec![None],
            false => expressions.iter().map(|part| moment(part, &files)).collect::<Result<_, _>>()?,
        };
        Ok(Self { files, expressions, moments, are_words })
    }

    /// Calls with the numbers of each row: NaN where there is none.
    pub(in crate::commands) fn each(&self, mut call: impl FnMut(&[f64])) -> Result<(), Failure> {
        let mut numbers = vec![0.0; self.expressions.len()];
        self.rows(|columns, row| {
            for (number, column) in numbers.iter_mut().zip(columns) {
                *number = float(column.get(row));
            }
            call(&numbers);
            Ok(())
        })
    }

    /// Calls with the word of each row; `None` for a null.
    pub(in crate::commands) fn each_word(
        &self,
        mut call: impl FnMut(Option<&str>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        self.rows(|columns, row| match columns.first().map(|column| column.get(row)) {
            None | Some(ScalarRef::Null) => call(None),
            Some(ScalarRef::Text(text)) => call(Some(text)),
            Some(ScalarRef::Boolean(value)) => call(Some(if value { "true" } else { "false" })),
            Some(ScalarRef::Ip(ip)) => call(Some(&ip.to_string())),
            Some(_) => call(None),
        })
    }

    /// Calls with the values of each row.
    fn rows(
        &self,
        mut call: impl FnMut(&[ScalarColumn<'_>], usize) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let rows = self.files.iter().map(|file| file.reader.row_count()).sum();
        let progress = Progress::rows("reading", rows);
        for file in &self.files {
            let bound = self.expressions.iter().map(|part| file.bind(part)).collect::<Result<Vec<_>, _>>()?;
            let selecting = file.rows()?;
            for batch in file.reader.batches().map_err(|error| file.failed(&error))? {
                let batch = batch.map_err(|error| file.failed(&error))?;
                progress.add(batch.len() as u64);
                let rows = selecting.rows(&batch)?;
                let scope = rows.scope(&batch);
                let columns = bound
                    .iter()
                    .map(|part| part.evaluate(&scope))
                    .collect::<Result<Vec<ScalarColumn<'_>>, _>>()?;
                (0..scope.len()).try_for_each(|row| call(&columns, row))?;
            }
        }
        Ok(())
    }
}

/// A number; NaN where it is no number.
fn float(value: ScalarRef<'_>) -> f64 {
    match value {
        ScalarRef::Integer(value) => value as f64,
        ScalarRef::Float(value) => value,
        ScalarRef::Decimal(value) => value.to_string().parse().unwrap_or(f64::NAN),
        ScalarRef::Moment(moment) => moment.nanos as f64,
        _ => f64::NAN,
    }
}

/// Whether all values are strings or other words, and none is a number.
fn are_words(expression: &Expression, files: &[QueryFile]) -> Result<bool, Failure> {
    let mut found = false;
    for file in files {
        match file.bind(expression)?.kind {
            Type::Null => {}
            Type::Text | Type::Uuid | Type::Boolean | Type::IpAddress | Type::IpNetwork | Type::Duration => {
                found = true
            }
            _ => return Ok(false),
        }
    }
    Ok(found)
}

/// What dates or instants an expression is; none of numbers. All else has no place on an axis.
fn moment(expression: &Expression, files: &[QueryFile]) -> Result<Option<MomentKind>, Failure> {
    let mut kinds = Vec::new();
    for file in files {
        let kind = file.bind(expression)?.kind;
        match kind {
            Type::Null => {}
            Type::Moment(moment, _) => kinds.push(Some(moment)),
            kind if kind.is_number() => kinds.push(None),
            kind => {
                let source = expression.source();
                let wrong = expression
                    .wrong(&format!("{source} is {}, not a number, a date or an instant", kind.name()));
                let wrong = Failure::from(wrong);
                return Err(match kind {
                    Type::List => wrong.hint(format!("To draw its items: --explode '{source}'")),
                    Type::Text | Type::Boolean => wrong.hint("Strings are drawn alone: -c with one column"),
                    _ => wrong,
                });
            }
        }
    }
    match kinds.first() {
        Some(first) if kinds.iter().any(|kind| kind != first) => {
            Err(expression.wrong(&format!("{} is of several types", expression.source())).into())
        }
        first => Ok(first.copied().flatten()),
    }
}
