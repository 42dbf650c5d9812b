//! Fields by paths: the one rule for all commands.
//!
//! A path is names joined by dots. Lists and optionals are passed through; a map has `key` and `value`, a
//! union the names of its variants. A dot parts names; where that leads nowhere, it is part of a name. What
//! follows a `\` stands for itself, so `a\.b` is the field of this name and no other. In patterns, `*` stands
//! for any part of a name and `?` for any character.

mod choose;
mod field_path;
mod find;
mod lost;
mod pattern;

pub(crate) use choose::{Choice, chosen};
pub(crate) use field_path::{FieldPath, escaped, labels};
pub(crate) use find::{Found, Root, all, find};
pub(crate) use lost::{Lost, near};
pub(crate) use pattern::{Part, Pattern};
