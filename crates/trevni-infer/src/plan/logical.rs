//! Values of logical types, and bytes: strings and numbers of rows as what is stored.

use super::{Context, Plan};
use crate::numbers::Spelling;
use crate::rows::Hex;
use serde::ser::{Error as _, Serialize, Serializer};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;
use trevni::shape::{Logical, LogicalShape};
use trevni::{Shape, ValueRef};
use trevni_query::{MomentKind, TimePattern};

const NANOS_PER_DAY: i128 = 86_400_000_000_000;
const NANOS_PER_MICRO: i128 = 1000;

/// What numbers mean in the place of strings of a logical type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counted {
    Nothing,
    /// Whole numbers are what the type counts.
    Units,
    /// Decimal numbers are seconds since 1970.
    Seconds,
}

/// The type of the values that strings are parsed as.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Meaning {
    Logical(LogicalShape),
    /// Bytes or a fixed number of them, as hexadecimal digits, two for each.
    Bytes(Shape),
}

impl Meaning {
    /// The shape of the values.
    pub(crate) fn shape(&self) -> Shape {
        match self {
            Self::Logical(shape) => Shape::Logical(Box::new(shape.clone())),
            Self::Bytes(shape) => shape.clone(),
        }
    }

    fn storage(&self) -> &Shape {
        match self {
            Self::Logical(shape) => &shape.storage,
            Self::Bytes(shape) => shape,
        }
    }

    fn is_decimal(&self) -> bool {
        matches!(self, Self::Logical(shape) if matches!(shape.logical, Logical::Decimal { .. }))
    }

    fn parse<'b>(&self, text: &str, bytes: &'b mut Vec<u8>) -> Option<ValueRef<'b>> {
        match self {
            Self::Logical(shape) => shape.parse(text, bytes),
            Self::Bytes(shape) => {
                put_bytes(text, bytes)?;
                let fits = !matches!(shape, Shape::Fixed(fixed) if fixed.size != bytes.len());
                fits.then_some(ValueRef::Bytes(bytes))
            }
        }
    }

    fn text(&self, value: ValueRef<'_>) -> Option<String> {
        match (self, value) {
            (Self::Logical(shape), value) => shape.text(value),
            (Self::Bytes(_), ValueRef::Bytes(bytes)) => Some(Hex(bytes).to_string()),
            _ => None,
        }
    }
}

impl fmt::Display for Meaning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Logical(shape) => shape.logical.fmt(f),
            Self::Bytes(Shape::Fixed(fixed)) => write!(f, "{} bytes as hexadecimal digits", fixed.size),
            Self::Bytes(_) => f.write_str("bytes as hexadecimal digits"),
        }
    }
}

/// Decodes hexadecimal digits, with or without `0x` or `\x` before them, or a JSON array of numbers, and appends the bytes.
fn put_bytes(text: &str, bytes: &mut Vec<u8>) -> Option<()> {
    if text.starts_with('[') {
        bytes.extend(serde_json::from_str::<Vec<u8>>(text).ok()?);
        return Some(());
    }
    let digits = text.strip_prefix("0x").or_else(|| text.strip_prefix("\\x")).unwrap_or(text);
    let (pairs, rest) = digits.as_bytes().as_chunks::<2>();
    for pair in pairs {
        let [high, low] = pair.map(|digit| char::from(digit).to_digit(16));
        bytes.push(u8::try_from((high? << 4) | low?).ok()?);
    }
    rest.is_empty().then_some(())
}

/// How values that have strings of their own are read.
#[derive(Clone, Debug, PartialEq)]
pub struct LogicalKind {
    pub(crate) meaning: Meaning,
    /// Which numbers are values too.
    pub(crate) counts: Counted,
    /// How strings are written, where not as the type says.
    pub(crate) pattern: Option<TimePattern>,
    /// Strings are the canonical ones of their values, so that they come back as they are.
    pub(crate) is_exact: bool,
}

