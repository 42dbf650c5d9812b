//! Functions of strings. Characters are those of Unicode, as `len` counts them.

use super::column::{ScalarColumn, ScalarValues};
use crate::error::Error;
use crate::moment::{Moment, MomentKind};
use crate::scalar::ScalarRef;
use crate::step::{Cast, TextFunction};
use crate::syntax::Side;
use crate::time_pattern::TimePattern;
use std::borrow::Cow;

/// Bytes of the strings of some rows that a function makes at most.
const BYTES_MAX: usize = 1 << 30;

/// What a function makes of its columns; nothing where one has no value.
pub(super) fn computed<'b>(
    function: &TextFunction,
    columns: &[ScalarColumn<'b>],
    len: usize,
) -> Result<ScalarColumn<'b>, Error> {
    let is_there = |row: usize| columns.iter().all(|column| column.is_present(row));
    match function {
        TextFunction::Contains | TextFunction::EndsWith | TextFunction::PartCount => {
            let present: Vec<bool> = (0..len).map(is_there).collect();
            let (one, two) = (text(columns, 0), text(columns, 1));
            let values = match function {
                TextFunction::Contains => {
                    ScalarValues::Boolean((0..len).map(|row| one(row).contains(two(row))).collect())
                }
                TextFunction::EndsWith => {
                    ScalarValues::Boolean((0..len).map(|row| one(row).ends_with(two(row))).collect())
                }
                _ => {
                    let count = |row| parts(one(row), two(row)).count() as i128;
                    ScalarValues::Integer((0..len).map(count).collect())
                }
            };
            Ok(ScalarColumn::new(values, present.contains(&false).then_some(present)))
        }
        _ => {
            let (mut values, mut present, mut bytes) =
                (Vec::with_capacity(len), Vec::with_capacity(len), 0usize);
            for row in 0..len {
                let value =
                    if is_there(row) { made(function, columns, row, BYTES_MAX - bytes)? } else { None };
                present.push(value.is_some());
                if let Some(Cow::Owned(text)) = &value {
                    bytes = (bytes + text.len()).min(BYTES_MAX);
                }
                values.push(Cow::Owned(value.unwrap_or_default().into_owned()));
            }
            Ok(ScalarColumn::new(ScalarValues::Text(values), present.contains(&false).then_some(present)))
        }
    }
}

/// The strings of a column.
fn text<'c>(columns: &'c [ScalarColumn<'_>], at: usize) -> impl Fn(usize) -> &'c str {
    let texts = match columns.get(at).map(|column| &column.values) {
        Some(ScalarValues::Text(texts)) => Some(texts),
        _ => None,
    };
    move |row| texts.and_then(|texts| texts.get(row)).map_or("", |text| text)
}

/// The integers of a column, within what counts characters.
fn number(columns: &[ScalarColumn<'_>], at: usize, row: usize) -> Option<i64> {
    match columns.get(at).map(|column| &column.values) {
        Some(ScalarValues::Integer(values)) => {
            let value = *values.get(row)?;
            i64::try_from(value.clamp(i64::MIN.into(), i64::MAX.into())).ok()
        }
        _ => None,
    }
}

/// The string of a row, up to a number of bytes.
fn made<'c>(
    function: &TextFunction,
    columns: &'c [ScalarColumn<'_>],
    row: usize,
    room: usize,
) -> Result<Option<Cow<'c, str>>, Error> {
    let (one, two) = (text(columns, 0)(row), text(columns, 1)(row));
    let number = |at| number(columns, at, row).unwrap_or_default();
    Ok(Some(match function {
        TextFunction::Trim(Side::Both) => one.trim().into(),
        TextFunction::Trim(Side::Start) => one.trim_start().into(),
        TextFunction::Trim(Side::End) => one.trim_end().into(),
        TextFunction::Substr => substr(one, number(1), (columns.len() > 2).then(|| number(2))).into(),
        TextFunction::Left => substr(one, 1, Some(number(1))).into(),
        TextFunction::Right if number(1) <= 0 => "".into(),
        TextFunction::Right => {
            let count = one.chars().count();
            one.get(start(one, count.saturating_sub(size(number(1))))..).unwrap_or_default().into()
        }
        TextFunction::Replace if two.is_empty() || !one.contains(two) => one.into(),
        TextFunction::Replace => {
            let new = text(columns, 2)(row);
            let found = one.matches(two).count();
            let bytes = found.checked_mul(new.len()).and_then(|bytes| bytes.checked_add(one.len()));
            if bytes.is_none_or(|bytes| bytes > room) {
                return Err(too_large());
            }
            one.replace(two, new).into()
        }
        TextFunction::Part(at) => return Ok(part(one, two, *at).map(Cow::Borrowed)),
        TextFunction::Extract(regex, group) => {
            let found = regex.captures(one).and_then(|found| found.get(*group));
            return Ok(found.map(|found| found.as_str().into()));
        }
        _ => {
            let mut all = String::new();
            for at in 0..columns.len() {
                let next = text(columns, at)(row);
                if all.len() + next.len() > room {
                    return Err(too_large());
                }
                all.push_str(next);
            }
            all.into()
        }
    }))
}

