//! Evaluates the steps of an expression.

use super::column::{ScalarColumn, ScalarValues};
use super::{Accessor, Located, Scope};
use super::{choices, compute, lists, logical, texts};
use crate::decimal::Decimal;
use crate::error::Error;
use crate::scalar::{Scalar, integer_to_float};
use crate::step::{BoundExpression, Step};
use crate::syntax::Comparison;
use std::borrow::Cow;

impl BoundExpression {
    /// The values of the expression for all rows of a scope.
    ///
    /// # Errors
    ///
    /// An integer gets larger than 128 bits, or vectors have another form than their shape.
    pub fn evaluate<'b>(&'b self, scope: &Scope<'b>) -> Result<ScalarColumn<'b>, Error> {
        let len = scope.len();
        Ok(match &self.step {
            Step::Constant(value) => constant(value, len),
            Step::Access(place) => match scope.made(place) {
                Some(column) => column.clone(),
                None => ScalarColumn::of(&located(scope, place)?)?,
            },
            Step::Not(part) => not(part.evaluate(scope)?),
            Step::And(parts) => joined(parts, scope, false)?,
            Step::Or(parts) => joined(parts, scope, true)?,
            Step::Negate(part) => compute::negated(part.evaluate(scope)?)?,
            Step::Abs(part) => compute::absolute(part.evaluate(scope)?)?,
            Step::Round(part, rounding) => compute::rounded(part.evaluate(scope)?, *rounding)?,
            Step::Texts(function, parts) => texts::computed(function, &columns(parts, scope)?, len)?,
            Step::Cast(part, cast) => texts::cast(part.evaluate(scope)?, *cast),
            Step::Coalesce(parts) => choices::first(self.kind, columns(parts, scope)?, len)?,
            Step::If(parts) => choices::chosen(self.kind, columns(parts, scope)?, len)?,
            Step::Weekday(part) => logical::weekdays(part.evaluate(scope)?),
            Step::Epoch(part) => logical::epochs(part.evaluate(scope)?),
            Step::Truncate(part, unit) => logical::truncated(part.evaluate(scope)?, *unit)?,
            Step::Part(part, unit) => logical::parts(part.evaluate(scope)?, *unit),
            Step::Format(part, pattern) => texts::formatted(&part.evaluate(scope)?, pattern)?,
            Step::Parse(part, pattern) => texts::parsed(&part.evaluate(scope)?, pattern),
            Step::Date(part) => logical::dates(part.evaluate(scope)?)?,
            Step::Difference(parts) => {
                logical::differences(parts[0].evaluate(scope)?, parts[1].evaluate(scope)?)
            }
            Step::Move(operation, parts) => {
                logical::moved(*operation, parts[0].evaluate(scope)?, parts[1].evaluate(scope)?)?
            }
            Step::Compute(operation, parts) => {
                compute::computed(*operation, parts[0].evaluate(scope)?, parts[1].evaluate(scope)?)?
            }
            Step::Compare(comparison, parts) => {
                compare(*comparison, parts[0].evaluate(scope)?, &parts[1].evaluate(scope)?)
            }
            Step::In(part, set, has_null) => {
                let column = part.evaluate(scope)?;
                let mut bytes = Vec::new();
                let within = |row| {
                    bytes.clear();
                    column.get(row).encode(&mut bytes);
                    set.contains(&bytes)
                };
                let found: Vec<bool> = (0..len).map(within).collect();
                // What is not among values that are known may be the one that is not.
                let known =
                    |row: usize| column.is_present(row) && (!has_null || found.get(row) == Some(&true));
                let present = Some((0..len).map(known).collect());
                ScalarColumn::new(ScalarValues::Boolean(found), present)
            }
            Step::IsNull(part) => {
                let column = part.evaluate(scope)?;
                ScalarColumn::new(
                    ScalarValues::Boolean((0..len).map(|row| !column.is_present(row)).collect()),
                    None,
                )
            }
            Step::StartsWith(parts) => {
                let (text, start) = (parts[0].evaluate(scope)?, parts[1].evaluate(scope)?);
                let present = both(text.present, &start.present);
                let starts = match (&text.values, &start.values) {
                    (ScalarValues::Text(texts), ScalarValues::Text(starts)) => {
                        pairs(texts, starts, |text, start| text.starts_with(&**start))
                    }
                    (ScalarValues::Bytes(values), ScalarValues::Text(starts)) => {
                        pairs(values, starts, |value, start| value.starts_with(start.as_bytes()))
                    }
                    _ => return Ok(ScalarColumn::nulls(len)),
                };
                ScalarColumn::new(ScalarValues::Boolean(starts), present)
            }
            Step::Matches(part, pattern) => match part.evaluate(scope)? {
                ScalarColumn { values: ScalarValues::Text(texts), present } => {
                    let fits = texts.iter().map(|text| pattern.matches(text)).collect();
                    ScalarColumn::new(ScalarValues::Boolean(fits), present)
                }
                _ => ScalarColumn::nulls(len),
            },
            Step::Case { text, upper } => match text.evaluate(scope)? {
                ScalarColumn { values: ScalarValues::Text(texts), present } => {
                    let changed = |text: Cow<'b, str>| {
                        Cow::Owned(if *upper { text.to_uppercase() } else { text.to_lowercase() })
                    };
                    ScalarColumn::new(ScalarValues::Text(texts.into_iter().map(changed).collect()), present)
                }
                _ => ScalarColumn::nulls(len),
            },
            Step::Len(part) => lists::lengths(part, scope)?,
            Step::Items { every, list, condition } => lists::items(*every, list, condition, scope)?,
        })
    }
}

