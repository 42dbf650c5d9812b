//! Rows and their cells as text.

mod heading;
mod json;
mod separated;
mod table;
mod texts;

pub use heading::{Heading, NULL, Paint, is_number};
pub use json::{Hex, Json, Ordered, Place, is_null, json_text, no_number, non_null, printed_no_number, put};
pub use separated::{Lines, Separated};
pub use table::Table;
pub use texts::{Shown, has_logical, has_union, is_printed, with_texts, without_unions};
