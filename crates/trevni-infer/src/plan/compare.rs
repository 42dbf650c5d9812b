//! Compares the values of a text with the written ones: numbers as numbers, all else to the letter.

use super::cells::liberal;
use super::{LogicalKind, Object, Part, Plan, Raw, Record, ValueKinds, shown};
use crate::drawing::ellipsis;
use crate::numbers::{Cell, Number, Spelling, Wide};
use crate::rows::{Hex, Json, non_null};
use serde_json::Value;
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::collections::HashMap;
use trevni::value::RecordRef;
use trevni::{Shape, ValueRef};

/// Where two values differ, its last name first.
#[derive(Debug, Default)]
pub struct Difference {
    path: Vec<Part>,
    /// What the text has.
    pub source: String,
    /// What was written.
    pub written: String,
}

/// What is shown of a value.
const SHOWN: usize = 80;

impl Difference {
    #[cold]
    fn new(source: &str, written: ValueRef<'_>) -> Self {
        let written = serde_json::to_string(&Json(&written)).unwrap_or_else(|error| error.to_string());
        Self { path: Vec::new(), source: short(source), written: short(&written) }
    }

    #[cold]
    fn missing(source: &str) -> Self {
        Self { path: Vec::new(), source: short(source), written: "nothing".to_owned() }
    }

    /// The difference of a field of this name.
    #[cold]
    pub fn below(self, name: &str) -> Self {
        self.within(Part::Name(name.to_owned()))
    }

    #[cold]
    fn within(mut self, part: Part) -> Self {
        self.path.push(part);
        self
    }

    /// Where it is.
    pub fn path(&self) -> String {
        match self.path.is_empty() {
            true => "the row".to_owned(),
            false => shown(self.path.iter().rev()),
        }
    }
}

fn short(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}{}", text.get(..end).unwrap_or_default(), ellipsis()),
        None => text.to_owned(),
    }
}

/// Compares a JSON value.
pub fn json(plan: &Plan, raw: &RawValue, written: ValueRef<'_>) -> Result<(), Difference> {
    let text = raw.get();
    let Some(value) = non_null(written) else {
        return if text == "null" { Ok(()) } else { Err(Difference::new(text, written)) };
    };
    let other = match &plan.values {
        ValueKinds::Other(shape, _) => Some(is_same(raw, value, shape)),
        _ => None,
    };
    if let Some(equal) = other.or_else(|| Some(is_logical(plan.logical()?.written_for_json(text), value))) {
        return if equal { Ok(()) } else { Err(Difference::new(text, written)) };
    }
    let equal = match (plan.raw(), text.as_bytes().first()) {
        (None, Some(b'{')) => return object(plan, raw, value),
        (None, Some(b'[')) => return list(plan, raw, value),
        (_, Some(b'n')) => false,
        (Some(Raw::Json), _) => value.as_str() == Some(text),
        (None | Some(Raw::String), Some(b'"')) => {
            let text: Option<Text<'_>> = serde_json::from_str(text).ok();
            text.is_some_and(|text| value.as_str() == Some(&*text.0))
        }
        (Some(Raw::String), _) => value.as_str() == Some(text),
        (None, Some(b't')) => value.as_bool() == Some(true),
        (None, Some(b'f')) => value.as_bool() == Some(false),
        _ => Number::parse(text).is_some_and(|number| is_number(plan, number, text, value)),
    };
    if equal { Ok(()) } else { Err(Difference::new(text, written)) }
}

/// Whether a value that has a string of its own is printed as this, or as the number, that it should be.
fn is_logical(expected: Option<String>, written: ValueRef<'_>) -> bool {
    let Some(expected) = expected else {
        return false;
    };
    match (written, written.as_str()) {
        (ValueRef::Bytes(bytes), _) => Hex(bytes).to_string() == expected,
        (_, Some(text)) => text == expected,
        (_, None) => written.as_i64().is_some_and(|number| number.to_string() == expected),
    }
}

/// Whether a value that only the writer knew how to write is printed as it was.
fn is_same(raw: &RawValue, written: ValueRef<'_>, shape: &Shape) -> bool {
    let source = serde_json::from_str(raw.get()).ok();
    let written = serde_json::to_value(Json(&written)).ok();
    let mut kinds = Vec::new();
    LogicalKind::within(shape, &mut kinds);
    source.zip(written).is_some_and(|(source, written)| are_same(&source, &written, &kinds))
}

/// Whether two values are equal, numbers as numbers, and strings and numbers as values of one of the logical types.
fn are_same(one: &Value, other: &Value, kinds: &[LogicalKind]) -> bool {
    match (one, other) {
        (Value::Number(_) | Value::String(_), Value::String(written)) if one != other => {
            let raw = one.to_string();
            kinds.iter().any(|kind| kind.written_for_json(&raw).as_ref() == Some(written))
        }
        (Value::Number(one), Value::Number(other)) => one == other || one.as_f64() == other.as_f64(),
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| are_same(one, other, kinds))
        }
        (Value::Object(one), Value::Object(other)) => {
            let is_there = |(key, one): (&String, &Value)| {
                other.get(key).is_some_and(|other| are_same(one, other, kinds))
            };
            one.len() == other.len() && one.iter().all(is_there)
        }
        _ => one == other,
    }
}

