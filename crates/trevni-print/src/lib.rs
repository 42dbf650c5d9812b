//! What the programs of trevni print: rows as tables, JSON and separated values, numbers for people, progress bars. Nothing
//! that is read steers a terminal.
//!
//! It is for `trevni` and `trevni-sql`, and promises no interface.

pub mod drawing;
pub mod human;
pub mod progress;
pub mod rows;
pub mod shown;
pub mod terminal;
pub mod type_name;
