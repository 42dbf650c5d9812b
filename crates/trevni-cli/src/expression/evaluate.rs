//! Evaluates expressions, column by column.

use super::bind::{Bound, Step};
use super::column::{Column, Values};
use super::compute;
use super::place::{Located, Place, Scope};
use super::tree::Comparison;
use super::value::Value;
use crate::failure::Failure;
use std::borrow::Cow;
use trevni::{Offsets, Shape, Vector};

impl Bound {
    /// The value of each row.
    pub(crate) fn evaluate<'b>(&'b self, scope: &Scope<'b>) -> Result<Column<'b>, Failure> {
        let len = scope.len();
        Ok(match &self.step {
            Step::Constant(value) => constant(value, len),
            Step::Place(place) => Column::of(&located(scope, place)?)?,
            Step::Not(part) => not(part.evaluate(scope)?),
            Step::And(parts) => joined(parts, scope, false)?,
            Step::Or(parts) => joined(parts, scope, true)?,
            Step::Negate(part) => compute::negated(part.evaluate(scope)?)?,
            Step::Abs(part) => compute::absolute(part.evaluate(scope)?)?,
            Step::Round(part, digits) => compute::rounded(part.evaluate(scope)?, *digits)?,
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
                Column::new(Values::Boolean(found), present)
            }
            Step::IsNull(part) => {
                let column = part.evaluate(scope)?;
                Column::new(Values::Boolean((0..len).map(|row| !column.is_present(row)).collect()), None)
            }
            Step::StartsWith(parts) => {
                let (text, start) = (parts[0].evaluate(scope)?, parts[1].evaluate(scope)?);
                let present = both(text.present, &start.present);
                let starts = match (&text.values, &start.values) {
                    (Values::Text(texts), Values::Text(starts)) => {
                        pairs(texts, starts, |text, start| text.starts_with(&**start))
                    }
                    (Values::Bytes(values), Values::Text(starts)) => {
                        pairs(values, starts, |value, start| value.starts_with(start.as_bytes()))
                    }
                    _ => return Ok(Column::nulls(len)),
                };
                Column::new(Values::Boolean(starts), present)
            }
            Step::Matches(part, pattern) => match part.evaluate(scope)? {
                Column { values: Values::Text(texts), present } => {
                    let fits = texts.iter().map(|text| pattern.matches(text)).collect();
                    Column::new(Values::Boolean(fits), present)
                }
                _ => Column::nulls(len),
            },
            Step::Case { text, upper } => match text.evaluate(scope)? {
                Column { values: Values::Text(texts), present } => {
                    let changed = |text: Cow<'b, str>| {
                        Cow::Owned(if *upper { text.to_uppercase() } else { text.to_lowercase() })
                    };
                    Column::new(Values::Text(texts.into_iter().map(changed).collect()), present)
                }
                _ => Column::nulls(len),
            },
            Step::Len(part) => lengths(part, scope)?,
            Step::Items { every, list, condition } => items(*every, list, condition, scope)?,
        })
    }
}

fn located<'b>(scope: &Scope<'b>, place: &Place) -> Result<Located<'b>, Failure> {
    scope.at(place).ok_or_else(|| Failure::new("vectors have another form than their shape"))
}

fn constant<'b>(value: &'b Value, len: usize) -> Column<'b> {
    let values = match value {
        Value::Null => return Column::nulls(len),
        Value::Boolean(value) => Values::Boolean(vec![*value; len]),
        Value::Integer(value) => Values::Integer(vec![*value; len]),
        Value::Float(value) => Values::Float(vec![*value; len]),
        Value::Text(value) => Values::Text(vec![Cow::Borrowed(value.as_str()); len]),
        Value::Bytes(value) => Values::Bytes(vec![value.as_slice(); len]),
    };
    Column::new(values, None)
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

