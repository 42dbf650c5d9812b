//! Values of which one is chosen for each row: `if`, `coalesce`, branches of unions.

use super::column::{ScalarColumn, ScalarValues, above_floats};
use super::compute::exact;
use crate::decimal::Decimal;
use crate::error::Error;
use crate::scalar::integer_to_float;
use crate::types::Type;

/// For each row the first value that is there.
pub(super) fn first<'b>(
    kind: Type,
    columns: Vec<ScalarColumn<'b>>,
    len: usize,
) -> Result<ScalarColumn<'b>, Error> {
    let picks = (0..len).map(|row| columns.iter().position(|column| column.is_present(row))).collect();
    merged(kind, columns, picks)
}

/// The values of the second column where the condition in the first is true, else those of the third.
pub(super) fn chosen<'b>(
    kind: Type,
    mut columns: Vec<ScalarColumn<'b>>,
    len: usize,
) -> Result<ScalarColumn<'b>, Error> {
    let [condition, one, other] = &columns[..] else {
        return Ok(ScalarColumn::nulls(len));
    };
    let pick = |row| match condition.is_true(row) {
        true => one.is_present(row).then_some(0),
        false => other.is_present(row).then_some(1),
    };
    let picks = (0..len).map(pick).collect();
    columns.remove(0);
    merged(kind, columns, picks)
}

/// The values of the picked columns, which all become of one type; none is where none is picked.
fn merged<'b>(
    kind: Type,
    columns: Vec<ScalarColumn<'b>>,
    picks: Vec<Option<usize>>,
) -> Result<ScalarColumn<'b>, Error> {
    let columns = columns.into_iter().map(|column| converted(kind, column)).collect::<Result<Vec<_>, _>>()?;
    let values = match kind {
        Type::Boolean => ScalarValues::Boolean(of(&columns, &picks, |values| match values {
            ScalarValues::Boolean(values) => Some(values),
            _ => None,
        })),
        Type::Integer => ScalarValues::Integer(of(&columns, &picks, |values| match values {
            ScalarValues::Integer(values) => Some(values),
            _ => None,
        })),
        Type::Single | Type::Float => ScalarValues::Float(of(&columns, &picks, |values| match values {
            ScalarValues::Float(values) => Some(values),
            _ => None,
        })),
        Type::Decimal => ScalarValues::Decimal(of(&columns, &picks, |values| match values {
            ScalarValues::Decimal(values) => Some(values),
            _ => None,
        })),
        Type::Moment(kind, _) => ScalarValues::Moment(
            kind,
            of(&columns, &picks, |values| match values {
                ScalarValues::Moment(_, values) => Some(values),
                _ => None,
            }),
        ),
        Type::IpAddress | Type::IpNetwork => ScalarValues::Ip(of(&columns, &picks, |values| match values {
            ScalarValues::Ip(values) => Some(values),
            _ => None,
        })),
        Type::Text | Type::Uuid | Type::Duration => {
            ScalarValues::Text(of(&columns, &picks, |values| match values {
                ScalarValues::Text(values) => Some(values),
                _ => None,
            }))
        }
        Type::Bytes => ScalarValues::Bytes(of(&columns, &picks, |values| match values {
            ScalarValues::Bytes(values) => Some(values),
            _ => None,
        })),
        Type::Null | Type::List | Type::Map | Type::Other(_) => return Ok(ScalarColumn::nulls(picks.len())),
    };
    let present: Vec<bool> = picks.iter().map(Option::is_some).collect();
    Ok(ScalarColumn::new(values, present.contains(&false).then_some(present)))
}

/// The values of the columns that are picked.
fn of<'b, T: Clone + Default>(
    columns: &[ScalarColumn<'b>],
    picks: &[Option<usize>],
    values: impl for<'c> Fn(&'c ScalarValues<'b>) -> Option<&'c Vec<T>>,
) -> Vec<T> {
    let columns: Vec<Option<&Vec<T>>> = columns.iter().map(|column| values(&column.values)).collect();
    let value =
        |(row, pick): (usize, &Option<usize>)| columns.get((*pick)?).copied().flatten()?.get(row).cloned();
    picks.iter().enumerate().map(|pick| value(pick).unwrap_or_default()).collect()
}

/// Numbers as those of another type, without loss; all else as it is.
fn converted(kind: Type, column: ScalarColumn<'_>) -> Result<ScalarColumn<'_>, Error> {
    let values = match (kind, column.values) {
        (Type::Float | Type::Single, ScalarValues::Integer(values)) => {
            let is_exact = |(row, value): (usize, &i128)| {
                let is_there = column.present.as_ref().is_none_or(|present| present.get(row) == Some(&true));
                !is_there || integer_to_float(*value, *value as f64).is_some_and(|order| order.is_eq())
            };
            if !values.iter().enumerate().all(is_exact) {
                return Err(above_floats());
            }
            ScalarValues::Float(values.iter().map(|value| *value as f64).collect())
        }
        (Type::Float | Type::Single, ScalarValues::Decimal(values)) => {
            ScalarValues::Float(values.iter().map(Decimal::to_float).collect())
        }
        (Type::Decimal, values @ ScalarValues::Integer(_)) => ScalarValues::Decimal(exact(values)),
        (_, values) => values,
    };
    Ok(ScalarColumn::new(values, column.present))
}