fn columns<'b>(parts: &'b [BoundExpression], scope: &Scope<'b>) -> Result<Vec<ScalarColumn<'b>>, Error> {
    parts.iter().map(|part| part.evaluate(scope)).collect()
}

pub(super) fn located<'b>(scope: &Scope<'b>, place: &Accessor) -> Result<Located<'b>, Error> {
    scope.at(place).ok_or_else(|| Error::value("vectors have another form than their shape"))
}

fn constant<'b>(value: &'b Scalar, len: usize) -> ScalarColumn<'b> {
    let values = match value {
        Scalar::Null => return ScalarColumn::nulls(len),
        Scalar::Boolean(value) => ScalarValues::Boolean(vec![*value; len]),
        Scalar::Integer(value) => ScalarValues::Integer(vec![*value; len]),
        Scalar::Float(value) => ScalarValues::Float(vec![*value; len]),
        Scalar::Decimal(value) => ScalarValues::Decimal(vec![value.clone(); len]),
        Scalar::Moment(value) => ScalarValues::Moment(value.kind, vec![value.nanos; len]),
        Scalar::Ip(value) => ScalarValues::Ip(vec![*value; len]),
        Scalar::Text(value) => ScalarValues::Text(vec![Cow::Borrowed(value.as_str()); len]),
        Scalar::Bytes(value) => ScalarValues::Bytes(vec![value.as_slice(); len]),
    };
    ScalarColumn::new(values, None)
}

/// Where both are present.
pub(super) fn both(one: Option<Vec<bool>>, two: &Option<Vec<bool>>) -> Option<Vec<bool>> {
    match (one, two) {
        (None, two) => two.clone(),
        (one, None) => one,
        (Some(one), Some(two)) => Some(pairs(&one, two, |one, two| *one && *two)),
    }
}

/// One value of each two.
pub(super) fn pairs<A, B, C>(one: &[A], two: &[B], of: impl Fn(&A, &B) -> C) -> Vec<C> {
    one.iter().zip(two).map(|(one, two)| of(one, two)).collect()
}

