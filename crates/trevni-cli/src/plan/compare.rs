//! Compares values of a text with those that were written: numbers as numbers, all else to the letter.

use super::cells::liberal;
use super::{Object, Plan, Raw, Record, ValueKinds};
use crate::numbers::{Cell, Number, Wide};
use crate::rows::View;
use serde_json::Value;
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::collections::HashMap;
use trevni::{Shape, Vector};

/// Where two values differ, its last name first.
#[derive(Debug, Default)]
pub(crate) struct Difference {
    path: Vec<String>,
    pub(crate) source: String,
    pub(crate) written: String,
}

/// What is shown of a value.
const SHOWN: usize = 80;

impl Difference {
    #[cold]
    fn new(source: &str, written: View<'_>) -> Self {
        let written = serde_json::to_string(&written).unwrap_or_else(|error| error.to_string());
        Self { path: Vec::new(), source: short(source), written: short(&written) }
    }

    #[cold]
    fn missing(source: &str) -> Self {
        Self { path: Vec::new(), source: short(source), written: "nothing".to_owned() }
    }

    #[cold]
    pub(crate) fn below(mut self, name: &str) -> Self {
        self.path.push(name.replace('.', "\\."));
        self
    }

    pub(crate) fn path(&self) -> String {
        match self.path.is_empty() {
            true => "the row".to_owned(),
            false => {
                self.path.iter().rev().map(String::as_str).collect::<Vec<_>>().join(".").replace(".[]", "[]")
            }
        }
    }
}

fn short(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

/// Compares a JSON value.
pub(crate) fn json(plan: &Plan, raw: &RawValue, view: View<'_>) -> Result<(), Difference> {
    let text = raw.get();
    let Some(value) = view.some() else {
        return if text == "null" { Ok(()) } else { Err(Difference::new(text, view)) };
    };
    let equal = match (plan.raw(), text.as_bytes().first()) {
        _ if matches!(plan.values, ValueKinds::Other(..)) => is_same(raw, value),
        (None, Some(b'{')) => return object(plan, raw, value),
        (None, Some(b'[')) => return list(plan, raw, value),
        (_, Some(b'n')) => false,
        (Some(Raw::Json), _) => value.text() == Some(text),
        (None | Some(Raw::String), Some(b'"')) => {
            let text: Option<Text<'_>> = serde_json::from_str(text).ok();
            text.is_some_and(|text| value.text() == Some(&*text.0))
        }
        (Some(Raw::String), _) => value.text() == Some(text),
        (None, Some(b't')) => boolean(value) == Some(true),
        (None, Some(b'f')) => boolean(value) == Some(false),
        _ => Number::parse(text).is_some_and(|number| is_number(plan, number, text, value)),
    };
    if equal { Ok(()) } else { Err(Difference::new(text, view)) }
}

/// Whether a value that only the writer knew how to write is printed as it was.
fn is_same(raw: &RawValue, written: View<'_>) -> bool {
    let source = serde_json::from_str(raw.get()).ok();
    let written = serde_json::to_value(written).ok();
    source.zip(written).is_some_and(|(source, written)| are_same(&source, &written))
}

/// Whether two values are equal, numbers as numbers.
fn are_same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => one == other || one.as_f64() == other.as_f64(),
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| are_same(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            let is_there =
                |(key, one): (&String, &Value)| other.get(key).is_some_and(|other| are_same(one, other));
            one.len() == other.len() && one.iter().all(is_there)
        }
        _ => one == other,
    }
}

/// A text that is borrowed where it can be.
#[derive(serde::Deserialize)]
struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

fn list(plan: &Plan, raw: &RawValue, view: View<'_>) -> Result<(), Difference> {
    let items: Vec<&RawValue> = serde_json::from_str(raw.get()).unwrap_or_default();
    let (Some(plan), Some(written)) = (plan.item(), view.items()) else {
        return Err(Difference::new(raw.get(), view));
    };
    if items.len() != written.len() {
        return Err(Difference::new(raw.get(), view));
    }
    items
        .into_iter()
        .zip(written)
        .try_for_each(|(item, view)| json(plan, item, view).map_err(|e| e.below("[]")))
}

fn object(plan: &Plan, raw: &RawValue, view: View<'_>) -> Result<(), Difference> {
    let mut entries: HashMap<Cow<'_, str>, &RawValue> = serde_json::from_str(raw.get()).unwrap_or_default();
    match (plan.object(), view.shape, view.entries()) {
        (Some(Object::Record(record)), Shape::Record(_), _) => fields(record, &mut entries, view)?,
        (Some(Object::Map(plan)), Shape::Map(_), Some(written)) => {
            for (key, view) in written {
                match entries.remove(key) {
                    Some(value) => json(plan, value, view).map_err(|error| error.below(key))?,
                    None => return Err(Difference::new("nothing", view).below(key)),
                }
            }
        }
        _ => return Err(Difference::new(raw.get(), view)),
    }
    let is_kept = |key: &str| match plan.record() {
        Some(record) => record.find(0, key).and_then(|place| record.fields.get(place)).is_none_or(|f| f.kept),
        None => true,
    };
    match entries.into_iter().find(|(key, _)| is_kept(key)) {
        Some((key, value)) => Err(Difference::missing(value.get()).below(&key)),
        None => Ok(()),
    }
}

