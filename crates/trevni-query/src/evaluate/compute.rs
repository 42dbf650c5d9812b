//! Arithmetic on columns: integers exactly, or with an error where they get too large.

use super::column::{ScalarColumn, ScalarValues};
use super::steps::{both, pairs};
use crate::decimal::Decimal;
use crate::error::Error;
use crate::step::Rounding;
use crate::syntax::Operation;

fn too_large() -> Error {
    Error::value("an integer gets larger than 128 bits").with_hint("As a float it may be: write 1.0 * x")
}

/// What a checked operation gives for each row; rows without a value do not matter.
fn checked<'b>(
    values: impl Iterator<Item = Option<i128>>,
    present: Option<Vec<bool>>,
) -> Result<ScalarColumn<'b>, Error> {
    let mut out = Vec::with_capacity(values.size_hint().0);
    for (row, value) in values.enumerate() {
        let matters = || present.as_ref().is_none_or(|present| present.get(row) == Some(&true));
        match value {
            Some(value) => out.push(value),
            None if matters() => return Err(too_large()),
            None => out.push(0),
        }
    }
    Ok(ScalarColumn::new(ScalarValues::Integer(out), present))
}

pub(super) fn negated(column: ScalarColumn<'_>) -> Result<ScalarColumn<'_>, Error> {
    match column.values {
        ScalarValues::Integer(values) => {
            checked(values.iter().map(|value| value.checked_neg()), column.present)
        }
        ScalarValues::Float(values) => Ok(ScalarColumn::new(
            ScalarValues::Float(values.iter().map(|value| -value).collect()),
            column.present,
        )),
        ScalarValues::Decimal(values) => Ok(decimals(&values, Decimal::negated, column.present)),
        values => Ok(ScalarColumn::nulls(ScalarColumn::new(values, None).len())),
    }
}

pub(super) fn absolute(column: ScalarColumn<'_>) -> Result<ScalarColumn<'_>, Error> {
    match column.values {
        ScalarValues::Integer(values) => {
            checked(values.iter().map(|value| value.checked_abs()), column.present)
        }
        ScalarValues::Float(values) => Ok(ScalarColumn::new(
            ScalarValues::Float(values.iter().map(|value| value.abs()).collect()),
            column.present,
        )),
        ScalarValues::Decimal(values) => Ok(decimals(&values, Decimal::absolute, column.present)),
        values => Ok(ScalarColumn::nulls(ScalarColumn::new(values, None).len())),
    }
}

/// Rounds numbers; integers have no digits after the point.
pub(super) fn rounded(column: ScalarColumn<'_>, rounding: Rounding) -> Result<ScalarColumn<'_>, Error> {
    match column.values {
        ScalarValues::Float(values) => {
            let values = values.iter().map(|value| rounded_float(*value, rounding)).collect();
            Ok(ScalarColumn::new(ScalarValues::Float(values), column.present))
        }
        ScalarValues::Integer(values) => match rounding {
            Rounding::Nearest(digits) if digits < 0 => {
                // What is rounded to more digits than there are is nothing.
                let scale = 10i128.checked_pow(digits.unsigned_abs());
                let round = |value: &i128| scale.map_or(Some(0), |scale| rounded_integer(*value, scale));
                checked(values.iter().map(round), column.present)
            }
            _ => Ok(ScalarColumn::new(ScalarValues::Integer(values), column.present)),
        },
        ScalarValues::Decimal(values) => {
            let round = |value: &Decimal| match rounding {
                Rounding::Nearest(digits) => value.rounded(digits),
                Rounding::Down => value.floor(),
                Rounding::Up => value.negated().floor().negated(),
            };
            Ok(decimals(&values, round, column.present))
        }
        values => Ok(ScalarColumn::new(values, column.present)),
    }
}

fn rounded_float(value: f64, rounding: Rounding) -> f64 {
    let scale = |digits: i32| 10f64.powi(digits.abs());
    match rounding {
        Rounding::Down => value.floor(),
        Rounding::Up => value.ceil(),
        Rounding::Nearest(0) => value.round(),
        Rounding::Nearest(digits @ 1..) if (value * scale(digits)).is_finite() => {
            (value * scale(digits)).round() / scale(digits)
        }
        Rounding::Nearest(1..) => value,
        Rounding::Nearest(digits) => (value / scale(digits)).round() * scale(digits),
    }
}

fn decimals<'b>(
    values: &[Decimal],
    to: impl Fn(&Decimal) -> Decimal,
    present: Option<Vec<bool>>,
) -> ScalarColumn<'b> {
    ScalarColumn::new(ScalarValues::Decimal(values.iter().map(to).collect()), present)
}

fn rounded_integer(value: i128, scale: i128) -> Option<i128> {
    let rest = value % scale;
    let is_far = rest.unsigned_abs() >= scale.unsigned_abs().div_ceil(2);
    (value - rest).checked_add(if is_far { scale * rest.signum() } else { 0 })
}

/// Two columns computed to one. What is divided by zero has no value.
pub(super) fn computed<'b>(
    operation: Operation,
    one: ScalarColumn<'b>,
    two: ScalarColumn<'b>,
) -> Result<ScalarColumn<'b>, Error> {
    let present = both(one.present, &two.present);
    let (one, two) = match (one.values, two.values) {
        (ScalarValues::Integer(one), ScalarValues::Integer(two)) if operation != Operation::Divide => {
            return integers(operation, &one, &two, present);
        }
        (
            one @ (ScalarValues::Decimal(_) | ScalarValues::Integer(_)),
            two @ (ScalarValues::Decimal(_) | ScalarValues::Integer(_)),
        ) if operation != Operation::Divide => {
            return Ok(exactly(operation, &exact(one), &exact(two), present));
        }
        (ScalarValues::Opaque(len), _) | (_, ScalarValues::Opaque(len)) => {
            return Ok(ScalarColumn::nulls(len));
        }
        (one, two) => (floats(one), floats(two)),
    };
    let values = match operation {
        Operation::Add => pairs(&one, &two, |one, two| one + two),
        Operation::Subtract => pairs(&one, &two, |one, two| one - two),
        Operation::Multiply => pairs(&one, &two, |one, two| one * two),
        Operation::Divide => pairs(&one, &two, |one, two| one / two),
        Operation::Remainder => pairs(&one, &two, |one, two| one % two),
    };
    let present = match operation {
        Operation::Divide | Operation::Remainder => not_zero(present, two.iter().map(|value| *value == 0.0)),
        _ => present,
    };
    Ok(ScalarColumn::new(ScalarValues::Float(values), present))
}