impl LogicalKind {
    /// For values of this type, which is stored as Avro says; `None` where that is not known.
    pub(crate) fn new(logical: Logical, counts: Counted) -> Option<Self> {
        let storage = logical.storage()?;
        let shape = LogicalShape::new(logical, storage).ok()?;
        Some(Self { meaning: Meaning::Logical(shape), counts, pattern: None, is_exact: false })
    }

    /// For strings that come back as they are.
    pub(crate) fn exact(shape: LogicalShape) -> Self {
        let meaning = Meaning::Logical(shape);
        Self { meaning, counts: Counted::Nothing, pattern: None, is_exact: true }
    }

    /// For numbers and strings of a schema that was given.
    pub(super) fn of_schema(shape: LogicalShape) -> Self {
        let meaning = Meaning::Logical(shape);
        Self { meaning, counts: Counted::Units, pattern: None, is_exact: false }
    }

    /// For bytes, as many as their shape says.
    pub(crate) fn of_bytes(shape: Shape) -> Self {
        let meaning = Meaning::Bytes(shape);
        Self { meaning, counts: Counted::Nothing, pattern: None, is_exact: false }
    }

    /// For strings of a pattern.
    pub(crate) fn of_pattern(pattern: TimePattern) -> Option<Self> {
        let logical = match pattern.kind() {
            MomentKind::Date => Logical::Date,
            MomentKind::Local => Logical::LocalTimestampMicros,
            _ => Logical::TimestampMicros,
        };
        Some(Self { pattern: Some(pattern), ..Self::new(logical, Counted::Nothing)? })
    }

    /// Adds those within a shape that was given.
    pub(crate) fn within(shape: &Shape, kinds: &mut Vec<Self>) {
        match shape {
            Shape::Logical(shape) => {
                kinds.push(Self::of_schema(LogicalShape::clone(shape)));
            }
            Shape::Bytes | Shape::Fixed(_) => kinds.push(Self::of_bytes(shape.clone())),
            Shape::Record(record) => record.fields.iter().for_each(|field| Self::within(&field.shape, kinds)),
            Shape::List(item) => Self::within(item, kinds),
            Shape::Map(map) => [&map.key, &map.value].iter().for_each(|shape| Self::within(shape, kinds)),
            Shape::Optional(optional) => Self::within(&optional.item, kinds),
            Shape::Union(variants) => variants.iter().for_each(|shape| Self::within(shape, kinds)),
            _ => {}
        }
    }

    /// A cell as strings of the type are written: a decimal has a point.
    pub(crate) fn plain<'a>(&self, text: &'a str, spelling: &Spelling) -> Cow<'a, str> {
        let plain = if self.meaning.is_decimal() { spelling.plain(text) } else { None };
        plain.unwrap_or(Cow::Borrowed(text))
    }

    /// The value of a string; `None` if it has no value.
    pub(crate) fn of_text<'b>(&self, text: &str, bytes: &'b mut Vec<u8>) -> Option<ValueRef<'b>> {
        if let Some(pattern) = &self.pattern {
            let nanos = pattern.parse(text.trim())?;
            let whole = |unit: i128| (nanos.rem_euclid(unit) == 0).then(|| nanos.div_euclid(unit));
            return match self.meaning.storage() {
                Shape::Int => Some(ValueRef::Int(i32::try_from(whole(NANOS_PER_DAY)?).ok()?)),
                _ => Some(ValueRef::Long(i64::try_from(whole(NANOS_PER_MICRO)?).ok()?)),
            };
        }
        if self.is_exact {
            let value = self.meaning.parse(text, bytes)?;
            return (self.meaning.text(value).as_deref() == Some(text)).then_some(value);
        }
        let text = text.trim();
        match self.count(text) {
            Some(value) => Some(value),
            None => self.meaning.parse(text, bytes),
        }
    }

    /// The value of a number, by its text.
    pub(super) fn of_number<'b>(&self, text: &str, bytes: &'b mut Vec<u8>) -> Option<ValueRef<'b>> {
        if self.meaning.is_decimal() { self.meaning.parse(text, bytes) } else { self.count(text) }
    }

    /// A whole number as what the type counts.
    fn count<'b>(&self, text: &str) -> Option<ValueRef<'b>> {
        match (self.counts, self.meaning.storage()) {
            (Counted::Units, Shape::Int) => text.parse().ok().map(ValueRef::Int),
            (Counted::Units, Shape::Long) => text.parse().ok().map(ValueRef::Long),
            (Counted::Seconds, _) => micros(text).map(ValueRef::Long),
            _ => None,
        }
    }

    /// The canonical text of what a cell is written as.
    pub(super) fn written_for(&self, text: &str) -> Option<String> {
        let mut bytes = Vec::new();
        self.meaning.text(self.of_text(text, &mut bytes)?)
    }

    /// The canonical text of what a JSON value is written as; the number, where it has no text.
    pub(super) fn written_for_json(&self, raw: &str) -> Option<String> {
        let mut bytes = Vec::new();
        match raw.starts_with('"') {
            true => self.written_for(&serde_json::from_str::<Text<'_>>(raw).ok()?.0),
            false if raw.starts_with('[') => self.written_for(raw),
            false => {
                let value = self.of_number(raw, &mut bytes)?;
                self.meaning.text(value).or_else(|| value.as_i64().map(|number| number.to_string()))
            }
        }
    }
}