fn too_large() -> Error {
    Error::value("the strings of a batch take more than 1 GiB")
}

fn size(number: i64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

/// The byte where a character begins; the end of the text where it has less.
fn start(text: &str, at: usize) -> usize {
    text.char_indices().nth(at).map_or(text.len(), |(start, _)| start)
}

/// A number of characters of a string from a position on, or all, as in SQL: the first character is at 1, positions below 0 count
/// from the end, and what is before the text counts, too.
fn substr(text: &str, from: i64, count: Option<i64>) -> &str {
    let from =
        if from < 0 { (text.chars().count() as i64).saturating_add(from).saturating_add(1) } else { from };
    let rest = text.get(start(text, size(from.max(1) - 1))..).unwrap_or_default();
    let Some(count) = count else {
        return rest;
    };
    let end = from.saturating_add(count.max(0));
    rest.get(..start(rest, size(end.saturating_sub(from.max(1)).max(0)))).unwrap_or_default()
}

/// The parts of a text between separators; its characters, where the separator is empty.
fn parts<'t>(text: &'t str, separator: &'t str) -> Box<dyn DoubleEndedIterator<Item = &'t str> + 't> {
    match separator.is_empty() {
        true => {
            Box::new(text.char_indices().map(|(at, c)| text.get(at..at + c.len_utf8()).unwrap_or_default()))
        }
        // From the end, separators that overlap would be others.
        false => Box::new(text.split(separator).collect::<Vec<_>>().into_iter()),
    }
}

/// A part, counted from 0, or from the end.
fn part<'t>(text: &'t str, separator: &'t str, at: i64) -> Option<&'t str> {
    match usize::try_from(at) {
        Ok(at) if !separator.is_empty() => text.split(separator).nth(at),
        Ok(at) => parts(text, separator).nth(at),
        Err(_) => parts(text, separator).nth_back(size(at.checked_neg()?) - 1),
    }
}