/// A text that is borrowed where it can be.
#[derive(serde::Deserialize)]
struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

fn list(plan: &Plan, raw: &RawValue, written: ValueRef<'_>) -> Result<(), Difference> {
    let items: Vec<&RawValue> = serde_json::from_str(raw.get()).unwrap_or_default();
    let (Some(plan), ValueRef::List(list)) = (plan.item(), written) else {
        return Err(Difference::new(raw.get(), written));
    };
    if items.len() != list.len() {
        return Err(Difference::new(raw.get(), written));
    }
    items
        .into_iter()
        .zip(list.iter())
        .try_for_each(|(item, written)| json(plan, item, written).map_err(|e| e.within(Part::Items)))
}

fn object(plan: &Plan, raw: &RawValue, written: ValueRef<'_>) -> Result<(), Difference> {
    let mut entries: HashMap<Cow<'_, str>, &RawValue> = serde_json::from_str(raw.get()).unwrap_or_default();
    match (plan.object(), written) {
        (Some(Object::Record(record)), ValueRef::Record(values)) => fields(record, &mut entries, values)?,
        (Some(Object::Map(plan)), ValueRef::Map(map)) if map.shape().key == Shape::String => {
            for (key, written) in map.iter() {
                let key = key.as_str().unwrap_or_default();
                match entries.remove(key) {
                    Some(value) => json(plan, value, written).map_err(|error| error.below(key))?,
                    None => return Err(Difference::new("nothing", written).below(key)),
                }
            }
        }
        _ => return Err(Difference::new(raw.get(), written)),
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
    values: RecordRef<'_>,
) -> Result<(), Difference> {
    for (number, field) in record.fields.iter().filter(|field| field.kept).enumerate() {
        match (entries.remove(field.name), values.field(number)) {
            (Some(value), Some(written)) => {
                json(&field.plan, value, written).map_err(|error| error.below(field.name))?;
            }
            (Some(value), None) => return Err(Difference::missing(value.get()).below(field.name)),
            // Where a schema is given that has no word for it, a missing field may be null.
            (None, Some(written))
                if !field.plan.given || field.plan.absent || non_null(written).is_some() =>
            {
                return Err(Difference::new("nothing", written).below(field.name));
            }
            (None, _) => {}
        }
    }
    Ok(())
}

/// A number that was written.
fn number(written: ValueRef<'_>) -> Option<Number> {
    let integer = match written {
        ValueRef::Int(value) => value.into(),
        ValueRef::Long(value) => value.into(),
        ValueRef::U64(value) => value.into(),
        ValueRef::I128(value) => value,
        ValueRef::U128(value) => match i128::try_from(value) {
            Ok(value) => value,
            Err(_) => return Some(Number::Integer(Wide::Large(value))),
        },
        ValueRef::Float(value) => return Some(Number::Float(value.into())),
        ValueRef::Double(value) => return Some(Number::Float(value)),
        _ => return None,
    };
    Some(Number::Integer(Wide::Signed(integer)))
}

/// Whether a number is the one that was written; rounded only where that is asked for.
fn is_number(plan: &Plan, source: Number, text: &str, written: ValueRef<'_>) -> bool {
    let single = matches!(written, ValueRef::Float(_));
    let rounds = plan.float().is_some_and(|float| float.rounds);
    let float = |value: f64| if single { f64::from(value as f32) } else { value };
    match (source, number(written)) {
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
pub fn cell(
    plan: &Plan,
    text: Option<&str>,
    spelling: &Spelling,
    written: Option<ValueRef<'_>>,
) -> Result<(), Difference> {
    let (text, written, value) = match (text, written, written.and_then(non_null)) {
        (None, _, None) => return Ok(()),
        (Some(text), Some(written), Some(value)) => (text, written, value),
        (text, Some(written), _) => return Err(Difference::new(text.unwrap_or("null"), written)),
        (text, None, _) => return Err(Difference::missing(text.unwrap_or("null"))),
    };
    if let Some(kind) = plan.logical() {
        let equal = match kind.is_exact {
            // To the letter: nothing is parsed.
            true => value.as_str() == Some(text),
            false => is_logical(kind.written_for(&kind.plain(text, spelling)), value),
        };
        return if equal { Ok(()) } else { Err(Difference::new(text, written)) };
    }
    let plain = spelling.plain(text);
    let plain = plain.as_deref().unwrap_or(text).trim();
    let found = if plan.given { liberal(text, plan, spelling) } else { Cell::of(text, spelling) };
    let equal = match found {
        _ if plan.raw().is_some() || plan.has_texts() => value.as_str() == Some(text),
        Cell::Boolean(source) => value.as_bool() == Some(source),
        Cell::Text(_) => false,
        Cell::Integer(_) | Cell::Large(_) | Cell::Wide(_) => {
            Wide::parse(plain).is_some_and(|wide| is_number(plan, Number::Integer(wide), plain, value))
        }
        Cell::Float(source) | Cell::Named(source, _) => match number(value) {
            Some(Number::Float(written)) if source.is_nan() => written.is_nan(),
            _ => is_number(plan, Number::Float(source), plain, value),
        },
    };
    if equal { Ok(()) } else { Err(Difference::new(text, written)) }
}