fn not(column: ScalarColumn<'_>) -> ScalarColumn<'_> {
    let ScalarValues::Boolean(mut values) = column.values else {
        return column;
    };
    values.iter_mut().for_each(|value| *value = !*value);
    ScalarColumn::new(ScalarValues::Boolean(values), column.present)
}

/// Conditions joined by `and`, or by `or`: the value that decides alone is `decides`.
fn joined<'b>(
    parts: &'b [BoundExpression],
    scope: &Scope<'b>,
    decides: bool,
) -> Result<ScalarColumn<'b>, Error> {
    let len = scope.len();
    let (mut values, mut known) = (vec![!decides; len], vec![true; len]);
    for part in parts {
        let column = part.evaluate(scope)?;
        for (row, (value, known)) in values.iter_mut().zip(&mut known).enumerate() {
            if *value == decides {
                continue;
            }
            if !column.is_present(row) {
                *known = false;
            } else if column.is_true(row) == decides {
                (*value, *known) = (decides, true);
            }
        }
        if values.iter().all(|value| *value == decides) {
            break;
        }
    }
    Ok(ScalarColumn::new(ScalarValues::Boolean(values), known.contains(&false).then_some(known)))
}

fn compare<'b>(comparison: Comparison, one: ScalarColumn<'b>, two: &ScalarColumn<'b>) -> ScalarColumn<'b> {
    let len = one.len();
    let holds = match (&one.values, &two.values) {
        (ScalarValues::Boolean(one), ScalarValues::Boolean(two)) => {
            pairs(one, two, |one, two| comparison.holds(Some(one.cmp(two))))
        }
        (ScalarValues::Integer(one), ScalarValues::Integer(two)) => {
            pairs(one, two, |one, two| comparison.holds(Some(one.cmp(two))))
        }
        (ScalarValues::Float(one), ScalarValues::Float(two)) => {
            pairs(one, two, |one, two| comparison.holds(one.partial_cmp(two)))
        }
        (ScalarValues::Integer(one), ScalarValues::Float(two)) => {
            pairs(one, two, |one, two| comparison.holds(integer_to_float(*one, *two)))
        }
        (ScalarValues::Float(one), ScalarValues::Integer(two)) => {
            pairs(one, two, |one, two| comparison.turned().holds(integer_to_float(*two, *one)))
        }
        (ScalarValues::Decimal(one), ScalarValues::Decimal(two)) => {
            pairs(one, two, |one, two| comparison.holds(Some(one.cmp(two))))
        }
        (ScalarValues::Decimal(one), ScalarValues::Integer(two)) => {
            pairs(one, two, |one, two| comparison.holds(Some(one.cmp(&Decimal::of_integer(*two)))))
        }
        (ScalarValues::Integer(one), ScalarValues::Decimal(two)) => {
            pairs(one, two, |one, two| comparison.holds(Some(Decimal::of_integer(*one).cmp(two))))
        }
        (ScalarValues::Decimal(one), ScalarValues::Float(two)) => {
            pairs(one, two, |one, two| comparison.holds(one.to_float().partial_cmp(two)))
        }
        (ScalarValues::Float(one), ScalarValues::Decimal(two)) => {
            pairs(one, two, |one, two| comparison.holds(one.partial_cmp(&two.to_float())))
        }
        (ScalarValues::Moment(_, one), ScalarValues::Moment(_, two)) => {
            pairs(one, two, |one, two| comparison.holds(Some(one.cmp(two))))
        }
        (ScalarValues::Ip(one), ScalarValues::Ip(two)) => {
            pairs(one, two, |one, two| comparison.holds(Some(one.cmp(two))))
        }
        (ScalarValues::Text(one), ScalarValues::Text(two)) => {
            pairs(one, two, |one, two| comparison.holds(Some(one.cmp(two))))
        }
        (ScalarValues::Bytes(one), ScalarValues::Bytes(two)) => {
            pairs(one, two, |one, two| comparison.holds(Some(one.cmp(two))))
        }
        _ => return ScalarColumn::nulls(len),
    };
    ScalarColumn::new(ScalarValues::Boolean(holds), both(one.present, &two.present))
}