fn fields(
    record: &Record,
    entries: &mut HashMap<Cow<'_, str>, &RawValue>,
    view: View<'_>,
) -> Result<(), Difference> {
    for (number, field) in record.fields.iter().filter(|field| field.kept).enumerate() {
        let written = view.field(number).filter(|written| !written.is_absent());
        match (entries.remove(field.name), written) {
            (Some(value), Some(written)) => {
                json(&field.plan, value, written).map_err(|error| error.below(field.name))?;
            }
            (Some(value), None) => return Err(Difference::missing(value.get()).below(field.name)),
            // Where a schema is given that has no word for it, a missing field may be null.
            (None, Some(written)) if !field.plan.given || field.plan.absent || written.some().is_some() => {
                return Err(Difference::new("nothing", written).below(field.name));
            }
            (None, _) => {}
        }
    }
    Ok(())
}

fn boolean(view: View<'_>) -> Option<bool> {
    match view.vector {
        Vector::Boolean(values) => values.get(view.index).copied(),
        _ => None,
    }
}

/// A number that was written.
fn number(view: View<'_>) -> Option<Number> {
    let at = view.index;
    let signed = |value: i128| Some(Number::Integer(Wide::Signed(value)));
    match (view.shape, view.vector) {
        (_, Vector::Int(values)) => signed((*values.get(at)?).into()),
        (Shape::U64, Vector::Long(values)) => signed(values.get(at)?.cast_unsigned().into()),
        (_, Vector::Long(values)) => signed((*values.get(at)?).into()),
        (_, Vector::Float(values)) => Some(Number::Float((*values.get(at)?).into())),
        (_, Vector::Double(values)) => Some(Number::Float(*values.get(at)?)),
        (Shape::I128, Vector::Bytes(values)) => signed(i128::from_be_bytes(values.get(at)?.try_into().ok()?)),
        (Shape::U128, Vector::Bytes(values)) => {
            let value = u128::from_be_bytes(values.get(at)?.try_into().ok()?);
            let wide = i128::try_from(value).map_or(Wide::Large(value), Wide::Signed);
            Some(Number::Integer(wide))
        }
        _ => None,
    }
}

/// Whether a number is the one that was written; rounded only where that is asked for.
fn is_number(plan: &Plan, source: Number, text: &str, view: View<'_>) -> bool {
    let single = matches!(view.vector, Vector::Float(_));
    let rounds = plan.float().is_some_and(|float| float.rounds);
    let float = |value: f64| if single { f64::from(value as f32) } else { value };
    match (source, number(view)) {
        (Number::Integer(source), Some(Number::Integer(written))) => source == written,
        (Number::Float(source), Some(Number::Float(written))) => float(source) == written,
        (Number::Float(source), Some(Number::Integer(Wide::Signed(written)))) => source == written as f64,
        (_, Some(Number::Float(written))) => {
            let exact = || Wide::parse(text).is_some_and(|source| is_whole(written, source));
            text.parse().is_ok_and(|source: f64| float(source) == written) && (rounds || exact())
        }
        _ => false,
    }
}

fn is_whole(float: f64, integer: Wide) -> bool {
    matches!(integer, Wide::Signed(integer) if float.abs() < 1e38 && float as i128 == integer)
}

/// Compares a cell; none is null.
pub(crate) fn cell(plan: &Plan, text: Option<&str>, view: Option<View<'_>>) -> Result<(), Difference> {
    let (text, view, value) = match (text, view, view.and_then(View::some)) {
        (None, Some(_), None) => return Ok(()),
        (Some(text), Some(view), Some(value)) => (text, view, value),
        (text, Some(view), _) => return Err(Difference::new(text.unwrap_or("null"), view)),
        (text, None, _) => return Err(Difference::missing(text.unwrap_or("null"))),
    };
    let found = if plan.given { liberal(text, plan) } else { Cell::of(text) };
    let equal = match found {
        _ if plan.raw().is_some() || plan.has_texts() => value.text() == Some(text),
        Cell::Boolean(source) => boolean(value) == Some(source),
        Cell::Text(_) => false,
        Cell::Integer(_) | Cell::Large(_) => Wide::parse(text.trim())
            .is_some_and(|wide| is_number(plan, Number::Integer(wide), text.trim(), value)),
        Cell::Float(source) => match number(value) {
            Some(Number::Float(written)) if source.is_nan() => written.is_nan(),
            _ => is_number(plan, Number::Float(source), text.trim(), value),
        },
    };
    if equal { Ok(()) } else { Err(Difference::new(text, view)) }
}
