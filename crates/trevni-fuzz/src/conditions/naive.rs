//! What expressions are, row by row, as the page of help has it.

use super::Row;
use super::tree::Tree;
use std::cmp::Ordering;

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Null,
    Boolean(bool),
    Integer(i128),
    Float(f64),
    Text(String),
}

/// An error: an integer of more than 128 bits, or one that no float is.
pub(super) struct TooLarge;

type Result<T> = std::result::Result<T, TooLarge>;

/// The row, and the item where there is one.
#[derive(Clone, Copy)]
pub(super) struct Around<'r> {
    pub(super) row: &'r Row,
    pub(super) item: Option<i64>,
}

/// The exact order; `None` for NaN.
fn order(one: &Value, other: &Value) -> Option<Ordering> {
    match (one, other) {
        (Value::Boolean(one), Value::Boolean(other)) => Some(one.cmp(other)),
        (Value::Integer(one), Value::Integer(other)) => Some(one.cmp(other)),
        (Value::Float(one), Value::Float(other)) => one.partial_cmp(other),
        (Value::Integer(one), Value::Float(other)) => integer_to_float(*one, *other),
        (Value::Float(one), Value::Integer(other)) => integer_to_float(*other, *one).map(Ordering::reverse),
        (Value::Text(one), Value::Text(other)) => Some(one.cmp(other)),
        _ => None,
    }
}

fn integer_to_float(integer: i128, float: f64) -> Option<Ordering> {
    let rounded = integer as f64;
    // Floats that are far apart from the integer differ from the float next to it.
    match rounded.partial_cmp(&float)? {
        Ordering::Equal if rounded >= i128::MAX as f64 => Some(Ordering::Less),
        Ordering::Equal => Some(integer.cmp(&(float as i128))),
        other => Some(other),
    }
}

fn truth(value: &Value) -> Option<bool> {
    match value {
        Value::Boolean(truth) => Some(*truth),
        _ => None,
    }
}

fn of_truth(truth: Option<bool>) -> Value {
    truth.map_or(Value::Null, Value::Boolean)
}

fn and(parts: impl IntoIterator<Item = Option<bool>>) -> Option<bool> {
    let mut all = Some(true);
    for part in parts {
        match part {
            Some(false) => return part,
            None => all = None,
            Some(true) => {}
        }
    }
    all
}

fn not(truth: Option<bool>) -> Option<bool> {
    truth.map(|truth| !truth)
}

fn compare(kind: usize, one: &Value, other: &Value) -> Option<bool> {
    if matches!(one, Value::Null) || matches!(other, Value::Null) {
        return None;
    }
    let order = order(one, other);
    Some(match kind {
        0 => order == Some(Ordering::Equal),
        1 => order != Some(Ordering::Equal),
        2 => order == Some(Ordering::Less),
        3 => matches!(order, Some(Ordering::Less | Ordering::Equal)),
        4 => order == Some(Ordering::Greater),
        _ => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
    })
}

fn float(value: &Value) -> Option<f64> {
    match value {
        Value::Integer(value) => Some(*value as f64),
        Value::Float(value) => Some(*value),
        _ => None,
    }
}

fn compute(kind: usize, one: &Value, other: &Value) -> Result<Value> {
    if let (Value::Integer(one), Value::Integer(other)) = (one, other)
        && kind != 3
    {
        let exact = match kind {
            0 => one.checked_add(*other),
            1 => one.checked_sub(*other),
            2 => one.checked_mul(*other),
            _ if *other == 0 => return Ok(Value::Null),
            _ => Some(one.wrapping_rem(*other)),
        };
        return exact.map(Value::Integer).ok_or(TooLarge);
    }
    let (Some(one), Some(other)) = (float(one), float(other)) else { return Ok(Value::Null) };
    Ok(match kind {
        0 => Value::Float(one + other),
        1 => Value::Float(one - other),
        2 => Value::Float(one * other),
        _ if other == 0.0 => Value::Null,
        3 => Value::Float(one / other),
        _ => Value::Float(one % other),
    })
}

/// Whether a string matches a pattern.
fn like(text: &[char], pattern: &[char]) -> bool {
    match pattern {
        [] => text.is_empty(),
        ['%', rest @ ..] => (0..=text.len()).any(|at| like(&text[at..], rest)),
        ['_', rest @ ..] => !text.is_empty() && like(&text[1..], rest),
        ['\\', next, rest @ ..] | [next, rest @ ..] => text.first() == Some(next) && like(&text[1..], rest),
    }
}

impl Tree {
    /// Whether its numbers are floats.
    fn is_float(&self) -> bool {
        match self {
            Self::Float(_) => true,
            Self::Column(name) => ["f", "g"].contains(name),
            Self::Compute(3, _) => true,
            Self::Compute(_, parts) => parts.iter().any(Self::is_float),
            Self::Negate(part) => part.is_float(),
            Self::Call("if", parts) => parts[1..].iter().any(Self::is_float),
            Self::Call("len", _) => false,
            Self::Call(_, parts) => parts.iter().any(Self::is_float),
            _ => false,
        }
    }