fn not(column: Column<'_>) -> Column<'_> {
    let Values::Boolean(mut values) = column.values else {
        return column;
    };
    values.iter_mut().for_each(|value| *value = !*value);
    Column::new(Values::Boolean(values), column.present)
}

/// Conditions joined by `and`, or by `or`: the truth that decides alone is `decides`.
fn joined<'b>(parts: &'b [Bound], scope: &Scope<'b>, decides: bool) -> Result<Column<'b>, Failure> {
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
    Ok(Column::new(Values::Boolean(values), known.contains(&false).then_some(known)))
}

fn compare<'b>(comparison: Comparison, one: Column<'b>, two: &Column<'b>) -> Column<'b> {
    use super::value::integer_to_float;
    let len = one.len();
    let holds = match (&one.values, &two.values) {
        (Values::Boolean(one), Values::Boolean(two)) => {
            pairs(one, two, |one, two| comparison.holds(Some(one.cmp(two))))
        }
        (Values::Integer(one), Values::Integer(two)) => {
            pairs(one, two, |one, two| comparison.holds(Some(one.cmp(two))))
        }
        (Values::Float(one), Values::Float(two)) => {
            pairs(one, two, |one, two| comparison.holds(one.partial_cmp(two)))
        }
        (Values::Integer(one), Values::Float(two)) => {
            pairs(one, two, |one, two| comparison.holds(integer_to_float(*one, *two)))
        }
        (Values::Float(one), Values::Integer(two)) => {
            pairs(one, two, |one, two| comparison.turned().holds(integer_to_float(*two, *one)))
        }
        (Values::Text(one), Values::Text(two)) => {
            pairs(one, two, |one, two| comparison.holds(Some(one.cmp(two))))
        }
        (Values::Bytes(one), Values::Bytes(two)) => {
            pairs(one, two, |one, two| comparison.holds(Some(one.cmp(two))))
        }
        _ => return Column::nulls(len),
    };
    Column::new(Values::Boolean(holds), both(one.present, &two.present))
}

fn lengths<'b>(part: &'b Bound, scope: &Scope<'b>) -> Result<Column<'b>, Failure> {
    let column = part.evaluate(scope)?;
    let lengths = match (&column.values, &part.step) {
        (Values::Text(texts), _) => texts.iter().map(|text| text.chars().count() as i128).collect(),
        (Values::Bytes(values), _) => values.iter().map(|value| value.len() as i128).collect(),
        (_, Step::Place(place)) => {
            let located = located(scope, place)?;
            let Some(offsets) = offsets(located.vector) else {
                return Ok(Column::nulls(column.len()));
            };
            let length =
                |row| located.entry(row).and_then(|at| offsets.range(at)).map_or(0, |range| range.len());
            (0..scope.len()).map(|row| length(row) as i128).collect()
        }
        _ => return Ok(Column::nulls(column.len())),
    };
    Ok(Column::new(Values::Integer(lengths), column.present))
}

/// Where the items of lists, or the entries of maps, are.
pub(crate) fn offsets(vector: &Vector) -> Option<&Offsets> {
    match vector {
        Vector::List(list) => Some(&list.offsets),
        Vector::Map(map) => Some(&map.offsets),
        _ => None,
    }
}

fn items<'b>(
    every: bool,
    list: &Place,
    condition: &'b Bound,
    scope: &Scope<'b>,
) -> Result<Column<'b>, Failure> {
    let located = located(scope, list)?;
    let within = match (located.shape, located.vector) {
        (Shape::List(shape), Vector::List(list)) => Scope::items_of(shape, &list.item),
        (Shape::Map(shape), Vector::Map(map)) => Scope::entries_of(shape, map),
        _ => return Ok(Column::nulls(scope.len())),
    };
    let truths = condition.evaluate(&within)?;
    let (mut values, mut known) = (Vec::with_capacity(scope.len()), Vec::with_capacity(scope.len()));
    for row in 0..scope.len() {
        let range = located.entry(row).and_then(|at| offsets(located.vector)?.range(at));
        let Some(mut range) = range else {
            values.push(false);
            known.push(false);
            continue;
        };
        let is_known = range.clone().all(|item| truths.is_present(item));
        // One item decides: any that is true, or for all any that is false.
        let decided = range.any(|item| truths.is_present(item) && truths.is_true(item) != every);
        values.push(decided != every);
        known.push(decided || is_known);
    }
    Ok(Column::new(Values::Boolean(values), known.contains(&false).then_some(known)))
}
