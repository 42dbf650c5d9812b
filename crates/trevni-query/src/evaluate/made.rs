//! Rows that lie in no batch: values that were made, such as those of groups.

use super::column::{ScalarColumn, ScalarValues};
use super::scope::Scope;
use crate::decimal::Decimal;
use crate::moment::MomentKind;
use crate::scalar::Scalar;
use std::borrow::Cow;
use trevni::Shape;
use trevni::shape::{IpFamily, Logical};

/// Columns of values that were made, as rows that expressions are evaluated for.
///
/// ```
/// use trevni_query::{Binder, Expression, MadeRows, Residual, Scalar};
///
/// let counts = [Scalar::Integer(3), Scalar::Null, Scalar::Integer(500)];
/// let rows = MadeRows::new([("count", &counts[..])]).unwrap();
/// let many = Expression::parse("count > 100")?.bind(&Binder::new(rows.shape()))?;
/// assert_eq!(Residual::rows(&many, &rows.scope())?, [2]);
/// # Ok::<(), trevni_query::Error>(())
/// ```
#[derive(Debug)]
pub struct MadeRows<'v> {
    shape: Shape,
    columns: Vec<ScalarColumn<'v>>,
    len: usize,
}

impl<'v> MadeRows<'v> {
    /// Columns by their names; of several with one name the first. `None` where a column has values of several types.
    pub fn new<'n>(columns: impl IntoIterator<Item = (&'n str, &'v [Scalar])>) -> Option<Self> {
        let (mut fields, mut made, mut len) = (Vec::<(String, Shape)>::new(), Vec::new(), 0);
        for (name, values) in columns {
            if fields.iter().any(|(own, _)| own == name) {
                continue;
            }
            let column = column(values)?;
            len = values.len();
            fields.push((name.to_owned(), shape(&column.values)?));
            made.push(column);
        }
        Some(Self { shape: Shape::record("Made", fields), columns: made, len })
    }

    /// What expressions are bound to.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The rows.
    pub fn scope(&self) -> Scope<'_> {
        Scope::of_columns(&self.columns, self.len)
    }
}

/// The values as a column of one type.
fn column(values: &[Scalar]) -> Option<ScalarColumn<'_>> {
    let len = values.len();
    let Some(first) = values.iter().find(|value| **value != Scalar::Null) else {
        return Some(ScalarColumn::nulls(len));
    };
    let is_there = |value: &Scalar| *value != Scalar::Null;
    let present: Vec<bool> = values.iter().map(is_there).collect();
    let made = match first {
        Scalar::Null => return None,
        Scalar::Boolean(_) => ScalarValues::Boolean(all(values, |value| match value {
            Scalar::Boolean(value) => Some(*value),
            _ => None,
        })?),
        Scalar::Integer(_) | Scalar::Float(_)
            if values.iter().any(|value| matches!(value, Scalar::Float(_))) =>
        {
            ScalarValues::Float(all(values, |value| match value {
                Scalar::Integer(value) => Some(*value as f64),
                Scalar::Float(value) => Some(*value),
                _ => None,
            })?)
        }
        Scalar::Integer(_) | Scalar::Float(_) => ScalarValues::Integer(all(values, |value| match value {
            Scalar::Integer(value) => Some(*value),
            _ => None,
        })?),
        Scalar::Decimal(_) => ScalarValues::Decimal(all(values, |value| match value {
            Scalar::Decimal(value) => Some(value.clone()),
            Scalar::Integer(value) => Some(Decimal::of_integer(*value)),
            _ => None,
        })?),
        Scalar::Moment(moment) => {
            let kind = moment.kind;
            let nanos = |value: &Scalar| match value {
                Scalar::Moment(value) if value.kind == kind => Some(value.nanos),
                _ => None,
            };
            ScalarValues::Moment(kind, all(values, nanos)?)
        }
        Scalar::Ip(_) => ScalarValues::Ip(all(values, |value| match value {
            Scalar::Ip(value) => Some(*value),
            _ => None,
        })?),
        Scalar::Text(_) => ScalarValues::Text(all(values, |value| match value {
            Scalar::Text(value) => Some(Cow::Borrowed(value.as_str())),
            _ => None,
        })?),
        Scalar::Bytes(_) => ScalarValues::Bytes(all(values, |value| match value {
            Scalar::Bytes(value) => Some(value.as_slice()),
            _ => None,
        })?),
    };
    Some(ScalarColumn::new(made, present.contains(&false).then_some(present)))
}

/// The values, defaults for nulls; `None` where one is of another type.
fn all<'v, T: Default>(values: &'v [Scalar], of: impl Fn(&'v Scalar) -> Option<T>) -> Option<Vec<T>> {
    let value = |value: &'v Scalar| if *value == Scalar::Null { Some(T::default()) } else { of(value) };
    values.iter().map(value).collect()
}

/// A shape of the type of the values.
fn shape(values: &ScalarValues<'_>) -> Option<Shape> {
    Some(match values {
        ScalarValues::Boolean(_) => Shape::Boolean,
        ScalarValues::Integer(_) => Shape::I128,
        ScalarValues::Float(_) => Shape::Double,
        ScalarValues::Text(_) => Shape::String,
        ScalarValues::Bytes(_) => Shape::Bytes,
        ScalarValues::Opaque(_) => Shape::Null,
        ScalarValues::Ip(values) => logical(match values.iter().any(|ip| ip.prefix.is_some()) {
            true => Logical::IpNetwork(IpFamily::Any),
            false => Logical::IpAddress(IpFamily::Any),
        })?,
        ScalarValues::Decimal(_) => logical(Logical::Decimal { precision: 1, scale: 0 })?,
        ScalarValues::Moment(kind, _) => logical(match kind {
            MomentKind::Date => Logical::Date,
            MomentKind::Time => Logical::TimeNanos,
            MomentKind::Instant => Logical::TimestampNanos,
            MomentKind::Local => Logical::LocalTimestampNanos,
        })?,
    })
}

fn logical(logical: Logical) -> Option<Shape> {
    let storage = logical.storage()?;
    Shape::logical(logical, storage).ok()
}
