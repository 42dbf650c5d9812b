//! The columns of a query for rows: fields, and values that are computed.

use super::Query;
use super::cell::FieldCell;
use super::plan::{Item, QueryPlan};
use super::result::{ResultColumn, other_form};
use super::source::QueryFile;
use crate::failure::Failure;
use crate::rows::{self, Mixed, Printing};
use crate::type_name::short_type_name;
use trevni::Shape;
use trevni_query::paths::{Choice, FieldPath, Pattern, Root};
use trevni_query::{Accessor, BoundExpression, Expression, Scalar, Scope, Type};

/// A column of the result.
#[derive(Clone)]
pub(super) enum OutputColumn {
    Field(FieldCell),
    Value(String, Expression),
}

impl OutputColumn {
    /// The fields of a file that it needs.
    pub(super) fn fields(&self, source: &QueryFile) -> Vec<FieldPath> {
        match self {
            Self::Field(cell) => {
                let is_there = |path: &&FieldPath| source.has_path(path);
                cell.parts.iter().filter(is_there).cloned().collect()
            }
            Self::Value(_, expression) => expression.fields(source.shape()),
        }
    }
}

/// The names of columns: the given ones, and paths for fields.
pub(super) fn names(columns: &[OutputColumn]) -> Vec<String> {
    let path = |column: &OutputColumn| match column {
        OutputColumn::Field(cell) => Some(cell.path.clone()),
        OutputColumn::Value(..) => None,
    };
    let mut fields = rows::names(&columns.iter().filter_map(path).collect::<Vec<_>>()).into_iter();
    let name = |column: &OutputColumn| match column {
        OutputColumn::Field(_) => fields.next().unwrap_or_default(),
        OutputColumn::Value(name, _) => name.clone(),
    };
    columns.iter().map(name).collect()
}

/// A column of the result in one file.
pub(super) enum Made {
    Nothing,
    /// A place; only a part of what is there, if there is one; and what its values are.
    Accessor(Accessor, Option<Shape>, Looks),
    Value(BoundExpression),
}

impl Made {
    pub(super) fn of(column: &OutputColumn, source: &QueryFile, args: &Query) -> Result<Self, Failure> {
        let mixed = args.printing.mixed;
        Ok(match column {
            OutputColumn::Value(_, expression) => {
                let is_record = matches!(source.shape(), Shape::Record(_));
                match expression.path() {
                    // As it is in the file, whatever it is.
                    Some(path) if !path.is_item() || !is_record => {
                        let found = expression.fields(source.shape()).into_iter().next();
                        found.map_or(Ok(Self::Nothing), |path| Self::field(&path, source, None, mixed))?
                    }
                    path => {
                        let bound = source.bind(expression)?;
                        match bound.place() {
                            // Items and values of any type, too.
                            Some(place) if path.is_none() => {
                                Self::Accessor(place.clone(), None, Looks::of_type(bound.kind))
                            }
                            _ if bound.kind.is_simple() => Self::Value(bound),
                            _ => {
                                let name = bound.kind.name();
                                let wrong = expression.wrong(&format!("{} is {name}", expression.source()));
                                return Err(wrong.into());
                            }
                        }
                    }
                }
            }
            OutputColumn::Field(cell) => {
                let parts = column.fields(source);
                // What is a record here has cells of its own.
                let own = source.cells(std::slice::from_ref(&cell.path), args.is_flat());
                if parts.is_empty() || !own.iter().any(|own| own.path == cell.path) {
                    return Ok(Self::Nothing);
                }
                let part = source.shape_of(&parts)?;
                Self::field(&cell.path, source, Some(&part), mixed)?
            }
        })
    }

    /// A field, of which only what another shape of the rows has is wanted.
    fn field(
        path: &FieldPath,
        source: &QueryFile,
        wanted: Option<&Shape>,
        mixed: Mixed,
    ) -> Result<Self, Failure> {
        let at = |shape| Accessor::at(Root::Shape(shape), path.names(), source.exploded());
        match at(source.reader.shape()) {
            Ok((place, Root::Shape(shape))) => {
                let wanted = match wanted.map(at) {
                    Some(Ok((_, Root::Shape(wanted)))) if wanted != shape => Some(wanted.clone()),
                    _ => None,
                };
                let shape = mixed.shape(wanted.as_ref().unwrap_or(shape), path)?;
                let looks = Looks { shape: Some(shape.clone()), ..Looks::of(&shape) };
                Ok(Self::Accessor(place, wanted, looks))
            }
            _ => Ok(Self::Nothing),
        }
    }

    pub(super) fn is_nothing(&self) -> bool {
        matches!(self, Self::Nothing)
    }

    /// The type of its values, if it is known; and the one that they have if all are null.
    pub(super) fn known(&self) -> (Option<Shape>, Shape) {
        match self {
            Self::Nothing => (None, Shape::String),
            Self::Accessor(_, _, looks) => match &looks.shape {
                Some(shape) => (Some(shape.clone()), shape.clone()),
                None => known(looks.kind_of_values),
            },
            Self::Value(bound) => known(bound.kind),
        }
    }

    pub(super) fn is_number(&self) -> bool {
        match self {
            Self::Nothing => true,
            Self::Accessor(_, _, looks) => looks.is_number,
            Self::Value(bound) => bound.kind.is_number(),
        }
    }

    /// The type of its values in a word; nothing where it is not known.
    pub(super) fn kind(&self) -> &str {
        match self {
            Self::Nothing => "",
            Self::Accessor(_, _, looks) => &looks.kind,
            Self::Value(bound) => word(bound.kind),
        }
    }