fn integers<'b>(
    operation: Operation,
    one: &[i128],
    two: &[i128],
    present: Option<Vec<bool>>,
) -> Result<ScalarColumn<'b>, Error> {
    let both = one.iter().zip(two);
    match operation {
        Operation::Add => checked(both.map(|(one, two)| one.checked_add(*two)), present),
        Operation::Subtract => checked(both.map(|(one, two)| one.checked_sub(*two)), present),
        Operation::Multiply => checked(both.map(|(one, two)| one.checked_mul(*two)), present),
        Operation::Divide | Operation::Remainder => {
            let present = not_zero(present, two.iter().map(|value| *value == 0));
            // The least integer is a multiple of -1, though their quotient is too large.
            let rest =
                |(one, two): (&i128, &i128)| if *two == 0 { Some(0) } else { Some(one.wrapping_rem(*two)) };
            checked(both.map(rest), present)
        }
    }
}

/// Integers and decimals as decimals.
pub(super) fn exact(values: ScalarValues<'_>) -> Vec<Decimal> {
    match values {
        ScalarValues::Decimal(values) => values,
        ScalarValues::Integer(values) => values.iter().map(|value| Decimal::of_integer(*value)).collect(),
        other => vec![Decimal::default(); ScalarColumn::new(other, None).len()],
    }
}

fn exactly<'b>(
    operation: Operation,
    one: &[Decimal],
    two: &[Decimal],
    present: Option<Vec<bool>>,
) -> ScalarColumn<'b> {
    let present = match operation {
        Operation::Remainder => not_zero(present, two.iter().map(Decimal::is_zero)),
        _ => present,
    };
    let values = pairs(one, two, |one, two| match operation {
        Operation::Add => one.add(two),
        Operation::Subtract => one.subtract(two),
        Operation::Multiply => one.multiply(two),
        Operation::Divide | Operation::Remainder => one.remainder(two).unwrap_or_default(),
    });
    ScalarColumn::new(ScalarValues::Decimal(values), present)
}

fn not_zero(present: Option<Vec<bool>>, zeros: impl Iterator<Item = bool>) -> Option<Vec<bool>> {
    let zeros: Vec<bool> = zeros.collect();
    if !zeros.contains(&true) {
        return present;
    }
    both(present, &Some(zeros.into_iter().map(|zero| !zero).collect()))
}

fn floats(values: ScalarValues<'_>) -> Vec<f64> {
    match values {
        ScalarValues::Integer(values) => values.iter().map(|value| *value as f64).collect(),
        ScalarValues::Float(values) => values,
        ScalarValues::Decimal(values) => values.iter().map(Decimal::to_float).collect(),
        other => vec![f64::NAN; ScalarColumn::new(other, None).len()],
    }
}
