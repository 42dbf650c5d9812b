//! What standard output is like, where it is a terminal.

use anstream::{AutoStream, ColorChoice};
use std::io;

/// The columns of the terminal that standard output is: what `COLUMNS` says, or the terminal itself, or else 80.
#[must_use]
pub fn width() -> usize {
    let asked = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let found = || console::Term::stdout().size_checked().map(|(_, columns)| usize::from(columns));
    asked.or_else(found).unwrap_or(80)
}

/// Whether styles may be written to standard output.
#[must_use]
pub fn has_colours() -> bool {
    AutoStream::choice(&io::stdout()) != ColorChoice::Never
}