/// Values as those of another type; `None` where they do not fit.
pub(super) fn cast(column: ScalarColumn<'_>, cast: Cast) -> ScalarColumn<'_> {
    let len = column.len();
    let rows = || (0..len).map(|row| column.get(row));
    match cast {
        Cast::Text => {
            let texts: Vec<Option<String>> = rows().map(as_text).collect();
            let present: Vec<bool> = texts.iter().map(Option::is_some).collect();
            let texts = texts.into_iter().map(|text| Cow::Owned(text.unwrap_or_default())).collect();
            ScalarColumn::new(ScalarValues::Text(texts), Some(present))
        }
        Cast::Integer => {
            let numbers: Vec<Option<i128>> = rows().map(as_integer).collect();
            let present = numbers.iter().map(Option::is_some).collect();
            let numbers = numbers.into_iter().map(Option::unwrap_or_default).collect();
            ScalarColumn::new(ScalarValues::Integer(numbers), Some(present))
        }
        Cast::Float => {
            let numbers: Vec<Option<f64>> = rows().map(as_float).collect();
            let present = numbers.iter().map(Option::is_some).collect();
            let numbers = numbers.into_iter().map(Option::unwrap_or_default).collect();
            ScalarColumn::new(ScalarValues::Float(numbers), Some(present))
        }
        Cast::Date | Cast::Instant => {
            let kind = if cast == Cast::Date { MomentKind::Date } else { MomentKind::Instant };
            let nanos: Vec<Option<i128>> = rows().map(|value| as_moment(value, kind)).collect();
            let present = nanos.iter().map(Option::is_some).collect();
            let nanos = nanos.into_iter().map(Option::unwrap_or_default).collect();
            ScalarColumn::new(ScalarValues::Moment(kind, nanos), Some(present))
        }
    }
}

/// The strings of dates and instants; null beyond the years that a pattern has.
pub(super) fn formatted<'b>(
    column: &ScalarColumn<'_>,
    pattern: &TimePattern,
) -> Result<ScalarColumn<'b>, Error> {
    let (mut values, mut present, mut room) = (Vec::new(), Vec::new(), BYTES_MAX);
    for row in 0..column.len() {
        let text = match column.get(row) {
            ScalarRef::Moment(moment) => pattern.format(moment),
            _ => None,
        };
        present.push(text.is_some());
        let text = text.unwrap_or_default();
        room = room.checked_sub(text.len()).ok_or_else(too_large)?;
        values.push(Cow::Owned(text));
    }
    Ok(ScalarColumn::new(ScalarValues::Text(values), present.contains(&false).then_some(present)))
}

/// The instants of strings; null where one does not follow the pattern.
pub(super) fn parsed<'b>(column: &ScalarColumn<'_>, pattern: &TimePattern) -> ScalarColumn<'b> {
    let parse = |row| match column.get(row) {
        ScalarRef::Text(text) => pattern.parse(text),
        _ => None,
    };
    let nanos: Vec<Option<i128>> = (0..column.len()).map(parse).collect();
    let present = nanos.iter().map(Option::is_some).collect();
    let nanos = nanos.into_iter().map(Option::unwrap_or_default).collect();
    ScalarColumn::new(ScalarValues::Moment(MomentKind::Instant, nanos), Some(present))
}

/// The date or the instant of a text, and of values that are some.
fn as_moment(value: ScalarRef<'_>, kind: MomentKind) -> Option<i128> {
    match value {
        ScalarRef::Moment(moment) => Some(moment.nanos),
        ScalarRef::Text(text) => Moment::of_text(kind, text.trim()).map(|moment| moment.nanos),
        _ => None,
    }
}

/// A value as a text; bytes where they are UTF-8.
fn as_text(value: ScalarRef<'_>) -> Option<String> {
    Some(match value {
        ScalarRef::Null => return None,
        ScalarRef::Boolean(value) => value.to_string(),
        ScalarRef::Integer(value) => value.to_string(),
        ScalarRef::Float(value) => format!("{value:?}"),
        ScalarRef::Decimal(value) => value.to_string(),
        ScalarRef::Moment(value) => value.to_string(),
        ScalarRef::Ip(value) => value.to_string(),
        ScalarRef::Text(value) => value.to_owned(),
        ScalarRef::Bytes(value) => std::str::from_utf8(value).ok()?.to_owned(),
    })
}

/// A number without what is after its point, or the whole number that a text is.
fn as_integer(value: ScalarRef<'_>) -> Option<i128> {
    match value {
        ScalarRef::Boolean(value) => Some(value.into()),
        ScalarRef::Integer(value) => Some(value),
        // 2^127 is no integer of 128 bits, -2^127 is one.
        ScalarRef::Float(value) if value.abs() < 2f64.powi(127) || value == -(2f64.powi(127)) => {
            Some(value as i128)
        }
        ScalarRef::Decimal(value) => value.truncated(),
        ScalarRef::Text(value) => value.trim().parse().ok(),
        _ => None,
    }
}

fn as_float(value: ScalarRef<'_>) -> Option<f64> {
    match value {
        ScalarRef::Boolean(value) => Some(f64::from(u8::from(value))),
        ScalarRef::Integer(value) => Some(value as f64),
        ScalarRef::Float(value) => Some(value),
        ScalarRef::Decimal(value) => Some(value.to_float()),
        ScalarRef::Text(value) => value.trim().parse().ok(),
        _ => None,
    }
}
