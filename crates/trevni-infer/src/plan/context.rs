//! What went wrong with a row on its way, and where in it.

use super::{Part, shown};
use crate::numbers::Spelling;
use std::cell::{Cell, RefCell};
use std::fmt::Display;

/// Why a row was not written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The path in the row, its last name first.
    path: Vec<Part>,
    /// What it is.
    pub message: String,
    /// The value does not fit the plan.
    pub misfit: bool,
}

impl Problem {
    /// The path as it is shown; empty for the row.
    pub fn path(&self) -> String {
        shown(self.path.iter().rev())
    }
}

/// What is common to the values of a row, and outlives the errors of parser and writer, which are text.
#[derive(Debug, Default)]
pub struct Context {
    /// Numbers are read from their text, because some have more than 64 bits.
    pub exact: Cell<bool>,
    /// A number may have more than 64 bits: the row has to be read again, exactly.
    pub large: Cell<bool>,
    /// A field that is missing is null, where null is possible.
    pub(crate) lenient: bool,
    /// Which cells are numbers and booleans.
    pub spelling: Spelling,
    problem: RefCell<Option<Problem>>,
}

impl Context {
    /// Without problems.
    pub fn new(lenient: bool, spelling: Spelling) -> Self {
        Self { lenient, spelling, ..Self::default() }
    }

    /// Notes what is wrong, if nothing is noted so far.
    #[cold]
    pub fn note(&self, message: impl Display, misfit: bool) {
        let mut problem = self.problem.borrow_mut();
        if problem.is_none() {
            *problem = Some(Problem { path: Vec::new(), message: message.to_string(), misfit });
        }
    }

    /// Notes that what is wrong is below a name.
    #[cold]
    pub(crate) fn below(&self, name: &str) {
        self.within(Part::Name(name.to_owned()));
    }

    /// Notes that what is wrong is within a part of the row.
    #[cold]
    pub(crate) fn within(&self, part: Part) {
        if let Some(problem) = &mut *self.problem.borrow_mut() {
            problem.path.push(part);
        }
    }

    /// An error of the parser, for the writer.
    #[cold]
    pub(crate) fn failed<T: serde::ser::Error>(&self, error: impl Display) -> T {
        self.note(error, false);
        T::custom("")
    }

    /// An error of the writer, for the parser.
    #[cold]
    pub(super) fn failed_reading<T: serde::de::Error>(&self, error: impl Display) -> T {
        self.note(error, false);
        T::custom("")
    }

    /// An error of the writer, which is noted, if it has not been before.
    #[cold]
    pub(super) fn noted<E: Display>(&self, error: E) -> E {
        self.note(&error, true);
        error
    }

    /// Whether something is noted.
    pub(super) fn is_noted(&self) -> bool {
        self.problem.borrow().is_some()
    }

    /// The problem that was noted last, which is forgotten.
    pub fn take(&self) -> Option<Problem> {
        self.problem.borrow_mut().take()
    }
}