    pub(super) fn cells<'b>(
        &self,
        scope: &Scope<'b>,
        printing: &Printing,
    ) -> Result<ResultColumn<'b>, Failure> {
        match self {
            Self::Nothing => ResultColumn::of_values(&vec![Scalar::Null; scope.len()], Type::Null),
            Self::Accessor(place, part, _) => {
                ResultColumn::located(scope.at(place).ok_or_else(other_form)?, part.as_ref(), printing)
            }
            Self::Value(bound) => ResultColumn::of_column(&bound.evaluate(scope)?, bound.kind),
        }
    }
}

/// What values look like in a table, and what they are.
pub(super) struct Looks {
    is_number: bool,
    kind: String,
    /// What they are where nothing else is known.
    kind_of_values: Type,
    shape: Option<Shape>,
}

impl Looks {
    fn of(shape: &Shape) -> Self {
        let is_number = rows::fields(shape).first().is_some_and(|field| field.is_number);
        Self { is_number, kind: short_type_name(shape), kind_of_values: Type::Null, shape: None }
    }

    fn of_type(kind: Type) -> Self {
        Self { is_number: kind.is_number(), kind: word(kind).to_owned(), kind_of_values: kind, shape: None }
    }
}

/// The type of computed values, if it is known without them; and the one that they have if all are null.
pub(super) fn known(kind: Type) -> (Option<Shape>, Shape) {
    let sure = |shape: Shape| (Some(shape.clone()), shape);
    match kind {
        Type::Boolean => sure(Shape::Boolean),
        Type::Single => sure(Shape::Float),
        Type::Float => sure(Shape::Double),
        Type::Text => sure(Shape::String),
        Type::Bytes => sure(Shape::Bytes),
        // They may have more than 64 bits.
        Type::Integer => (None, Shape::Long),
        _ => (None, Shape::String),
    }
}

/// The type of computed values in a word.
pub(super) fn word(kind: Type) -> &'static str {
    match kind {
        Type::Boolean => "boolean",
        Type::Integer => "int64",
        Type::Single => "float32",
        Type::Float => "float64",
        Type::Decimal => "decimal",
        Type::Text => "string",
        Type::Bytes => "bytes",
        Type::List => "list",
        Type::Map => "map",
        _ => "",
    }
}

/// The columns of the result: the named ones, or all fields.
pub(super) fn columns(
    args: &Query,
    plan: &QueryPlan,
    sources: &[QueryFile],
) -> Result<Vec<OutputColumn>, Failure> {
    let is_flat = args.is_flat();
    let left_out: Vec<Pattern> = plan.patterns().filter(|pattern| pattern.leaves_out).cloned().collect();
    let mut columns = Columns { columns: Vec::new(), sources, is_flat };
    match () {
        () if plan.items.is_empty() => columns.add_all(),
        () if plan.items.len() == left_out.len() => columns.add_fields(&left_out)?,
        () => {}
    }
    for item in &plan.items {
        match item {
            Item::Value(name, expression) => columns.add_value(name, expression),
            Item::Pattern(pattern) if pattern.leaves_out => {}
            Item::Pattern(pattern) => {
                let with_others: Vec<Pattern> = std::iter::once(pattern).chain(&left_out).cloned().collect();
                match (columns.add_fields(&with_others), product(&pattern.text, sources)) {
                    (Err(_), Some(expression)) => columns.add_value(&pattern.text, &expression),
                    (added, _) => added?,
                }
            }
        }
    }
    Ok(columns.columns)
}

/// Columns so far.
struct Columns<'s> {
    columns: Vec<OutputColumn>,
    sources: &'s [QueryFile],
    /// Whether a record is several columns.
    is_flat: bool,
}

impl Columns<'_> {
    fn add_all(&mut self) {
        self.sources
            .iter()
            .flat_map(|source| source.all_cells(self.is_flat))
            .for_each(|cell| add(&mut self.columns, cell));
    }

    /// Adds the fields of patterns, of files that have them.
    fn add_fields(&mut self, patterns: &[Pattern]) -> Result<(), Failure> {
        let Some(choice) = Choice::of(self.sources.iter().map(QueryFile::shape), patterns)? else {
            return Ok(());
        };
        let files = self.sources.iter().zip(&choice.fields);
        let cells: Vec<FieldCell> =
            files.flat_map(|(source, paths)| source.cells(paths, self.is_flat)).collect();
        // In the order of the patterns, whichever file has them.
        for path in &choice.all {
            for cell in cells.iter().filter(|cell| cell.parts.iter().any(|part| part.is_within(path))) {
                add(&mut self.columns, cell.clone());
            }
        }
        Ok(())
    }

    fn add_value(&mut self, name: &str, expression: &Expression) {
        if !names(&self.columns).iter().any(|own| own == name) {
            self.columns.push(OutputColumn::Value(name.to_owned(), expression.clone()));
        }
    }
}

/// Adds a field; of one that is there, what else is printed of it.
fn add(columns: &mut Vec<OutputColumn>, cell: FieldCell) {
    for column in columns.iter_mut() {
        match column {
            OutputColumn::Field(own) if own.path == cell.path => {
                let new = cell.parts.into_iter().filter(|part| !own.parts.contains(part));
                return own.parts.extend(new.collect::<Vec<_>>());
            }
            OutputColumn::Value(name, _) if *name == cell.path.to_string() => return,
            _ => {}
        }
    }
    columns.push(OutputColumn::Field(cell));
}

/// What is no pattern, but a product such as `distance*2`.
fn product(text: &str, sources: &[QueryFile]) -> Option<Expression> {
    let expression = Expression::parse(text).ok().filter(|expression| expression.path().is_none())?;
    sources.iter().any(|source| source.has(&expression)).then_some(expression)
}