    pub(super) fn of(&self, around: Around<'_>) -> Result<Value> {
        let all = |parts: &[Self]| parts.iter().map(|part| part.of(around)).collect::<Result<Vec<_>>>();
        Ok(match self {
            Self::Null => Value::Null,
            Self::Boolean(value) => Value::Boolean(*value),
            Self::Integer(value) => Value::Integer((*value).into()),
            Self::Float(value) => Value::Float(*value),
            Self::Text(text) => Value::Text((*text).to_owned()),
            Self::Column(name) => around.row.value(name),
            Self::Item => around.item.map_or(Value::Null, |item| Value::Integer(item.into())),
            Self::Not(part) => of_truth(not(truth(&part.of(around)?))),
            Self::And(parts) => of_truth(and(all(&**parts)?.iter().map(truth))),
            Self::Or(parts) => of_truth(not(and(all(&**parts)?.iter().map(|part| not(truth(part)))))),
            Self::Compare(kind, parts) => {
                let parts = all(&**parts)?;
                of_truth(compare(*kind, &parts[0], &parts[1]))
            }
            Self::Compute(kind, parts) => {
                let parts = all(&**parts)?;
                compute(*kind, &parts[0], &parts[1])?
            }
            Self::Negate(part) => match part.of(around)? {
                Value::Integer(value) => Value::Integer(value.checked_neg().ok_or(TooLarge)?),
                Value::Float(value) => Value::Float(-value),
                _ => Value::Null,
            },
            Self::In(is_not, part, items) => {
                let value = part.of(around)?;
                let items = all(items)?;
                let among = not(and(items.iter().map(|item| not(compare(0, &value, item)))));
                of_truth(if *is_not { not(among) } else { among })
            }
            Self::Between(is_not, parts) => {
                let parts = all(&**parts)?;
                let within = and([compare(5, &parts[0], &parts[1]), compare(3, &parts[0], &parts[2])]);
                of_truth(if *is_not { not(within) } else { within })
            }
            Self::IsNull(is_not, part) => Value::Boolean((part.of(around)? == Value::Null) != *is_not),
            Self::Like(is_not, part, pattern) => match part.of(around)? {
                Value::Text(text) => {
                    let chars = |text: &str| text.chars().collect::<Vec<_>>();
                    Value::Boolean(like(&chars(&text), &chars(pattern)) != *is_not)
                }
                _ => Value::Null,
            },
            Self::Has(kind, is_not, parts) => match &all(&**parts)?[..] {
                [Value::Text(text), Value::Text(part)] => {
                    let has = match kind {
                        0 => text.starts_with(part),
                        1 => text.ends_with(part),
                        _ => text.contains(part),
                    };
                    Value::Boolean(has != *is_not)
                }
                _ => Value::Null,
            },
            Self::Call(name, parts) => self.call(name, &all(parts)?)?,
            Self::Items(every, list, condition) => {
                let Some(items) = around.row.list(list) else { return Ok(Value::Null) };
                let each = |item: &i64| Ok(truth(&condition.of(Around { item: Some(*item), ..around })?));
                let truths = items.iter().map(each).collect::<Result<Vec<_>>>()?;
                of_truth(match every {
                    true => and(truths),
                    false => not(and(truths.into_iter().map(not))),
                })
            }
        })
    }

    fn call(&self, name: &str, parts: &[Value]) -> Result<Value> {
        let chosen = |value: &Value| match value {
            Value::Integer(value) if self.is_float() => {
                let float = *value as f64;
                let is_exact = integer_to_float(*value, float) == Some(Ordering::Equal);
                if is_exact { Ok(Value::Float(float)) } else { Err(TooLarge) }
            }
            value => Ok(value.clone()),
        };
        let text = |change: &dyn Fn(&str) -> String| match &parts[0] {
            Value::Text(text) => Value::Text(change(text)),
            _ => Value::Null,
        };
        Ok(match name {
            "coalesce" => {
                let parts = parts.iter().map(chosen).collect::<Result<Vec<_>>>()?;
                parts.into_iter().find(|part| *part != Value::Null).unwrap_or(Value::Null)
            }
            "if" => {
                let values = parts[1..].iter().map(chosen).collect::<Result<Vec<_>>>()?;
                let number = if truth(&parts[0]) == Some(true) { 0 } else { 1 };
                values.get(number).cloned().unwrap_or(Value::Null)
            }
            "len" => match &parts[0] {
                Value::Text(text) => Value::Integer(text.chars().count() as i128),
                _ => Value::Null,
            },
            "lower" => text(&str::to_lowercase),
            "upper" => text(&str::to_uppercase),
            "trim" => text(&|text| text.trim().to_owned()),
            "left" => match parts[1] {
                Value::Integer(count) => text(&|text| text.chars().take(count as usize).collect()),
                _ => Value::Null,
            },
            "concat" => match (&parts[0], &parts[1]) {
                (Value::Text(one), Value::Text(other)) => Value::Text(format!("{one}{other}")),
                _ => Value::Null,
            },
            name => match &parts[0] {
                Value::Float(value) => Value::Float(match name {
                    "abs" => value.abs(),
                    "floor" => value.floor(),
                    "ceil" => value.ceil(),
                    _ => value.round(),
                }),
                Value::Integer(value) if name == "abs" => {
                    Value::Integer(value.checked_abs().ok_or(TooLarge)?)
                }
                value => value.clone(),
            },
        })
    }
}
