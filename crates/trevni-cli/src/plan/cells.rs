//! Rows of cells to the writer, by a plan.

use super::stream::Placed;
use super::{Context, Field, Plan, Record};
use crate::infer::cell::Cell;
use serde::ser::{Error as _, Serialize, SerializeStruct, Serializer};

/// The texts of a row, one behind the other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Texts<'a> {
    /// The texts of this row, and of others around it.
    pub(crate) text: &'a str,
    /// Where the first one begins.
    pub(crate) start: u32,
    /// Where each ends.
    pub(crate) ends: &'a [u32],
}

impl<'a> Texts<'a> {
    #[inline]
    fn get(self, number: usize) -> Option<&'a str> {
        let before = number.checked_sub(1).map_or(Some(&self.start), |before| self.ends.get(before))?;
        self.text.get(*before as usize..*self.ends.get(number)? as usize)
    }
}

/// A row of cells.
pub(crate) struct Cells<'a> {
    pub(crate) texts: Texts<'a>,
    pub(crate) record: &'a Record,
    /// The number of the cell for each field; none for what is always null.
    pub(crate) places: &'a [Option<usize>],
    /// The texts that stand for null.
    pub(crate) nulls: &'a [String],
    pub(crate) context: &'a Context,
}

impl Serialize for Cells<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut out = to.serialize_struct("", self.record.fields.len())?;
        for (field, place) in self.record.fields.iter().zip(self.places).filter(|(field, _)| field.kept) {
            let text = place.and_then(|place| self.texts.get(place));
            let value = Value { text, plan: &field.plan, nulls: self.nulls, context: self.context };
            out.serialize_field(field.name, &value).map_err(|error| self.failed(field, error))?;
        }
        out.end()
    }
}

impl Cells<'_> {
    /// Where an error is; those of the writer say it themselves.
    #[cold]
    fn failed<E: serde::ser::Error>(&self, field: &Field, error: E) -> E {
        if self.context.is_noted() {
            self.context.below(field.name);
        }
        self.context.noted(error)
    }
}

/// Whether a cell is null.
#[inline]
pub(crate) fn is_null(text: &str, nulls: &[String]) -> bool {
    nulls.iter().any(|null| *null == text)
}

struct Value<'a> {
    text: Option<&'a str>,
    plan: &'a Plan,
    nulls: &'a [String],
    context: &'a Context,
}

impl Serialize for Value<'_> {
    #[inline]
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let plan = self.plan;
        let Some(text) = self.text.filter(|text| !is_null(text, self.nulls)) else {
            return plan.write_null(self.context, to);
        };
        if plan.takes.text || plan.raw.is_some() {
            return plan.wrap(text, to);
        }
        let misfit = || {
            self.context.note(format_args!("text {text:?} does not fit {plan}"), true);
            Err(S::Error::custom(""))
        };
        let cell = match Cell::of(text) {
            cell if !plan.given || (plan.takes.long && matches!(cell, Cell::Integer(_))) => cell,
            _ => liberal(text, plan),
        };
        match cell {
            Cell::Boolean(value) if plan.takes.boolean => plan.wrap(&value, to),
            Cell::Integer(value) if plan.takes.long => plan.wrap(&value, to),
            Cell::Integer(value) => match plan.place_integer(value.into()) {
                Some(placed) => plan.wrap_placed(placed, &value, to),
                None => misfit(),
            },
            Cell::Large(value) => match plan.place_integer(value.into()) {
                Some(placed) => plan.wrap_placed(placed, &value, to),
                None => misfit(),
            },
            Cell::Float(value) => match plan.place_float(value) {
                Some(Placed::Double(value)) => plan.wrap(&value, to),
                Some(Placed::Single(value)) => plan.wrap(&value, to),
                Some(Placed::Integer) => plan.wrap(&(value as i64), to),
                None => misfit(),
            },
            _ => misfit(),
        }
    }
}

/// A cell whose type was given: all that can be read as this type.
pub(crate) fn liberal<'a>(text: &'a str, plan: &Plan) -> Cell<'a> {
    let trimmed = text.trim();
    let boolean = || match trimmed.to_ascii_lowercase().as_str() {
        "true" | "1" => Some(Cell::Boolean(true)),
        "false" | "0" => Some(Cell::Boolean(false)),
        _ => None,
    };
    let integer = || trimmed.parse().map(Cell::Integer).or_else(|_| trimmed.parse().map(Cell::Large)).ok();
    let float = || trimmed.parse().map(Cell::Float).ok();
    let number = plan.integer.and_then(|_| integer()).or_else(|| plan.float.and_then(|_| float()));
    let found = number.or_else(|| if plan.takes.boolean { boolean() } else { None });
    found.unwrap_or(Cell::Text(text))
}
