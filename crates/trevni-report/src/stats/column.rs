//! The columns of a shape, and what they gather from the vectors of batches.

use super::along::Along;
use super::distinct::Bound;
use super::summary::{Summary, Top};
use super::texts::most;
use super::values::{Values, unknown_kind};
use crate::report_value::ReportValue;
use crate::type_name::short_type_name;
use trevni::path::format;
use trevni::shape::LogicalShape;
use trevni::{Shape, Vector};
use trevni_query::paths::short_name;

/// Values of one kind.
pub(super) struct ColumnStats {
    /// The path as people read it: items of lists that are no records end in `[]`.
    pub(super) path: String,
    /// The same as paths are written: names with dots are in back quotes.
    exact: String,
    /// The names of the path of the column's field.
    pub(super) field: Vec<String>,
    pub(super) shape: Shape,
    /// What the values mean.
    pub(super) logical: Option<LogicalShape>,
    optional: bool,
    /// Whether the values may be missing because something around them is.
    pub(super) maybe: bool,
    /// The number of the list column whose items these are.
    pub(super) list: Option<usize>,
    entries: u64,
    present: u64,
    values: Values,
    /// Where along the rows they lie, if that is asked for.
    pub(super) along: Option<Along>,
}

impl ColumnStats {
    /// What is known of the column without its values.
    pub(super) fn blank(&self) -> Summary {
        let mark = if self.optional { "?" } else { "" };
        let kind = self.logical.as_ref().map(|logical| Shape::Logical(Box::new(logical.clone())));
        let kind = format!("{}{mark}", short_type_name(kind.as_ref().unwrap_or(&self.shape)));
        let lengths = matches!(self.shape, Shape::List(_) | Shape::Map(_));
        let (path, exact, field) = (self.path.clone(), self.exact.clone(), self.field.clone());
        Summary { path, exact, field, kind, lengths, ..Summary::default() }
    }

    pub(super) fn summary(&self) -> Summary {
        let mut summary = self.blank();
        summary.entries = Some(self.entries);
        summary.nulls = Some(self.entries - self.present.min(self.entries));
        match &self.values {
            Values::Nothing => {}
            Values::Boolean { yes } => {
                let counts = vec![(false, self.present - yes.min(&self.present)), (true, *yes)];
                tell_counts(counts, |value| ReportValue::Boolean(*value), &mut summary);
            }
            Values::Int(numbers) => numbers.tell(&mut summary),
            Values::Long(numbers) => numbers.tell(&mut summary),
            Values::U64(numbers) => numbers.tell(&mut summary),
            Values::I128(numbers) => numbers.tell(&mut summary),
            Values::U128(numbers) => numbers.tell(&mut summary),
            Values::Float(numbers) => numbers.tell(&mut summary),
            Values::Double(numbers) => numbers.tell(&mut summary),
            Values::Texts(texts) => texts.tell(&mut summary),
            Values::Decimal(numbers) => numbers.tell(&mut summary),
            Values::Lengths(numbers) => numbers.tell_range(&mut summary),
            Values::Enum(counts) => {
                if let Shape::Enum(shape) = &self.shape {
                    let counts = shape.symbols.iter().map(|symbol| &**symbol).zip(counts.iter().copied());
                    tell_counts(
                        counts.collect(),
                        |symbol| ReportValue::Text((*symbol).to_owned()),
                        &mut summary,
                    );
                }
            }
        }
        // An estimate may be too high.
        if let Some(distinct) = &mut summary.distinct {
            distinct.count = distinct.count.min(self.present);
        }
        if let Some(logical) = &self.logical {
            summary.with_logical(logical);
        }
        summary
    }
}

/// Writes down how often each of a few values occurs.
fn tell_counts<V: Ord>(mut counts: Vec<(V, u64)>, scalar: impl Fn(&V) -> ReportValue, summary: &mut Summary) {
    counts.retain(|(_, count)| *count > 0);
    summary.distinct = Some(super::distinct::Count { count: counts.len() as u64, exact: true });
    summary.min = counts.iter().map(|(value, _)| value).min().map(&scalar);
    summary.max = counts.iter().map(|(value, _)| value).max().map(&scalar);
    summary.top =
        most(counts).iter().map(|(value, count)| Top { value: scalar(value), count: *count }).collect();
}

/// The columns of a shape, those of fields in their order; `None` where rows have no fields.
pub(super) fn columns(shape: &Shape, bound: Bound) -> Vec<ColumnStats> {
    let mut walk = Walk { bound, columns: Vec::new() };
    match shape {
        Shape::Record(record) if record.fields.is_empty() => {}
        shape => walk.shape(shape, &Position::default()),
    }
    walk.columns
}

struct Walk {
    bound: Bound,
    columns: Vec<ColumnStats>,
}

#[derive(Clone, Default)]
struct Position {
    path: String,
    exact: String,
    field: Vec<String>,
    optional: bool,
    maybe: bool,
    list: Option<usize>,
}

impl Position {
    fn below(&self, name: &str) -> Self {
        self.branch(name, name)
    }

