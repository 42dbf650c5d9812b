//! From text to a tree: `tokens` splits the text, `parse` and `primary` make a tree of it.

mod parse;
mod primary;
mod reference;
mod tokens;
mod tree;

pub(crate) use parse::Parser;
pub use reference::Reference;
pub(crate) use tree::{Comparison, Function, Operation, Operator, Syntax, TextPattern};
