//! From text to a tree: `tokens` splits the text, `parse` and `primary` make a tree of it.

mod functions;
mod operators;
mod parse;
mod primary;
mod reference;
mod tokens;
mod tree;

pub(crate) use functions::{Function, Side};
pub(crate) use parse::{Parser, SPACES, WrittenCall};
pub use reference::Reference;
pub(crate) use reference::Segment;
pub(crate) use tree::{Comparison, Operation, Operator, Plain, Syntax, TextPattern};
