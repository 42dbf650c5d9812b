//! Rows of cells to the writer, by a plan.

use super::stream::FittedNumber;
use super::{Context, Field, Plan, Raw, Record};
use crate::numbers::{Cell, Integer, Spelling, Wide};
use serde::ser::{Error as _, Serialize, SerializeStruct, Serializer};

/// The strings of a row, one after the other.
#[derive(Clone, Copy, Debug)]
pub struct Texts<'a> {
    /// The strings of this row and of the rows around it.
    pub text: &'a str,
    /// Where the first one begins.
    pub start: u32,
    /// Where each ends.
    pub ends: &'a [u32],
    /// The number of the first among the cells of all rows, and which of all are empty and in quotes.
    pub first: u32,
    /// The numbers of cells that are empty and in quotes, which ascend.
    pub quoted: &'a [u32],
}

impl<'a> Texts<'a> {
    #[inline]
    fn get(self, number: usize) -> Option<&'a str> {
        let before = number.checked_sub(1).map_or(Some(&self.start), |before| self.ends.get(before))?;
        self.text.get(*before as usize..*self.ends.get(number)? as usize)
    }

    /// Whether a cell is empty and in quotes.
    fn is_quoted(self, number: usize) -> bool {
        let number = u32::try_from(number).unwrap_or(u32::MAX);
        !self.quoted.is_empty() && self.quoted.binary_search(&self.first.saturating_add(number)).is_ok()
    }
}

/// The text of a cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CellText<'a> {
    Null,
    /// Two quotes, where an empty cell is null: the empty text among strings, else null.
    Blank,
    Text(&'a str),
}

impl<'a> CellText<'a> {
    /// A cell, by whether it is in quotes, and by what null cells are.
    #[inline]
    pub fn of(text: &'a str, is_quoted: bool, nulls: &[String]) -> Self {
        match nulls.iter().any(|null| *null == text) {
            true if is_quoted && text.is_empty() => Self::Blank,
            true => Self::Null,
            false => Self::Text(text),
        }
    }

    /// What is written of it by a plan; `None` for null.
    #[inline]
    pub fn text(self, plan: &Plan) -> Option<&'a str> {
        match self {
            Self::Null => None,
            Self::Blank => (plan.has_texts() || plan.raw() == Some(Raw::String)).then_some(""),
            Self::Text(text) => Some(text),
        }
    }
}

/// A row of cells.
pub struct CellRow<'a> {
    /// Its cells.
    pub texts: Texts<'a>,
    /// What becomes of them.
    pub record: &'a Record,
    /// The number of the cell for each field; `None` for what is always null.
    pub places: &'a [Option<usize>],
    /// The strings that mean null.
    pub nulls: &'a [String],
    /// How they are read.
    pub context: &'a Context,
}

impl Serialize for CellRow<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut out = to.serialize_struct("", self.record.fields.len())?;
        for (field, place) in self.record.fields.iter().zip(self.places).filter(|(field, _)| field.kept) {
            let text = place.and_then(|place| {
                let text = self.texts.get(place)?;
                let is_quoted = text.is_empty() && self.texts.is_quoted(place);
                CellText::of(text, is_quoted, self.nulls).text(&field.plan)
            });
            if text.is_none() && field.plan.absent && !field.plan.null {
                out.skip_field(field.name)?;
                continue;
            }
            let value = Value { text, plan: &field.plan, context: self.context };
            out.serialize_field(field.name, &value).map_err(|error| self.failed(field, error))?;
        }
        out.end()
    }
}

impl CellRow<'_> {
    /// Where an error is; errors of the writer say it themselves.
    #[cold]
    fn failed<E: serde::ser::Error>(&self, field: &Field, error: E) -> E {
        if self.context.is_noted() {
            self.context.below(field.name);
        }
        self.context.noted(error)
    }
}

struct Value<'a> {
    /// None for null.
    text: Option<&'a str>,
    plan: &'a Plan,
    context: &'a Context,
}

impl Serialize for Value<'_> {
    #[inline]
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let plan = self.plan;
        let Some(text) = self.text else {
            return plan.write_null(self.context, to);
        };
        if plan.has_texts() || plan.raw().is_some() {
            return plan.wrap(text, to);
        }
        if let Some(kind) = plan.logical() {
            return plan.write_logical(kind, &kind.plain(text, &self.context.spelling), self.context, to);
        }
        let misfit = || {
            self.context.note(format_args!("string {text:?} does not fit {plan}"), true);
            Err(S::Error::custom(""))
        };
        let cell = match Cell::of(text, &self.context.spelling) {
            cell if !plan.given
                || (plan.integer() == Some(Integer::Long) && matches!(cell, Cell::Integer(_))) =>
            {
                cell
            }
            _ => liberal(text, plan, &self.context.spelling),
        };
        match cell {
            Cell::Boolean(value) if plan.has_booleans() => plan.wrap(&value, to),
            Cell::Integer(value) if plan.integer() == Some(Integer::Long) => plan.wrap(&value, to),
            Cell::Integer(value) => match plan.fit_integer(value.into()) {
                Some(fitted) => plan.wrap_number(fitted, &value, to),
                None => misfit(),
            },
            Cell::Large(value) => match plan.fit_integer(value.into()) {
                Some(fitted) => plan.wrap_number(fitted, &value, to),
                None => misfit(),
            },
            Cell::Wide(Wide::Signed(value)) => match plan.fit_integer(value) {
                Some(fitted) => plan.wrap_number(fitted, &value, to),
                None => misfit(),
            },
            Cell::Wide(Wide::Large(value)) if plan.integer() == Some(Integer::U128) => plan.wrap(&value, to),
            Cell::Float(value) | Cell::Named(value, _) => match plan.fit_float(value) {
                Some(FittedNumber::Double(value)) => plan.wrap(&value, to),
                Some(FittedNumber::Single(value)) => plan.wrap(&value, to),
                Some(FittedNumber::Integer) => plan.wrap(&(value as i64), to),
                None => misfit(),
            },
            _ => misfit(),
        }
    }
}

/// A cell whose type was given: all that can be read as this type.
pub(crate) fn liberal<'a>(text: &'a str, plan: &Plan, spelling: &Spelling) -> Cell<'a> {
    let Some(plain) = spelling.plain(text) else {
        return Cell::Text(text);
    };
    let trimmed = plain.trim();
    let boolean = || match trimmed.to_ascii_lowercase().as_str() {
        "true" | "1" | "yes" | "y" | "t" | "on" => Some(Cell::Boolean(true)),
        "false" | "0" | "no" | "n" | "f" | "off" => Some(Cell::Boolean(false)),
        _ => spelling.boolean(trimmed).map(Cell::Boolean),
    };
    let integer = || trimmed.parse().map(Cell::Integer).or_else(|_| trimmed.parse().map(Cell::Large)).ok();
    let float = || trimmed.parse().map(Cell::Float).ok();
    let number = plan.integer().and_then(|_| integer()).or_else(|| plan.float().and_then(|_| float()));
    let found = number.or_else(|| if plan.has_booleans() { boolean() } else { None });
    found.unwrap_or(Cell::Text(text))
}
