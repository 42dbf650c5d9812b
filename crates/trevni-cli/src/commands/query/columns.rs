//! The columns of a query for rows: fields, and values that are computed.

use super::Query;
use super::plan::{Item, Plan};
use super::result::Cells;
use super::source::Source;
use crate::args::RowFormat;
use crate::expression::{Bound, Expression, Place, Root, Scope, Type, Value};
use crate::failure::Failure;
use crate::rows;
use trevni::Shape;

/// A column of the result.
#[derive(Clone)]
pub(super) enum Column {
    Field(String),
    Value(String, Expression),
}

impl Column {
    pub(super) fn name(&self) -> &str {
        match self {
            Self::Field(path) if path.is_empty() => "value",
            Self::Field(name) | Self::Value(name, _) => name,
        }
    }

    pub(super) fn fields(&self) -> Vec<String> {
        match self {
            Self::Field(path) => vec![path.clone()],
            Self::Value(_, expression) => expression.fields(),
        }
    }
}

/// A column of the result in one file.
pub(super) enum Made {
    Nothing,
    Place(Place, bool),
    Value(Bound),
}

impl Made {
    pub(super) fn of(column: &Column, source: &Source) -> Result<Self, Failure> {
        Ok(match column {
            Column::Value(_, expression) => {
                let is_record = matches!(source.shape(), Shape::Record(_));
                match expression.path() {
                    // As it is in the file, whatever it is.
                    Some(path) if !path.is_empty() || !is_record => Self::field(path, source),
                    _ => match source.bind(expression)? {
                        bound if bound.kind.is_simple() => Self::Value(bound),
                        bound => {
                            let name = bound.kind.name();
                            return Err(expression.wrong(&format!("{} is {name}", expression.source())));
                        }
                    },
                }
            }
            Column::Field(path) => Self::field(path, source),
        })
    }

    fn field(path: &str, source: &Source) -> Self {
        match Place::find(Root::Shape(source.reader.shape()), path, source.exploded()) {
            Ok((place, Root::Shape(shape))) => Self::Place(place, is_number(shape)),
            _ => Self::Nothing,
        }
    }

    pub(super) fn is_number(&self) -> bool {
        match self {
            Self::Nothing => true,
            Self::Place(_, is_number) => *is_number,
            Self::Value(bound) => bound.kind.is_number(),
        }
    }

    pub(super) fn cells<'b>(&self, scope: &Scope<'b>) -> Result<Cells<'b>, Failure> {
        match self {
            Self::Nothing => Cells::of_values(&vec![Value::Null; scope.len()], Type::Null),
            Self::Place(place, _) => {
                let located = scope.at(place);
                located
                    .map(Cells::There)
                    .ok_or_else(|| Failure::new("vectors have another form than their shape"))
            }
            Self::Value(bound) => Cells::of_column(&bound.evaluate(scope)?, bound.kind),
        }
    }
}

fn is_number(shape: &Shape) -> bool {
    rows::fields(shape).first().is_some_and(|field| field.is_number)
}

/// A path as an expression, whatever is in it.
pub(super) fn quoted(path: &str) -> Result<Expression, Failure> {
    Expression::parse(&format!("`{}`", path.replace('`', "``")))
}

/// The columns of the result: those that are named, or all fields.
pub(super) fn columns(args: &Query, plan: &Plan, sources: &[Source]) -> Result<Vec<Column>, Failure> {
    let mut columns: Vec<Column> = Vec::new();
    let mut add = |column: Column| {
        if !columns.iter().any(|own| own.name() == column.name()) {
            columns.push(column);
        }
    };
    let is_flat = !matches!(args.format(), RowFormat::Json | RowFormat::Jsonl);
    let patterns = plan.items.iter().filter_map(|item| match item {
        Item::Pattern(pattern) => Some(pattern),
        Item::Value(..) => None,
    });
    let left_out: Vec<&String> = patterns.filter(|pattern| pattern.starts_with('!')).collect();
    for pattern in &left_out {
        in_one(sources, |source| source.fields(pattern, &[]))?;
    }
    if plan.items.len() == left_out.len() {
        for paths in in_one(sources, |source| source.all_fields(&left_out, is_flat))? {
            paths.into_iter().for_each(|path| add(Column::Field(path)));
        }
    }
    for item in &plan.items {
        match item {
            Item::Value(name, expression) => add(Column::Value(name.clone(), expression.clone())),
            Item::Pattern(pattern) if pattern.starts_with('!') => {}
            Item::Pattern(pattern) => {
                let cells = |source: &Source| {
                    let paths = source.fields(pattern, &left_out)?;
                    paths.iter().map(|path| source.cells(path, is_flat)).collect::<Result<Vec<_>, _>>()
                };
                match (in_one(sources, cells), product(pattern, sources)) {
                    (Err(_), Some(expression)) => add(Column::Value(pattern.clone(), expression)),
                    (found, _) => {
                        found?.into_iter().flatten().flatten().for_each(|path| add(Column::Field(path)));
                    }
                }
            }
        }
    }
    Ok(columns)
}

/// What is no pattern, but a product such as `distance*2`.
fn product(text: &str, sources: &[Source]) -> Option<Expression> {
    let expression = Expression::parse(text).ok().filter(|expression| expression.path().is_none())?;
    sources.iter().any(|source| source.has(&expression)).then_some(expression)
}

/// What there is in the files that have it; the error of the first where none has.
fn in_one<T>(sources: &[Source], find: impl Fn(&Source) -> Result<T, Failure>) -> Result<Vec<T>, Failure> {
    let (mut found, mut failed) = (Vec::new(), None);
    for source in sources {
        match find(source) {
            Ok(here) => found.push(here),
            Err(failure) => failed = failed.or(Some(failure)),
        }
    }
    match failed {
        Some(failure) if found.is_empty() => Err(failure),
        _ => Ok(found),
    }
}