    /// What is below, by the name that is shown and the full one.
    fn branch(&self, name: &str, full: &str) -> Self {
        let joined = |path: &str, name: &str| match path {
            "" => name.to_owned(),
            path => format!("{path}.{name}"),
        };
        let (path, exact) = (joined(&self.path, name), joined(&self.exact, &format([name])));
        let field = [&self.field[..], &[full.to_owned()]].concat();
        Self { path, exact, field, optional: false, maybe: self.maybe || self.optional, list: self.list }
    }

    /// The items of the list that is column `list`.
    fn items(&self, item: &Shape, list: usize) -> Self {
        let mut inner = item;
        while let Shape::Optional(optional) = inner {
            inner = &optional.item;
        }
        let mark = if matches!(inner, Shape::Record(_)) { "" } else { "[]" };
        let (path, exact) = (format!("{}{mark}", self.path), format!("{}{mark}", self.exact));
        Self { path, exact, field: self.field.clone(), optional: false, maybe: false, list: Some(list) }
    }
}

impl Walk {
    fn shape(&mut self, shape: &Shape, place: &Position) {
        match shape.storage() {
            Shape::Optional(optional) => {
                let maybe = place.maybe || place.optional;
                self.shape(&optional.item, &Position { optional: true, maybe, ..place.clone() });
            }
            Shape::Record(record) if !record.fields.is_empty() => {
                record.fields.iter().for_each(|field| self.shape(&field.shape, &place.below(&field.name)));
            }
            Shape::List(item) => {
                let list = self.push(shape, place);
                self.shape(item, &place.items(item, list));
            }
            Shape::Map(map) => {
                let list = self.push(shape, place);
                let (path, exact) = (place.path.clone(), place.exact.clone());
                let items = Position { path, exact, ..place.items(shape, list) };
                self.shape(&map.key, &items.below("key"));
                self.shape(&map.value, &items.below("value"));
            }
            Shape::Union(variants) => {
                for variant in variants {
                    let full = variant.branch_name();
                    let place = place.branch(short_name(&full), &full);
                    self.shape(variant, &Position { optional: true, ..place });
                }
            }
            _ => {
                self.push(shape, place);
            }
        }
    }

    fn push(&mut self, shape: &Shape, place: &Position) -> usize {
        let values = Values::of(shape, self.bound);
        let path = if place.path.is_empty() { "value" } else { &place.path };
        let Position { exact, field, optional, maybe, list, .. } = place.clone();
        let logical = match shape {
            Shape::Logical(logical) if logical.logical.storage().is_some() => {
                Some(LogicalShape::clone(logical))
            }
            _ => None,
        };
        let (path, shape) = (path.to_owned(), shape.storage().clone());
        self.columns.push(ColumnStats {
            path,
            exact,
            field,
            shape,
            logical,
            optional,
            maybe,
            list,
            entries: 0,
            present: 0,
            values,
            along: None,
        });
        self.columns.len() - 1
    }
}

/// Adds the values of a vector to the columns of its shape; `entries` are the places that they are in.
///
/// # Errors
///
/// A vector of a kind that is not expected of the shape.
pub(super) fn add<'c>(
    shape: &Shape,
    vector: &Vector,
    entries: usize,
    columns: &mut impl Iterator<Item = &'c mut ColumnStats>,
) -> trevni::Result<()> {
    let mut count = |present: usize| {
        let column = columns.next().ok_or_else(unknown_kind)?;
        column.entries += entries as u64;
        column.present += present as u64;
        column.values.add(vector)?;
        if let Some(along) = &mut column.along {
            along.add(&column.values, vector);
        }
        Ok(())
    };
    match (shape.storage(), vector) {
        (Shape::Optional(optional), Vector::Optional(list)) => {
            add(&optional.item, &list.item, entries, columns)
        }
        (Shape::Record(record), Vector::Record(vector)) if !record.fields.is_empty() => {
            for (field, vector) in record.fields.iter().zip(&vector.fields) {
                add(&field.shape, vector, entries, columns)?;
            }
            Ok(())
        }
        (Shape::List(item), Vector::List(list)) => {
            count(list.offsets.len())?;
            add(item, &list.item, list.offsets.total(), columns)
        }
        (Shape::Map(shape), Vector::Map(map)) => {
            count(map.offsets.len())?;
            add(&shape.key, &map.key, map.offsets.total(), columns)?;
            add(&shape.value, &map.value, map.offsets.total(), columns)
        }
        (Shape::Union(shapes), Vector::Union(union)) => {
            for (shape, vector) in shapes.iter().zip(&union.variants) {
                add(shape, vector, entries, columns)?;
            }
            Ok(())
        }
        (Shape::Optional(_) | Shape::List(_) | Shape::Map(_) | Shape::Union(_), _) => Err(unknown_kind()),
        (Shape::Record(record), _) if !record.fields.is_empty() => Err(unknown_kind()),
        (Shape::Null | Shape::Unknown, _) => count(0),
        _ => count(vector.len()),
    }
}
