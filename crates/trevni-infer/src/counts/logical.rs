//! Which logical type the strings of a path have.

use crate::numbers::Cell;
use trevni::LogicalDetector;
use trevni::shape::LogicalShape;

/// Finds the logical type of strings, which gives each of them back as it is.
#[derive(Clone, Debug, Default)]
pub(crate) struct Finder {
    detector: LogicalDetector,
    /// There is a cell that is not what the float of it is printed as.
    is_reshaped: bool,
}

impl Finder {
    pub(crate) fn text(&mut self, text: &str) {
        self.detector.push(text);
    }

    /// Looks at a cell, whatever it is.
    pub(crate) fn cell(&mut self, text: &str, cell: Cell<'_>) {
        let found = self.detector.push(text);
        if let (true, false, Cell::Float(value)) = (found, self.is_reshaped, cell) {
            self.is_reshaped = serde_json::to_string(&value).ok().as_deref() != Some(text);
        }
    }

    /// Values that have not been looked at may be of any type.
    pub(super) fn refuse(&mut self) {
        // No value of a logical type has an empty text.
        self.detector.push("");
    }

    pub(crate) fn merge(&mut self, later: &Self) {
        self.detector.merge(&later.detector);
        self.is_reshaped |= later.is_reshaped;
    }

    pub(crate) fn shape(&self) -> Option<LogicalShape> {
        self.detector.shape()
    }

    /// Whether cells that are floats come back in another form, such as `2.5` for `2.50`.
    pub(super) fn is_reshaped(&self) -> bool {
        self.is_reshaped
    }
}