/// The microseconds of a decimal number of seconds; `None` where they are no whole number.
fn micros(seconds: &str) -> Option<i64> {
    let (is_negative, digits) = seconds.strip_prefix('-').map_or((false, seconds), |digits| (true, digits));
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let fraction = fraction.trim_end_matches('0');
    let is_number = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !is_number(whole) || !is_number(fraction) || fraction.len() > 6 {
        return None;
    }
    let micros: i64 = format!("{whole}{fraction:0<6}").parse().ok()?;
    Some(if is_negative { -micros } else { micros })
}

impl Plan {
    /// Writes a cell of a logical type.
    pub(super) fn write_logical<S: Serializer>(
        &self,
        kind: &LogicalKind,
        text: &str,
        context: &Context,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        match kind.of_text(text, &mut Vec::new()) {
            Some(value) => self.wrap(&Stored(value), to),
            None => misfit(format_args!("string {text:?} does not fit {self}"), context),
        }
    }

    /// Writes a JSON value of a logical type.
    pub(super) fn write_logical_json<S: Serializer>(
        &self,
        kind: &LogicalKind,
        raw: &RawValue,
        context: &Context,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        let (text, mut bytes) = (raw.get(), Vec::new());
        let value = match text.as_bytes().first() {
            Some(b'n') => return self.write_null(context, to),
            Some(b'"') => {
                let text: Text<'_> = serde_json::from_str(text).map_err(|error| context.failed(error))?;
                return self.write_logical(kind, &text.0, context, to);
            }
            Some(b'-' | b'0'..=b'9') => kind.of_number(text, &mut bytes),
            Some(b'[') => match kind.meaning {
                Meaning::Bytes(_) => kind.of_text(text, &mut bytes),
                Meaning::Logical(_) => return misfit(format_args!("a list does not fit {self}"), context),
            },
            Some(b'{') => return misfit(format_args!("an object does not fit {self}"), context),
            _ => None,
        };
        match value {
            Some(value) => self.wrap(&Stored(value), to),
            None => misfit(format_args!("{text} does not fit {self}"), context),
        }
    }
}

#[cold]
fn misfit<T, E: serde::ser::Error>(message: std::fmt::Arguments<'_>, context: &Context) -> Result<T, E> {
    context.note(message, true);
    Err(E::custom(""))
}

/// A value as it is stored.
struct Stored<'v>(ValueRef<'v>);

impl Serialize for Stored<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            ValueRef::Int(value) => to.serialize_i32(value),
            ValueRef::Long(value) => to.serialize_i64(value),
            ValueRef::Bytes(bytes) => to.serialize_bytes(bytes),
            _ => Err(S::Error::custom("a value of a logical type is stored in another way")),
        }
    }
}

/// A text that is borrowed where it can be.
#[derive(serde::Deserialize)]
struct Text<'a>(#[serde(borrow)] Cow<'a, str>);
